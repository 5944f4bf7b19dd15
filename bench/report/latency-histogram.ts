/**
 * Latencies of a run in buckets of constant relative width: recording costs a few nanoseconds and no
 * memory, whatever the number of requests. A reading is exact to `1 / BUCKETS_PER_OCTAVE`, about 1 %.
 */

const BUCKETS_PER_OCTAVE = 64;
/** Shorter latencies are recorded as this, in microseconds. */
const FLOOR_US = 1;
/** 2^27 microseconds, over two minutes. */
const OCTAVES = 27;

export class LatencyHistogram {
  readonly #counts = new Uint32Array(OCTAVES * BUCKETS_PER_OCTAVE + 1);
  #count = 0;
  #max = 0;

  get count(): number {
    return this.#count;
  }

  /** Longest recorded latency in microseconds. */
  get maxUs(): number {
    return this.#max;
  }

  record(latencyUs: number): void {
    const octaves = Math.log2(Math.max(FLOOR_US, latencyUs));
    const bucket = Math.min(this.#counts.length - 1, Math.floor(octaves * BUCKETS_PER_OCTAVE));
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#count++;
    if (latencyUs > this.#max) this.#max = latencyUs;
  }

  /** Microseconds within which `share` (0 to 1) of the requests were answered. NaN when nothing was recorded. */
  quantileUs(share: number): number {
    if (this.#count === 0) return Number.NaN;
    const wanted = Math.max(1, Math.ceil(this.#count * share));
    let seen = 0;
    for (let bucket = 0; bucket < this.#counts.length; bucket++) {
      seen += this.#counts[bucket] as number;
      if (seen >= wanted) return Math.min(this.#max, 2 ** ((bucket + 0.5) / BUCKETS_PER_OCTAVE));
    }
    return this.#max;
  }
}
