/** Interval sets against sets of single numbers. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  complement,
  hasNumber,
  type IntervalSet,
  intersection,
  leastFrom,
  points,
} from '../../src/candidates/interval-set.ts';

const HIGH = 12;
const numbersIn = (set: IntervalSet): number[] =>
  Array.from({ length: HIGH + 1 }, (_, n) => n).filter((n) => hasNumber(set, n));
const anySet = fc.array(fc.nat(HIGH)).map((numbers) => ({ set: points(numbers), numbers: new Set(numbers) }));

describe('an interval set', () => {
  it('holds the same numbers as a plain set after intersections and complements', () => {
    const property = fc.property(anySet, anySet, fc.nat(HIGH), (a, b, number) => {
      const both = numbersIn(intersection(a.set, b.set));
      assert.deepEqual(
        both,
        numbersIn(a.set).filter((n) => b.numbers.has(n)),
      );
      assert.deepEqual(
        numbersIn(complement(a.set, 0, HIGH)),
        numbersIn([0, HIGH]).filter((n) => !a.numbers.has(n)),
      );
      assert.equal(leastFrom(a.set, number), numbersIn(a.set).find((n) => n >= number) ?? null);
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});
