/**
 * Configurations of earlier versions, and their compiled forms, of all shops of this process: what was used
 * last stays, as much as fits under one bound, so that a client who tries many carts on one version pays for
 * reading it once.
 */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { PlacedConfig } from '../domain/shop-event.ts';

export interface VersionCacheLimits {
  /** Approximate bytes of all configurations together, as JSON. One that is larger is not kept. */
  readonly versionCacheBytesMax: number;
}

/** Where a compiled form is kept. */
export interface CompiledSlot {
  compiled?: CompiledShop;
}

export interface CachedVersion extends CompiledSlot {
  readonly config: PlacedConfig;
}

interface Entry extends CachedVersion {
  readonly bytes: number;
}

export class VersionCache {
  /** Larger ones are not kept. */
  readonly bytesMax: number;
  /** Shop and version -> entry; the one used longest ago first. */
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

  /** Keeps what `find` did not find, if it fits; `bytes` is about its size. */
  keep(shopId: string, versionId: string, config: PlacedConfig, bytes: number): CachedVersion {
    // Two who asked at a time may both have read it.
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
