/**
 * Shop actor: a shop in memory that answers reads and accepts writes. Reads use the newest state that is on disk. This
 * is the only place where this process changes a shop. Writes wait in a bounded mailbox, are decided strictly in order
 * on immutable state, and are appended to the log in groups with one flush each.
 *
 * Promises: a write is answered, and visible to readers, only after its records are on disk. Groups are appended in
 * order. A refused write leaves no trace. The actor does not assume that it is alone: when a command or another node
 * appended first, it catches up and decides again.
 *
 * While a group is being flushed, the next group is decided on the state that the flush will produce, but is not
 * appended. If the flush fails, that group is discarded as if it had never been decided. Measured with 256 concurrent
 * writes: without this, a third of the time was spent waiting for flushes.
 */
import type { CommandOf } from '../change/command.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import { DISK_FULL, type Failure, failure, type Outcome } from '../domain/failure.ts';
import { type AppendResult, type EventLog, LOST_RACES_MAX, RecordTooLargeError } from '../log/event-log.ts';
import type { Clock } from '../runtime/clock.ts';
import { failpoint } from '../runtime/failpoint.ts';
import { invariant } from '../runtime/invariant.ts';
import { asError } from '../runtime/thrown-error.ts';
import { UNREACHABLE } from '../shop/elsewhere.ts';
import type { RecoveredShop } from '../shop/recovery.ts';
import type { ShopAccess, WriteAnswer, WriteRequest } from '../shop/shop-access.ts';
import { UNWATCHED } from '../shop/simulation-watch.ts';
import { type ShownLimits, ShownShop, type ShownShopPorts } from './shown-shop.ts';
import {
  type AppendRejected,
  type GroupBase,
  type GroupLimits,
  type GroupPorts,
  LOG_FAILED,
  Mailbox,
  OUTCOME_UNKNOWN,
  outcomeOf,
  type RollbackTarget,
  shopBusy,
  TOO_LARGE,
  WriteGroup,
} from './write-group.ts';

/** How many times in a row others may append first before the waiting writes are refused. */
const STALE_TURNS_MAX = 16;
/** How long clients wait for an append of unknown outcome. */
const UNKNOWN_MS_MAX = 5_000;

export interface ActorLimits extends GroupLimits, ShownLimits {
  /** The limit of unanswered writes, including those being flushed. */
  readonly mailboxLengthMax: number;
}

export interface ActorPorts extends GroupPorts, ShownShopPorts {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly limits: ActorLimits;
  /** The log failed: the process must send the answers that it can, stop, and recover at its next start. */
  readonly onFatal: (cause: Error) => void;
}

/** A group that is being flushed: the first writes of the mailbox. */
interface Flush {
  readonly group: WriteGroup;
  /** Resolves when its writes are answered or returned to be decided again. Never rejects. */
  done: Promise<void>;
}

export class ShopActor extends ShownShop implements ShopAccess {
  readonly #ports: ActorPorts;
  readonly #mailbox: Mailbox;
  readonly #refreshes: { readonly done: () => void; readonly failed: (error: Error) => void }[] = [];
  #flushing: Flush | null = null;
  /** Resolves when there is no more work; null while there is none. */
  #running: Promise<void> | null = null;
  #failed = false;
  /** An append's outcome has been unknown for longer than clients wait. */
  #isHeld = false;
  #staleTurns = 0;
  /** How many of the first writes are decided in groups of their own. */
  #decidedAlone = 0;
  /** Set when the actor is evicted. */
  #successor: (() => Promise<ShopActor>) | null = null;

  constructor(ports: ActorPorts, recovered: RecoveredShop) {
    super(ports, recovered);
    this.#ports = ports;
    this.#mailbox = new Mailbox(ports.metrics);
  }

  /** True while a write waits, a group is being flushed or a checkpoint is being written. */
  get isBusy(): boolean {
    return this.#hasWork() || this.#mailbox.unanswered > 0 || this.checkpoint !== null;
  }

  write(request: WriteRequest): Promise<Outcome<WriteAnswer>> {
    if (this.#successor !== null) return this.#successor().then((actor) => actor.write(request));
    if (this.#failed) return Promise.resolve(LOG_FAILED);
    if (this.#isHeld) return Promise.resolve(UNREACHABLE);
    if (this.#mailbox.unanswered >= this.#ports.limits.mailboxLengthMax) {
      this.#ports.metrics.values.mailbox_full++;
      return Promise.resolve(shopBusy(this.shopId));
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
    await this.checkpoint;
  }

  /**
   * From now on forwards writes to `successor`: a request that began before this actor was evicted must not write past
   * the actor that readers use by then. Call only when the actor is not busy.
   */
  retire(successor: () => Promise<ShopActor>): void {
    invariant(!this.isBusy, 'only an idle actor is retired');
    this.#successor = successor;
    this.close({ ...UNWATCHED, simulated: (request, nowMs) => this.#pass(successor, request, nowMs) });
  }

  /** A live simulation may end after the eviction. It still counts for its changeset if that is still active. */
  #pass(successor: () => Promise<ShopActor>, request: SimulateRequest, nowMs: number): void {
    const stagingId = this.state.staging?.id;
    if (stagingId === undefined) return;
    successor().then(
      (actor) => {
        if (actor.state.staging?.id === stagingId) actor.note(request, nowMs);
      },
      () => {
        // The shop cannot be loaded, so no client can ask for the results either.
      },
    );
  }

  #wake(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    while (this.#hasWork()) {
      if (this.#refreshes.length === 0 && this.#mailbox.length === this.#writesInFlush()) {
        await this.#flushing?.done;
        continue;
      }
      // Writes that arrive in one turn form one group, and the log can start the append that it was given.
      await new Promise((resolve) => setImmediate(resolve));
      try {
        if (this.#refreshes.length > 0) await this.#answerRefreshes();
        else if (this.#mailbox.length > this.#writesInFlush()) await this.#turn();
      } catch (error) {
        // Only a bug leads here, and the state may be partly published: stop, and let recovery restore it.
        this.#fail(asError(error));
      }
    }
    this.#running = null;
  }

  #hasWork(): boolean {
    return this.#mailbox.length > 0 || this.#refreshes.length > 0 || this.#flushing !== null;
  }

  #writesInFlush(): number {
    return this.#flushing === null ? 0 : this.#flushing.group.outcomes.length;
  }

  /** Decides a group and, after the previous group is on disk, starts its flush. */
  async #turn(): Promise<void> {
    const command = this.#mailbox.requestAt(this.#writesInFlush())?.command;
    const target = command?.kind === 'rollback' ? await this.#readTarget(command) : null;
    const isLoser = this.#staleTurns >= LOST_RACES_MAX && this.#flushing === null;
    if (isLoser && takesTurns(this.#ports.log)) await this.#decideAlone(this.#ports.log, target);
    else await this.#decide(target);
  }

  async #readTarget({ targetVersionId }: CommandOf<'rollback'>): Promise<RollbackTarget> {
    try {
      return { versionId: targetVersionId, found: this.history.earlier(targetVersionId) };
    } catch (error) {
      return { versionId: targetVersionId, found: asError(error) };
    }
  }

  async #decide(target: RollbackTarget | null): Promise<void> {
    const before = this.#flushing;
    const group = this.#newGroup(target, before);
    const base = group.state;
    this.#fill(group);
    if (before !== null) {
      await before.done;
      // The flush failed or somebody else appended: discard the group that was decided on it.
      if (this.state !== base) return;
      this.#fill(group);
    }
    if (group.records.length > 0) {
      const flush: Flush = { group, done: Promise.resolve() };
      this.#flushing = flush;
      flush.done = this.#flush(group);
    } else if (!this.#failed) {
      this.#finishUnchanged(group);
    }
  }

  /** Decides a group and appends it while no other node can append to the shop. */
  async #decideAlone(log: TurnTakingLog, target: RollbackTarget | null): Promise<void> {
    let group = this.#newGroup(target);
    const decide = async () => {
      await this.catchUp();
      group = this.#newGroup(target);
      this.#fill(group);
      return group.records;
    };
    const result = await this.#waited(outcomeOf(() => log.appendAlone(this.shopId, decide)));
    if (result !== null) {
      // When this node did not get its turn, one write is refused, so that its client does not wait for ever.
      const count = Math.max(1, group.outcomes.length);
      await this.#settle(group, result, count);
    } else {
      this.#staleTurns = 0;
      this.#finishUnchanged(group);
    }
  }

  #newGroup(target: RollbackTarget | null, before: Flush | null = null): WriteGroup {
    return new WriteGroup(this.#ports, {
      shopId: this.shopId,
      state: (before?.group ?? this).state,
      lastAtMs: (before?.group ?? this).lastAtMs,
      answers: before?.group.answers ?? NO_ANSWERS,
      target,
      isOfOneWrite: this.#decidedAlone > this.#writesInFlush(),
    });
  }

  /** Decides waiting writes. */
  #fill(group: WriteGroup): void {
    group.fill(() => this.#mailbox.requestAt(this.#writesInFlush() + group.outcomes.length));
  }

  async #flush(group: WriteGroup): Promise<void> {
    try {
      const { shopId, sequenceNumber } = this;
      const append = () => this.#ports.log.append(shopId, sequenceNumber, group.records);
      await this.#settle(group, await this.#waited(outcomeOf(append)));
    } catch (error) {
      this.#flushing = null;
      this.#fail(asError(error));
    }
  }

  /** Waits for an append, but clients no longer than `UNKNOWN_MS_MAX`. */
  async #waited<T>(append: Promise<T>): Promise<T> {
    const { clock, metrics } = this.#ports;
    const startMs = clock.monotonicMs();
    const held = setTimeout(() => this.#hold(), UNKNOWN_MS_MAX).unref();
    const result = await append;
    clearTimeout(held);
    this.#isHeld = false;
    metrics.durations.append.observe(clock.monotonicMs() - startMs);
    return result;
  }

  /** Answers the first `count` writes, those of the group, or leaves them to be decided again. */
  async #settle(
    group: WriteGroup,
    result: AppendResult | AppendRejected,
    count = group.outcomes.length,
  ): Promise<void> {
    // Until then the group counts as being flushed, so that no write is decided on an outdated state.
    const refusal = result.kind === 'staleWriter' ? await this.#catchUpAfterStale() : null;
    this.#flushing = null;
    switch (result.kind) {
      case 'appended':
        this.show(group);
        this.#staleTurns = 0;
        this.#finish(group, result.seenEverywhere ?? null);
        break;
      case 'staleWriter':
        if (refusal !== null) this.#refuse(count, refusal);
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

  /** Nothing of the group is stored. A repeated answer waits until all nodes show its write. */
  #finishUnchanged(group: WriteGroup): void {
    const isReplay = group.outcomes.some((outcome) => outcome.ok && outcome.value.replayed);
    this.#finish(group, (isReplay && this.#ports.log.seenEverywhere?.(this.shopId)) || null);
  }

  #finish(group: WriteGroup, seenEverywhere: Promise<void> | null): void {
    failpoint('before-reply');
    this.#answer(group.outcomes, seenEverywhere);
    failpoint('after-reply');
    this.considerCheckpoint(group.records.length, group.bytes);
  }

  #answer(outcomes: readonly Outcome<WriteAnswer>[], seenEverywhere: Promise<void> | null): void {
    this.#decidedAlone = Math.max(0, this.#decidedAlone - outcomes.length);
    this.#mailbox.answer(outcomes, seenEverywhere);
  }

  /** The outcome of an append has been unknown for too long: clients get an answer before it is known. */
  #hold(): void {
    this.#isHeld = true;
    this.#mailbox.tell(OUTCOME_UNKNOWN);
  }

  /**
   * Somebody else appended first. Nothing of the group was written, so it can be decided again: returns null. Returns
   * a refusal when this happened too often, when the shop cannot be used, or when it was deleted.
   */
  async #catchUpAfterStale(): Promise<Failure | null> {
    this.#ports.metrics.values.stale_writers++;
    this.#staleTurns++;
    let refusal = this.#staleTurns > STALE_TURNS_MAX ? shopBusy(this.shopId) : null;
    try {
      if (this.#ports.log.lastSequenceNumber(this.shopId) === 0)
        refusal = failure('NOT_FOUND', `shop ${this.shopId} was deleted`);
      else await this.catchUp();
    } catch (error) {
      refusal = this.#unusable(asError(error));
    }
    return refusal;
  }

  /** Refuses the first `count` waiting writes with the same failure; none of them was stored. */
  #refuse(count: number, refusal: Failure): void {
    this.#staleTurns = 0;
    this.#answer(new Array<Failure>(count).fill(refusal), null);
  }

  /**
   * The log works and nothing of the group, the first `count` writes, was written. Each is decided again in a group of
   * its own, so that a write that is too large does not make the others fail.
   */
  #reject(count: number, cause: Error): void {
    if (!(cause instanceof RecordTooLargeError)) this.#refuse(count, this.#unusable(cause));
    else if (count > 1) this.#decidedAlone = count;
    else this.#refuse(1, TOO_LARGE);
  }

  /** The log works, but the data of this shop is unusable. Other shops continue. */
  #unusable(cause: Error): Failure {
    this.#ports.logger.error('shop.unusable', { shopId: this.shopId, error: cause });
    this.#ports.onDamaged?.(this.shopId, cause);
    return failure('INTERNAL_ERROR', 'the stored history of this shop cannot be used');
  }

  async #answerRefreshes(): Promise<void> {
    await this.#flushing?.done;
    const waiting = this.#refreshes.splice(0);
    try {
      await this.catchUp();
      for (const { done } of waiting) done();
    } catch (error) {
      for (const { failed } of waiting) failed(asError(error));
    }
  }

  /** Nobody knows what is on disk: nothing is retried. Every waiting write is answered with 500, and the process stops. */
  #fail(cause: Error): void {
    this.#failed = true;
    this.#ports.metrics.values.append_failures++;
    this.#mailbox.empty(LOG_FAILED);
    this.#ports.onFatal(cause);
  }
}

type TurnTakingLog = Required<Pick<EventLog, 'appendAlone'>>;

const takesTurns = (log: EventLog): log is EventLog & TurnTakingLog => log.appendAlone !== undefined;

const NO_ANSWERS: GroupBase['answers'] = new Map();
