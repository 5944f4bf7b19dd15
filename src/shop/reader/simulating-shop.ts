/**
 * The part of a shop that simulations need: the published state, its compiled configurations (live, changeset, earlier
 * versions), and the answer to a cart. A configuration is compiled on first use, and reuses the unchanged parts of the
 * previous compiled form.
 *
 * Promises: a method answers from the state at the time of the call; `publish` takes effect in the same tick.
 */
import type { AnswerText } from '../../base/bytes/answer-text.ts';
import type { Metrics } from '../../base/metrics/metrics.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { failpoint } from '../../base/runtime/failpoint.ts';
import { type CompiledShop, compileShop } from '../../engine/compile/compiled-shop.ts';
import type { Place } from '../../engine/compile/compiled-zone.ts';
import type { SimulateRequest } from '../../engine/domain/cart.ts';
import { notFound, type Outcome, success } from '../../engine/domain/failure.ts';
import type { ShopSettings } from '../../engine/domain/shop.ts';
import { type PlacedConfig, type ShopState, shopConfigOf } from '../../engine/domain/shop-event.ts';
import { evaluateToParts, type UseCounter } from '../../engine/evaluate/evaluate.ts';
import { explain } from '../../engine/explain/explain.ts';
import type { AnswerForm } from '../../engine/wire/answer.ts';
import { NO_CHANGESET } from '../../engine/wire/staging.ts';
import type { ShopAt } from './recovery.ts';
import { type HistoryPorts, ShopHistory } from './shop-history.ts';
import {
  type ShopWatch,
  type SimulationWatch,
  UNWATCHED_USES,
  type Uses,
  type UseWatch,
} from './simulation-watch.ts';
import type { CachedVersion, CompiledSlot, SimulationSource } from './version-cache.ts';

/** The compiled configuration that answers a cart, and the place of its destination; null outside all zones. */
export interface PlacedCart {
  readonly shop: CompiledShop;
  readonly place: Place | null;
}

/** One configuration, and the slot for its compiled form. */
interface Origin {
  readonly config: PlacedConfig;
  readonly settings: ShopSettings;
  readonly slot: CompiledSlot;
  /** The compiled form whose parts a new one may reuse. */
  readonly previous: CompiledShop | undefined;
}

/** Live, changeset and earlier versions of one shop, compiled. Earlier ones come from a cache that all shops share. */
class CompiledConfigs {
  readonly #versionOf: (versionId: string) => CachedVersion | null;
  readonly #live: CompiledSlot = {};
  #staged: CompiledSlot = {};

  /** `versionOf` returns an earlier version; null when it is unknown. */
  constructor(versionOf: (versionId: string) => CachedVersion | null) {
    this.#versionOf = versionOf;
  }

  /** Call when a changeset has ended: drops its compiled form. */
  dropStaged(): void {
    this.#staged = {};
  }

  /** CONFLICT without a changeset, NOT_FOUND for an unknown version. The settings are the current ones. */
  of(source: SimulationSource, state: ShopState): Outcome<CompiledShop> {
    const origin = this.#originOf(source, state);
    if (!origin.ok) return origin;
    return success(compiledAt(origin.value) ?? compile(origin.value));
  }

  #originOf(source: SimulationSource, { config, settings, staging, version }: ShopState): Outcome<Origin> {
    const live = this.#live;
    if (source === 'live' || (source !== 'staged' && source.versionId === version.id)) {
      return success({ config, settings, slot: live, previous: live.compiled });
    }
    if (source === 'staged') {
      if (staging === null) return NO_CHANGESET;
      const slot = this.#staged;
      return success({ config: staging.config, settings, slot, previous: slot.compiled ?? live.compiled });
    }
    const earlier = this.#versionOf(source.versionId);
    if (earlier === null) return notFound('version', source.versionId);
    return success({ config: earlier.config, settings, slot: earlier, previous: earlier.compiled });
  }
}

/** The compiled form in the slot, if it belongs to this configuration and these settings; else undefined. */
const compiledAt = ({ slot: { compiled }, config, settings }: Origin): CompiledShop | undefined =>
  compiled?.config === config && compiled.settings === settings ? compiled : undefined;

function compile({ config, settings, slot, previous }: Origin): CompiledShop {
  failpoint('before-compile');
  slot.compiled = compileShop(shopConfigOf(config), settings, previous);
  failpoint('after-compile');
  return slot.compiled;
}

/** Measure only every eighth simulation: two reads of the clock cost more than all other metrics of a simulation. */
const SIMULATIONS_PER_MEASURED = 8;

export interface SimulationPorts extends HistoryPorts {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly metrics: Metrics;
  readonly watch: SimulationWatch;
  /** Where live simulations count what they use; nothing is kept without it. */
  readonly uses?: UseWatch;
}

/** The configuration that answers a simulation, and the content of the answer. */
export interface SimulationView {
  readonly source: SimulationSource;
  /** `explained` adds price steps, the smallest change that reverses each refusal, and what was not considered. */
  readonly form: AnswerForm;
  /** Its sender only tries it (contract section 12.8): the answer is the same, and nothing counts or keeps the cart. */
  readonly isTest?: boolean;
}

/** True for a simulation that coverage and shadow count, and that may be kept for replays. */
const isCounted = ({ source, isTest }: Pick<SimulationView, 'source' | 'isTest'>): boolean =>
  source === 'live' && isTest !== true;

export const LIVE: SimulationView = { source: 'live', form: 'all' };

export class SimulatingShop {
  readonly shopId: string;
  readonly history: ShopHistory;
  readonly #ports: SimulationPorts;
  readonly #compiled: CompiledConfigs;
  #watch: ShopWatch;
  readonly #uses: UseWatch;
  /** Counts what live simulations use. */
  readonly useCounter: UseCounter;
  #state: ShopState;
  #sequenceNumber: number;

  constructor(ports: SimulationPorts, { state, sequenceNumber }: ShopAt) {
    this.#ports = ports;
    this.#state = state;
    this.#sequenceNumber = sequenceNumber;
    this.shopId = state.settings.id;
    this.history = new ShopHistory(ports, this.shopId, () => this.#state);
    this.#compiled = new CompiledConfigs((versionId) => this.history.configOf(versionId));
    this.#watch = ports.watch.open(this);
    this.#uses = ports.uses ?? UNWATCHED_USES;
    this.useCounter = this.#uses.open(this.shopId, () => this.#state);
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
    this.#watch.published(state);
  }

  /** The shop is evicted. Requests that still hold the reader are answered, and reported to `watch`. */
  protected close(watch: ShopWatch): void {
    this.#watch.closed();
    this.#watch = watch;
    this.#uses.closed(this.shopId);
  }

  /** The compiled configuration for this cart; compiles what is missing. Fails as `compiled`. */
  placed(source: SimulationSource, { destination }: SimulateRequest): Outcome<PlacedCart> {
    const shop = this.compiled(source);
    return shop.ok ? success({ shop: shop.value, place: shop.value.placeOf(destination) }) : shop;
  }

  /**
   * The answer as ASCII-only JSON text. `nowMs` is the clock for time conditions. `placed` is the result of `placed` in
   * this tick. Nobody may change the request afterwards. CONFLICT without a changeset, NOT_FOUND for an unknown
   * version.
   */
  simulate(
    request: SimulateRequest,
    nowMs: number,
    view: SimulationView = LIVE,
    placed = this.placed(view.source, request),
  ): Outcome<AnswerText> {
    const { form } = view;
    const { clock, metrics } = this.#ports;
    const isMeasured = ++metrics.values.simulations % SIMULATIONS_PER_MEASURED === 0;
    if (!placed.ok) return placed;
    const { shop, place } = placed.value;
    const startMs = isMeasured ? clock.monotonicMs() : 0;
    const counter = isCounted(view) ? this.useCounter : undefined;
    const answer =
      form === 'explained'
        ? this.explained(shop, request, nowMs, counter)
        : evaluateToParts(shop, request, nowMs, form, counter, place);
    if (isMeasured && form !== 'explained') {
      metrics.durations.simulate.observe(clock.monotonicMs() - startMs);
    }
    if (answer.ok && isCounted(view)) this.note(request, nowMs);
    return answer;
  }

  protected explained(
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
   * Counts a simulation that a worker thread answered, as `simulate` counts those of this one. `uses` is what its carts
   * used; null when they are not counted.
   */
  simulatedElsewhere(carts: readonly SimulateRequest[], nowMs: number, uses: Uses | null): void {
    this.#ports.metrics.values.simulations += carts.length;
    if (uses === null) return;
    this.#uses.add(this.shopId, uses);
    for (const cart of carts) this.note(cart, nowMs);
  }

  /** Reports a live simulation to the watch. */
  protected note(request: SimulateRequest, nowMs: number): void {
    this.#watch.simulated(request, nowMs);
  }

  /** The compiled configuration: CONFLICT without a changeset, NOT_FOUND for an unknown version. */
  compiled(source: SimulationSource): Outcome<CompiledShop> {
    return this.compiledAt(source, this.#state);
  }

  /** As `compiled`, for this state or one that was published a moment ago. */
  compiledAt(source: SimulationSource, state: ShopState): Outcome<CompiledShop> {
    return this.#compiled.of(source, state);
  }
}
