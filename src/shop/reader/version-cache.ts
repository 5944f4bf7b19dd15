/** Earlier versions of shops in memory, and the slots for compiled forms. */
import { LRUCache } from 'lru-cache';
import type { CompiledShop } from '../../engine/compile/compiled-shop.ts';
import type { PlacedConfig } from '../../engine/domain/shop-event.ts';

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

/**
 * Earlier versions and their compiled forms, for all shops of this process; the least recently used one is dropped first. A
 * client that tries many carts on one version pays only once for reading it.
 */
export class VersionCache {
  /** Larger configurations are not cached. */
  readonly bytesMax: number;
  /** By shop and version. */
  readonly #versions: LRUCache<string, CachedVersion>;

  constructor({ versionCacheBytesMax }: VersionCacheLimits) {
    this.bytesMax = versionCacheBytesMax;
    this.#versions = new LRUCache({ maxSize: Math.max(1, versionCacheBytesMax) });
  }

  find(shopId: string, versionId: string): CachedVersion | undefined {
    return this.#versions.get(keyOf(shopId, versionId));
  }

  /** Caches a version, if it fits; `bytes` is the approximate size of its configuration. */
  keep(shopId: string, versionId: string, config: PlacedConfig, bytes: number): CachedVersion {
    // Two requests may have read it at the same time.
    const known = this.find(shopId, versionId);
    if (known !== undefined) return known;
    const version: CachedVersion = { config };
    this.#versions.set(keyOf(shopId, versionId), version, { size: bytes });
    return version;
  }
}

const keyOf = (shopId: string, versionId: string): string => `${shopId} ${versionId}`;
