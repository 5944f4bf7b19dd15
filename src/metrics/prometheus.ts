/**
 * The text of `/metrics`: the process's own numbers, and those of prom-client about Node (event-loop delay, garbage
 * collection, memory, descriptors). Our counters are plain numbers, because a counter of prom-client costs several times
 * as much per observation.
 */
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import {
  type Counted,
  type DiskUse,
  DURATIONS,
  type DurationName,
  METRICS,
  type MetricName,
  type Metrics,
  type MetricsSnapshot,
  type PoolMeters,
  sumMetrics,
} from './metrics.ts';
import { TASK_OUTCOMES } from './pool-meter.ts';

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

export interface Prometheus {
  /** Prometheus text format 0.0.4. */
  text(): Promise<string>;
}

export interface ShopSimulations {
  readonly shopId: string;
  readonly simulations: number;
}

/** Where the numbers come from. */
export interface PrometheusSources {
  readonly metrics: Metrics;
  /** What other threads counted. */
  readonly elsewhere?: () => Promise<readonly MetricsSnapshot[]>;
  readonly disk: () => Promise<DiskUse>;
  /** Of the shops that are counted one by one. */
  readonly largestShops?: () => readonly ShopSimulations[];
  /** Of this program. */
  readonly version: string;
}

/** To be called once per process: starts to observe Node. */
export function createPrometheus({
  metrics,
  elsewhere,
  disk,
  largestShops,
  version,
}: PrometheusSources): Prometheus {
  let shown: MetricsSnapshot = metrics;
  let onDisk: DiskUse = { fileBytes: 0, freeBytes: 0 };
  const registry = new Registry();
  const register: Register = (name, type, help, read) => {
    const get = () => Promise.resolve({ name, help, type, aggregator: 'sum', values: read() });
    // The registry asks a metric for nothing but its name and this answer.
    registry.registerMetric({ name, get } as unknown as Metric);
  };

  for (const key of Object.keys(METRICS) as MetricName[]) {
    const { type, help } = METRICS[key];
    const name = `${PREFIX}${key}${type === 'counter' ? '_total' : ''}`;
    register(name, type, help, () => [{ value: shown.values[key], labels: {} }]);
  }
  for (const key of Object.keys(DURATIONS) as DurationName[]) {
    const name = `${PREFIX}${key}_duration_seconds`;
    register(name, 'histogram', DURATIONS[key].help, () => samplesOf(name, shown.durations[key], {}));
  }
  const requests = `${PREFIX}http_request_duration_seconds`;
  register(requests, 'histogram', 'From the head of a request to the last byte of its answer', () =>
    [...shown.requests.byRoute].flatMap(([route, byStatus]) =>
      [...byStatus].flatMap(([status, histogram]) => samplesOf(requests, histogram, { route, status })),
    ),
  );
  registerPools(register, metrics);
  register(`${PREFIX}data_file_bytes`, 'gauge', 'Size of the data file; 0 when it was removed', () => [
    { value: onDisk.fileBytes, labels: {} },
  ]);
  register(`${PREFIX}data_disk_free_bytes`, 'gauge', 'What the disk of the data file has left', () => [
    { value: onDisk.freeBytes, labels: {} },
  ]);
  if (largestShops !== undefined) {
    const help = 'Live simulations of the shops in memory that have the most, as /api/coverage counts them';
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
      const [others, numbers] = await Promise.all([elsewhere?.() ?? [], disk()]);
      shown = sumMetrics([metrics, ...others]);
      onDisk = numbers;
      return registry.metrics();
    },
  };
}

/** Labelled by pool; tasks also by kind and outcome. */
function registerPools(register: Register, { pools }: Metrics): void {
  const names = Object.keys(pools) as (keyof PoolMeters)[];
  register(`${PREFIX}pool_queue_length`, 'gauge', 'Tasks that wait for a worker thread', () =>
    names.map((pool) => ({ value: pools[pool].waiting, labels: { pool } })),
  );
  const durations = {
    wait: 'From the hand-over of a task until a worker thread has it',
    run: 'From then until its result is there',
  } as const;
  for (const part of ['wait', 'run'] as const) {
    const name = `${PREFIX}pool_${part}_duration_seconds`;
    register(name, 'histogram', durations[part], () =>
      names.flatMap((pool) => samplesOf(name, pools[pool][part], { pool })),
    );
  }
  register(
    `${PREFIX}pool_tasks_total`,
    'counter',
    'Tasks of worker threads by kind and by how they ended',
    () =>
      names.flatMap((pool) =>
        [...pools[pool].tasks].flatMap(([kind, counts]) =>
          TASK_OUTCOMES.map((outcome) => ({ value: counts[outcome], labels: { pool, kind, outcome } })),
        ),
      ),
  );
}

/** Cumulative buckets in seconds, as the format demands. */
function samplesOf(name: string, { bounds, counts, sumMs }: Counted, labels: Labels): Sample[] {
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
