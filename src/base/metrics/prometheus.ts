/**
 * The text of `/metrics`: the metrics of the process, and those of prom-client about Node (event-loop delay, garbage
 * collection, memory, descriptors). Our counters are plain numbers, because a counter of prom-client costs several
 * times as much per observation.
 */
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import {
  type DiskUse,
  DURATIONS,
  type DurationName,
  type Histogram,
  METRICS,
  type MetricName,
  type Metrics,
  type PoolReading,
} from './metrics.ts';

const PREFIX = 'ratewright_';
const MS_PER_SECOND = 1_000;

interface Sample {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
}
type Labels = Sample['labels'];

type Register = (
  name: string,
  type: 'counter' | 'gauge' | 'histogram',
  help: string,
  read: () => readonly Sample[],
) => void;

interface Prometheus {
  /** Prometheus text format 0.0.4. */
  text(): Promise<string>;
}

interface ShopSimulations {
  readonly shopId: string;
  readonly simulations: number;
}

/** The sources of the numbers. */
interface PrometheusSources {
  readonly metrics: Metrics;
  readonly disk: () => Promise<DiskUse>;
  /** Of the pool of worker threads. */
  readonly pool: () => PoolReading;
  /** The shops with metrics of their own. */
  readonly largestShops?: () => readonly ShopSimulations[];
  /** Version of this program. */
  readonly version: string;
  /** Called before the numbers are read: sets those that are not counted as they happen. */
  readonly refresh?: () => void;
}

/** Call once per process: it starts the metrics of Node. */
export function createPrometheus({
  metrics,
  disk,
  pool,
  largestShops,
  refresh,
  version,
}: PrometheusSources): Prometheus {
  let onDisk: DiskUse = { fileBytes: 0, freeBytes: 0 };
  const registry = new Registry();
  const register: Register = (name, type, help, read) => {
    const get = () => Promise.resolve({ name, help, type, aggregator: 'sum', values: read() });
    // The registry reads only the name and the result of `get`.
    registry.registerMetric({ name, get } as unknown as Metric);
  };

  for (const key of Object.keys(METRICS) as MetricName[]) {
    const { type, help } = METRICS[key];
    const name = `${PREFIX}${key}${type === 'counter' ? '_total' : ''}`;
    register(name, type, help, () => [{ value: metrics.values[key], labels: {} }]);
  }
  for (const key of Object.keys(DURATIONS) as DurationName[]) {
    const name = `${PREFIX}${key}_duration_seconds`;
    register(name, 'histogram', DURATIONS[key].help, () => samplesOf(name, metrics.durations[key], {}));
  }
  const requests = `${PREFIX}http_request_duration_seconds`;
  register(requests, 'histogram', 'Time from the head of a request to the last byte of its answer', () =>
    [...metrics.requests.byRoute].flatMap(([route, byStatus]) =>
      [...byStatus].flatMap(([status, histogram]) => samplesOf(requests, histogram, { route, status })),
    ),
  );
  registerPool(register, pool);
  register(`${PREFIX}data_file_bytes`, 'gauge', 'Size of the data file; 0 when it was removed', () => [
    { value: onDisk.fileBytes, labels: {} },
  ]);
  register(`${PREFIX}data_disk_free_bytes`, 'gauge', 'Free space of the disk with the data file', () => [
    { value: onDisk.freeBytes, labels: {} },
  ]);
  if (largestShops !== undefined) {
    const help = 'Live simulations of the shops in memory with the most, as counted by /api/coverage';
    register(`${PREFIX}shop_simulations_total`, 'counter', help, () =>
      largestShops().map(({ shopId, simulations }) => ({ value: simulations, labels: { shop: shopId } })),
    );
  }
  const build = { version, node: process.version };
  register(`${PREFIX}build_info`, 'gauge', 'Version of this program and of Node', () => [
    { value: 1, labels: build },
  ]);
  collectDefaultMetrics({ register: registry });
  return {
    text: async () => {
      onDisk = await disk();
      refresh?.();
      return registry.metrics();
    },
  };
}

const NO_TIMES = { p50: 0, p99: 0, max: 0 };

function registerPool(register: Register, read: () => PoolReading): void {
  register(`${PREFIX}pool_queue_length`, 'gauge', 'Questions that wait for a worker thread', () => [
    { value: read().waiting, labels: {} },
  ]);
  const times = {
    wait: 'Time since the start that questions waited for a worker thread, by quantile',
    run: 'Time since the start that worker threads took for questions, by quantile',
  } as const;
  for (const part of ['wait', 'run'] as const) {
    register(`${PREFIX}pool_${part}_seconds`, 'gauge', times[part], () => {
      const { p50, p99, max } = read().times?.[`${part}Time`] ?? NO_TIMES;
      const quantiles = [
        [0.5, p50],
        [0.99, p99],
        [1, max],
      ] as const;
      return quantiles.map(([quantile, ms]) => ({ value: ms / MS_PER_SECOND, labels: { quantile } }));
    });
  }
}

/** Cumulative buckets in seconds, as the text format requires. */
function samplesOf(name: string, { bounds, counts, sumMs }: Histogram, labels: Labels): Sample[] {
  let total = 0;
  const buckets = counts.map((count, index): Sample => {
    total += count;
    const bound = bounds[index];
    const le = bound === undefined ? '+Inf' : bound / MS_PER_SECOND;
    return { metricName: `${name}_bucket`, value: total, labels: { ...labels, le } };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, value: sumMs / MS_PER_SECOND, labels },
    { metricName: `${name}_count`, value: total, labels },
  ];
}
