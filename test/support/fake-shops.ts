/**
 * Shops and keys in memory, for tests of the front end: they keep the promises of `shop/shop-access.ts` with the
 * simplest decisions that give answers of the right shape. They accept every body that its schema accepts, also where
 * the service would not, so that tests can send each bound of a schema. Public fields let a test see and delay what
 * they do.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnswerText } from '../../src/base/bytes/answer-text.ts';
import type { Command, CommandResult } from '../../src/engine/change/command.ts';
import type { ApiKey } from '../../src/engine/domain/api-key.ts';
import { type AuditEntry, auditIdOf } from '../../src/engine/domain/audit.ts';
import type { SimulateRequest } from '../../src/engine/domain/cart.ts';
import {
  conflict,
  failure,
  invalid,
  notFound,
  type Outcome,
  success,
} from '../../src/engine/domain/failure.ts';
import type { LintReport } from '../../src/engine/domain/finding.ts';
import { PERMISSIONS } from '../../src/engine/domain/permission.ts';
import { RATE_TYPES } from '../../src/engine/domain/rate-type.ts';
import type { ShippingMethod } from '../../src/engine/domain/shipping-method.ts';
import type { PlacedConfig, ShopState } from '../../src/engine/domain/shop-event.ts';
import { NO_DIFFERENCES } from '../../src/engine/domain/version.ts';
import { currentTagsOf } from '../../src/engine/domain/view-tag.ts';
import type { Sweeping } from '../../src/engine/explain/price-curve.ts';
import type { AnswerForm } from '../../src/engine/wire/answer.ts';
import type { BisectAnswer, ComparedVersions, PreviewAnswer } from '../../src/engine/wire/answer-schemas.ts';
import type { CheckResults } from '../../src/engine/wire/check-results.ts';
import type { Effects } from '../../src/engine/wire/effects.ts';
import type { PriceCurve } from '../../src/engine/wire/price-curve.ts';
import {
  blendedRateView,
  checkView,
  groupView,
  methodWithRulesView,
  ruleView,
  zoneView,
} from '../../src/engine/wire/record-view.ts';
import { compileSchema } from '../../src/engine/wire/schema-check.ts';
import { type Staging, stagingView } from '../../src/engine/wire/staging.ts';
import { UnknownShopError } from '../../src/shop/actor/shop-directory.ts';
import type { AuditPage, AuditQuery } from '../../src/shop/reader/audit-page.ts';
import type {
  KeyGrant,
  KeyRing,
  ShopAccess,
  ShopDirectory,
  WriteAnswer,
  WriteRequest,
} from '../../src/shop/reader/shop-access.ts';
import { LIVE, type PlacedCart, type SimulationView } from '../../src/shop/reader/simulating-shop.ts';
import type { SimulationSource } from '../../src/shop/reader/version-cache.ts';
import { FakeHistory, isHistoryCommand } from './fake-history.ts';
import { sampleConfig } from './sample-config.ts';

type Method = PlacedConfig['methods'][number];
type Rule = Method['rules'][number];

const CREATED_AT = '2026-11-18T17:00:00.000Z';

/** An answer that fits the schema, as short as it gets. */
const NO_EFFECTS: Effects = { probes: 0, changed: 0, lost: 0, gained: 0, samples: [], limited: false };
const EMPTY_SIMULATION = '{"rates":[],"methodEvaluations":[],"blendedRates":[],"zone":null}';

const entryOf = (number: number): AuditEntry => ({
  id: auditIdOf(number),
  at: CREATED_AT,
  keyId: null,
  keyLabel: 'operator',
  action: 'plan_changed',
  subject: { kind: 'shop', id: 'shop_a', name: 'shop_a' },
  before: { plan: 'pro' },
  after: { plan: 'enterprise' },
});

export class FakeShop implements ShopAccess {
  readonly shopId: string;
  /** Grows by one with each new state. */
  sequenceNumber = 0;
  /** Every write that was asked for, in order. */
  readonly writes: WriteRequest[] = [];
  readonly simulations: {
    readonly request: SimulateRequest;
    readonly nowMs: number;
    readonly form: AnswerForm;
    readonly isTest: boolean;
  }[] = [];
  /** What simulate answers. */
  simulateWith: (request: SimulateRequest, nowMs: number, form?: AnswerForm) => Outcome<string> = () =>
    success(EMPTY_SIMULATION);
  /** What a write waits for before it is decided. */
  held: Promise<void> = Promise.resolve();
  /** While set, the refusal of every write. */
  refuseWith: Outcome<WriteAnswer> | null = null;
  readonly #answers = new Map<string, { digest: string; status: number; body: string }>();
  readonly history = new FakeHistory();
  /** The entries of the audit, newest first. */
  readonly audited: readonly AuditEntry[] = [entryOf(3), entryOf(2)];
  #state: ShopState;
  #versions = 1;
  #made = 0;

  constructor(shopId: string, keys: readonly ApiKey[]) {
    this.shopId = shopId;
    this.#state = {
      settings: {
        id: shopId,
        name: shopId,
        currency: 'USD',
        timezone: 'America/New_York',
        plan: 'enterprise',
      },
      keys,
      config: sampleConfig(),
      version: this.#version('user'),
      staging: null,
    };
    this.history.versions.push(this.state);
  }

  get state(): ShopState {
    return this.#state;
  }

  set state(state: ShopState) {
    this.#state = state;
    this.sequenceNumber++;
  }

  audit({ limit, cursor }: AuditQuery): Outcome<AuditPage> {
    const behind = this.audited.findIndex(({ id }) => id === cursor);
    if (cursor !== null && behind < 0) return notFound('auditEntry', cursor);
    const entries = this.audited.slice(behind + 1, behind + 1 + limit);
    const isLast = behind + entries.length >= this.audited.length - 1;
    return success({ entries, nextCursor: isLast ? null : (entries.at(-1)?.id ?? null) });
  }

  /** An empty value is enough, because only `simulate` could read it, and does not. */
  placed(): Outcome<PlacedCart> {
    return success({} as PlacedCart);
  }

  simulate(
    request: SimulateRequest,
    nowMs: number,
    { source, form, isTest = false }: SimulationView = LIVE,
  ): Outcome<AnswerText> {
    if (source === 'staged') {
      if (this.state.staging === null) return conflict('no staging changeset is active');
    } else if (source !== 'live') {
      const version = this.history.read(source.versionId);
      if (!version.ok) return version;
    }
    this.simulations.push({ request, nowMs, form, isTest });
    const made = this.simulateWith(request, nowMs, form);
    return made.ok ? success([made.value]) : made;
  }

  simulatedElsewhere(): void {}

  staging(): Staging | null {
    return this.state.staging === null ? null : stagingView(this.state.staging, NO_DIFFERENCES, []);
  }

  preview(): Outcome<PreviewAnswer> {
    const summary = { added: 0, modified: 0, removed: 0 };
    const checks = { versionId: null, passed: 0, failed: 0, results: [] };
    return success({
      added: [],
      modified: [],
      removed: [],
      summary,
      warnings: [],
      warningsOmitted: [],
      checks,
      effects: NO_EFFECTS,
    });
  }

  effects(): Outcome<Effects> {
    return this.state.staging === null ? conflict('no staging changeset is active') : success(NO_EFFECTS);
  }

  compare(versionA: string, versionB: string): Outcome<ComparedVersions> {
    return this.history.compare(versionA, versionB) as Outcome<ComparedVersions>;
  }

  runChecks(): Outcome<CheckResults> {
    return success({ versionId: this.state.version.id, passed: 0, failed: 0, results: [] });
  }

  bisect(): Outcome<BisectAnswer> {
    const version = { ...this.state.version, keyLabel: null };
    return success({ from: version, to: version, evaluated: 1, flips: [], limited: false });
  }

  sweep(source: SimulationSource, { vary, from, to }: Sweeping): Outcome<PriceCurve> {
    const version = typeof source === 'string' ? null : this.history.read(source.versionId);
    if (version?.ok === false) return version;
    if (source === 'staged' && this.state.staging === null) return conflict('no staging changeset is active');
    return success({ vary, segments: [{ from, to, rates: [] }], limited: false });
  }

  lint(): Outcome<LintReport> {
    return success({ findings: [], omitted: [] });
  }

  async write(request: WriteRequest): Promise<Outcome<WriteAnswer>> {
    this.writes.push(request);
    await this.held;
    await nextTurn();
    if (this.refuseWith !== null) return this.refuseWith;
    const { idempotency, ifMatch } = request;
    const earlier = idempotency === null ? undefined : this.#answers.get(idempotency.key);
    if (idempotency !== null && earlier !== undefined) {
      const body = idempotency.open === undefined ? earlier.body : idempotency.open(earlier.body);
      if (earlier.digest !== idempotency.requestDigest || body === null) return conflict('key was used');
      return success({ status: earlier.status, body, versionId: this.state.version.id, replayed: true });
    }
    if (ifMatch !== null && !currentTagsOf(this.state).includes(ifMatch)) {
      return conflict('the version has changed');
    }
    const decided = this.#decide(request.command);
    if (!decided.ok) return decided;
    const { status, body } = request.render(decided.value, this.state);
    if (idempotency !== null) {
      const stored = idempotency.seal === undefined ? body : idempotency.seal(body);
      this.#answers.set(idempotency.key, { digest: idempotency.requestDigest, status, body: stored });
    }
    return success({ status, body, versionId: this.state.version.id, replayed: false });
  }

  /** Enters a changeset. */
  stage(): void {
    this.#decide({ kind: 'enterStaging' });
  }

  /** What is kept for idempotency keys. */
  storedAnswers(): readonly string[] {
    return [...this.#answers.values()].map(({ body }) => body);
  }

  #version(createdBy: 'user' | 'import'): ShopState['version'] {
    const number = this.#versions++;
    return {
      id: `version_${this.shopId}_${number}`,
      number,
      createdAt: CREATED_AT,
      createdBy,
      keyId: null,
      description: 'A write',
      batchId: null,
      changes: { added: 0, modified: 0, removed: 0 },
    };
  }

  #id(prefix: string): string {
    return `${prefix}_made_${++this.#made}`;
  }

  #configure(change: Partial<PlacedConfig>, createdBy: 'user' | 'import' = 'user'): void {
    const config = { ...this.state.config, ...change };
    this.state = { ...this.state, config, version: this.#version(createdBy) };
    this.history.versions.push(this.state);
  }

  #decide(command: Command): Outcome<CommandResult> {
    if (isHistoryCommand(command)) {
      return this.history.decide(command, this.state, (change) => {
        this.state = { ...this.state, ...change };
        if (change.config !== undefined) this.#configure(change.config);
        return this.state;
      });
    }
    switch (command.kind) {
      case 'createZone':
      case 'updateZone':
      case 'deleteZone':
        return this.#decideZone(command);
      case 'createGroup':
      case 'updateGroup':
      case 'deleteGroup':
        return this.#decideGroup(command);
      case 'createMethod':
      case 'updateMethod':
      case 'deleteMethod':
        return this.#decideMethod(command);
      case 'createRule':
      case 'updateRule':
      case 'deleteRule':
        return this.#decideRule(command);
      case 'createBlended':
      case 'updateBlended':
      case 'deleteBlended':
        return this.#decideBlended(command);
      case 'createCheck':
      case 'updateCheck':
      case 'deleteCheck':
        return this.#decideCheck(command);
      case 'executeConfig':
        this.#configure({}, 'import');
        return success({
          kind: 'executed',
          version: this.state.version,
          summary: { added: 0, modified: 0, removed: 0 },
        });
      case 'updateShop': {
        const { name, currency, timezone } = command.body;
        const { settings } = this.state;
        const changed = {
          ...settings,
          name: name ?? settings.name,
          currency: currency ?? settings.currency,
          timezone: timezone ?? settings.timezone,
        };
        this.state = { ...this.state, settings: changed };
        return success({ kind: 'shop', settings: changed });
      }
      case 'setPlan':
      case 'setShopifySecret': {
        const { plan } = command.kind === 'setPlan' ? command : this.state.settings;
        const { shopifySecret: earlier, ...state } = this.state;
        const sealed = command.kind === 'setPlan' ? (earlier ?? null) : command.sealed;
        const settings = { ...state.settings, plan };
        this.state = { ...state, settings, ...(sealed === null ? {} : { shopifySecret: sealed }) };
        return success({ kind: 'shop', settings });
      }
      case 'createKey': {
        const { label, permission, prefix, secretSha256, expiresAt } = command;
        const key = {
          id: this.#id('key'),
          label,
          permission,
          prefix,
          secretSha256,
          createdAt: CREATED_AT,
          ...(expiresAt == null ? {} : { expiresAt }),
        };
        this.state = { ...this.state, keys: [...this.state.keys, key] };
        return success({ kind: 'key', key });
      }
      case 'updateKey': {
        const { id, body } = command;
        const { expiresAt: earlier, ...old } = this.state.keys.find((key) => key.id === id) ?? {};
        if (!('id' in old)) return notFound('key', id);
        const { label = old.label, expiresAt = earlier ?? null } = body;
        const key = { ...old, label, ...(expiresAt === null ? {} : { expiresAt }) };
        this.state = {
          ...this.state,
          keys: this.state.keys.map((other) => (other.id === id ? key : other)),
        };
        return success({ kind: 'key', key });
      }
      case 'revokeKey':
        if (!this.state.keys.some(({ id }) => id === command.id)) return notFound('key', command.id);
        this.state = { ...this.state, keys: this.state.keys.filter(({ id }) => id !== command.id) };
        return success({ kind: 'deleted', id: command.id });
      default:
        return failure('INTERNAL_ERROR', `${command.kind} is no command of the front end`);
    }
  }

  #decideZone(command: Extract<Command, { kind: `${string}Zone` }>): Outcome<CommandResult> {
    const { zones } = this.state.config;
    const id = command.kind === 'createZone' ? this.#id('zone') : command.id;
    const old = zones.find((one) => one.id === id);
    const others = zones.filter((one) => one.id !== id);
    if (command.kind !== 'createZone' && old === undefined) return notFound('zone', id);
    if (command.kind === 'deleteZone') {
      this.#configure({ zones: others });
      return success({ kind: 'deleted', id });
    }
    const { name = '', countries = [], subzones = [] } = { ...old, ...command.body };
    const made: readonly { id?: unknown; name: string; postalCodes: string }[] = subzones;
    const zone = {
      id,
      name,
      countries,
      subzones: made.map((one) => ({
        ...one,
        id: typeof one.id === 'string' && old !== undefined ? one.id : this.#id('sub'),
      })),
      placement: 1,
    };
    this.#configure({ zones: [...others, zone] });
    return success({ kind: 'zone', zone: zoneView(zone) });
  }

  #decideGroup(command: Extract<Command, { kind: `${string}Group` }>): Outcome<CommandResult> {
    const groups = this.state.config.productGroups;
    const id = command.kind === 'createGroup' ? this.#id('group') : command.id;
    const old = groups.find((one) => one.id === id);
    const others = groups.filter((one) => one.id !== id);
    if (command.kind !== 'createGroup' && old === undefined) return notFound('productGroup', id);
    if (command.kind === 'deleteGroup') {
      this.#configure({ productGroups: others });
      return success({ kind: 'deleted', id });
    }
    const blank = { isDefault: false, variantIds: [], productIds: [], skus: [], tags: [], vendors: [] };
    const { position: _position, id: _id, ...fields } = command.body;
    const group = { name: '', ...blank, ...old, ...fields, id, placement: 1 };
    this.#configure({ productGroups: [...others, group] });
    return success({ kind: 'group', group: groupView(group, others.length) });
  }

  #decideMethod(command: Extract<Command, { kind: `${string}Method` }>): Outcome<CommandResult> {
    const { methods } = this.state.config;
    const id = command.kind === 'createMethod' ? this.#id('method') : command.id;
    const old = methods.find((one) => one.id === id);
    const others = methods.filter((one) => one.id !== id);
    if (command.kind !== 'createMethod' && old === undefined) return notFound('method', id);
    if (command.kind === 'deleteMethod') {
      this.#configure({ methods: others });
      return success({ kind: 'deleted', id });
    }
    const blank = {
      subtitle: '',
      serviceCode: 'code',
      productGroupId: 'group_default',
      config: {},
      enabled: true,
      freeShippingThreshold: null,
      rules: [],
    };
    const { position: _position, id: _id, rules: _rules, ...fields } = command.body;
    const method = { ...blank, ...old, ...fields, id, placement: 1 } as unknown as Method;
    const defects = compileSchema(RATE_TYPES[method.rateType]).defects(method.config);
    if (defects.length > 0) return invalid(`/config: ${defects.join('; ')}`);
    this.#configure({ methods: [...others, method] });
    return success({
      kind: 'method',
      method: methodWithRulesView(method as Method & ShippingMethod, others.length),
    });
  }

  #decideRule(command: Extract<Command, { kind: `${string}Rule` }>): Outcome<CommandResult> {
    const { methods } = this.state.config;
    const id = command.kind === 'createRule' ? this.#id('rule') : command.id;
    const method = methods.find((one) =>
      command.kind === 'createRule' ? one.id === command.methodId : one.rules.some((rule) => rule.id === id),
    );
    if (method === undefined) {
      return command.kind === 'createRule' ? notFound('method', command.methodId) : notFound('rule', id);
    }
    const old = method.rules.find((rule) => rule.id === id);
    const others = method.rules.filter((rule) => rule.id !== id);
    const configure = (rules: readonly Rule[]): void =>
      this.#configure({ methods: methods.map((one) => (one === method ? { ...method, rules } : one)) });
    if (command.kind === 'deleteRule') {
      configure(others);
      return success({ kind: 'deleted', id });
    }
    const { position: _position, id: _id, methodId: _methodId, ...fields } = command.body;
    const blank = { conditions: [], enabled: true };
    const rule = { ...blank, ...old, ...fields, id, placement: 1 } as unknown as Rule;
    configure([...others, rule]);
    return success({ kind: 'rule', rule: ruleView(rule, method.id, others.length) });
  }

  #decideBlended(command: Extract<Command, { kind: `${string}Blended` }>): Outcome<CommandResult> {
    const rates = this.state.config.blendedRates;
    const id = command.kind === 'createBlended' ? this.#id('blended') : command.id;
    const old = rates.find((one) => one.id === id);
    const others = rates.filter((one) => one.id !== id);
    if (command.kind !== 'createBlended' && old === undefined) return notFound('blendedRate', id);
    if (command.kind === 'deleteBlended') {
      this.#configure({ blendedRates: others });
      return success({ kind: 'deleted', id });
    }
    const blank = {
      subtitle: '',
      serviceCode: 'code',
      freeShippingThreshold: null,
      enabled: true,
    };
    const { position: _position, id: _id, ...fields } = command.body;
    const { preferences = old?.preferences ?? [] } = fields;
    const rate = {
      ...blank,
      ...old,
      ...fields,
      preferences: preferences.map((one) => ({ preferredMethodId: null, ...one })),
      id,
      placement: 1,
    } as unknown as PlacedConfig['blendedRates'][number];
    this.#configure({ blendedRates: [...others, rate] });
    return success({ kind: 'blendedRate', blendedRate: blendedRateView(rate, others.length) });
  }

  #decideCheck(command: Extract<Command, { kind: `${string}Check` }>): Outcome<CommandResult> {
    const { checks } = this.state.config;
    const id = command.kind === 'createCheck' ? this.#id('check') : command.id;
    const old = checks.find((one) => one.id === id);
    const others = checks.filter((one) => one.id !== id);
    if (command.kind !== 'createCheck' && old === undefined) return notFound('check', id);
    if (command.kind === 'deleteCheck') {
      this.#configure({ checks: others });
      return success({ kind: 'deleted', id });
    }
    const { position: _position, id: _id, ...fields } = command.body;
    const check = { at: null, enabled: true, ...old, ...fields, id, placement: 1 };
    this.#configure({ checks: [...others, check as PlacedConfig['checks'][number]] });
    return success({
      kind: 'check',
      check: checkView(check as PlacedConfig['checks'][number], others.length),
    });
  }
}

/** A directory whose shops are in memory unless a test says otherwise. */
export class FakeShops implements ShopDirectory, KeyRing {
  readonly shops = new Map<string, FakeShop>();
  readonly grants = new Map<string, KeyGrant>();
  /** Shops that have to be loaded first. */
  readonly unloaded = new Set<string>();
  /** What loading waits for; may reject. */
  loading: Promise<void> = Promise.resolve();
  /** Loads that were asked for. */
  waiting = 0;

  /** A shop with one key of each permission: `<shopId>-read` and so on. */
  addShop(shopId: string): FakeShop {
    const keys = PERMISSIONS.map((permission) => ({
      id: `key_${shopId}_${permission}`,
      label: permission,
      permission,
      prefix: 'rw_prefix',
      secretSha256: '0'.repeat(64),
      createdAt: CREATED_AT,
    }));
    for (const { id, permission } of keys) {
      const secret = `${shopId}-${permission}`;
      this.grants.set(secret, { shopId, keyId: id, permission, secret });
    }
    const shop = new FakeShop(shopId, keys);
    this.shops.set(shopId, shop);
    return shop;
  }

  find(authorization: string): KeyGrant | null {
    return this.grants.get(authorization.replace(/^bearer +/i, '')) ?? null;
  }

  lastUsedAtMs(keyId: string): number | null {
    return keyId.endsWith('_admin') ? Date.parse(CREATED_AT) : null;
  }

  loaded(shopId: string): FakeShop | undefined {
    return this.unloaded.has(shopId) ? undefined : this.shops.get(shopId);
  }

  async load(shopId: string): Promise<FakeShop> {
    this.waiting++;
    await this.loading;
    await nextTurn();
    const shop = this.shops.get(shopId);
    if (shop === undefined) throw new UnknownShopError(shopId);
    this.unloaded.delete(shopId);
    return shop;
  }
}
