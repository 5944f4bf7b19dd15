/**
 * A map from ids that may hold hundreds of thousands. One `Map` of that size takes ten milliseconds at once each
 * time it grows; this is many small ones, none of which takes long.
 */

/** A power of two. With 100,000 ids each map holds some 1,600. */
const SHARDS = 64;
/** Made ids begin with their time: what tells neighbours apart stands at the end. */
const HASHED_CHARACTERS = 6;

function shardOf(id: string): number {
  let hash = 0;
  for (let at = Math.max(0, id.length - HASHED_CHARACTERS); at < id.length; at++) {
    hash = (hash * 31 + id.charCodeAt(at)) | 0;
  }
  return (hash ^ (hash >>> 6) ^ (hash >>> 12)) & (SHARDS - 1);
}

export class IdMap<V> {
  readonly #shards: readonly Map<string, V>[] = Array.from({ length: SHARDS }, () => new Map<string, V>());

  get(id: string): V | undefined {
    return this.#shards[shardOf(id)]?.get(id);
  }

  set(id: string, value: V): void {
    this.#shards[shardOf(id)]?.set(id, value);
  }

  delete(id: string): void {
    this.#shards[shardOf(id)]?.delete(id);
  }
}
