/**
 * What the other processes counted, for the one that answers `/metrics`. Counters do not go back: what a process that
 * ended told last stays in the sum, and so do the numbers of one that is too busy to tell.
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

export class OtherMetrics {
  readonly #siblings: ToldSiblings;
  /** By the index of the process. */
  readonly #last = new Map<number, ToldMetrics>();
  #ended: MetricsSnapshot = sumMetrics([]);

  constructor(siblings: ToldSiblings) {
    this.#siblings = siblings;
  }

  readonly all = async (): Promise<readonly MetricsSnapshot[]> => {
    for (const told of await this.#siblings.askAll({ kind: 'metrics' })) {
      if (told === null) continue;
      const before = this.#last.get(told.index);
      if (before !== undefined && before.pid !== told.pid)
        this.#ended = sumMetrics([this.#ended, countersOf(before.metrics)]);
      this.#last.set(told.index, told);
    }
    const { values, ...rest } = sumMetrics([]);
    const restarts = { ...rest, values: { ...values, process_restarts: this.#siblings.restarts } };
    return [restarts, this.#ended, ...Array.from(this.#last.values(), ({ metrics }) => metrics)];
  };
}

/** Without what is true of a living process only. */
function countersOf(metrics: MetricsSnapshot): MetricsSnapshot {
  const values = { ...metrics.values };
  for (const name of Object.keys(METRICS) as MetricName[])
    if (METRICS[name].type === 'gauge') values[name] = 0;
  return { ...metrics, values };
}
