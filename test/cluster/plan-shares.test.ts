/** Shares of a plan: their sum never exceeds the rate of the plan, in any window. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PlanShares } from '../../src/cluster/plan-shares.ts';

const WINDOW_MS = 1_000;

test('the shares of all nodes add up to the rate, also when it does not divide evenly', () => {
  const rates = fc.integer({ min: 0, max: 1_000 });
  const runs = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(rates, runs, (rate, all) => {
      const shares = all.map((run) => {
        const own = new PlanShares();
        own.rebalance(all, run, 0);
        return own.share(rate, WINDOW_MS, WINDOW_MS);
      });
      const sum = shares.reduce((total, share) => total + share, 0);
      assert.equal(sum, rate);
      assert.ok(Math.max(...shares) - Math.min(...shares) <= 1);
    }),
  );
});

test('a node that was never counted allows nothing', () => {
  assert.equal(new PlanShares().share(100, WINDOW_MS, 1_000_000), 0);
});

test('a node that finds no other has the whole rate at once, and shares it when others join', () => {
  const shares = new PlanShares();
  shares.startAlone();
  assert.equal(shares.share(100, WINDOW_MS, 0), 100);
  shares.rebalance(['a'], 'a', 10);
  assert.equal(shares.share(100, WINDOW_MS, 10), 100);
  shares.rebalance(['a', 'b'], 'a', 20);
  assert.equal(shares.share(100, WINDOW_MS, 20), 50);
});

test('a smaller share counts at once, a larger one a window later', () => {
  const shares = new PlanShares();
  shares.rebalance(['a'], 'a', 0);
  assert.equal(shares.share(100, WINDOW_MS, 999), 0);
  assert.equal(shares.share(100, WINDOW_MS, 1_000), 100);
  shares.rebalance(['a', 'b'], 'a', 2_000);
  assert.equal(shares.share(100, WINDOW_MS, 2_000), 50);
  shares.rebalance(['a'], 'a', 5_000);
  assert.equal(shares.share(100, WINDOW_MS, 5_999), 50);
  assert.equal(shares.share(100, WINDOW_MS, 6_000), 100);
  shares.giveUp(7_000);
  assert.equal(shares.share(100, WINDOW_MS, 7_000), 0);
});

test('no window has more requests than the rate, however nodes join and leave', () => {
  const moves = fc.array(
    fc.record({ afterMs: fc.integer({ min: 0, max: 1_500 }), live: fc.subarray(['a', 'b', 'c', 'd']) }),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(moves, fc.integer({ min: 1, max: 50 }), (steps, rate) => {
      const nodes = ['a', 'b', 'c', 'd'].map((run) => ({ run, shares: new PlanShares() }));
      const letThrough: number[] = [];
      const uses = new Map<string, number[]>();
      let nowMs = 0;
      for (const { afterMs, live } of steps) {
        nowMs += afterMs;
        for (const { run, shares } of nodes) {
          if (live.includes(run)) shares.rebalance(live, run, nowMs);
          else shares.giveUp(nowMs);
        }
        // Each node uses its whole share at once.
        for (const { run, shares } of nodes) {
          const own = uses.get(run) ?? [];
          const inWindow = own.filter((atMs) => atMs > nowMs - WINDOW_MS).length;
          const free = Math.max(0, shares.share(rate, WINDOW_MS, nowMs) - inWindow);
          const taken = new Array<number>(free).fill(nowMs);
          uses.set(run, [...own, ...taken]);
          letThrough.push(...taken);
        }
        const inWindow = letThrough.filter((atMs) => atMs > nowMs - WINDOW_MS).length;
        assert.ok(inWindow <= rate, `${inWindow} of ${rate} in the window before ${nowMs}`);
      }
    }),
  );
});
