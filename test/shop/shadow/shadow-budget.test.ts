/** The budget of a second: never more than it has, and each shop gets its share. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { costOf, emptyPart, ShadowBudget } from '../../../src/shop/shadow/shadow-budget.ts';

test('a cart counts as one simulation, and a large one as several', () => {
  assert.deepEqual(
    [costOf(3, 6), costOf(1, 499), costOf(1, 500), costOf(500, 40), costOf(500, 5_000)],
    [1, 1, 2, 41, 5_001],
  );
});

test('in each second at most the budget is taken, and no shop below its share is refused', () => {
  const seconds = fc.array(fc.array(fc.nat(2), { maxLength: 300 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 90 }), seconds, (perSecond, asked) => {
      let nowMs = 0;
      const budget = new ShadowBudget(perSecond, () => nowMs);
      const shares = [0, 1, 2].map(emptyPart);
      for (const [second, shops] of asked.entries()) {
        const taken = [0, 0, 0];
        for (const [at, shop] of shops.entries()) {
          nowMs = 1_000 * second + at;
          const share = shares[shop];
          assert.ok(share !== undefined);
          const isTaken = budget.take(share, shares.length, 1);
          if (isTaken) taken[shop] = (taken[shop] ?? 0) + 1;
          else assert.ok((taken[shop] ?? 0) >= Math.floor(Math.floor(perSecond / 2) / 3));
        }
        const sum = taken.reduce((a, b) => a + b, 0);
        assert.ok(sum <= perSecond);
        // One shop alone gets its share and what is free.
        if (new Set(shops).size === 1) {
          const shared = Math.floor(perSecond / 2);
          assert.equal(sum, Math.min(shops.length, perSecond - shared + Math.floor(shared / 3)));
        }
      }
    }),
  );
});

test('a shop alone has the whole budget', () => {
  const budget = new ShadowBudget(101, () => 0);
  const share = emptyPart();
  const taken = Array.from({ length: 200 }, () => budget.take(share, 1, 1));
  assert.equal(taken.filter(Boolean).length, 101);
});

test('later seconds pay for a large cart', () => {
  let nowMs = 0;
  const budget = new ShadowBudget(100, () => nowMs);
  const share = emptyPart();
  let taken = 0;
  for (let second = 0; second < 50; second++) {
    for (nowMs = 1_000 * second; nowMs < 1_000 * (second + 1); nowMs += 100) {
      if (budget.take(share, 1, 250)) taken += 250;
    }
    assert.ok(taken < 100 * (second + 1) + 250, `${taken} in ${second + 1} seconds`);
  }
  assert.ok(taken >= 100 * 50 - 250, `${taken}`);
});
