/** Random numbers from a seed, for every random decision of a simulated run. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0;
  }

  /** An integer from 0 to below 2^32 (mulberry32). */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return (value ^ (value >>> 14)) >>> 0;
  }

  /** An integer from 0 to below `end`. */
  below(end: number): number {
    return this.#next() % end;
  }

  /** An integer from `first` to `last`. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  /** True with a probability of `percent` percent. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** One of the values; undefined for an empty list. */
  pick<T>(values: readonly T[]): T | undefined {
    return values[this.below(Math.max(1, values.length))];
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256));
  }
}
