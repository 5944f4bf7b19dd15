/**
 * The mailbox of a shop, where its writes wait, and a group of them that is decided together. Each write is decided on the
 * state that the writes before it would produce. A group is appended with one flush, and nothing of it is visible before.
 *
 * All outcomes are held back until then, including refusals: a refusal may depend on a write of the same group.
 */

import type { Decision, DecisionContext, EarlierVersion } from '../change/command.ts';
import { decide } from '../change/decide.ts';
import { DAY_MS } from '../domain/calendar-day.ts';
import { conflict, type Failure, failure, type Outcome, rateLimited, success } from '../domain/failure.ts';
import type { PlanTable } from '../domain/plan.ts';
import type { ShopState } from '../domain/shop-event.ts';
import {
  type AppendResult,
  DamagedLogError,
  DiskFullError,
  EVENT_TEXT,
  type EventLog,
  type NewRecord,
  type StoredAnswer,
} from '../log/event-log.ts';
import { eventTextOf } from '../log/record-codec.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Clock } from '../runtime/clock.ts';
import { extended } from '../runtime/extended.ts';
import { failpoint } from '../runtime/failpoint.ts';
import type { IdSource } from '../runtime/id-source.ts';
import type { Logger } from '../runtime/logger.ts';
import { asError } from '../runtime/thrown-error.ts';
import { UNREACHABLE } from '../shop/elsewhere.ts';
import type { Idempotency, WriteAnswer, WriteRequest } from '../shop/shop-access.ts';

/** How long waiting writes are decided before the group is flushed and other requests are served, ms. */
const FILL_MS = 4;

/** How long an idempotency key is stored (contract section 1). */
export const IDEMPOTENCY_MS = DAY_MS;

export interface GroupLimits {
  /** A group ends with the write that reaches either limit, so it exceeds the limit by at most one write. */
  readonly groupWritesMax: number;
  readonly groupBytesMax: number;
}

export interface GroupPorts {
  readonly log: Pick<EventLog, 'findAnswer'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly plans: PlanTable;
  readonly limits: GroupLimits;
  /** Called with an error that may mean damage; absent where the history of a shop has no other copy. */
  readonly onDamaged?: (shopId: string, cause: unknown) => void;
}

/** The starting point of a group: the state, and the latest time that a write was given. */
export interface GroupBase {
  readonly shopId: string;
  readonly state: ShopState;
  readonly lastAtMs: number;
  /** Answers of the group that is being flushed, by idempotency key: `state` depends on this group. */
  readonly answers: ReadonlyMap<string, StoredAnswer>;
  readonly target: RollbackTarget | null;
  /** The group accepts exactly one write. */
  readonly isOfOneWrite: boolean;
}

export class WriteGroup {
  /** One outcome per write of the group, in order. */
  readonly outcomes: Outcome<WriteAnswer>[] = [];
  readonly records: NewRecord[] = [];
  /** Answers of this group by idempotency key. */
  readonly answers = new Map<string, StoredAnswer>();
  /** The state when `records` are on disk. */
  state: ShopState;
  lastAtMs: number;
  /** Approximate size of the records. */
  bytes = 0;
  readonly #ports: GroupPorts;
  readonly #base: GroupBase;
  readonly #findVersion: DecisionContext['findVersion'];
  #isoAtMs = Number.NaN;
  #iso = '';

  constructor(ports: GroupPorts, base: GroupBase) {
    this.#ports = ports;
    this.#base = base;
    this.#findVersion = (versionId) => earlierVersion(base.target, versionId);
    this.state = base.state;
    this.lastAtMs = base.lastAtMs;
  }

  /**
   * Takes and decides writes until `next` returns none or a write that is not ready, until a limit is reached, or for
   * `FILL_MS`.
   */
  fill(next: () => WriteRequest | undefined): void {
    const { clock } = this.#ports;
    const endMs = clock.monotonicMs() + FILL_MS;
    do {
      const request = this.#isFull() ? undefined : next();
      if (request === undefined || !isReady(request, this.#base.target)) return;
      failpoint('before-decide');
      try {
        this.outcomes.push(this.#decide(request));
      } catch (error) {
        // A bug in one command must not make the rest of the group fail: the state is unchanged.
        this.#ports.logger.error('write.threw', { shopId: this.#base.shopId, error: asError(error) });
        this.#ports.onDamaged?.(this.#base.shopId, error);
        this.outcomes.push(failure('INTERNAL_ERROR', 'the write could not be decided'));
      }
      failpoint('after-decide');
    } while (clock.monotonicMs() < endMs);
  }

  #isFull(): boolean {
    const { groupWritesMax, groupBytesMax } = this.#ports.limits;
    const writesMax = this.#base.isOfOneWrite ? 1 : groupWritesMax;
    return this.outcomes.length >= writesMax || this.bytes >= groupBytesMax;
  }

  /** Decides the write and adds it to the group if it is accepted. */
  #decide(request: WriteRequest): Outcome<WriteAnswer> {
    const { command, keyId, batchId, ifMatch, idempotency } = request;
    const [ports, versionId] = [this.#ports, this.state.version.id];
    // The key was valid when the request arrived, but it may have been revoked while the write waited.
    if (keyId !== null && !this.state.keys.some((key) => key.id === keyId)) return REVOKED;
    if (idempotency !== null) {
      const earlier = this.#findAnswer(idempotency.key);
      if (earlier !== null) return replay(earlier, idempotency, versionId);
    }
    if (ifMatch !== null && ifMatch !== versionId) {
      return conflict(`the configuration has changed: If-Match must name the current version ${versionId}`);
    }
    // The history of a shop never goes back in time, whatever the clock does.
    const atMs = Math.max(ports.clock.nowMs(), this.lastAtMs);
    const context: DecisionContext = {
      now: this.#isoTime(atMs),
      seed: ports.ids.next(),
      keyId,
      batchId,
      plans: ports.plans,
      findVersion: this.#findVersion,
    };
    const decision = decide(this.state, command, context);
    if (!decision.ok) return decision;
    const records: NewRecord[] = [];
    let bytes = 0;
    for (const event of decision.value.events) {
      const text = eventTextOf(event);
      bytes += text.event.length;
      records.push({ atMs, event, [EVENT_TEXT]: text });
    }
    return this.#accept(request, decision.value, records, bytes);
  }

  /** Adds the records of an accepted write, of about `bytes` bytes. */
  #accept(
    request: WriteRequest,
    { state, result }: Decision,
    records: readonly NewRecord[],
    bytes: number,
  ): Outcome<WriteAnswer> {
    const { status, body } = request.render(result, state);
    const answer = answerToKeep(request.idempotency, status, body);
    // No code below this line throws: a write is in the group completely or not at all.
    for (const [index, record] of records.entries()) {
      const isLast = index === records.length - 1;
      this.records.push(isLast && answer !== null ? extended(record, { answer }) : record);
    }
    this.bytes += bytes;
    if (answer !== null) {
      this.answers.set(answer.idempotencyKey, answer);
      this.bytes += answer.body.length;
    }
    this.state = state;
    this.lastAtMs = records.at(-1)?.atMs ?? this.lastAtMs;
    return success({ status, body, versionId: state.version.id, replayed: false });
  }

  /** Cached: most writes of a group are in the same millisecond. */
  #isoTime(atMs: number): string {
    if (atMs !== this.#isoAtMs) {
      this.#isoAtMs = atMs;
      this.#iso = new Date(atMs).toISOString();
    }
    return this.#iso;
  }

  /** The answer for this key from this group or from the last 24 hours before it; null when there is none. */
  #findAnswer(key: string): StoredAnswer | null {
    const sinceMs = this.#ports.clock.nowMs() - IDEMPOTENCY_MS;
    const known = this.answers.get(key) ?? this.#base.answers.get(key);
    return known ?? this.#ports.log.findAnswer(this.#base.shopId, key, sinceMs);
  }
}

/**
 * The version that a waiting rollback goes back to. It is read beside other work before the write is decided, because
 * deciding reads nothing, and for one write at a time, to bound the memory for earlier configurations.
 */
export interface RollbackTarget {
  readonly versionId: string;
  /** null when the version is unknown; an error when it cannot be read. */
  readonly found: EarlierVersion | Error | null;
}

/** True when the write can be decided: it is no rollback, or its target has been read. */
const isReady = ({ command }: WriteRequest, target: RollbackTarget | null): boolean =>
  command.kind !== 'rollback' || command.targetVersionId === target?.versionId;

function earlierVersion(target: RollbackTarget | null, versionId: string): EarlierVersion | null {
  if (target?.versionId !== versionId) return null;
  if (target.found instanceof Error) throw target.found;
  return target.found;
}

const answerToKeep = (idempotency: Idempotency | null, status: number, body: string): StoredAnswer | null =>
  idempotency === null
    ? null
    : {
        idempotencyKey: idempotency.key,
        requestDigest: idempotency.requestDigest,
        status,
        body: idempotency.seal?.(body) ?? body,
      };

function replay(earlier: StoredAnswer, idempotency: Idempotency, versionId: string): Outcome<WriteAnswer> {
  if (earlier.requestDigest !== idempotency.requestDigest) {
    return conflict('this Idempotency-Key was used for another request in the last 24 hours');
  }
  const body = idempotency.open === undefined ? earlier.body : idempotency.open(earlier.body);
  if (body === null) return SECRET_OF_ANOTHER_KEY;
  return success({ status: earlier.status, body, versionId, replayed: true });
}

/** Unlike every other refusal, this one says nothing about the write: an earlier request may have made it. */
export const SECRET_OF_ANOTHER_KEY: Failure = conflict(
  'this Idempotency-Key was used with another API key, and the answer holds a secret',
);

const REVOKED = failure('UNAUTHORIZED', 'the API key has been revoked');

/** Nothing was written and the log works; the new records or the stored data of this shop are invalid. */
export interface AppendRejected {
  readonly kind: 'rejected';
  readonly cause: Error;
}

/**
 * Actors append only within this function. Never rejects: it returns every outcome of the log as a value. An unexpected
 * error may have occurred after the write, so the outcome is then unknown.
 */
export async function outcomeOf<T>(append: () => Promise<T>): Promise<T | AppendResult | AppendRejected> {
  failpoint('before-append');
  let result: T | AppendResult | AppendRejected;
  try {
    result = await append();
  } catch (error) {
    const isKnown = error instanceof RangeError || error instanceof DamagedLogError;
    const kind = error instanceof DiskFullError ? 'diskFull' : isKnown ? 'rejected' : 'outcomeUnknown';
    result = { kind, cause: asError(error) };
  }
  failpoint('after-append');
  return result;
}

interface WaitingWrite {
  readonly request: WriteRequest;
  readonly answer: (outcome: Outcome<WriteAnswer>) => void;
}

/**
 * The mailbox of a shop: writes that wait, in the order in which they came. They are answered in that order too, also
 * where an answer has to wait until every node shows its write.
 */
export class Mailbox {
  readonly #metrics: Metrics;
  readonly #waiting: WaitingWrite[] = [];
  /** Writes that are stored and shown here, and not answered yet. */
  #held = 0;
  /** Resolves when every stored write is answered. */
  answered: Promise<void> = Promise.resolve();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** Writes that are not stored yet. */
  get length(): number {
    return this.#waiting.length;
  }

  /** All writes without an answer. */
  get unanswered(): number {
    return this.#waiting.length + this.#held;
  }

  requestAt(index: number): WriteRequest | undefined {
    return this.#waiting[index]?.request;
  }

  add(request: WriteRequest): Promise<Outcome<WriteAnswer>> {
    this.#metrics.values.mailbox_depth++;
    return new Promise((answer) => this.#waiting.push({ request, answer }));
  }

  /**
   * Takes as many writes as there are outcomes, and answers them: behind all earlier ones, and not before
   * `seenEverywhere`. It rejects only for repeated answers, which are then refused: the client may repeat the request.
   */
  answer(outcomes: readonly Outcome<WriteAnswer>[], seenEverywhere: Promise<void> | null): void {
    const writes = this.#waiting.splice(0, outcomes.length);
    const give = (given: readonly Outcome<WriteAnswer>[]): void => {
      this.#metrics.values.mailbox_depth -= writes.length;
      for (const [index, outcome] of given.entries()) writes[index]?.answer(this.#counted(outcome));
    };
    if (seenEverywhere === null && this.#held === 0) {
      give(outcomes);
      return;
    }
    this.#held += writes.length;
    const seen = Promise.resolve(seenEverywhere).then(
      () => outcomes,
      () => writes.map(() => UNREACHABLE),
    );
    this.answered = Promise.all([seen, this.answered]).then(([given]) => {
      failpoint('after-barrier');
      this.#held -= writes.length;
      give(given);
    });
  }

  #counted(outcome: Outcome<WriteAnswer>): Outcome<WriteAnswer> {
    const { values } = this.#metrics;
    if (!outcome.ok) values.writes_refused++;
    else if (outcome.value.replayed) values.writes_replayed++;
    else values.writes++;
    return outcome;
  }

  /**
   * Answers all waiting clients with `outcome`. Their writes stay in the mailbox until the outcome of the append under way
   * is known.
   */
  tell(outcome: Failure): void {
    for (const { answer } of this.#waiting) answer(outcome);
  }

  /** As `tell`, and empties the mailbox. */
  empty(outcome: Failure): void {
    this.tell(outcome);
    this.#metrics.values.mailbox_depth -= this.#waiting.splice(0).length;
  }
}

/** The mailbox is full: the caller gets 429 now instead of a time-out later. Cheap on purpose: no log line. */
export const shopBusy = (shopId: string): Failure =>
  rateLimited(`shop ${shopId} is busy: too many writes wait`);

export const TOO_LARGE = conflict('the change is more than one version can hold: send it in parts');

export const LOG_FAILED = failure(
  'INTERNAL_ERROR',
  'the write could not be stored; it may or may not be there after the restart',
);

export const OUTCOME_UNKNOWN = failure(
  'INTERNAL_ERROR',
  'the write may or may not be stored: its outcome is not known yet',
);
