import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Measurements } from '../../bench/report/measurement.ts';
import { PARTS } from '../../bench/suite.ts';
import { judge, TARGETS, type Target } from '../../bench/targets.ts';
import { measurementOf, reportOf } from './sample-report.ts';

const runOf = (values: Readonly<Record<string, readonly number[]>>): Measurements =>
  new Measurements(
    reportOf(Object.entries(values).map(([id, samples]) => measurementOf(id, 'perSecond', samples))).sections,
  );

const target = (direction: Target['direction'], value: number): Target => ({
  what: 'a against b',
  direction,
  value,
  unit: 'x',
  measure: (run) => (run.spread('a')?.median ?? Number.NaN) / (run.spread('b')?.median ?? Number.NaN),
});

test('a target is reached at its bound', () => {
  const run = runOf({ a: [8], b: [10] });
  assert.equal(judge(target('atLeast', 0.8), run).isReached, true);
  assert.equal(judge(target('atLeast', 0.81), run).isReached, false);
  assert.equal(judge(target('atMost', 0.8), run).isReached, true);
  assert.equal(judge(target('atMost', 0.79), run).isReached, false);
});

test('a target whose parts did not run is neither reached nor missed', () => {
  for (const outcome of TARGETS.map((one) => judge(one, runOf({})))) {
    assert.equal(outcome.measured, null);
    assert.equal(outcome.isReached, null);
  }
});

test('a ratio of throughput is the median of the ratios round by round', () => {
  const small = TARGETS.find(({ what }) => what.startsWith('/api/simulate, small'));
  assert.ok(small !== undefined);
  const run = runOf({
    'http/throughput/small/ratewright': [80, 45, 90],
    'http/throughput/small/floor-b': [100, 50, 100],
  });
  assert.equal(small.measure(run), 0.9);
});

test('parts have ids of their own and say what they answer', () => {
  const ids = PARTS.map(({ id }) => id);
  assert.deepEqual([...new Set(ids)], ids);
  for (const { id, title } of PARTS) {
    assert.match(id, /^[a-z]+\/[a-z-]+$/);
    assert.ok(title.length > 10);
  }
});
