/** A weak map from records, of which a zone may have a hundred thousand, none of whose parts takes long to grow. */
import { shardOfId } from '../domain/id-shard.ts';

export class RecordMap<K extends { readonly id: string }, V> {
  /** Made when first needed: most zones have a handful of records. */
  readonly #shards: (WeakMap<K, V> | undefined)[] = [];

  get(record: K): V | undefined {
    return this.#shards[shardOfId(record.id)]?.get(record);
  }

  has(record: K): boolean {
    return this.#shards[shardOfId(record.id)]?.has(record) ?? false;
  }

  set(record: K, value: V): void {
    const shard = shardOfId(record.id);
    let records = this.#shards[shard];
    if (records === undefined) {
      records = new WeakMap();
      this.#shards[shard] = records;
    }
    records.set(record, value);
  }
}
