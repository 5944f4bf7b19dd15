/** A map from ids that may hold hundreds of thousands, none of whose parts takes long to grow. */
import { ID_SHARDS, shardOfId } from '../domain/id-shard.ts';

export class IdMap<V> {
  readonly #shards: readonly Map<string, V>[] = Array.from({ length: ID_SHARDS }, () => new Map<string, V>());

  get(id: string): V | undefined {
    return this.#shards[shardOfId(id)]?.get(id);
  }

  set(id: string, value: V): void {
    this.#shards[shardOfId(id)]?.set(id, value);
  }

  delete(id: string): void {
    this.#shards[shardOfId(id)]?.delete(id);
  }
}
