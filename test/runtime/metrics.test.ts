import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics, METRICS } from '../../src/runtime/metrics.ts';

test('every metric has its help, its type and its value in the text', () => {
  const metrics = createMetrics();
  metrics.values.writes += 2;
  metrics.values.shops_loaded = 7;
  const text = metrics.text();
  assert.match(text, /^# TYPE ratewright_writes_total counter\nratewright_writes_total 2$/m);
  assert.match(text, /^# TYPE ratewright_shops_loaded gauge\nratewright_shops_loaded 7$/m);
  assert.equal(text.match(/^# HELP /gm)?.length, Object.keys(METRICS).length);
  assert.ok(text.endsWith('\n'));
});
