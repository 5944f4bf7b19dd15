import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sortSteps } from '../../src/pace/work-steps.ts';
import { everyNth, runWork } from '../support/yield-schedules.ts';

/** Longer than what is sorted at once, so that several parts are merged. */
const LENGTH_MAX = 50_000;

/** Numbers of a fixed pseudo-random sequence; below `range`, so that a small one gives equal numbers. */
function numbersOf(length: number, range: number): Float64Array {
  let seed = length;
  return Float64Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % range;
  });
}

test('numbers sorted in steps are those that one sort gives', () => {
  fc.assert(
    fc.property(fc.nat(LENGTH_MAX), fc.constantFrom(3, 1_000, 2_147_483_648), (length, range) => {
      const numbers = numbersOf(length, range);
      const expected = numbers.slice().sort();
      const { value } = runWork((shouldYield) => sortSteps(numbers, shouldYield), everyNth(1));
      assert.deepEqual(value, expected);
    }),
    { numRuns: 20 },
  );
});

test('a long list is sorted in many steps', () => {
  const { questions } = runWork(
    (shouldYield) => sortSteps(numbersOf(LENGTH_MAX, 9), shouldYield),
    everyNth(1),
  );
  assert.ok(questions >= 10, `${questions} steps`);
});
