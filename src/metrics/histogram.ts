/**
 * Histogram of durations. An observation is cheap enough for the hot path: a search among a dozen numbers and two
 * additions, no allocation. Cumulative sums over buckets are computed when `/metrics` is read.
 */

/** Upper bounds in milliseconds, ascending; the last bucket is open. */
export type BucketBounds = readonly number[];

/** For evaluations, which take microseconds. */
export const FINE_BOUNDS: BucketBounds = [
  0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 100,
];
/** For requests, flushes and loads. */
export const COARSE_BOUNDS: BucketBounds = [
  0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1_000, 5_000,
];

/** The data of a histogram, as processes exchange it. */
export interface Counted {
  readonly bounds: BucketBounds;
  readonly counts: readonly number[];
  readonly sumMs: number;
}

export class Histogram {
  readonly bounds: BucketBounds;
  /** Observations by bucket, not cumulative; one more than there are bounds. */
  readonly counts: number[];
  sumMs = 0;

  constructor(bounds: BucketBounds) {
    this.bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  /** A negative duration, caused by the rounding of a clock, counts as 0. */
  observe(ms: number): void {
    const { bounds, counts } = this;
    let bucket = 0;
    while (bucket < bounds.length && ms > (bounds[bucket] ?? 0)) bucket++;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    if (ms > 0) this.sumMs += ms;
  }

  /** Adds the counts of another histogram with the same bounds. */
  add({ counts, sumMs }: Counted): void {
    for (const [bucket, count] of counts.entries()) this.counts[bucket] = (this.counts[bucket] ?? 0) + count;
    this.sumMs += sumMs;
  }
}

/** One histogram per route and status. Both come from tables of this program, so their number is bounded. */
export class RequestTimes {
  readonly byRoute = new Map<string, Map<string, Histogram>>();
  readonly #bounds: BucketBounds;

  constructor(bounds: BucketBounds) {
    this.#bounds = bounds;
  }

  observe(route: string, status: string, ms: number): void {
    this.of(route, status).observe(ms);
  }

  /** Returns the histogram of a route and a status, and creates it on first use. */
  of(route: string, status: string): Histogram {
    let byStatus = this.byRoute.get(route);
    if (byStatus === undefined) {
      byStatus = new Map();
      this.byRoute.set(route, byStatus);
    }
    let histogram = byStatus.get(status);
    if (histogram === undefined) {
      histogram = new Histogram(this.#bounds);
      byStatus.set(status, histogram);
    }
    return histogram;
  }
}
