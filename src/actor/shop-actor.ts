/**
 * Shop actor: a shop in memory. Readers are answered from its newest state that is on disk, and from what is compiled
 * of it; writes go to its writer, which alone changes that state.
 */

import type { AnswerText } from '../bytes/answer-text.ts';
import { compareSteps } from '../change/compare.ts';
import { refuseConfigSteps } from '../change/refuse-config.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import { type Failure, type Outcome, success } from '../domain/failure.ts';
import type { LintReport } from '../domain/finding.ts';
import type { ShopState, StagingState } from '../domain/shop-event.ts';
import type { Comparison } from '../domain/version.ts';
import { estimateMicroseconds } from '../evaluate/estimate.ts';
import { evaluateToParts } from '../evaluate/evaluate.ts';
import { explain } from '../explain/explain.ts';
import { lintReport } from '../lint/lint-config.ts';
import type { EventLog } from '../log/event-log.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { invariant } from '../runtime/invariant.ts';
import { CompiledConfigs } from '../shop/compiled-configs.ts';
import { previewLive } from '../shop/live-preview.ts';
import { simulateLive } from '../shop/live-simulation.ts';
import { isToBeRead, NEVER_ELSEWHERE, prepareEarlier, prepareSimulation } from '../shop/preparation.ts';
import type { RecoveredShop } from '../shop/recovery.ts';
import type { ShopAccess, SimulationSource, WriteAnswer, WriteRequest } from '../shop/shop-access.ts';
import { type HistoryPorts, LiveShopHistory } from '../shop/shop-history.ts';
import type { ShopWatch, SimulationWatch, WatchedRequest, WatchedText } from '../shop/simulation-watch.ts';
import { type CostedShop, readingMicroseconds, type Work, workMicroseconds } from '../shop/work-cost.ts';
import type { AnswerFields } from '../wire/answer.ts';
import type { PreviewAnswer } from '../wire/answer-schemas.ts';
import type { ShapeDefect } from '../wire/schema-check.ts';
import { type Staging, stagingView } from '../wire/staging.ts';
import type { ConfigData } from '../wire/write-bodies.ts';
import { ShopWriter, type WriterLimits, type WriterPorts } from './shop-writer.ts';

export interface ActorLimits extends WriterLimits {
  /** Items of one simulate request. */
  readonly itemsMax: number;
}

export interface ActorPorts extends WriterPorts, HistoryPorts {
  readonly log: EventLog;
  readonly watch: SimulationWatch;
  readonly limits: ActorLimits;
}

export class ShopActor implements ShopAccess {
  readonly shopId: string;
  readonly history: LiveShopHistory;
  readonly compiled: CompiledConfigs;
  readonly #ports: ActorPorts;
  readonly #watch: ShopWatch;
  readonly #writer: ShopWriter;
  readonly #diffs = new WeakMap<StagingState, Comparison>();
  #successor: (() => Promise<ShopActor>) | null = null;

  constructor(ports: ActorPorts, recovered: RecoveredShop) {
    this.#ports = ports;
    this.shopId = recovered.state.settings.id;
    this.#watch = ports.watch.open(recovered.state, recovered.sequenceNumber);
    const published = (state: ShopState, sequenceNumber: number): void => {
      this.compiled.published(state);
      this.#watch.published(state, sequenceNumber);
    };
    this.#writer = new ShopWriter(ports, recovered, published, (versionId) =>
      this.history.earlierInSteps(versionId, ports.slices),
    );
    this.history = new LiveShopHistory(ports, this.shopId, () => this.state);
    this.compiled = new CompiledConfigs((versionId) => this.history.configOf(versionId));
  }

  get state(): ShopState {
    return this.#writer.state;
  }

  get sequenceNumber(): number {
    return this.#writer.sequenceNumber;
  }

  /** True while a write waits or is being flushed, or a checkpoint is being written. */
  get isBusy(): boolean {
    return this.#writer.isBusy;
  }

  write(request: WriteRequest): Promise<Outcome<WriteAnswer>> {
    if (this.#successor !== null) return this.#successor().then((actor) => actor.write(request));
    return this.#writer.write(request);
  }

  preview(data: ConfigData): Outcome<PreviewAnswer> {
    const { clock, ids, plans, limits } = this.#ports;
    const context = {
      plans,
      itemsMax: limits.itemsMax,
      now: new Date(clock.nowMs()).toISOString(),
      seed: ids.next(),
    };
    return previewLive(context, this.state, data, () => this.compiled.live(this.state));
  }

  refuseConfig(body: unknown, defects: readonly ShapeDefect[], shouldYield: ShouldYield): WorkSteps<Failure> {
    return refuseConfigSteps(this.state, body, defects, shouldYield);
  }

  lint(view: 'live' | 'staged'): Outcome<LintReport> {
    const compiled = this.compiled.of(view, this.state);
    if (!compiled.ok) return compiled;
    const { config, settings } = compiled.value;
    const { itemsMax } = this.#ports.limits;
    return success(lintReport(config, { ...settings, itemsMax }, compiled.value));
  }

  prepare(
    source: SimulationSource,
    request: SimulateRequest,
    isElsewhere: () => boolean = NEVER_ELSEWHERE,
  ): Promise<void> | null {
    const { slices } = this.#ports;
    if (!isToBeRead(this.history, source)) {
      return prepareSimulation(this, slices, { source, request, isElsewhere });
    }
    const read = (versionId: string) => this.history.configInSteps(versionId, slices);
    return prepareEarlier(this, read, slices, { source, request, isElsewhere });
  }

  simulate(
    request: SimulateRequest,
    nowMs: number,
    text: string | null = null,
    fields: AnswerFields = 'all',
  ): Outcome<AnswerText> {
    const answer = simulateLive(this.#ports, this.compiled.live(this.state), request, nowMs, fields);
    if (answer.ok) this.#note(text ?? request, nowMs);
    return answer;
  }

  simulateFrom(
    source: SimulationSource,
    request: SimulateRequest,
    nowMs: number,
    fields: AnswerFields = 'all',
  ): Outcome<AnswerText> {
    this.#ports.metrics.values.simulations++;
    const shop = this.compiled.of(source, this.state);
    return shop.ok ? evaluateToParts(shop.value, request, nowMs, fields) : shop;
  }

  simulatedElsewhere(watched: WatchedText | null, nowMs: number, isStripped: boolean): void {
    this.#ports.metrics.values.simulations++;
    if (watched !== null) this.#note(watched, nowMs, isStripped);
  }

  /** A live simulation that ends after this actor was evicted is for the changeset all the same, if that is still there. */
  #note(request: WatchedRequest, nowMs: number, isStripped = false): void {
    if (this.#successor === null) {
      this.#watch.simulated(request, nowMs, isStripped);
      return;
    }
    const stagingId = this.state.staging?.id;
    if (stagingId === undefined) return;
    this.#successor().then(
      (actor) => {
        // By now rules may read more of a person than is left.
        if (actor.state.staging?.id === stagingId) actor.#note(request, nowMs);
      },
      () => {
        // The shop cannot be loaded: nobody can ask for its results either.
      },
    );
  }

  simulationCost(source: SimulationSource, request: SimulateRequest, closerLookUs: number): number {
    // An earlier version is not known before it is read: it is taken to be as large as the live configuration.
    const shop = source === 'staged' ? this.compiled.of(source, this.state) : null;
    const compiled = shop?.ok ? shop.value : this.compiled.live(this.state);
    const plainUs = estimateMicroseconds(compiled, request, closerLookUs);
    return typeof source === 'string'
      ? plainUs
      : plainUs + readingMicroseconds(this.#costed(), source.versionId);
  }

  costOf(work: Work): number {
    return workMicroseconds(this.#costed(), work);
  }

  #costed(): CostedShop {
    return { config: this.state.config, replayedFor: (versionId) => this.history.replayedFor(versionId) };
  }

  explain(
    source: SimulationSource,
    request: SimulateRequest,
    nowMs: number,
    text: string | null = null,
  ): Outcome<string> {
    this.#ports.metrics.values.simulations++;
    const shop = this.compiled.of(source, this.state);
    if (!shop.ok) return shop;
    const answer = explain(shop.value, request, nowMs);
    if (answer.ok && source === 'live') this.#note(text ?? request, nowMs);
    return answer;
  }

  *staging(shouldYield: ShouldYield): WorkSteps<Staging | null> {
    const { staging, config } = this.state;
    if (staging === null) return null;
    // The live configuration stands still while it is active: until the next write all readers get one comparison.
    const diff = this.#diffs.get(staging) ?? (yield* compareSteps(config, staging.config, shouldYield));
    this.#diffs.set(staging, diff);
    return stagingView(staging, diff);
  }

  /** Takes over what another process appended; resolves when readers see it. Rejects with `DamagedLogError`. */
  refresh(): Promise<void> {
    return this.#writer.refresh();
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
  idle(): Promise<void> {
    return this.#writer.idle();
  }
}
