/**
 * The process's counters and gauges and their Prometheus text. A plain record of numbers, so that counting
 * on the hot path is one addition. The table is the only place where a metric is named.
 */

interface MetricRow {
  readonly type: 'counter' | 'gauge';
  readonly help: string;
}

export const METRICS = {
  writes: { type: 'counter', help: 'Accepted writes, acknowledged after the flush' },
  writes_refused: { type: 'counter', help: 'Writes that were refused' },
  writes_replayed: { type: 'counter', help: 'Writes answered from an earlier, equal request' },
  simulations: { type: 'counter', help: 'Simulations answered' },
  mailbox_full: { type: 'counter', help: 'Writes turned away because the mailbox of the shop was full' },
  append_groups: { type: 'counter', help: 'Groups of records appended to the log' },
  append_records: { type: 'counter', help: 'Records appended to the log' },
  append_failures: { type: 'counter', help: 'Appends that failed' },
  stale_writers: { type: 'counter', help: 'Appends refused because another process wrote first' },
  checkpoints: { type: 'counter', help: 'Checkpoints written' },
  checkpoint_failures: { type: 'counter', help: 'Checkpoints that could not be written' },
  records_removed: { type: 'counter', help: 'Records removed because the history of the plan is shorter' },
  shops_recovered: { type: 'counter', help: 'Shops recovered from the log' },
  shops_evicted: { type: 'counter', help: 'Idle shops dropped from memory' },
  shadow_evaluated: { type: 'counter', help: 'Live simulations also evaluated against a changeset' },
  shadow_dropped: { type: 'counter', help: 'Live simulations that were not shown to the active changeset' },
  shops_loaded: { type: 'gauge', help: 'Shops in memory' },
} as const satisfies Record<string, MetricRow>;

export type MetricName = keyof typeof METRICS;

export interface Metrics {
  /** The values by name; add to them directly. */
  readonly values: Record<MetricName, number>;
  /** Prometheus text format 0.0.4. */
  text(): string;
}

const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

export function createMetrics(): Metrics {
  const values = Object.fromEntries(METRIC_NAMES.map((name) => [name, 0])) as Record<MetricName, number>;
  return {
    values,
    text() {
      let text = '';
      for (const name of METRIC_NAMES) {
        const { type, help } = METRICS[name];
        const full = `ratewright_${name}${type === 'counter' ? '_total' : ''}`;
        text += `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${full} ${values[name]}\n`;
      }
      return text;
    },
  };
}
