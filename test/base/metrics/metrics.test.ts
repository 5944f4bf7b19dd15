import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  COARSE_BOUNDS,
  createMetrics,
  DURATIONS,
  FINE_BOUNDS,
  Histogram,
  METRICS,
} from '../../../src/base/metrics/metrics.ts';
import { createPrometheus } from '../../../src/base/metrics/prometheus.ts';

test('an observation is counted in the lowest bucket whose bound is not exceeded', () => {
  for (const bounds of [FINE_BOUNDS, COARSE_BOUNDS]) {
    assert.deepEqual(
      [...bounds],
      [...bounds].sort((a, b) => a - b),
    );
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 10_000, noNaN: true })), (observed) => {
        const histogram = new Histogram(bounds);
        for (const ms of observed) histogram.observe(ms);
        const expected = [...bounds, Number.POSITIVE_INFINITY].map(
          (bound, index) =>
            observed.filter((ms) => ms <= bound && (index === 0 || ms > (bounds[index - 1] ?? 0))).length,
        );
        assert.deepEqual(histogram.counts, expected);
      }),
    );
  }
});

const disk = async () => ({ fileBytes: 4096, freeBytes: 65536 });
const pool = () => ({
  waiting: 3,
  times: { waitTime: { p50: 2, p99: 3, max: 4 }, runTime: { p50: 9, p99: 90, max: 500 } },
});

test('every metric has its help, its type and its value in the text', async () => {
  const metrics = createMetrics();
  const prometheus = createPrometheus({ metrics, disk, pool, version: '1.2.3' });
  metrics.values.writes += 2;
  metrics.values.shops_loaded = 7;
  metrics.durations.append.observe(0.3);
  metrics.durations.append.observe(3);
  metrics.durations.append.observe(60_000);
  metrics.requests.observe('simulate', '200', 0.07);
  const text = await prometheus.text();
  const lines = new Set(text.split('\n'));
  for (const line of [
    '# TYPE ratewright_writes_total counter',
    'ratewright_writes_total 2',
    '# TYPE ratewright_shops_loaded gauge',
    'ratewright_shops_loaded 7',
    'ratewright_data_file_bytes 4096',
    'ratewright_data_disk_free_bytes 65536',
    '# TYPE ratewright_append_duration_seconds histogram',
    'ratewright_append_duration_seconds_bucket{le="0.00025"} 0',
    'ratewright_append_duration_seconds_bucket{le="0.0005"} 1',
    'ratewright_append_duration_seconds_bucket{le="0.005"} 2',
    'ratewright_append_duration_seconds_bucket{le="+Inf"} 3',
    'ratewright_append_duration_seconds_sum 60.0033',
    'ratewright_append_duration_seconds_count 3',
    'ratewright_http_request_duration_seconds_bucket{route="simulate",status="200",le="0.0001"} 1',
    'ratewright_http_request_duration_seconds_count{route="simulate",status="200"} 1',
    'ratewright_pool_queue_length 3',
    'ratewright_pool_wait_seconds{quantile="0.5"} 0.002',
    'ratewright_pool_run_seconds{quantile="1"} 0.5',
    `ratewright_build_info{version="1.2.3",node="${process.version}"} 1`,
  ]) {
    assert.ok(lines.has(line), line);
  }
  // Pool: queue, wait and run; then the times of requests and the version; disk: file and free space.
  const own = Object.keys(METRICS).length + Object.keys(DURATIONS).length + 3 + 2 + 2;
  assert.equal(text.match(/^# HELP ratewright_/gm)?.length, own);
  assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m);
  assert.match(text, /^# TYPE nodejs_gc_duration_seconds histogram$/m);
  assert.ok(text.endsWith('\n'));
});

test('the largest shops have metrics of their own if configured, and their ids are escaped', async () => {
  const metrics = createMetrics();
  const largestShops = () => [
    { shopId: 'shop_a', simulations: 12 },
    { shopId: 'a"b\\c', simulations: 3 },
  ];
  const text = await createPrometheus({ metrics, disk, pool, largestShops, version: '1.2.3' }).text();
  assert.deepEqual(text.match(/^ratewright_shop_simulations_total.*$/gm), [
    'ratewright_shop_simulations_total{shop="shop_a"} 12',
    'ratewright_shop_simulations_total{shop="a\\"b\\\\c"} 3',
  ]);
  assert.match(text, /^# TYPE ratewright_shop_simulations_total counter$/m);
  const without = await createPrometheus({ metrics, disk, pool, version: '1.2.3' }).text();
  assert.doesNotMatch(without, /shop_simulations/);
});
