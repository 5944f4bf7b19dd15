import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics, sumMetrics } from '../../src/metrics/metrics.ts';
import { otherMetrics, type ProcessMetrics } from '../../src/processes/other-metrics.ts';

const metricsOf = (index: number, pid: number, simulations: number, shops: number): ProcessMetrics => {
  const metrics = createMetrics();
  metrics.values.simulations = simulations;
  metrics.values.shops_loaded = shops;
  for (let n = 0; n < simulations; n++) metrics.durations.simulate.observe(1);
  return { index, pid, metrics };
};

test('counters of a process that ended or is busy stay in the sum; gauges of a process that ended do not', async () => {
  const rounds: (ProcessMetrics | null)[][] = [
    [metricsOf(1, 10, 5, 2), metricsOf(2, 20, 7, 3)],
    [null, metricsOf(2, 20, 8, 3)],
    [metricsOf(1, 11, 1, 1), metricsOf(2, 20, 9, 3)],
    [metricsOf(1, 12, 2, 1), metricsOf(2, 20, 9, 3)],
  ];
  const askAll = async () => rounds.shift() ?? [];
  const others = otherMetrics({ askAll, restarts: 2 });
  const sums = [];
  while (rounds.length > 0) {
    const { values, durations } = sumMetrics(await others());
    const observed = durations.simulate.counts.reduce((sum, count) => sum + count, 0);
    assert.equal(values.process_restarts, 2);
    sums.push([values.simulations, values.shops_loaded, observed]);
  }
  assert.deepEqual(sums, [
    [12, 5, 12],
    [13, 5, 13],
    [15, 4, 15],
    [17, 4, 17],
  ]);
});

test('gauges of the cluster are not added up over the processes of a server', () => {
  const [one, other] = [createMetrics(), createMetrics()];
  Object.assign(one.values, { cluster_nodes: 3, cluster_lag_seconds: 0.5, mirrors_damaged: 1 });
  Object.assign(other.values, { cluster_nodes: 2, cluster_lag_seconds: 7, mirrors_damaged: 1 });
  const { values } = sumMetrics([one, other]);
  assert.deepEqual([values.cluster_nodes, values.cluster_lag_seconds, values.mirrors_damaged], [3, 7, 2]);
});
