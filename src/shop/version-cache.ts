/** Earlier versions of shops in memory, and the slots for compiled forms. */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { PlacedConfig } from '../domain/shop-event.ts';

/** The configuration that a simulation answers from. */
export type SimulationSource = 'live' | 'staged' | { readonly versionId: string };

export interface VersionCacheLimits {
  /** Approximate size of all configurations together, in bytes of JSON. A larger configuration is not cached. */
  readonly versionCacheBytesMax: number;
}

export const VERSION_CACHE_LIMITS: VersionCacheLimits = { versionCacheBytesMax: 64 * 1024 * 1024 };

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

  /** Caches a version, if it fits; `bytes` is the approximate size of its configuration. */
  keep(shopId: string, versionId: string, config: PlacedConfig, bytes: number): CachedVersion {
    // Two requests may have read it at the same time.
    const known = this.find(shopId, versionId);
    if (known !== undefined) return known;
    const entry: Entry = { config, bytes };
    if (bytes > this.bytesMax) return entry;
    this.#entries.set(keyOf(shopId, versionId), entry);
    this.#bytes += bytes;
    for (const [key, { bytes: freed }] of this.#entries) {
      if (this.#bytes <= this.bytesMax) break;
      this.#entries.delete(key);
      this.#bytes -= freed;
    }
    return entry;
  }
}

const keyOf = (shopId: string, versionId: string): string => `${shopId} ${versionId}`;
