/**
 * Shop reader: everything that a shop answers without a change, from one published state. Actors, worker threads and
 * replicas answer with this same code, so that their answers cannot differ.
 *
 * Promises: a method answers from the state of the moment when it is called; `publish` takes effect in the same tick.
 */
import type { AnswerText } from '../bytes/answer-text.ts';
import { compareSteps } from '../change/compare.ts';
import { previewConfig } from '../change/preview.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { Destination, SimulateRequest } from '../domain/cart.ts';
import { type Outcome, success } from '../domain/failure.ts';
import type { LintReport } from '../domain/finding.ts';
import type { PlanTable } from '../domain/plan.ts';
import type { PlacedConfig, ShopState, StagingState } from '../domain/shop-event.ts';
import type { Comparison } from '../domain/version.ts';
import { evaluateToParts } from '../evaluate/evaluate.ts';
import { explain } from '../explain/explain.ts';
import { lintReport } from '../lint/lint-config.ts';
import type { Replayed } from '../log/replay.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { WorkSlices } from '../pace/work-slices.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AnswerForm } from '../wire/answer.ts';
import type { PreviewAnswer } from '../wire/answer-schemas.ts';
import { type Staging, stagingView } from '../wire/staging.ts';
import type { ConfigData } from '../wire/write-bodies.ts';
import { CompiledConfigs, type SimulationSource } from './compiled-configs.ts';
import { previewAnswer } from './preview-answer.ts';
import { type HistoryPorts, ShopHistory } from './shop-history.ts';
import type { ShopWatch, SimulationWatch, WatchedRequest, WatchedText } from './simulation-watch.ts';
import { estimateMicroseconds, recordsIn, type Work } from './work-estimate.ts';

/** Two looks at the clock cost more than all other counting of a simulation together. */
const SIMULATIONS_PER_MEASURED = 8;

/** How often in a row a preparation starts again, when writes change its zone meanwhile. */
const PREPARATIONS_MAX = 4;

export interface ReaderPorts extends HistoryPorts {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly metrics: Metrics;
  readonly plans: PlanTable;
  /** Items of one simulate request. */
  readonly limits: { readonly itemsMax: number };
  readonly slices: WorkSlices;
  readonly watch: SimulationWatch;
  /** Called between the parts of a large answer, so that a thread can let others run. */
  readonly pause?: () => void;
}

/** Which configuration answers a simulation, and what the answer holds. */
export interface SimulationView {
  readonly source: SimulationSource;
  /** `explained` adds price steps, the smallest change that turns each refusal, and what was not considered. */
  readonly form: AnswerForm;
}

export const LIVE: SimulationView = { source: 'live', form: 'all' };

/** When a preview is made: ISO time, and the seed of ids that no answer shows. */
export interface PreviewMoment {
  readonly now: string;
  readonly seed: string;
}

export class ShopReader {
  readonly shopId: string;
  /** The kept versions. */
  readonly history: ShopHistory;
  readonly #readerPorts: ReaderPorts;
  readonly #compiled: CompiledConfigs;
  readonly #watch: ShopWatch;
  #state: ShopState;
  #sequenceNumber: number;
  /** The last configuration whose records were counted. */
  #counted: { readonly config: PlacedConfig; readonly records: number } | null = null;
  /** The last changeset that was compared with the live configuration, which no write changes while it is active. */
  #compared: { readonly staging: StagingState; readonly diff: Comparison } | null = null;

  constructor(ports: ReaderPorts, { state, sequenceNumber }: Replayed<ShopState>) {
    this.#readerPorts = ports;
    this.#state = state;
    this.#sequenceNumber = sequenceNumber;
    this.shopId = state.settings.id;
    this.history = new ShopHistory(ports, this.shopId, () => this.#state);
    this.#compiled = new CompiledConfigs((versionId) => this.history.configOf(versionId));
    this.#watch = ports.watch.open(state, sequenceNumber);
  }

  /** The published state: what is on disk and visible to readers. */
  get state(): ShopState {
    return this.#state;
  }

  /** The record of the log that `state` is as of. */
  get sequenceNumber(): number {
    return this.#sequenceNumber;
  }

  /** From now on answers come from `state`. */
  publish(state: ShopState, sequenceNumber: number): void {
    this.#state = state;
    this.#sequenceNumber = sequenceNumber;
    this.#compiled.published(state);
    this.#watch.published(state, sequenceNumber);
  }

  /** The shop leaves memory. Requests that hold the reader are still answered. */
  close(): void {
    this.#watch.closed();
  }

  /**
   * Null when a simulation finds compiled what it needs, which is almost always. Else compiles it beside other work, and
   * resolves when the simulation is worth asking for; without it, the simulation compiles at once.
   */
  prepare(source: SimulationSource, { destination }: SimulateRequest): Promise<void> | null {
    const started = this.#isUnread(source)
      ? this.history.configInSteps(source.versionId, this.#readerPorts.slices)
      : this.#startPreparation(source, destination);
    return started === null ? null : this.#prepareAgain(source, destination, started);
  }

  #isUnread(source: SimulationSource): source is { readonly versionId: string } {
    return typeof source !== 'string' && this.history.replayedFor(source.versionId) > 0;
  }

  #startPreparation(source: SimulationSource, destination: Destination): Promise<unknown> | null {
    const { slices } = this.#readerPorts;
    const steps = this.#compiled.preparation(source, this.#state, destination, slices.shouldYield);
    if (steps === null) return null;
    // Of many carts that ask at once only the first begins at once; the others wait for what it compiles.
    const started = slices.isBusy(this) ? slices.run(this, steps) : slices.start(this, steps);
    return started instanceof Promise ? started : null;
  }

  /** Writes may come in between; after a few of them the simulation itself compiles the rest. */
  async #prepareAgain(
    source: SimulationSource,
    destination: Destination,
    started: Promise<unknown>,
  ): Promise<void> {
    await started;
    for (let round = 1; round < PREPARATIONS_MAX; round++) {
      // A version that is too large for the cache is read again for the answer: its compiled form would be lost.
      const again = this.#isUnread(source) ? null : this.#startPreparation(source, destination);
      if (again === null) return;
      await again;
    }
  }

  /**
   * The answer as JSON text, ASCII only; `nowMs` is the clock of time conditions. `text` is the body of the request, if
   * there is one: it spares those who watch simulations from making it. CONFLICT without a changeset, NOT_FOUND for an
   * unknown version.
   */
  simulate(
    request: SimulateRequest,
    nowMs: number,
    { source, form }: SimulationView = LIVE,
    text: string | null = null,
  ): Outcome<AnswerText> {
    const { clock, metrics, pause } = this.#readerPorts;
    const isMeasured = ++metrics.values.simulations % SIMULATIONS_PER_MEASURED === 0;
    const shop = this.#compiled.of(source, this.#state);
    if (!shop.ok) return shop;
    const startMs = isMeasured ? clock.monotonicMs() : 0;
    const answer =
      form === 'explained'
        ? inOnePart(explain(shop.value, request, nowMs))
        : evaluateToParts(shop.value, request, nowMs, form, pause);
    if (isMeasured && form !== 'explained') {
      metrics.durations.simulate.observe(clock.monotonicMs() - startMs);
    }
    if (answer.ok && source === 'live') this.note(text ?? request, nowMs);
    return answer;
  }

  /**
   * A simulation was answered in another thread: it is counted. `watched` is the request of one that the live
   * configuration answered; `isStripped`: without the personal fields that no rule reads.
   */
  simulatedElsewhere(watched: WatchedText | null, nowMs: number, isStripped: boolean): void {
    this.#readerPorts.metrics.values.simulations++;
    if (watched !== null) this.note(watched, nowMs, isStripped);
  }

  /** Tells the watch of a live simulation. */
  protected note(request: WatchedRequest, nowMs: number, isStripped = false): void {
    this.#watch.simulated(request, nowMs, isStripped);
  }

  /** The compiled configuration: CONFLICT without a changeset, NOT_FOUND for an unknown version. */
  compiled(source: SimulationSource): Outcome<CompiledShop> {
    return this.#compiled.of(source, this.#state);
  }

  /** What execute would change, and what the lint finds in the configuration that it would make. */
  preview(data: ConfigData, { now, seed }: PreviewMoment): Outcome<PreviewAnswer> {
    const { plans, limits } = this.#readerPorts;
    const context = { now, seed, keyId: null, batchId: null, plans, findVersion: () => null };
    const previewed = previewConfig(this.#state, data, context);
    if (!previewed.ok) return previewed;
    const live = this.compiled('live');
    const settings = { ...this.#state.settings, itemsMax: limits.itemsMax };
    return success(previewAnswer(previewed.value, settings, live.ok ? live.value : undefined));
  }

  /** What is wrong or doubtful in a configuration. CONFLICT without a changeset. */
  lint(view: 'live' | 'staged'): Outcome<LintReport> {
    const compiled = this.compiled(view);
    if (!compiled.ok) return compiled;
    const { config, settings } = compiled.value;
    const { itemsMax } = this.#readerPorts.limits;
    return success(lintReport(config, { ...settings, itemsMax }, compiled.value));
  }

  /** The active changeset of this moment as clients see it, or null. */
  *staging(shouldYield: ShouldYield): WorkSteps<Staging | null> {
    const { staging, config } = this.#state;
    if (staging === null) return null;
    const known = this.#compared?.staging === staging ? this.#compared.diff : null;
    const diff = known ?? (yield* compareSteps(config, staging.config, shouldYield));
    this.#compared = { staging, diff };
    return stagingView(staging, diff);
  }

  /** Microseconds that the work would take on this thread, as a guess. */
  costOf(work: Work): number {
    return estimateMicroseconds(this, work);
  }

  /** Records of the live configuration, for the estimate. */
  get records(): number {
    const { config } = this.#state;
    if (this.#counted?.config !== config) this.#counted = { config, records: recordsIn(config) };
    return this.#counted.records;
  }
}

const inOnePart = (text: Outcome<string>): Outcome<AnswerText> => (text.ok ? success([text.value]) : text);
