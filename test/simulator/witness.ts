/**
 * The promises of a simulated run, checked against the disk after each step: published states are durable prefixes
 * and never go back; an acknowledged write is stored once and visible; a refused write is not stored; versions have
 * no gaps; a promotion is stored completely or not at all; a revoked key is refused; the audit tells who wrote.
 */

import { applyEvent } from '../../src/engine/change/apply.ts';
import { auditIdOf } from '../../src/engine/domain/audit.ts';
import type { Outcome } from '../../src/engine/domain/failure.ts';
import {
  auditNoteOf,
  type PlacedConfig,
  type ShopEvent,
  type ShopState,
} from '../../src/engine/domain/shop-event.ts';
import type { Version } from '../../src/engine/domain/version.ts';
import type { ShopActor } from '../../src/shop/actor/shop-actor.ts';
import type { LogRecord } from '../../src/store/log/event-log.ts';
import { withoutLastChanges } from '../engine/change/changes-applied.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** A write as recorded by its client. */
export interface Asked {
  /** Unique; also in the record of the write. */
  readonly tag: string;
  readonly shopId: string;
  readonly process: SimulatedProcess;
  readonly keyId: string | null;
  readonly ifMatch: string | null;
  readonly idempotencyKey: string | null;
  readonly digest: string;
  /** The key that the write makes or revokes. */
  readonly madeSecret?: string;
  readonly revokes?: string;
  /** The target version of a rollback. */
  readonly restores?: string;
  actor: ShopActor | null;
  /** Position in the queue of its actor. */
  order: number;
  outcome: 'waiting' | 'accepted' | 'replayed' | 'refused' | 'failed';
  /** Number of the record of the write. */
  sequenceNumber: number | null;
}

interface FirstAnswer {
  readonly digest: string;
  readonly body: string;
}

interface ShopHistory {
  /** The state after each record. */
  readonly states: ShopState[];
  readonly texts: (string | undefined)[];
  lastVersion: Version | null;
  /** Version id -> JSON of its configuration. */
  readonly configs: Map<string, string>;
  /** The promotion of which some records, but not the last, were processed. */
  promotion: { readonly asked: Asked; versions: number } | null;
  readonly liveKeys: Set<string>;
  /** Ids of the entries of the audit, oldest first. */
  readonly noted: string[];
  readonly answers: Map<string, FirstAnswer>;
  /** Key id -> secret. */
  readonly secrets: Map<string, string>;
}

export class Violation extends Error {
  override readonly name = 'Violation';
}

export class Witness {
  readonly #shops = new Map<string, ShopHistory>();
  readonly #asked = new Map<string, Asked>();
  /** The position in the history at which an actor's published state was last found, and the length of the history. */
  readonly #seenAt = new WeakMap<
    ShopActor,
    { state: ShopState; length: number; place: { readonly first: number; readonly last: number } }
  >();
  readonly #lastOrder = new WeakMap<ShopActor, number>();
  #nextOrder = 0;
  /** The first violation; stored, because it may have been thrown into a promise of the actor. */
  broken: Violation | null = null;

  ask(asked: Asked): void {
    this.#asked.set(asked.tag, asked);
  }

  enqueue(asked: Asked, actor: ShopActor): void {
    asked.actor = actor;
    asked.order = ++this.#nextOrder;
    const waiting = this.waitingFor(actor);
    const most = asked.process.limits.mailboxLengthMax;
    // The new write may be the one that will be refused.
    this.hold(waiting <= most + 1, `at most ${most} writes wait`);
  }

  waitingFor(actor: ShopActor): number {
    let waiting = 0;
    for (const asked of this.#asked.values()) {
      if (asked.actor === actor && asked.outcome === 'waiting' && !asked.process.isDead) waiting++;
    }
    return waiting;
  }

  hold(condition: boolean, promise: string): void {
    if (!condition) this.broken ??= new Violation(promise);
  }

  /** Call when a group of records is on disk. */
  stored(shopId: string, records: readonly LogRecord[]): void {
    const history = this.#historyOf(shopId);
    for (const record of records) {
      this.#follow(history, record);
      const state = applyEvent(history.states.at(-1) ?? null, record.event);
      history.states.push(state);
      // No reader may see half a promotion.
      history.texts.push(history.promotion === null ? undefined : '');
      if ('version' in record.event) history.configs.set(state.version.id, JSON.stringify(state.config));
    }
    this.hold(history.promotion === null, 'a promotion is stored completely or not at all');
  }

  #historyOf(shopId: string): ShopHistory {
    let history = this.#shops.get(shopId);
    if (history === undefined) {
      history = {
        states: [],
        texts: [],
        lastVersion: null,
        configs: new Map(),
        promotion: null,
        liveKeys: new Set(),
        noted: [],
        answers: new Map(),
        secrets: new Map(),
      };
      this.#shops.set(shopId, history);
    }
    return history;
  }

  #follow(history: ShopHistory, record: LogRecord): void {
    const { event, answer, sequenceNumber } = record;
    const before = history.lastVersion;
    this.#followVersion(history, event);
    if (event.kind === 'shopCreated') return;
    const tag = answer === undefined ? tagOf(event) : tagIn(answer.body);
    const asked = tag === undefined ? undefined : this.#asked.get(tag);
    this.hold(asked !== undefined, 'a record is the write of a client');
    if (asked === undefined) return;
    const isFirst = history.promotion?.asked !== asked;
    this.hold(!isFirst || asked.sequenceNumber === null, 'a write is stored once');
    asked.sequenceNumber = sequenceNumber;
    if (isFirst) this.#followFirst(history, asked, before);
    this.#followStaging(history, asked, event);
    if (!MAKES_NO_NOTE.has(event.kind)) {
      this.hold(auditNoteOf(event)?.keyId === asked.keyId, 'the audit tells of a write and of its key');
      history.noted.push(auditIdOf(sequenceNumber));
    }
    if (event.kind === 'keyCreated') {
      this.hold(event.key.createdAt >= (before?.createdAt ?? ''), 'history never goes back in time');
      history.liveKeys.add(event.key.id);
      history.secrets.set(event.key.id, asked.madeSecret ?? '');
    } else if (event.kind === 'keyRevoked') {
      history.liveKeys.delete(event.keyId);
    }
    if (answer !== undefined) {
      const first = history.answers.get(answer.idempotencyKey);
      this.hold(first === undefined, 'an Idempotency-Key makes one write');
      history.answers.set(answer.idempotencyKey, { digest: answer.requestDigest, body: answer.body });
    } else if (history.promotion === null) {
      this.hold(asked.idempotencyKey === null, 'the answer is kept with its write');
    }
  }

  #followVersion(history: ShopHistory, event: ShopEvent): void {
    if (!('version' in event)) return;
    const { version } = event;
    const before = history.lastVersion;
    this.hold(version.number === (before?.number ?? 0) + 1, 'versions have no gap');
    this.hold(version.createdAt >= (before?.createdAt ?? ''), 'history never goes back in time');
    history.lastVersion = version;
  }

  /** Checks the first record of a write; only promotions have more than one. */
  #followFirst(history: ShopHistory, asked: Asked, before: Version | null): void {
    this.hold(asked.outcome === 'waiting', `a write is stored before its answer (${asked.outcome})`);
    if (asked.ifMatch !== null) {
      const staging = history.states.at(-1)?.staging;
      const tag = staging && `${before?.id}.${staging.id}.${staging.writes.length}`;
      const isCurrent = asked.ifMatch === before?.id || asked.ifMatch === tag;
      this.hold(isCurrent, 'If-Match names the version or the changeset before the write');
    }
    if (asked.keyId !== null) {
      this.hold(history.liveKeys.has(asked.keyId), 'a write is made with a key that is not revoked');
    }
    if (asked.actor === null) return;
    const last = this.#lastOrder.get(asked.actor) ?? 0;
    this.hold(asked.order > last, 'writes are decided in the order of their arrival');
    this.#lastOrder.set(asked.actor, asked.order);
  }

  #followStaging(history: ShopHistory, asked: Asked, event: ShopEvent): void {
    const state = history.states.at(-1);
    const staging = state?.staging ?? null;
    switch (event.kind) {
      case 'stagingEntered':
        this.hold(staging === null, 'there is one changeset at a time');
        this.hold(event.staging.baseVersionId === state?.version.id, 'a changeset is based on what was live');
        break;
      case 'stagedWritten':
        this.hold(staging !== null, 'a staged write has a changeset');
        break;
      case 'configChanged': {
        const isPromotion = event.version.createdBy === 'promotion';
        this.hold(
          (staging !== null) === isPromotion,
          'while a changeset is active only a promotion changes the live configuration',
        );
        if (isPromotion) {
          history.promotion = { asked, versions: (history.promotion?.versions ?? 0) + 1 };
        } else if (asked.restores !== undefined) {
          const restored = state === undefined ? '' : configText(applyEvent(state, event).config);
          const target = history.configs.get(asked.restores);
          this.hold(
            target !== undefined && restored === configText(JSON.parse(target)),
            'a rollback restores the configuration of its target',
          );
        }
        break;
      }
      case 'stagingEnded': {
        const written = event.outcome === 'promoted' ? (staging?.writes.length ?? -1) : 0;
        this.hold((history.promotion?.versions ?? 0) === written, 'every staged write becomes a version');
        if (event.outcome === 'promoted') {
          const [live, staged] = [state?.config, staging?.config].map((config) => JSON.stringify(config));
          this.hold(live === staged, 'a promotion makes the changeset live');
        }
        history.promotion = null;
        break;
      }
      default:
        break;
    }
  }

  /** Call when a client has got its answer. */
  answered(asked: Asked, outcome: Outcome<{ readonly body: string; readonly replayed: boolean }>): void {
    if (asked.process.isDead) return;
    this.hold(asked.outcome === 'waiting', 'a write is answered once');
    const isStored = asked.sequenceNumber !== null;
    if (!outcome.ok) {
      const isUnknown = outcome.code === 'INTERNAL_ERROR' && asked.process.fatal !== null;
      asked.outcome = isUnknown ? 'failed' : 'refused';
      this.hold(isUnknown || !isStored, 'a refused write changed nothing');
      return;
    }
    const { body, replayed } = outcome.value;
    const history = this.#historyOf(asked.shopId);
    if (asked.idempotencyKey !== null) {
      const first = history.answers.get(asked.idempotencyKey);
      this.hold(first !== undefined, 'an accepted write is on disk with its answer');
      this.hold(first?.body === body, 'a repeated request gets the first answer');
      this.hold(first?.digest === asked.digest, 'another request under the same key is refused');
    }
    asked.outcome = replayed ? 'replayed' : 'accepted';
    if (replayed) {
      this.hold(!isStored, 'a repeated request writes nothing');
      return;
    }
    this.hold(isStored, 'an accepted write is on disk');
    const reader = asked.process.directory.loaded(asked.shopId);
    if (reader === undefined || asked.sequenceNumber === null) return;
    const { last } = this.#placeOf(reader);
    this.hold(last >= asked.sequenceNumber, 'an accepted write is visible');
  }

  /**
   * The numbers of the first and the last record after which the shop had the state `actor.state`; making and
   * revoking a key can give an earlier state again. Checks that there is such a record, and none before the last
   * published state.
   */
  #placeOf(actor: ShopActor): { readonly first: number; readonly last: number } {
    const { state } = actor;
    const seen = this.#seenAt.get(actor);
    const history = this.#historyOf(actor.shopId);
    if (seen?.state === state && seen.length === history.states.length) return seen.place;
    const text = JSON.stringify(state);
    const numbers: number[] = [];
    for (let number = seen?.place.first ?? 1; number <= history.states.length; number++) {
      if (this.#textAt(history, number) === text) numbers.push(number);
    }
    this.hold(
      numbers.length > 0,
      'readers see states that are on disk, in order, and equal to the replayed states',
    );
    const place = { first: numbers[0] ?? 0, last: numbers.at(-1) ?? 0 };
    this.#seenAt.set(actor, { state, length: history.states.length, place });
    return place;
  }

  #textAt(history: ShopHistory, sequenceNumber: number): string {
    const text = history.texts[sequenceNumber - 1] ?? JSON.stringify(history.states[sequenceNumber - 1]);
    history.texts[sequenceNumber - 1] = text;
    return text;
  }

  /** Checks the promises that hold at any time. */
  look(processes: readonly SimulatedProcess[]): void {
    for (const process of processes) for (const actor of process.served.values()) this.#placeOf(actor);
    for (const asked of this.#asked.values()) {
      if (asked.outcome !== 'accepted' || asked.process.isDead) continue;
      const { revokes, process } = asked;
      if (revokes === undefined) continue;
      const secret = this.#historyOf(asked.shopId).secrets.get(revokes);
      this.hold(process.keys.find(`Bearer ${secret}`) === null, 'a revoked key opens nothing');
    }
    if (this.broken !== null) throw this.broken;
  }

  /** Checks that readers see everything up to that record. */
  hasSeen(actor: ShopActor, sequenceNumber: number): void {
    this.hold(
      this.#placeOf(actor).last >= sequenceNumber,
      'a write of another process is visible after it was reported',
    );
  }

  /** Checks that a loaded shop has all records. */
  recovered(actor: ShopActor): void {
    const { states, noted } = this.#historyOf(actor.shopId);
    this.hold(this.#placeOf(actor).last === states.length, 'recovery finds every record');
    const page = actor.audit({ limit: noted.length + 1, cursor: null });
    const found = page.ok ? page.value.entries.map(({ id }) => id) : [];
    this.hold(String(found.reverse()) === String(noted), 'the audit has every entry once, in order');
  }

  /** Checks the promises when nothing is pending. */
  settled(): void {
    for (const { outcome, process } of this.#asked.values()) {
      this.hold(outcome !== 'waiting' || process.isDead, 'every write is answered');
    }
    if (this.broken !== null) throw this.broken;
  }

  stateOf(shopId: string): ShopState | undefined {
    return this.#shops.get(shopId)?.states.at(-1);
  }

  /** The versions on disk, oldest first: id and JSON of the configuration. */
  versionsOf(shopId: string): readonly (readonly [id: string, config: string])[] {
    return [...this.#historyOf(shopId).configs];
  }

  /** Secrets of the keys that are live on disk, with their ids. */
  liveKeysOf(shopId: string): readonly { readonly keyId: string; readonly secret: string }[] {
    const { liveKeys, secrets } = this.#historyOf(shopId);
    return [...liveKeys].map((keyId) => ({ keyId, secret: secrets.get(keyId) ?? '' }));
  }
}

/** Events of writes of the configuration, which versions tell of. */
const MAKES_NO_NOTE: ReadonlySet<ShopEvent['kind']> = new Set(['configChanged', 'stagedWritten']);

/** The tag in a stored answer, for events without a place for it. */
const tagIn = (body = '{}'): string | undefined => (JSON.parse(body) as { tag?: string }).tag;

function tagOf(event: ShopEvent): string | undefined {
  switch (event.kind) {
    case 'configChanged':
      return event.version.batchId ?? undefined;
    case 'settingsChanged':
      return event.settings.name;
    case 'keyCreated':
      return event.key.label;
    case 'stagedWritten':
      // The names of written records are tags; a write without a name has a stored answer.
      return /"name":"(w\d+)"/.exec(JSON.stringify(event.write.change))?.[1];
    default:
      return undefined;
  }
}

/** A configuration without the numbers of last changed versions, which a rollback does not restore. */
const configText = (config: PlacedConfig): string => JSON.stringify(withoutLastChanges(config));
