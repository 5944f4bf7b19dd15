import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareRuns, formatComparison } from '../../bench/report/comparison.ts';
import { measurementOf, reportOf } from './sample-report.ts';

const verdicts = (before: readonly number[], after: readonly number[], unit: 'ns' | 'perSecond' | 'count') =>
  compareRuns(
    reportOf([measurementOf('one', unit, before)]),
    reportOf([measurementOf('one', unit, after)]),
  ).map(({ verdict }) => verdict);

test('less time is better, more answers per second are better', () => {
  assert.deepEqual(verdicts([10, 11], [8, 9], 'ns'), ['better']);
  assert.deepEqual(verdicts([10, 11], [12, 13], 'ns'), ['worse']);
  assert.deepEqual(verdicts([10, 11], [12, 13], 'perSecond'), ['better']);
  assert.deepEqual(verdicts([10, 11], [8, 9], 'perSecond'), ['worse']);
  assert.deepEqual(verdicts([10, 11], [8, 9], 'count'), ['differs']);
});

test('rounds that overlap are no difference', () => {
  assert.deepEqual(verdicts([10, 12], [11, 15], 'ns'), ['same']);
});

test('only what both runs measured is compared', () => {
  const compared = compareRuns(
    reportOf([measurementOf('old', 'ns', [1]), measurementOf('both', 'ns', [10])]),
    reportOf([measurementOf('both', 'ns', [20]), measurementOf('new', 'ns', [1])]),
  );
  assert.deepEqual(
    compared.map(({ id, ratio }) => [id, ratio]),
    [['both', 2]],
  );
  assert.match(formatComparison(compared), /both\s+10\.0 ns\s+20\.0 ns\s+2\.00x\s+WORSE/);
});
