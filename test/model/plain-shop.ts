/**
 * A shop as plain objects: its live configuration, its versions, its changeset with the carts that it saw, its gate, and
 * whether it takes direct writes, its keys, and its audit (contract sections 2, 6, 7, 12.3 and 12.8). It shares no code with the program.
 */
import { hasLongLists, isOverPlan, type PlainConfig, type PlainLimits } from './plain-config.ts';
import { type PlainWrite, Refused, writePlain } from './plain-writes.ts';

export interface PlainVersion {
  id: string;
  number: number;
  createdBy: 'system' | 'user' | 'import' | 'rollback' | 'promotion';
  batchId: string | null;
  config: PlainConfig;
}

/** Who writes: a key with this permission. */
export type PlainKey = 'admin' | 'write';

/** Criteria of the gate: those that carts or the writes decide. */
export interface PlainGate {
  readonly secondPerson?: boolean;
  readonly noLostCarts?: boolean;
  readonly evaluatedMin?: number;
}

export interface PlainApiKey {
  readonly id: string;
  label: string;
  readonly permission: string;
}

/** An entry of the audit, without its id and time. */
export interface PlainEntry {
  readonly keyId: string | null;
  readonly keyLabel: string;
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string; readonly name: string };
  readonly before: object | null;
  readonly after: object | null;
}

/** How many rates a cart is offered. */
export interface PlainOffer {
  readonly live: number;
  readonly staged: number;
}

interface PlainCarts {
  evaluated: number;
  lost: number;
}

interface PlainChangeset {
  id: string;
  baseVersionId: string;
  /** The configuration after each staged write. */
  configs: PlainConfig[];
  /** Who has written to it. */
  writers: Set<PlainKey>;
  /** Live carts: all, and those since the last staged write. */
  carts: PlainCarts;
  cartsSinceWrite: PlainCarts;
  replayed: PlainCarts & { runs: number };
}

const noCarts = (): PlainCarts => ({ evaluated: 0, lost: 0 });

function addCart(carts: PlainCarts, { live, staged }: PlainOffer): void {
  carts.evaluated++;
  if (live > 0 && staged === 0) carts.lost++;
}

export type PlainRequest =
  | PlainWrite
  | { readonly kind: 'rollback'; readonly targetVersionId: string }
  | { readonly kind: 'enterStaging' | 'discardStaging' }
  | { readonly kind: 'promoteStaging'; readonly isForced?: boolean }
  | { readonly kind: 'setGate'; readonly gate: PlainGate | null }
  | { readonly kind: 'setDirectWrites'; readonly directWrites: boolean }
  | { readonly kind: 'setPlan'; readonly plan: string }
  | { readonly kind: 'setSecret'; readonly isSet: boolean }
  | { readonly kind: 'createKey'; readonly label: string }
  | { readonly kind: 'renameKey'; readonly id: string; readonly label: string }
  | { readonly kind: 'revokeKey'; readonly id: string };

export interface PlainHeaders {
  readonly batchId: string | null;
  readonly ifMatch: string | null;
  readonly by: PlainKey;
}

/** The part of the shop's answer that the model needs: the ids that the shop made. */
export interface MadeIds {
  readonly recordId: string;
  readonly stagingId: string;
  /** Ids of the new versions, oldest first. */
  readonly versionIds: readonly string[];
}

/** The error code, or null when the request is accepted. */
export type Verdict = string | null;

export class PlainShop {
  readonly versions: PlainVersion[];
  changeset: PlainChangeset | null = null;
  gate: PlainGate | null = null;
  directWrites = true;
  hasSecret = false;
  /** Those that write, and others. */
  readonly keys: PlainApiKey[] = [];
  /** Oldest first. */
  readonly audit: PlainEntry[] = [];
  plan: string;
  /** The tags of the states so far, oldest first. */
  readonly tags: string[] = [];
  readonly #plans: Readonly<Record<string, PlainLimits>>;

  constructor(first: PlainVersion, plan: string, plans: Readonly<Record<string, PlainLimits>>) {
    this.versions = [first];
    this.plan = plan;
    this.#plans = plans;
  }

  get current(): PlainVersion {
    return this.versions[this.versions.length - 1] as PlainVersion;
  }

  /** The configuration that the next write changes and that reads show. */
  get viewed(): PlainConfig {
    if (this.changeset === null) return this.current.config;
    return this.changeset.configs[this.changeset.configs.length - 1] ?? this.current.config;
  }

  /** Names what reads show: the live version, or the changeset after its last write. */
  get tag(): string {
    if (this.changeset === null) return this.current.id;
    return `${this.current.id}.${this.changeset.id}.${this.changeset.configs.length}`;
  }

  /** The expected result of a request; `take` applies it. */
  verdict(request: PlainRequest, { ifMatch, by }: PlainHeaders): Verdict {
    if (ifMatch !== null && ifMatch !== this.current.id && ifMatch !== this.tag) return 'CONFLICT';
    switch (request.kind) {
      case 'setPlan':
      case 'setGate':
      case 'setDirectWrites':
      case 'setSecret':
      case 'createKey':
        return null;
      case 'renameKey':
      case 'revokeKey':
        return this.keys.some(({ id }) => id === request.id) ? null : 'NOT_FOUND';
      case 'enterStaging':
        return this.changeset === null ? null : 'CONFLICT';
      case 'discardStaging':
        return this.changeset === null ? 'CONFLICT' : null;
      case 'promoteStaging':
        if (this.changeset === null) return 'CONFLICT';
        if (request.isForced !== true && !this.#passes(this.changeset, by)) return 'CONFLICT';
        return this.#overPlan(this.current.config, this.viewed);
      case 'rollback': {
        if (this.changeset !== null) return 'CONFLICT';
        if (!this.directWrites && by !== 'admin') return 'FORBIDDEN';
        const target = this.versions.find(({ id }) => id === request.targetVersionId);
        return target === undefined ? 'NOT_FOUND' : this.#overPlan(this.current.config, target.config);
      }
      default:
        if (!this.directWrites && this.changeset === null) return 'CONFLICT';
        if (request.kind === 'executeConfig' && hasLongLists(this.#limits, this.viewed, request.data))
          return 'PLAN_LIMIT_EXCEEDED';
        try {
          return this.#overPlan(this.viewed, writePlain(this.viewed, request, 'made'));
        } catch (error) {
          if (error instanceof Refused) return error.code;
          throw error;
        }
    }
  }

  /** Replays are no evidence. */
  #passes({ writers, cartsSinceWrite: { evaluated, lost } }: PlainChangeset, by: PlainKey): boolean {
    const { secondPerson = false, noLostCarts = false, evaluatedMin = 0 } = this.gate ?? {};
    if (secondPerson && writers.has(by)) return false;
    return (!noLostCarts || lost === 0) && evaluated >= evaluatedMin;
  }

  /** Live answered a cart. */
  simulated(offer: PlainOffer): void {
    if (this.changeset === null) return;
    addCart(this.changeset.carts, offer);
    addCart(this.changeset.cartsSinceWrite, offer);
  }

  replayed(offers: readonly PlainOffer[]): void {
    const { replayed } = this.changeset as PlainChangeset;
    replayed.runs++;
    for (const offer of offers) addCart(replayed, offer);
  }

  get #limits(): PlainLimits {
    return this.#plans[this.plan] as PlainLimits;
  }

  #overPlan(before: PlainConfig, after: PlainConfig): Verdict {
    return isOverPlan(this.#limits, before, after) ? 'PLAN_LIMIT_EXCEEDED' : null;
  }

  /** Applies an accepted request. `adopted` is the resulting configuration if the request made ids. */
  take(request: PlainRequest, { batchId, by }: PlainHeaders, made: MadeIds, adopted: PlainConfig): void {
    this.tags.push(this.tag);
    switch (request.kind) {
      case 'setPlan':
        this.#noteSetting(by, 'plan_changed', { plan: this.plan }, { plan: request.plan });
        this.plan = request.plan;
        return;
      case 'setGate': {
        const [before, after] = [this.gate, request.gate].map((promotionGate) => ({ promotionGate }));
        this.#noteSetting(by, 'settings_changed', before, after);
        this.gate = request.gate;
        return;
      }
      case 'setDirectWrites': {
        const { directWrites } = request;
        this.#noteSetting(by, 'settings_changed', { directWrites: this.directWrites }, { directWrites });
        this.directWrites = directWrites;
        return;
      }
      case 'setSecret': {
        const action = request.isSet ? 'secret_set' : 'secret_removed';
        const values = [{ isSet: this.hasSecret }, { isSet: request.isSet }] as const;
        this.#note(by, action, { kind: 'secret', id: 'shopify', name: 'Shopify' }, ...values);
        this.hasSecret = request.isSet;
        return;
      }
      case 'createKey':
        this.addKey({ id: made.recordId, label: request.label, permission: 'read' }, by);
        return;
      case 'renameKey': {
        const key = this.keys.find(({ id }) => id === request.id) as PlainApiKey;
        const { label } = request;
        if (label !== key.label)
          this.#note(by, 'key_changed', subjectOf(key), { label: key.label }, { label });
        key.label = label;
        return;
      }
      case 'revokeKey': {
        const at = this.keys.findIndex(({ id }) => id === request.id);
        const [key] = this.keys.splice(at, 1) as [PlainApiKey];
        this.#note(by, 'key_revoked', subjectOf(key), shownKey(key), null);
        return;
      }
      case 'enterStaging':
        this.#note(by, 'changeset_entered', changesetOf(made.stagingId), null, {
          note: '',
          baseVersionId: this.current.id,
        });
        this.changeset = {
          id: made.stagingId,
          baseVersionId: this.current.id,
          configs: [],
          writers: new Set(),
          carts: noCarts(),
          cartsSinceWrite: noCarts(),
          replayed: { runs: 0, ...noCarts() },
        };
        return;
      case 'discardStaging':
        this.#noteEnd(by, 'changeset_discarded', this.changeset as PlainChangeset, null);
        this.changeset = null;
        return;
      case 'promoteStaging': {
        const changeset = this.changeset as PlainChangeset;
        const { id, configs } = changeset;
        this.changeset = null;
        for (const [index, config] of configs.entries()) {
          this.#add(made.versionIds[index], 'promotion', batchId ?? id, config);
        }
        const action = request.isForced ? 'changeset_forced' : 'changeset_promoted';
        const after = { versionId: this.current.id, batchId: batchId ?? id };
        this.#noteEnd(by, action, changeset, after);
        return;
      }
      case 'rollback': {
        const target = this.versions.find(({ id }) => id === request.targetVersionId) as PlainVersion;
        this.#add(made.versionIds[0], 'rollback', batchId, target.config);
        return;
      }
      default: {
        const written = withIdsOf(writePlain(this.viewed, request, made.recordId), adopted);
        if (this.changeset !== null) {
          this.changeset.configs.push(written);
          this.changeset.writers.add(by);
          this.changeset.cartsSinceWrite = noCarts();
        } else {
          const author = request.kind === 'executeConfig' ? 'import' : 'user';
          this.#add(made.versionIds[0], author, batchId, written);
        }
      }
    }
  }

  /** `by` null: an operator. */
  addKey(key: PlainApiKey, by: PlainKey | null): void {
    this.#note(by, 'key_created', subjectOf(key), null, shownKey(key));
    this.keys.push(key);
  }

  #note(
    by: PlainKey | null,
    action: string,
    subject: PlainEntry['subject'],
    before: object | null,
    after: object | null,
  ): void {
    // The first key of a permission is that of the writer.
    const key = this.keys.find(({ permission }) => permission === by) ?? { id: null, label: 'operator' };
    this.audit.push({ keyId: key.id, keyLabel: key.label, action, subject, before, after });
  }

  #noteSetting(by: PlainKey, action: string, before: object | undefined, after: object | undefined): void {
    if (before === undefined || after === undefined) return;
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    this.#note(by, action, { kind: 'shop', id: 'shop_model', name: 'Model' }, before, after);
  }

  #noteEnd(by: PlainKey, action: string, { id, configs }: PlainChangeset, after: object | null): void {
    this.#note(by, action, changesetOf(id), { note: '', writes: configs.length }, after);
  }

  #add(
    id: string | undefined,
    createdBy: PlainVersion['createdBy'],
    batchId: string | null,
    config: PlainConfig,
  ): void {
    this.versions.push({ id: id ?? '', number: this.versions.length + 1, createdBy, batchId, config });
  }

  /** The rows of a collapsed list, newest first: number, and the size of its run when it has a batch id. */
  rows(): { number: number; size: number | undefined; oldest: string }[] {
    const rows: { number: number; size: number | undefined; oldest: string }[] = [];
    let before: PlainVersion | undefined;
    for (const version of [...this.versions].reverse()) {
      const last = rows[rows.length - 1];
      if (last?.size !== undefined && before?.batchId === version.batchId) {
        last.size++;
        last.oldest = version.id;
      } else {
        rows.push({
          number: version.number,
          size: version.batchId === null ? undefined : 1,
          oldest: version.id,
        });
      }
      before = version;
    }
    return rows;
  }
}

const subjectOf = ({ id, label }: PlainApiKey) => ({ kind: 'key', id, name: label });
const shownKey = ({ label, permission }: PlainApiKey) => ({ label, permission, expiresAt: null });
const changesetOf = (id: string) => ({ kind: 'changeset', id, name: '' });

/** The expected configuration with the ids that the shop made. */
function withIdsOf(config: PlainConfig, adopted: PlainConfig): PlainConfig {
  const adopt = <T extends { id: string }>(records: T[], others: readonly T[]): void => {
    for (const [index, record] of records.entries())
      if (record.id === '') record.id = others[index]?.id ?? '';
  };
  for (const [index, { subzones }] of config.zones.entries()) {
    adopt(subzones, adopted.zones[index]?.subzones ?? []);
  }
  adopt(config.productGroups, adopted.productGroups);
  adopt(config.methods, adopted.methods);
  return config;
}
