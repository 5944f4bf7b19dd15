/** Money against BigInt: exact or null, above all near 2^53. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  addExact,
  CENTS_MAX,
  Cents,
  CentsOrNull,
  multiplyExact,
  shareRoundedHalfUp,
} from '../../../src/engine/domain/money.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';

const LIMIT = 2n ** 53n - 1n;
/** An exact result as cents; null beyond 2^53-1. */
const asCents = (exact: bigint): number | null => (exact <= LIMIT ? Number(exact) : null);

/** Small amounts, amounts near 2^53, near powers of two, and near the quotient of 2^53 by a small number. */
const amount = fc.oneof(
  fc.nat(100_000),
  fc.maxSafeNat(),
  fc.nat(1_000).map((below) => CENTS_MAX - below),
  fc
    .tuple(fc.integer({ min: 20, max: 52 }), fc.integer({ min: -2, max: 2 }))
    .map(([power, by]) => 2 ** power + by),
  fc
    .tuple(fc.integer({ min: 2, max: 200_000 }), fc.integer({ min: -2, max: 2 }))
    .map(([divisor, by]) => Math.min(CENTS_MAX, Math.floor(CENTS_MAX / divisor) + by)),
);
const RUNS = { numRuns: 20_000 };

describe('sums and products of cents', () => {
  it('are exact up to 2^53-1 and null beyond', () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        assert.equal(addExact(a, b), asCents(BigInt(a) + BigInt(b)));
        assert.equal(multiplyExact(a, b), asCents(BigInt(a) * BigInt(b)));
      }),
      RUNS,
    );
  });

  it('are null from the first amount that a double cannot hold exactly', () => {
    assert.equal(addExact(CENTS_MAX, 0), CENTS_MAX);
    assert.equal(addExact(CENTS_MAX, 1), null);
    assert.equal(addExact(CENTS_MAX, CENTS_MAX), null);
    assert.equal(multiplyExact(CENTS_MAX, 1), CENTS_MAX);
    assert.equal(multiplyExact(2 ** 26, 2 ** 27), null);
    assert.equal(multiplyExact(6361 * 69431, 20394401), CENTS_MAX);
    assert.equal(multiplyExact(CENTS_MAX, 0), 0);
  });
});

describe('a share of an amount', () => {
  const share = (a: number, parts: number, whole: number): number | null =>
    asCents((2n * BigInt(a) * BigInt(parts) + BigInt(whole)) / (2n * BigInt(whole)));

  it('is exact and rounded half up for whole points and for hundredths of a percent', () => {
    fc.assert(
      fc.property(amount, fc.nat(100_000), fc.constantFrom(100, 10_000), (a, parts, whole) => {
        assert.equal(shareRoundedHalfUp(a, parts, whole), share(a, parts, whole));
      }),
      RUNS,
    );
  });

  it('rounds a half cent up and less than half a cent down', () => {
    assert.equal(shareRoundedHalfUp(1, 50, 100), 1);
    assert.equal(shareRoundedHalfUp(1, 49, 100), 0);
    assert.equal(shareRoundedHalfUp(999, 10, 100), 100);
    assert.equal(shareRoundedHalfUp(995, 10, 100), 100);
    assert.equal(shareRoundedHalfUp(994, 10, 100), 99);
    assert.equal(shareRoundedHalfUp(12_345, 1_250, 10_000), 1_543);
    assert.equal(shareRoundedHalfUp(0, 100_000, 10_000), 0);
  });

  it('is the amount itself at 100 percent, also for the largest amount', () => {
    assert.equal(shareRoundedHalfUp(CENTS_MAX, 100, 100), CENTS_MAX);
    assert.equal(shareRoundedHalfUp(CENTS_MAX, 10_000, 10_000), CENTS_MAX);
    assert.equal(shareRoundedHalfUp(CENTS_MAX, 101, 100), null);
    assert.equal(shareRoundedHalfUp(CENTS_MAX, 50, 100), 2 ** 52);
    assert.equal(shareRoundedHalfUp(CENTS_MAX - 1, 50, 100), 2 ** 52 - 1);
  });
});

describe('the schemas of cents', () => {
  it('accept whole amounts from 0 to 2^53-1 only', () => {
    const cents = compileSchema(Cents);
    for (const good of [0, 1, CENTS_MAX]) assert.ok(cents.check(good), String(good));
    for (const bad of [-1, 0.5, CENTS_MAX + 1, Number.NaN, Number.POSITIVE_INFINITY, '1', null]) {
      assert.ok(!cents.check(bad), String(bad));
    }
    assert.ok(compileSchema(CentsOrNull).check(null));
    assert.ok(!compileSchema(CentsOrNull).check(undefined));
  });
});
