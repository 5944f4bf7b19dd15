/**
 * Counters, gauges and durations of the process: plain numbers, so that counting on the hot path is one addition. Each
 * metric is named only in these tables; `prometheus.ts` derives its text from them.
 */
import { valueAt } from '../runtime/map-entries.ts';

interface MetricRow {
  readonly type: 'counter' | 'gauge';
  readonly help: string;
}

const counter = (help: string): MetricRow => ({ type: 'counter', help });
const gauge = (help: string): MetricRow => ({ type: 'gauge', help });

export const METRICS = {
  writes: counter('Accepted writes, acknowledged after the flush'),
  writes_refused: counter('Writes that were refused'),
  writes_replayed: counter('Writes answered from an earlier, equal request'),
  simulations: counter('Simulations answered'),
  requests_in_flight: gauge('Requests that are not yet answered to the last byte'),
  overload_refused: counter('Requests refused because the event loop could not keep up'),
  mailbox_depth: gauge('Writes that wait or are being flushed, of all shops'),
  mailbox_full: counter('Writes refused because the mailbox of the shop was full'),
  append_groups: counter('Groups of records appended to the log'),
  append_records: counter('Records appended to the log'),
  append_failures: counter('Appends that failed'),
  stale_writers: counter('Appends refused because a command or another node wrote first'),
  appends_unknown: counter('Appends to a database that were repeated because their outcome was unknown'),
  cluster_nodes: gauge('Nodes with a lease, as this one sees them; 0 without a database'),
  cluster_lag_seconds: gauge('Time since this node was current; 0 without a database'),
  cluster_clock_offset_seconds: gauge(
    'Difference between the wall clocks of this node and the database; 0 without a database',
  ),
  cluster_lapses: counter('Times that this node had lost its lease when it renewed it'),
  // Gauges, because what the first load of a shop finds would be missed by the increase of a counter.
  mirrors_damaged: gauge(
    "Copies of shops in the node's data folder that were found damaged since its start, and made anew",
  ),
  mirrors_differing: gauge(
    "Copies of shops in the node's data folder that had records which the database lacks, since its start",
  ),
  checkpoints: counter('Checkpoints written'),
  checkpoint_failures: counter('Checkpoints that could not be written'),
  records_removed: counter('Records removed because they are older than the history of the plan'),
  callbacks_answered: counter('Callbacks of checkouts answered with rates or none'),
  callbacks_refused: counter(
    'Callbacks whose signature could not be checked, and signed ones that could not be read or simulated',
  ),
  callbacks_late: counter('Callbacks refused because their time budget was used up'),
  callbacks_unsigned: counter('Callbacks with a missing or wrong signature'),
  shops_recovered: counter('Shops recovered from the log'),
  shops_evicted: counter('Idle shops dropped from memory'),
  shadow_evaluated: counter('Live simulations also evaluated against a changeset'),
  shadow_dropped: counter('Live simulations that were not evaluated against the active changeset'),
  pool_questions: counter('Questions to worker threads: what may take longer than the cart of a checkout'),
  pool_refused: counter('Questions answered 429: too many were open'),
  pool_unanswered: counter('Questions answered 503: the deadline passed, or their thread was lost'),
  shops_loaded: gauge('Shops in memory'),
};

export type MetricName = keyof typeof METRICS;

/** Upper bounds in milliseconds, ascending; the last bucket is open. */
type BucketBounds = readonly number[];

/** For evaluations, which take microseconds. */
export const FINE_BOUNDS: BucketBounds = [
  0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 100,
];
/** For requests, flushes and loads. */
export const COARSE_BOUNDS: BucketBounds = [
  0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1_000, 5_000,
];

/**
 * Histogram of durations. An observation is cheap enough for the hot path: a search among a dozen numbers and two
 * additions, no allocation. Cumulative sums over buckets are computed when `/metrics` is read.
 */
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
}

/** One histogram per route and status. Both come from tables of this program, so their number is bounded. */
class RequestTimes {
  readonly byRoute = new Map<string, Map<string, Histogram>>();

  observe(route: string, status: string, ms: number): void {
    this.of(route, status).observe(ms);
  }

  /** Returns the histogram of a route and a status, and creates it on first use. */
  of(route: string, status: string): Histogram {
    const byStatus = valueAt(this.byRoute, route, (): Map<string, Histogram> => new Map());
    return valueAt(byStatus, status, () => new Histogram(COARSE_BOUNDS));
  }
}

/** Durations without labels. */
export const DURATIONS = {
  simulate: { bounds: FINE_BOUNDS, help: 'Time of one simulation; one in 8 is measured' },
  append: {
    bounds: COARSE_BOUNDS,
    help: 'Time from passing a group of records to the log until it is flushed',
  },
  barrier: { bounds: COARSE_BOUNDS, help: 'From an append to a database until every node shows it' },
  shop_recover: { bounds: COARSE_BOUNDS, help: 'Time to recover a shop from the log' },
} as const satisfies Record<string, { readonly bounds: BucketBounds; readonly help: string }>;
export type DurationName = keyof typeof DURATIONS;

/** Milliseconds since the start, as the library of worker threads counts them. */
interface TimeSummary {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface PoolReading {
  /** Questions that wait for a thread. */
  readonly waiting: number;
  /** Null before the first thread. */
  readonly times: { readonly waitTime: TimeSummary; readonly runTime: TimeSummary } | null;
}

export interface DiskUse {
  /** Size of the data file; 0 when it was removed while the log is open. */
  readonly fileBytes: number;
  /** Free space of its disk; 0 when the folder was removed. */
  readonly freeBytes: number;
}

export interface Metrics {
  /** The values by name; add to them directly. */
  readonly values: Record<MetricName, number>;
  readonly durations: Readonly<Record<DurationName, Histogram>>;
  /** From the head of a request to the last byte of its answer. */
  readonly requests: RequestTimes;
}

const fromNames = <K extends string, T>(table: Record<K, unknown>, make: (name: K) => T): Record<K, T> =>
  Object.fromEntries((Object.keys(table) as K[]).map((name) => [name, make(name)])) as Record<K, T>;

export const createMetrics = (): Metrics => ({
  values: fromNames(METRICS, () => 0),
  durations: fromNames(DURATIONS, (name) => new Histogram(DURATIONS[name].bounds)),
  requests: new RequestTimes(),
});
