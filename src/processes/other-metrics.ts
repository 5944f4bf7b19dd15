/**
 * The metrics of the other processes, for the process that answers `/metrics`. Counters never decrease: the last
 * counters of a process that died stay in the sum, and a process that is too busy to answer is counted with its last
 * numbers.
 */
import { METRICS, type MetricName, type MetricsSnapshot, sumMetrics } from '../metrics/metrics.ts';

/** The numbers of one process. */
export interface ProcessMetrics {
  readonly index: number;
  readonly pid: number;
  readonly metrics: MetricsSnapshot;
}

/** The other processes, as `Siblings` has them. */
export interface MetricsSiblings {
  askAll(question: { readonly kind: 'metrics' }): Promise<readonly (ProcessMetrics | null)[]>;
  readonly restarts: number;
}

export function otherMetrics(siblings: MetricsSiblings): () => Promise<readonly MetricsSnapshot[]> {
  /** By the index of the process. */
  const last = new Map<number, ProcessMetrics>();
  let ended = sumMetrics([]);
  return async () => {
    for (const answer of await siblings.askAll({ kind: 'metrics' })) {
      if (answer === null) continue;
      const before = last.get(answer.index);
      if (before !== undefined && before.pid !== answer.pid)
        ended = sumMetrics([ended, countersOf(before.metrics)]);
      last.set(answer.index, answer);
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
