/**
 * Shop actor: the one place where a shop changes in this process. Writes wait in a bounded mailbox, are
 * decided strictly one after another on immutable state, and go to the log as one group with one flush.
 *
 * Promises: a write is answered, and seen by readers, only after its records are on disk; while a group is
 * being flushed nothing new is decided; a refused write left nothing behind. The actor does not rely on
 * being alone: when another process appended first, it catches up and decides the group again.
 */
import { countChanges } from '../change/compare.ts';
import type { PreviewAnswer } from '../domain/answer-schemas.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import { type Failure, failure, type Outcome, success } from '../domain/failure.ts';
import type { LintReport } from '../domain/finding.ts';
import type { ShopEvent, ShopState } from '../domain/shop-event.ts';
import { type Staging, stagingView } from '../domain/staging.ts';
import type { ConfigData } from '../domain/write-bodies.ts';
import { estimateMicroseconds } from '../evaluate/estimate.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import { explain } from '../explain/explain.ts';
import { lintReport } from '../lint/lint-config.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Clock } from '../runtime/clock.ts';
import { failpoint } from '../runtime/failpoint.ts';
import { invariant } from '../runtime/invariant.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { asError } from '../runtime/thrown-error.ts';
import type { WorkSlices } from '../runtime/work-slices.ts';
import { appendRecords } from './append.ts';
import { type CheckpointLimits, Checkpoints } from './checkpoints.ts';
import { CompiledConfigs } from './compiled-configs.ts';
import { previewLive } from './live-preview.ts';
import { simulateLive } from './live-simulation.ts';
import { prepareEarlier, prepareSimulation } from './preparation.ts';
import { followShop, newestTimeMs, type RecoveredShop } from './recovery.ts';
import { RollbackTarget } from './rollback-target.ts';
import type { ShopAccess, SimulationSource, WriteAnswer, WriteRequest } from './shop-access.ts';
import { type HistoryPorts, LiveShopHistory } from './shop-history.ts';
import type { ShopWatch, SimulationWatch } from './simulation-watch.ts';
import { type CostedShop, readingMicroseconds, type Work, workMicroseconds } from './work-cost.ts';
import { decideGroupSteps, type GroupLimits, type GroupPorts, type WriteGroup } from './write-group.ts';

/** How often in a row another process may append first before the waiting writes are turned away. */
const STALE_TURNS_MAX = 16;

export interface ActorLimits extends GroupLimits, CheckpointLimits {
  /** Writes that are not answered yet, those being flushed included. */
  readonly mailboxLengthMax: number;
}

export interface ActorPorts extends GroupPorts, HistoryPorts {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly limits: ActorLimits;
  readonly watch: SimulationWatch;
  /** Long compilations and writes of all shops, in turns. */
  readonly slices: WorkSlices;
  /** Called for each revoked key once the revocation is on disk, before it is acknowledged. */
  readonly onKeyRevoked: (keyId: string) => void;
  /** The log failed: the process must answer what it can, stop, and recover at its next start. */
  readonly onFatal: (cause: Error) => void;
}

interface WaitingWrite {
  readonly request: WriteRequest;
  readonly answer: (outcome: Outcome<WriteAnswer>) => void;
}

interface WaitingRefresh {
  readonly done: () => void;
  readonly failed: (error: Error) => void;
}

export class ShopActor implements ShopAccess {
  readonly shopId: string;
  readonly history: LiveShopHistory;
  readonly compiled: CompiledConfigs;
  readonly #ports: ActorPorts;
  readonly #checkpoints: Checkpoints;
  readonly #watch: ShopWatch;
  #state: ShopState;
  #sequenceNumber: number;
  /** The newest time that any write of the shop was given. */
  #lastAtMs: number;
  readonly #mailbox: WaitingWrite[] = [];
  readonly #refreshes: WaitingRefresh[] = [];
  readonly #idleWaiters: (() => void)[] = [];
  readonly #rollbackTarget: RollbackTarget;
  #successor: (() => Promise<ShopActor>) | null = null;
  #running = false;
  #failed = false;
  #staleTurns = 0;

  constructor(ports: ActorPorts, recovered: RecoveredShop) {
    this.#ports = ports;
    this.shopId = recovered.state.settings.id;
    this.#state = recovered.state;
    this.#sequenceNumber = recovered.sequenceNumber;
    this.#lastAtMs = newestTimeMs(recovered.state);
    this.#checkpoints = new Checkpoints(ports, this.shopId, recovered);
    this.#watch = ports.watch.open(recovered.state, recovered.sequenceNumber);
    this.history = new LiveShopHistory(ports, this.shopId, () => this.#state);
    this.#rollbackTarget = new RollbackTarget((versionId) =>
      this.history.earlierInSteps(versionId, ports.slices),
    );
    this.compiled = new CompiledConfigs((versionId) => this.history.configOf(versionId));
  }

  get state(): ShopState {
    return this.#state;
  }

  get sequenceNumber(): number {
    return this.#sequenceNumber;
  }

  /** True while a write waits or is being flushed, or a checkpoint is being written. */
  get isBusy(): boolean {
    return this.#running || this.#checkpoints.isWriting;
  }

  async write(request: WriteRequest): Promise<Outcome<WriteAnswer>> {
    if (this.#successor !== null) return (await this.#successor()).write(request);
    if (this.#failed) return logFailed();
    if (this.#mailbox.length >= this.#ports.limits.mailboxLengthMax) {
      this.#ports.metrics.values.mailbox_full++;
      return shopBusy(this.shopId);
    }
    return new Promise((answer) => {
      this.#mailbox.push({ request, answer });
      this.#ports.metrics.values.mailbox_depth++;
      this.#wake();
    });
  }

  preview(data: ConfigData): Outcome<PreviewAnswer> {
    return previewLive(this.#ports, this.#state, data, () => this.compiled.live(this.#state));
  }

  lint(view: 'live' | 'staged'): Outcome<LintReport> {
    const compiled = this.compiled.of(view, this.#state);
    if (!compiled.ok) return compiled;
    const { config, settings } = compiled.value;
    return success(lintReport(config, settings, compiled.value));
  }

  prepare(source: SimulationSource, request: SimulateRequest): (() => Promise<void>) | null {
    const { slices } = this.#ports;
    const read = (versionId: string) => this.history.configInSteps(versionId, slices);
    return (
      prepareEarlier(this, read, slices, source, request) ?? prepareSimulation(this, slices, source, request)
    );
  }

  simulate(request: SimulateRequest, nowMs: number, text: string | null = null): Outcome<string> {
    const answer = simulateLive(this.#ports, this.compiled.live(this.#state), request, nowMs);
    if (answer.ok) this.#watch.simulated(text ?? request, nowMs);
    return answer;
  }

  simulateFrom(source: SimulationSource, request: SimulateRequest, nowMs: number): Outcome<string> {
    this.#ports.metrics.values.simulations++;
    const shop = this.compiled.of(source, this.#state);
    return shop.ok ? evaluate(shop.value, request, nowMs) : shop;
  }

  simulatedElsewhere(watched: string | null, nowMs: number, isStripped: boolean): void {
    this.#ports.metrics.values.simulations++;
    if (watched !== null) this.#watch.simulated(watched, nowMs, isStripped);
  }

  simulationCost(source: SimulationSource, request: SimulateRequest, closerLookUs: number): number {
    // An earlier version is not known before it is read: it is taken to be as large as the live configuration.
    const shop = source === 'staged' ? this.compiled.of(source, this.#state) : null;
    const compiled = shop?.ok ? shop.value : this.compiled.live(this.#state);
    const plainUs = estimateMicroseconds(compiled, request, closerLookUs);
    return typeof source === 'string'
      ? plainUs
      : plainUs + readingMicroseconds(this.#costed(), source.versionId);
  }

  costOf(work: Work): number {
    return workMicroseconds(this.#costed(), work);
  }

  #costed(): CostedShop {
    return { config: this.#state.config, replayedFor: (versionId) => this.history.replayedFor(versionId) };
  }

  explain(
    source: SimulationSource,
    request: SimulateRequest,
    nowMs: number,
    text: string | null = null,
  ): Outcome<string> {
    this.#ports.metrics.values.simulations++;
    const shop = this.compiled.of(source, this.#state);
    if (!shop.ok) return shop;
    const answer = explain(shop.value, request, nowMs);
    if (answer.ok && source === 'live') this.#watch.simulated(text ?? request, nowMs);
    return answer;
  }

  staging(): Staging | null {
    const { staging, config } = this.#state;
    return staging === null ? null : stagingView(staging, countChanges(config, staging.config));
  }

  /** Takes over what another process appended; resolves when readers see it. Rejects with `DamagedLogError`. */
  refresh(): Promise<void> {
    return new Promise((done, failed) => {
      this.#refreshes.push({ done, failed });
      this.#wake();
    });
  }

  /**
   * Leaves the writes to `successor` from now on: a request that began before this actor was evicted must
   * not write past the actor that readers use by then. Only when not busy.
   */
  retire(successor: () => Promise<ShopActor>): void {
    invariant(!this.isBusy, 'only an idle actor is retired');
    this.#successor = successor;
    this.#watch.closed();
  }

  /** Resolves once nothing waits and nothing is being written. */
  async idle(): Promise<void> {
    if (this.#running) await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
    await this.#checkpoints.settled();
  }

  /** Starts a run after this turn of the event loop, so that what came in together is one group. */
  #wake(): void {
    if (this.#running) return;
    this.#running = true;
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    while (this.#mailbox.length > 0 || this.#refreshes.length > 0) {
      if (this.#refreshes.length > 0) await this.#answerRefreshes();
      else {
        try {
          await this.#turn();
        } catch (error) {
          // Only a bug gets here, and the state may be half published: recovery knows better.
          this.#fail(asError(error));
        }
      }
    }
    this.#running = false;
    for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }

  async #turn(): Promise<void> {
    const target = this.#rollbackTarget;
    const [first] = this.#mailbox;
    if (first !== undefined && !target.isReadyFor(first.request)) await target.prepare(first.request);
    const base = { shopId: this.shopId, state: this.#state, lastAtMs: this.#lastAtMs, earlier: target };
    // Small writes are decided at once; long ones in slices, while readers are answered from the state before
    // them. In turns of their own, so that no write waits for a zone that is being compiled.
    const steps = decideGroupSteps(this.#ports, base, this.#mailbox);
    const group = await this.#ports.slices.start(this.#mailbox, steps);
    target.forget();
    if (group.records.length > 0) {
      const { clock, log, metrics } = this.#ports;
      const startMs = clock.monotonicMs();
      const result = await appendRecords(log, this.shopId, this.#sequenceNumber, group.records);
      metrics.durations.append.observe(clock.monotonicMs() - startMs);
      switch (result.kind) {
        case 'appended':
          this.#publish(group);
          break;
        case 'staleWriter':
          await this.#catchUpAfterStale(group.outcomes.length);
          return;
        case 'rejected':
          this.#refuse(group.outcomes.length, this.#unusable(result.cause));
          return;
        default:
          this.#fail(result.cause);
          return;
      }
    }
    failpoint('before-reply');
    this.#answer(group.outcomes);
    failpoint('after-reply');
    this.#checkpoints.considerAfter(this.#state, this.#sequenceNumber, group.records.length, group.bytes);
  }

  /** The group is on disk: from here on readers see it, and the keys it revoked are worth nothing. */
  #publish(group: WriteGroup): void {
    failpoint('before-publish');
    this.#state = group.state;
    this.#sequenceNumber += group.records.length;
    this.#lastAtMs = group.lastAtMs;
    this.#staleTurns = 0;
    this.#watch.published(this.#state, this.#sequenceNumber);
    for (const { event } of group.records) this.#announce(event);
    const { values } = this.#ports.metrics;
    values.append_groups++;
    values.append_records += group.records.length;
    failpoint('after-publish');
  }

  #announce(event: ShopEvent): void {
    if (event.kind === 'keyRevoked') this.#ports.onKeyRevoked(event.keyId);
  }

  #answer(outcomes: readonly Outcome<WriteAnswer>[]): void {
    const { values } = this.#ports.metrics;
    const answered = this.#mailbox.splice(0, outcomes.length);
    values.mailbox_depth -= answered.length;
    for (const [index, { answer }] of answered.entries()) {
      const outcome = outcomes[index] ?? undecided();
      if (!outcome.ok) values.writes_refused++;
      else if (outcome.value.replayed) values.writes_replayed++;
      else values.writes++;
      answer(outcome);
    }
  }

  /** Another process appended first: nothing of the group was written, so it can be decided again. */
  async #catchUpAfterStale(groupLength: number): Promise<void> {
    this.#ports.metrics.values.stale_writers++;
    this.#staleTurns++;
    let refusal = this.#staleTurns > STALE_TURNS_MAX ? shopBusy(this.shopId) : null;
    try {
      await this.#catchUp();
    } catch (error) {
      refusal = this.#unusable(asError(error));
    }
    if (refusal === null) return;
    this.#staleTurns = 0;
    this.#refuse(groupLength, refusal);
  }

  /** Answers the first `count` waiting writes, of which nothing was stored, with the same refusal. */
  #refuse(count: number, refusal: Failure): void {
    this.#answer(new Array<Failure>(count).fill(refusal));
  }

  /** The log is well, but not for this shop: other shops go on. */
  #unusable(cause: Error): Failure {
    this.#ports.logger.error('shop.unusable', { shopId: this.shopId, error: cause });
    return failure('INTERNAL_ERROR', 'the stored history of this shop cannot be used');
  }

  async #answerRefreshes(): Promise<void> {
    const waiting = this.#refreshes.splice(0);
    try {
      await this.#catchUp();
      for (const { done } of waiting) done();
    } catch (error) {
      for (const { failed } of waiting) failed(asError(error));
    }
  }

  /**
   * Applies the records that others appended. The whole tail is read before any of it is published; nothing else is
   * decided meanwhile, and readers are answered from the state before it.
   */
  async #catchUp(): Promise<void> {
    const events: ShopEvent[] = [];
    const from = { state: this.#state, sequenceNumber: this.#sequenceNumber };
    const { log, slices } = this.#ports;
    const { state, sequenceNumber, tail } = await followShop(log, from, slices, (event) =>
      events.push(event),
    );
    this.#state = state;
    this.#sequenceNumber = sequenceNumber;
    this.#lastAtMs = Math.max(this.#lastAtMs, newestTimeMs(state));
    this.#watch.published(state, sequenceNumber);
    for (const event of events) this.#announce(event);
    this.#checkpoints.considerAfter(state, sequenceNumber, tail.records, tail.bytes);
  }

  /** Crash-only: nothing is retried. Every waiting write gets its 500, and the process is told to stop. */
  #fail(cause: Error): void {
    this.#failed = true;
    this.#ports.metrics.values.append_failures++;
    const waiting = this.#mailbox.splice(0);
    this.#ports.metrics.values.mailbox_depth -= waiting.length;
    for (const { answer } of waiting) answer(logFailed());
    this.#ports.onFatal(cause);
  }
}

/** Mailbox is full: the caller gets 429 now instead of a time-out later. Cheap on purpose: no log line. */
const shopBusy = (shopId: string): Failure => ({
  ...failure('RATE_LIMITED', `shop ${shopId} is busy: too many writes wait`),
  retryAfterSeconds: 1,
});

const logFailed = (): Failure =>
  failure('INTERNAL_ERROR', 'the write could not be stored; it may or may not be there after the restart');

const undecided = (): Failure => failure('INTERNAL_ERROR', 'the write was not decided');
