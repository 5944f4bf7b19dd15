import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breakEven, ratioAt, type SizePoint } from '../../bench/worker/break-even.ts';

const points = (...pairs: readonly (readonly [cost: number, ratio: number])[]): readonly SizePoint[] =>
  pairs.map(([cost, ratio]) => ({ cost, ratio }));

const near = (actual: number | null, expected: number): void => {
  assert.ok(actual !== null && Math.abs(actual / expected - 1) < 1e-9, `${actual} is not ${expected}`);
};

test('a break-even between two sizes is where the power law through both meets the bound', () => {
  // A ratio of 100 / cost.
  const falling = points([10, 10], [1_000, 0.1], [10_000, 0.01]);
  near(breakEven(falling, 1), 100);
  near(breakEven(falling, 2), 50);
  near(breakEven(falling, 0.05), 2_000);
});

test('a size that is above the bound again moves the break-even behind it', () => {
  near(breakEven(points([10, 4], [20, 0.5], [40, 2], [160, 0.5]), 1), 80);
});

test('a break-even is the smallest size when none is above the bound, and none when the largest is', () => {
  assert.equal(breakEven(points([10, 1], [20, 0.5]), 1), 10);
  assert.equal(breakEven(points([10, 1], [20, 1.5]), 1), null);
  assert.equal(breakEven([], 1), null);
});

test('a ratio between two sizes lies on the power law through both; beyond the ends it is that of the end', () => {
  const falling = points([10, 10], [1_000, 0.1]);
  near(ratioAt(falling, 100), 1);
  near(ratioAt(falling, 10), 10);
  near(ratioAt(falling, 1), 10);
  near(ratioAt(falling, 5_000), 0.1);
  assert.ok(Number.isNaN(ratioAt([], 1)));
});
