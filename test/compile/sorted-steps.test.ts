import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortedSteps } from '../../src/compile/sorted-steps.ts';
import { runUnderSchedules } from '../support/yield-schedules.ts';

test('numbers are sorted in slices, equal ones in the order of their indexes', () => {
  const numbers = Array.from({ length: 10_000 }, (_, index) => (index * 7_919) % 1_000);
  const { value } = runUnderSchedules((shouldYield) => sortedSteps(numbers, shouldYield));
  const expected = numbers
    .map((_, index) => index)
    .sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0) || a - b);
  assert.deepEqual([...value], expected);
});
