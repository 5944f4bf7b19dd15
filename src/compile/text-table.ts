/**
 * A table of texts that may hold hundreds of thousands, none of whose parts takes long to grow: behind the first few
 * thousand, texts go to small maps, told apart by their ends.
 */
import { ID_SHARDS, shardOfId } from '../domain/id-shard.ts';

/** A map of so many grows within half a millisecond. */
const FIRST_MAX = 8_192;

export class TextTable {
  readonly #first = new Map<string, number>();
  #others: readonly Map<string, number>[] | null = null;

  /** True when there is no text in it. */
  get isEmpty(): boolean {
    return this.#first.size === 0;
  }

  get(text: string): number | undefined {
    const value = this.#first.get(text);
    return value === undefined && this.#others !== null ? this.#others[shardOfId(text)]?.get(text) : value;
  }

  /** Remembers the value unless the text has one. */
  claim(text: string, value: number): void {
    if (this.get(text) !== undefined) return;
    if (this.#first.size < FIRST_MAX) {
      this.#first.set(text, value);
      return;
    }
    this.#others ??= Array.from({ length: ID_SHARDS }, () => new Map<string, number>());
    this.#others[shardOfId(text)]?.set(text, value);
  }
}
