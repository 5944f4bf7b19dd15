/**
 * The metrics of the other processes, for the process that answers `/metrics`. Counters never decrease: the last
 * counters of a process that died stay in the sum, and a process that is too busy to answer is counted with its last
 * numbers.
 */
import { METRICS, type MetricName, type MetricsSnapshot, sumMetrics } from '../metrics/metrics.ts';

/** The numbers of one process. */
export interface ToldMetrics {
  readonly index: number;
  readonly pid: number;
  readonly metrics: MetricsSnapshot;
}

/** The other processes, as `Siblings` has them. */
export interface ToldSiblings {
  askAll(question: { readonly kind: 'metrics' }): Promise<readonly (ToldMetrics | null)[]>;
  readonly restarts: number;
}

export function otherMetrics(siblings: ToldSiblings): () => Promise<readonly MetricsSnapshot[]> {
  /** By the index of the process. */
  const last = new Map<number, ToldMetrics>();
  let ended = sumMetrics([]);
  return async () => {
    for (const told of await siblings.askAll({ kind: 'metrics' })) {
      if (told === null) continue;
      const before = last.get(told.index);
      if (before !== undefined && before.pid !== told.pid)
        ended = sumMetrics([ended, countersOf(before.metrics)]);
      last.set(told.index, told);
    }
    const { values, ...rest } = sumMetrics([]);
    const restarts = { ...rest, values: { ...values, process_restarts: siblings.restarts } };
    return [restarts, ended, ...Array.from(last.values(), ({ metrics }) => metrics)];
  };
}

/** The counters alone: gauges describe a living process and are set to 0. */
function countersOf(metrics: MetricsSnapshot): MetricsSnapshot {
  const values = { ...metrics.values };
  for (const name of Object.keys(METRICS) as MetricName[])
    if (METRICS[name].type === 'gauge') values[name] = 0;
  return { ...metrics, values };
}
