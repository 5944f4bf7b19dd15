/**
 * The writer of a shop: the only place where this process changes it. A loop takes the waiting writes, decides each, appends
 * them as one group, publishes the state and answers. When somebody else appended first it catches up and does it again.
 * `README.md` explains it.
 */

import type { Metrics } from '../../base/metrics/metrics.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { failpoint } from '../../base/runtime/failpoint.ts';
import { asError } from '../../base/runtime/thrown-error.ts';
import {
  conflict,
  DISK_FULL,
  type Failure,
  failure,
  type Outcome,
  rateLimited,
} from '../../engine/domain/failure.ts';
import type { ShopEvent } from '../../engine/domain/shop-event.ts';
import {
  type AppendResult,
  type EventLog,
  LOST_RACES_MAX,
  RecordTooLargeError,
} from '../../store/log/event-log.ts';
import { UNREACHABLE } from '../reader/other-nodes.ts';
import { followShop, newestTimeMs, type RecoveredShop } from '../reader/recovery.ts';
import type { WriteAnswer, WriteRequest } from '../reader/shop-access.ts';
import type { ShopReader } from '../reader/shop-reader.ts';
import { type AppendRejected, outcomeOf } from './append-outcome.ts';
import { type CheckpointPorts, Checkpoints } from './checkpoints.ts';
import { Mailbox } from './mailbox.ts';
import { type GroupPorts, WriteGroup } from './write-group.ts';

/** How long waiting writes are decided before the group is flushed and other requests are served, ms. */
const DECIDE_MS = 4;
/** How many times in a row others may append first before the waiting writes are refused. */
const LOST_IN_A_ROW_MAX = 16;
/** How long clients wait for an append of unknown outcome. */
const UNKNOWN_MS_MAX = 5_000;
/** By so much a version is dated ahead of the clock before it is logged: nodes of a cluster may differ by some seconds. */
const AHEAD_MS_MIN = 10_000;

interface WriterLimits {
  /** The limit of unanswered writes, including those being flushed. */
  readonly mailboxLengthMax: number;
  /** A group ends with the write that reaches either limit, so it exceeds the limit by at most one write. */
  readonly groupWritesMax: number;
  readonly groupBytesMax: number;
}

export interface WriterPorts extends GroupPorts, Omit<CheckpointPorts, 'limits'> {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly limits: WriterLimits & CheckpointPorts['limits'];
  /** Called for each revoked key after the revocation is on disk and before it is acknowledged. */
  readonly onKeyRevoked: (keyId: string) => void;
  /** The log failed: the process must send the answers that it can, stop, and recover at its next start. */
  readonly onFatal: (cause: Error) => void;
}

type WrittenShop = Pick<ShopReader, 'shopId' | 'state' | 'sequenceNumber' | 'history' | 'publish'>;

type NothingToAppend = typeof NOTHING_TO_APPEND;
const NOTHING_TO_APPEND = { kind: 'nothingToAppend' } as const;

export class Writer {
  readonly #ports: WriterPorts;
  /** What readers see: all of it is on disk. */
  readonly #shop: WrittenShop;
  readonly #mailbox: Mailbox;
  readonly #checkpoints: Checkpoints;
  readonly #refreshes: { readonly done: () => void; readonly failed: (error: Error) => void }[] = [];
  /** The latest time that a write of the shop was given. */
  #lastAtMs: number;
  /** It was logged that versions are dated ahead of the clock, and they still are. */
  #isAheadLogged = false;
  /** Resolves when there is no more work; null while there is none. */
  #running: Promise<void> | null = null;
  #failed = false;
  /** An append's outcome has been unknown for longer than clients wait. */
  #isOverdue = false;
  #lostInARow = 0;
  /** How many of the first writes are decided in groups of their own. */
  #singly = 0;

  constructor(ports: WriterPorts, shop: WrittenShop, recovered: RecoveredShop) {
    this.#ports = ports;
    this.#shop = shop;
    this.#mailbox = new Mailbox(ports.metrics);
    this.#checkpoints = new Checkpoints(ports, recovered);
    this.#lastAtMs = newestTimeMs(recovered.state);
  }

  /** True while a write waits, a group is being flushed or a checkpoint is being written. */
  get isBusy(): boolean {
    const hasWork = this.#refreshes.length > 0 || this.#mailbox.unanswered > 0;
    return hasWork || this.#checkpoints.writing !== null;
  }

  write(request: WriteRequest): Promise<Outcome<WriteAnswer>> {
    if (this.#failed) return Promise.resolve(LOG_FAILED);
    if (this.#isOverdue) return Promise.resolve(UNREACHABLE);
    if (this.#mailbox.unanswered >= this.#ports.limits.mailboxLengthMax) {
      this.#ports.metrics.values.mailbox_full++;
      return Promise.resolve(this.#busy());
    }
    const answered = this.#mailbox.add(request);
    this.#wake();
    return answered;
  }

  /** Resolves when readers see what others appended. Rejects with `DamagedLogError`. */
  refresh(): Promise<void> {
    return new Promise((done, failed) => {
      this.#refreshes.push({ done, failed });
      this.#wake();
    });
  }

  /** Resolves when no write waits and nothing is being written. */
  async idle(): Promise<void> {
    await this.#running;
    await this.#mailbox.answered;
    await this.#checkpoints.writing;
  }

  #wake(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    while (this.#mailbox.length > 0 || this.#refreshes.length > 0) {
      // Writes that arrive in one turn form one group, and other requests are served between two groups.
      await new Promise((resolve) => setImmediate(resolve));
      try {
        if (this.#refreshes.length > 0) this.#answerRefreshes();
        else await this.#writeGroup();
      } catch (error) {
        // Only a bug leads here, and the state may be partly published: stop, and let recovery restore it.
        this.#fail(asError(error));
      }
    }
    this.#running = null;
  }

  async #writeGroup(): Promise<void> {
    const { log } = this.#ports;
    const { shopId, sequenceNumber } = this.#shop;
    let group = this.#newGroup();
    let result: AppendResult | AppendRejected | NothingToAppend = NOTHING_TO_APPEND;
    if (this.#lostInARow >= LOST_RACES_MAX && log.appendAlone !== undefined) {
      const decide = async () => {
        this.#catchUp();
        group = this.#decided();
        group.beginAppend();
        return group.records;
      };
      const turn = log.appendAlone.bind(log, shopId, decide);
      result = (await this.#waited(outcomeOf(turn))) ?? NOTHING_TO_APPEND;
    } else {
      group = this.#decided();
      group.beginAppend();
      const append = () => log.append(shopId, sequenceNumber, group.records);
      if (group.records.length > 0) result = await this.#waited(outcomeOf(append));
    }
    group.endAppend(result.kind === 'appended' ? null : result.kind);
    this.#settle(group, result);
  }

  #newGroup(): WriteGroup {
    const { shopId, state, history } = this.#shop;
    const findVersion = (versionId: string) => history.earlier(versionId);
    return new WriteGroup(this.#ports, { shopId, state, lastAtMs: this.#lastAtMs, findVersion });
  }

  /** Decides the first of the waiting writes. */
  #decided(): WriteGroup {
    const { clock, limits } = this.#ports;
    const group = this.#newGroup();
    const writesMax = this.#singly > 0 ? 1 : limits.groupWritesMax;
    const endMs = clock.monotonicMs() + DECIDE_MS;
    for (let at = 0; at < writesMax && group.bytes < limits.groupBytesMax; at++) {
      const request = this.#mailbox.requestAt(at);
      if (request === undefined) break;
      group.take(request);
      if (clock.monotonicMs() >= endMs) break;
    }
    return group;
  }

  /** Waits for an append, but clients no longer than `UNKNOWN_MS_MAX`. */
  async #waited<T>(append: Promise<T>): Promise<T> {
    const { clock, metrics } = this.#ports;
    const startMs = clock.monotonicMs();
    const overdue = setTimeout(() => {
      this.#isOverdue = true;
      this.#mailbox.tell(OUTCOME_UNKNOWN);
    }, UNKNOWN_MS_MAX).unref();
    const result = await append;
    clearTimeout(overdue);
    this.#isOverdue = false;
    metrics.durations.append.observe(clock.monotonicMs() - startMs);
    return result;
  }

  /** Answers the writes of the group, or leaves them to be decided again. */
  #settle(group: WriteGroup, result: AppendResult | AppendRejected | NothingToAppend): void {
    // A turn that was not granted decided nothing; one write is refused then, so that its client does not wait for ever.
    const count = Math.max(1, group.outcomes.length);
    switch (result.kind) {
      case 'nothingToAppend':
        this.#finish(group, this.#seenBeforeReplay(group));
        break;
      case 'appended':
        this.#show(group);
        this.#finish(group, result.seenEverywhere ?? null);
        break;
      case 'staleWriter':
        this.#loseRace(count);
        break;
      case 'diskFull':
      case 'unreachable':
        this.#refuse(count, result.kind === 'diskFull' ? DISK_FULL : UNREACHABLE);
        break;
      case 'rejected':
        this.#reject(count, result.cause);
        break;
      default:
        this.#fail(result.cause);
    }
  }

  /** The group is on disk: readers see it from now on, and the keys that it revoked are no longer valid. */
  #show({ state, records, auditLines, lastAtMs }: WriteGroup): void {
    failpoint('before-publish');
    this.#lastAtMs = lastAtMs;
    this.#shop.publish(state, this.#shop.sequenceNumber + records.length);
    for (const { event } of records) this.#announce(event);
    // At this node only: the others see the records, but they did not write them.
    for (const fields of auditLines) this.#ports.logger.info('audit.noted', fields);
    const { values } = this.#ports.metrics;
    values.append_groups++;
    values.append_records += records.length;
    failpoint('after-publish');
    this.#noteClock();
  }

  /** A repeated answer waits until all nodes show its write. */
  #seenBeforeReplay({ outcomes }: WriteGroup): Promise<void> | null {
    const isReplay = outcomes.some((outcome) => outcome.ok && outcome.value.replayed);
    return (isReplay && this.#ports.log.seenEverywhere?.(this.#shop.shopId)) || null;
  }

  #finish(group: WriteGroup, seenEverywhere: Promise<void> | null): void {
    this.#lostInARow = 0;
    failpoint('before-reply');
    this.#answer(group.outcomes, seenEverywhere);
    failpoint('after-reply');
    this.#checkpoints.count(group.records.length, group.bytes, this.#shop);
  }

  #answer(outcomes: readonly Outcome<WriteAnswer>[], seenEverywhere: Promise<void> | null): void {
    this.#singly = Math.max(0, this.#singly - outcomes.length);
    this.#mailbox.answer(outcomes, seenEverywhere);
  }

  /** Refuses the first `count` waiting writes with the same failure; none of them was stored. */
  #refuse(count: number, refusal: Failure): void {
    this.#lostInARow = 0;
    this.#answer(new Array<Failure>(count).fill(refusal), null);
  }

  /**
   * Somebody else appended first. Nothing of the group, the first `count` writes, was stored, so it is decided again. It is
   * refused when this happened too often, when the shop cannot be used, or when it was deleted.
   */
  #loseRace(count: number): void {
    const { log, metrics } = this.#ports;
    metrics.values.stale_writers++;
    let refusal = ++this.#lostInARow > LOST_IN_A_ROW_MAX ? this.#busy() : null;
    try {
      if (log.lastSequenceNumber(this.#shop.shopId) === 0)
        refusal = failure('NOT_FOUND', `shop ${this.#shop.shopId} was deleted`);
      else this.#catchUp();
    } catch (error) {
      refusal = this.#unusable(asError(error));
    }
    if (refusal !== null) this.#refuse(count, refusal);
  }

  /** The log works and nothing was stored. Each write is decided again in a group of its own if one of them was too large. */
  #reject(count: number, cause: Error): void {
    if (!(cause instanceof RecordTooLargeError)) this.#refuse(count, this.#unusable(cause));
    else if (count > 1) this.#singly = count;
    else this.#refuse(1, TOO_LARGE);
  }

  /** The log works, but the data of this shop is unusable. Other shops continue. */
  #unusable(cause: Error): Failure {
    const { shopId } = this.#shop;
    this.#ports.logger.error('shop.unusable', { shopId, error: cause });
    this.#ports.onDamaged?.(shopId, cause);
    return failure('INTERNAL_ERROR', 'the stored history of this shop cannot be used');
  }

  /** The mailbox is full, or others keep it from writing: 429 now instead of a time-out later. Cheap on purpose: no log line. */
  #busy(): Failure {
    return rateLimited(`shop ${this.#shop.shopId} is busy: too many writes wait`);
  }

  #answerRefreshes(): void {
    const waiting = this.#refreshes.splice(0);
    try {
      this.#catchUp();
      for (const { done } of waiting) done();
    } catch (error) {
      for (const { failed } of waiting) failed(asError(error));
    }
  }

  /** Shows the records that others appended. Throws `DamagedLogError`. */
  #catchUp(): void {
    const events: ShopEvent[] = [];
    const { log } = this.#ports;
    const shop = followShop(log, this.#shop.shopId, this.#shop, undefined, (event) => events.push(event));
    this.#lastAtMs = Math.max(this.#lastAtMs, newestTimeMs(shop.state));
    this.#shop.publish(shop.state, shop.sequenceNumber);
    for (const event of events) this.#announce(event);
    this.#checkpoints.count(shop.tail.records, shop.tail.bytes, shop);
  }

  #announce(event: ShopEvent): void {
    if (event.kind === 'keyRevoked') this.#ports.onKeyRevoked(event.keyId);
  }

  /** A clock that was ahead once dates all later versions at its latest time, until the right time reaches it. */
  #noteClock(): void {
    const aheadMs = this.#lastAtMs - this.#ports.clock.nowMs();
    if (aheadMs <= 0) this.#isAheadLogged = false;
    if (aheadMs < AHEAD_MS_MIN || this.#isAheadLogged) return;
    this.#isAheadLogged = true;
    const datedAt = new Date(this.#lastAtMs).toISOString();
    this.#ports.logger.warn('shop.dated_ahead', { shopId: this.#shop.shopId, datedAt, aheadMs });
  }

  /** Nobody knows what is on disk: nothing is retried. Every waiting write is answered with 500, and the process stops. */
  #fail(cause: Error): void {
    this.#failed = true;
    this.#ports.metrics.values.append_failures++;
    this.#mailbox.empty(LOG_FAILED);
    this.#ports.onFatal(cause);
  }
}

const TOO_LARGE = conflict('the change is more than one version can hold: send it in parts');

const LOG_FAILED = failure(
  'INTERNAL_ERROR',
  'the write could not be stored; it may or may not be there after the restart',
);

const OUTCOME_UNKNOWN = failure(
  'INTERNAL_ERROR',
  'the write may or may not be stored: its outcome is not known yet',
);
