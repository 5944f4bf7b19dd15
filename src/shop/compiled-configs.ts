/**
 * Compiled configurations of one shop: live, changeset, earlier versions. A configuration is compiled on first use and
 * reuses the unchanged parts of the previous compiled form. A long compilation can be prepared in steps. Earlier
 * versions come from a cache that all shops share.
 */
import { CompiledShop } from '../compile/compiled-shop.ts';
import type { Destination } from '../domain/cart.ts';
import { notFound, type Outcome, success } from '../domain/failure.ts';
import type { ShopSettings } from '../domain/shop.ts';
import type { ShopConfig } from '../domain/shop-config.ts';
import type { PlacedConfig, ShopState } from '../domain/shop-event.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import { failpoint } from '../runtime/failpoint.ts';
import { NO_CHANGESET } from '../wire/staging.ts';

/** The configuration that a simulation answers from. */
export type SimulationSource = 'live' | 'staged' | { readonly versionId: string };

/** One configuration, and the slot for its compiled form. */
interface Place {
  readonly config: PlacedConfig;
  readonly settings: ShopSettings;
  readonly slot: CompiledSlot;
  /** The compiled form whose parts a new one may reuse. */
  readonly previous: CompiledShop | undefined;
}

export class CompiledConfigs {
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
    const place = this.#placeOf(source, state);
    if (!place.ok) return place;
    return success(compiledAt(place.value) ?? finishSteps(compileSteps(place.value, NEVER)));
  }

  /** Steps that compile what a simulation for this destination needs; null when it is already compiled. */
  preparation(
    source: SimulationSource,
    state: ShopState,
    destination: Destination,
    shouldYield: ShouldYield,
  ): WorkSteps<unknown> | null {
    const place = this.#placeOf(source, state);
    if (!place.ok) return null;
    const compiled = compiledAt(place.value);
    return compiled === undefined
      ? prepareSteps(place.value, destination, shouldYield)
      : zoneSteps(compiled, destination, shouldYield);
  }

  #placeOf(source: SimulationSource, { config, settings, staging, version }: ShopState): Outcome<Place> {
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

/**
 * Type-safe: the type of a stored method does not state that its rate config fits its rate type, but the decision of
 * the write checked that.
 */
export const shopConfigOf = (config: PlacedConfig): ShopConfig => config as ShopConfig;

/** The compiled form in the slot, if it belongs to this configuration and these settings; else undefined. */
const compiledAt = ({ slot: { compiled }, config, settings }: Place): CompiledShop | undefined =>
  compiled?.config === config && compiled.settings === settings ? compiled : undefined;

function* compileSteps(place: Place, shouldYield: ShouldYield): WorkSteps<CompiledShop> {
  // Another caller may have compiled it in the meantime.
  const known = compiledAt(place);
  if (known !== undefined) return known;
  const { config, settings, slot, previous } = place;
  const before = slot.compiled;
  failpoint('before-compile');
  const compiled = yield* CompiledShop.steps(shopConfigOf(config), settings, previous, shouldYield);
  failpoint('after-compile');
  // Another caller may have compiled a newer configuration between two steps.
  if (slot.compiled === before) slot.compiled = compiled;
  return compiled;
}

function* prepareSteps(place: Place, destination: Destination, shouldYield: ShouldYield): WorkSteps<void> {
  const compiled = yield* compileSteps(place, shouldYield);
  const rest = zoneSteps(compiled, destination, shouldYield);
  if (rest !== null) yield* rest;
}

const zoneSteps = (
  compiled: CompiledShop,
  { country, postalCode }: Destination,
  shouldYield: ShouldYield,
): WorkSteps<unknown> | null => compiled.preparation(country, postalCode ?? '', shouldYield);

export interface VersionCacheLimits {
  /** Approximate size of all configurations together, in bytes of JSON. A larger configuration is not cached. */
  readonly versionCacheBytesMax: number;
}

/** Holds a compiled form. */
export interface CompiledSlot {
  compiled?: CompiledShop;
}

export interface CachedVersion extends CompiledSlot {
  readonly config: PlacedConfig;
}

interface Entry extends CachedVersion {
  readonly bytes: number;
}

/**
 * LRU cache of earlier versions and their compiled forms, for all shops of this process, with a bound on the total
 * size. A client that tries many carts on one version pays only once for reading it.
 */
export class VersionCache {
  /** Larger configurations are not cached. */
  readonly bytesMax: number;
  /** Shop and version -> entry; the least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor({ versionCacheBytesMax }: VersionCacheLimits) {
    this.bytesMax = versionCacheBytesMax;
  }

  find(shopId: string, versionId: string): CachedVersion | undefined {
    const key = keyOf(shopId, versionId);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  /** Caches a configuration that `find` did not find, if it fits; `bytes` is its approximate size. */
  keep(shopId: string, versionId: string, config: PlacedConfig, bytes: number): CachedVersion {
    // Two concurrent requests may both have read it.
    const known = this.find(shopId, versionId);
    if (known !== undefined) return known;
    const entry: Entry = { config, bytes };
    if (entry.bytes > this.bytesMax) return entry;
    this.#entries.set(keyOf(shopId, versionId), entry);
    this.#bytes += entry.bytes;
    for (const [key, { bytes: freed }] of this.#entries) {
      if (this.#bytes <= this.bytesMax) break;
      this.#entries.delete(key);
      this.#bytes -= freed;
    }
    return entry;
  }
}

const keyOf = (shopId: string, versionId: string): string => `${shopId} ${versionId}`;
