/**
 * Shop reader: answers all reads of a shop from one published state. Actors and worker threads use this same
 * code, so that their answers cannot differ.
 *
 * Promises: a method answers from the state at the time of the call; `publish` takes effect in the same tick.
 */
import type { AnswerText } from '../bytes/answer-text.ts';
import { compareSteps } from '../change/compare.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import { LocalCalendar } from '../compile/local-calendar.ts';
import { dayOfDate, dayText } from '../domain/calendar-day.ts';
import type { Destination, SimulateRequest } from '../domain/cart.ts';
import { invalid, type Outcome, success } from '../domain/failure.ts';
import type { LintReport } from '../domain/finding.ts';
import { ISO_TIME_ACCEPTS, parseIsoTime } from '../domain/iso-time.ts';
import type { PlanTable } from '../domain/plan.ts';
import type { PlacedConfig, ShopState, StagingState } from '../domain/shop-event.ts';
import type { Comparison } from '../domain/version.ts';
import type { UseCounter } from '../evaluate/evaluate.ts';
import { evaluateToParts } from '../evaluate/evaluate.ts';
import { explain } from '../explain/explain.ts';
import { priceCurve, type Sweeping } from '../explain/price-curve.ts';
import { lintReport } from '../lint/lint-config.ts';
import type { Replayed } from '../log/replay.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { WorkSlices } from '../pace/work-slices.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AnswerForm } from '../wire/answer.ts';
import type { BisectAnswer, PreviewAnswer } from '../wire/answer-schemas.ts';
import type { CheckResults } from '../wire/check-results.ts';
import type { PriceCurve } from '../wire/price-curve.ts';
import { versionView } from '../wire/record-view.ts';
import { type Staging, stagingView } from '../wire/staging.ts';
import type { ConfigAction } from '../wire/write-bodies.ts';
import { type BisectedCart, bisect } from './bisect.ts';
import { chosenChecks, runChecks } from './check-run.ts';
import { CompiledConfigs, type SimulationSource } from './compiled-configs.ts';
import { previewAnswer, previewConfig } from './preview.ts';
import { type HistoryPorts, ShopHistory } from './shop-history.ts';
import {
  type ShopWatch,
  type SimulationWatch,
  UNWATCHED_USES,
  type UseWatch,
  type WatchedRequest,
  type WatchedText,
} from './simulation-watch.ts';
import { estimateMicroseconds, recordsIn, type Work } from './work-estimate.ts';

/** Measure only every eighth simulation: two reads of the clock cost more than all other metrics of a simulation. */
const SIMULATIONS_PER_MEASURED = 8;

/** How many times in a row a preparation may run because writes changed its zone in the meantime. */
const PREPARATIONS_MAX = 4;

export interface ReaderPorts extends HistoryPorts {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly metrics: Metrics;
  readonly plans: PlanTable;
  /** Items of one simulate request. */
  readonly limits: { readonly itemsMax: number };
  readonly slices: WorkSlices;
  readonly watch: SimulationWatch;
  /** Where live simulations count what they use; nothing is kept without it. */
  readonly uses?: UseWatch;
  /** Called between the parts of a large answer, so that a worker thread can yield. */
  readonly pause?: () => void;
}

/** The configuration that answers a simulation, and the content of the answer. */
export interface SimulationView {
  readonly source: SimulationSource;
  /** `explained` adds price steps, the smallest change that reverses each refusal, and what was not considered. */
  readonly form: AnswerForm;
}

export const LIVE: SimulationView = { source: 'live', form: 'all' };

/** What a preview is asked: the data, and a cart with its clock where one is to be tried. */
export type Previewed = Omit<ConfigAction, 'action'>;

/** The inputs of a preview: an ISO time, and a seed for ids that only the explanation of a cart shows. */
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
  #watch: ShopWatch;
  readonly #uses: UseWatch;
  /** Counts what live simulations use. */
  readonly useCounter: UseCounter;
  #state: ShopState;
  #sequenceNumber: number;
  /** The last configuration whose records were counted. */
  #counted: { readonly config: PlacedConfig; readonly records: number } | null = null;
  /**
   * The last changeset that was compared with the live configuration, which does not change while the changeset is
   * active.
   */
  #compared: { readonly staging: StagingState; readonly diff: Comparison } | null = null;

  constructor(ports: ReaderPorts, { state, sequenceNumber }: Replayed<ShopState>) {
    this.#readerPorts = ports;
    this.#state = state;
    this.#sequenceNumber = sequenceNumber;
    this.shopId = state.settings.id;
    this.history = new ShopHistory(ports, this.shopId, () => this.#state);
    this.#compiled = new CompiledConfigs((versionId) => this.history.configOf(versionId));
    this.#watch = ports.watch.open(state, sequenceNumber);
    this.#uses = ports.uses ?? UNWATCHED_USES;
    this.useCounter = this.#uses.open(this.shopId, () => this.#state.config);
  }

  /** The published state: what is on disk and visible to readers. */
  get state(): ShopState {
    return this.#state;
  }

  /** The sequence number of the last record that is in `state`. */
  get sequenceNumber(): number {
    return this.#sequenceNumber;
  }

  /** From now on answers come from `state`. */
  publish(state: ShopState, sequenceNumber: number): void {
    if (state.staging === null && this.#state.staging !== null) this.#compiled.dropStaged();
    this.#state = state;
    this.#sequenceNumber = sequenceNumber;
    this.#watch.published(state, sequenceNumber);
  }

  /** The shop is evicted. Requests that still hold the reader are answered, and reported to `watch`. */
  protected close(watch: ShopWatch): void {
    this.#watch.closed();
    this.#watch = watch;
    this.#uses.closed(this.shopId);
  }

  /**
   * Returns null when all that the simulation needs is already compiled, which is almost always the case. Otherwise
   * compiles it in slices and returns a promise that resolves when the simulation can run. A simulation without this
   * preparation compiles in the same tick.
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
    // When several carts need the same compilation, only the first begins a slice at once; the others queue and reuse
    // its result.
    const started = slices.isBusy(this) ? slices.run(this, steps) : slices.start(this, steps);
    return started instanceof Promise ? started : null;
  }

  /**
   * Repeats the preparation when a write changed the zone meanwhile; after a few rounds the simulation compiles the
   * rest.
   */
  async #prepareAgain(
    source: SimulationSource,
    destination: Destination,
    started: Promise<unknown>,
  ): Promise<void> {
    await started;
    for (let round = 1; round < PREPARATIONS_MAX; round++) {
      // A version too large for the cache is read again for the answer, so preparing it would be wasted work.
      const again = this.#isUnread(source) ? null : this.#startPreparation(source, destination);
      if (again === null) return;
      await again;
    }
  }

  /**
   * The answer as ASCII-only JSON text. `nowMs` is the clock for time conditions. `text` is the request body, if there
   * is one, so that watchers need not serialize the request again. CONFLICT without a changeset, NOT_FOUND for an
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
    const counter = source === 'live' ? this.useCounter : undefined;
    const answer =
      form === 'explained'
        ? this.#explained(shop.value, request, nowMs, counter)
        : evaluateToParts(shop.value, request, nowMs, form, pause, counter);
    if (isMeasured && form !== 'explained') {
      metrics.durations.simulate.observe(clock.monotonicMs() - startMs);
    }
    if (answer.ok && source === 'live') this.note(text ?? request, nowMs);
    return answer;
  }

  #explained(
    shop: CompiledShop,
    request: SimulateRequest,
    nowMs: number,
    counter?: UseCounter,
  ): Outcome<AnswerText> {
    const lastChanged = (number: number | undefined) => this.history.lastChanged(number);
    const answer = explain(shop, request, nowMs, lastChanged, counter);
    return answer.ok ? success([answer.value]) : answer;
  }

  /**
   * Counts a simulation that another thread answered. `watched` is its request if the live configuration answered it,
   * else null. `isStripped`: the personal fields that no rule reads were removed from it.
   */
  simulatedElsewhere(watched: WatchedText | null, nowMs: number, isStripped: boolean): void {
    this.#readerPorts.metrics.values.simulations++;
    if (watched !== null) this.note(watched, nowMs, isStripped);
  }

  /** Adds what live simulations used that another thread answered. */
  usedElsewhere(uses: Uint8Array): void {
    this.#uses.add(this.shopId, uses);
  }

  /** Reports a live simulation to the watch. */
  protected note(request: WatchedRequest, nowMs: number, isStripped = false): void {
    this.#watch.simulated(request, nowMs, isStripped);
  }

  /** The compiled configuration: CONFLICT without a changeset, NOT_FOUND for an unknown version. */
  compiled(source: SimulationSource): Outcome<CompiledShop> {
    return this.#compiled.of(source, this.#state);
  }

  /**
   * The changes that execute would make, with the lint findings and checks of the resulting configuration, and with what it
   * offers the cart of `request`. That is no simulation of the shop: nothing counts it or keeps it.
   */
  preview({ data, request, at }: Previewed, { now, seed }: PreviewMoment): Outcome<PreviewAnswer> {
    const nowMs = Date.parse(now);
    const simulatedMs = at === undefined ? nowMs : parseIsoTime(at);
    if (simulatedMs === null) return invalid(`/at must be ${ISO_TIME_ACCEPTS}`);
    const { plans, limits } = this.#readerPorts;
    const context = { now, seed, keyId: null, batchId: null, plans, findVersion: () => null };
    const previewed = previewConfig(this.#state, data, context);
    if (!previewed.ok) return previewed;
    const live = this.compiled('live');
    return previewAnswer(previewed.value, {
      settings: { ...this.#state.settings, itemsMax: limits.itemsMax, today: this.#today(nowMs) },
      nowMs,
      compiled: live.ok ? live.value : undefined,
      explained: request === undefined ? null : (shop) => this.#explained(shop, request, simulatedMs),
    });
  }

  /** The lint findings in a configuration at this time. CONFLICT without a changeset. */
  lint(view: 'live' | 'staged', nowMs: number): Outcome<LintReport> {
    const compiled = this.compiled(view);
    if (!compiled.ok) return compiled;
    const { config, settings } = compiled.value;
    const { itemsMax } = this.#readerPorts.limits;
    const today = this.#today(nowMs);
    return success(lintReport(config, { ...settings, itemsMax, today }, compiled.value));
  }

  /** The local day of the shop, `YYYY-MM-DD`. */
  #today(nowMs: number): string {
    return dayText(dayOfDate(new LocalCalendar(this.#state.settings.timezone).at(nowMs).date));
  }

  /**
   * Runs checks against a configuration: the checks of the changeset against it, else those of the live configuration.
   * `ids` chooses among them. CONFLICT without a changeset, NOT_FOUND for an unknown version or check.
   */
  runChecks(
    source: SimulationSource,
    ids: readonly string[] | undefined,
    nowMs: number,
  ): Outcome<CheckResults> {
    const shop = this.compiled(source);
    if (!shop.ok) return shop;
    const { config, staging, version } = this.#state;
    const checks = chosenChecks(
      (source === 'staged' ? (staging ?? { config }) : { config }).config.checks,
      ids,
    );
    if (!checks.ok) return checks;
    const versionId = source === 'staged' ? null : source === 'live' ? version.id : source.versionId;
    const { pause } = this.#readerPorts;
    return success(runChecks({ shop: shop.value, versionId, nowMs, pause }, checks.value));
  }

  /** The rates of a cart while its total, weight or a quantity varies. Fails as `compiled`. */
  sweep(source: SimulationSource, sweeping: Sweeping): Outcome<PriceCurve> {
    const shop = this.compiled(source);
    return shop.ok ? priceCurve(shop.value, sweeping, this.#readerPorts.pause) : shop;
  }

  /**
   * The versions from `fromId`, or the oldest one when it is null, to `toId` at which the answer to a cart changed.
   * Fails as `ShopHistory.walk`.
   */
  bisect(cart: BisectedCart, fromId: string | null, toId: string): Outcome<BisectAnswer> {
    const { settings, keys } = this.#state;
    return this.history.walk(fromId, toId, ({ from, to, config, changes }) => {
      const { flips, ...counts } = bisect(cart, settings, config, changes(), this.#readerPorts.pause);
      return {
        from: versionView(from, keys),
        to: versionView(to, keys),
        ...counts,
        flips: flips.map(({ version, ...flip }) => ({ version: versionView(version, keys), ...flip })),
      } as BisectAnswer;
    });
  }

  /** The current changeset as clients see it; null when there is none. */
  *staging(shouldYield: ShouldYield): WorkSteps<Staging | null> {
    const { staging, config } = this.#state;
    if (staging === null) return null;
    const known = this.#compared?.staging === staging ? this.#compared.diff : null;
    const diff = known ?? (yield* compareSteps(config, staging.config, shouldYield));
    this.#compared = { staging, diff };
    return stagingView(staging, diff);
  }

  /** Estimated microseconds of this work on one thread. */
  costOf(work: Work): number {
    return estimateMicroseconds(this, work);
  }

  /** Number of records of the live configuration, for the estimate. */
  get records(): number {
    const { config } = this.#state;
    if (this.#counted?.config !== config) this.#counted = { config, records: recordsIn(config) };
    return this.#counted.records;
  }
}
