/**
 * What is compiled of one shop: the live configuration, the changeset, earlier versions. A compiled form is
 * made when it is first needed, and takes over from the one before it what did not change. Where that takes long it can
 * be made in steps beforehand.
 */
import { CompiledShop, compileShop } from '../compile/compiled-shop.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import { notFound, type Outcome, success } from '../domain/failure.ts';
import type { ShopSettings } from '../domain/shop.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import type { PlacedConfig, ShopState } from '../domain/shop-event.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { failpoint } from '../runtime/failpoint.ts';
import { NO_CHANGESET } from '../wire/staging.ts';
import type { SimulationSource } from './shop-access.ts';
import type { CachedVersion } from './version-cache.ts';

type Destination = SimulateRequest['destination'];

export interface PreparationPorts {
  /** True when another thread will answer; asked once the estimate has what it needs. */
  readonly isElsewhere: () => boolean;
  readonly shouldYield: ShouldYield;
}

/** One configuration and where its compiled form is kept. */
interface Place {
  readonly config: PlacedConfig;
  readonly settings: ShopSettings;
  /** What is kept there. */
  readonly known: () => CompiledShop | undefined;
  /** What a new one takes over from. */
  readonly previous: CompiledShop | undefined;
  readonly keep: (shop: CompiledShop) => void;
}

export class CompiledConfigs {
  readonly #configOf: (versionId: string) => CachedVersion | null;
  #live: CompiledShop | undefined;
  #staged: CompiledShop | undefined;

  /** `configOf` finds an earlier version; null when it is unknown. */
  constructor(configOf: (versionId: string) => CachedVersion | null) {
    this.#configOf = configOf;
  }

  /** Readers see `state` from now on: what was compiled of a changeset goes with it. */
  published({ staging }: ShopState): void {
    if (staging === null) this.#staged = undefined;
  }

  live(state: ShopState): CompiledShop {
    const known = this.#live;
    return known !== undefined && isOf(known, state) ? known : compiledAt(this.#livePlace(state));
  }

  /**
   * Steps that compile what a simulation for this destination needs; null when it is there. First what its estimate
   * needs, then, unless `isElsewhere` says that another thread will answer, the rest.
   */
  preparation(
    source: SimulationSource,
    state: ShopState,
    destination: Destination,
    { isElsewhere, shouldYield }: PreparationPorts,
  ): WorkSteps<unknown> | null {
    const live = this.#live;
    const { country, postalCode } = destination;
    const isReady = source === 'live' && live !== undefined && isOf(live, state);
    if (isReady && live.isPrepared(country, postalCode ?? '')) return null;
    const estimation = this.estimation(source, state, destination, shouldYield);
    const rest = () =>
      isElsewhere() ? null : this.#zonePreparation(source, state, destination, shouldYield);
    return estimation === null ? rest() : inTurn(estimation, rest);
  }

  /** Steps that make what the estimate of a simulation needs; null when it is there. */
  estimation(
    source: SimulationSource,
    state: ShopState,
    { country }: Destination,
    shouldYield: ShouldYield,
  ): WorkSteps<unknown> | null {
    // An earlier version is estimated from the live configuration.
    const place = source === 'staged' ? this.#placeOf(source, state) : success(this.#livePlace(state));
    if (!place.ok) return null;
    return whenCompiled(place.value, (shop) => shop.estimation(country, shouldYield), shouldYield);
  }

  #zonePreparation(
    source: SimulationSource,
    state: ShopState,
    { country, postalCode }: Destination,
    shouldYield: ShouldYield,
  ): WorkSteps<unknown> | null {
    const place = this.#placeOf(source, state);
    if (!place.ok) return null;
    const next = (shop: CompiledShop) => shop.preparation(country, postalCode ?? '', shouldYield);
    return whenCompiled(place.value, next, shouldYield);
  }

  /** CONFLICT without a changeset, NOT_FOUND for an unknown version. Settings are those of now. */
  of(source: SimulationSource, state: ShopState): Outcome<CompiledShop> {
    const place = this.#placeOf(source, state);
    return place.ok ? success(compiledAt(place.value)) : place;
  }

  #placeOf(source: SimulationSource, state: ShopState): Outcome<Place> {
    if (source === 'live') return success(this.#livePlace(state));
    if (source === 'staged') return this.#stagedPlace(state);
    const { versionId } = source;
    if (versionId === state.version.id) return success(this.#livePlace(state));
    const version = this.#configOf(versionId);
    if (version === null) return notFound('version', versionId);
    return success({
      config: version.config,
      settings: state.settings,
      known: () => version.compiled,
      previous: version.compiled,
      keep: (shop) => {
        version.compiled = shop;
      },
    });
  }

  #livePlace({ config, settings }: ShopState): Place {
    return {
      config,
      settings,
      known: () => this.#live,
      previous: this.#live,
      keep: (shop) => {
        this.#live = shop;
      },
    };
  }

  #stagedPlace({ staging, settings }: ShopState): Outcome<Place> {
    if (staging === null) return NO_CHANGESET;
    return success({
      config: staging.config,
      settings,
      known: () => this.#staged,
      previous: this.#staged ?? this.#live,
      keep: (shop) => {
        this.#staged = shop;
      },
    });
  }
}

/** What is kept there, if it is of this configuration and these settings. */
function keptAt(place: Place): CompiledShop | undefined {
  const known = place.known();
  return known !== undefined && isOf(known, place) ? known : undefined;
}

const isOf = (shop: CompiledShop, { config, settings }: Pick<Place, 'config' | 'settings'>): boolean =>
  shop.config === config && shop.settings === settings;

/** What is kept, or a new one. */
function compiledAt(place: Place): CompiledShop {
  const known = keptAt(place);
  if (known !== undefined) return known;
  failpoint('before-compile');
  const shop = compileShop(configOf(place), place.settings, place.previous);
  failpoint('after-compile');
  place.keep(shop);
  return shop;
}

// A stored method's type does not say that its rate config fits its rate type; deciding it checked that.
const configOf = ({ config }: Place): ShopConfig => config as ShopConfig;

/** The steps that `next` gives for the compiled form, after those that make it where it is missing. */
function whenCompiled(
  place: Place,
  next: (shop: CompiledShop) => WorkSteps<unknown> | null,
  shouldYield: ShouldYield,
): WorkSteps<unknown> | null {
  const known = keptAt(place);
  return known === undefined ? compileFirst(place, next, shouldYield) : next(known);
}

function* compileFirst(
  place: Place,
  next: (shop: CompiledShop) => WorkSteps<unknown> | null,
  shouldYield: ShouldYield,
): WorkSteps<void> {
  // Another caller may have made it since.
  let shop = keptAt(place);
  if (shop === undefined) {
    const before = place.known();
    failpoint('before-compile');
    shop = yield* CompiledShop.steps(configOf(place), place.settings, place.previous, shouldYield);
    failpoint('after-compile');
    // A newer configuration may be compiled there by now.
    if (place.known() === before) place.keep(shop);
  }
  const rest = next(shop);
  if (rest !== null) yield* rest;
}

function* inTurn(first: WorkSteps<unknown>, second: () => WorkSteps<unknown> | null): WorkSteps<void> {
  yield* first;
  const rest = second();
  if (rest !== null) yield* rest;
}
