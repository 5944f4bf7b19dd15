/** Shares of a plan: they add up to its rate, and around changes of the list of nodes they keep the bound. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Throttle } from '../../../src/front/http/throttle.ts';
import { ALONE, type Rank, rankAmong, shareOf } from '../../../src/store/cluster/plan-shares.ts';
import { UNLIMITED } from '../../support/unlimited-plan.ts';

const WINDOW_MS = 1_000;

test('the shares of all nodes add up to the rate, also when it does not divide evenly', () => {
  const rates = fc.integer({ min: 0, max: 1_000 });
  const runs = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(rates, runs, (rate, all) => {
      const shares = all.map((run) => shareOf(rate, rankAmong(all, run)));
      const sum = shares.reduce((total, share) => total + share, 0);
      assert.equal(sum, rate);
      assert.ok(Math.max(...shares) - Math.min(...shares) <= 1);
    }),
  );
});

interface BusyNode {
  rank: Rank;
  readonly throttle: Throttle;
}

/** A cluster whose nodes always use their whole share, and learn of changes of the list when `beat` is called. */
class BusyCluster {
  readonly rate: number;
  nowMs = 0;
  readonly #nodes = new Map<string, BusyNode>();
  /** Of each run the shares that it had, with the last moment of each. */
  readonly #had: { readonly run: string; readonly share: number; untilMs: number }[] = [];
  readonly #letThrough: number[] = [];
  #runs = 0;

  constructor(rate: number) {
    this.rate = rate;
  }

  get count(): number {
    return this.#nodes.size;
  }

  join(): void {
    const plans = { plan: { ...UNLIMITED, simulationsPerSecond: this.rate } };
    const node: BusyNode = {
      rank: ALONE,
      throttle: new Throttle(
        plans,
        () => this.nowMs,
        (rate): number => shareOf(rate, node.rank),
      ),
    };
    const run = `run ${++this.#runs}`;
    this.#nodes.set(run, node);
    this.beat(run);
  }

  leave(): void {
    const [first] = this.#nodes.keys();
    if (first !== undefined) this.#nodes.delete(first);
  }

  beat(run: string): void {
    const node = this.#nodes.get(run);
    if (node !== undefined) node.rank = rankAmong([...this.#nodes.keys()], run);
  }

  beatAll(): void {
    for (const run of this.#nodes.keys()) this.beat(run);
  }

  /** Each node lets through as many as it does. */
  use(): void {
    for (const [run, { rank, throttle }] of this.#nodes) {
      this.#had.push({ run, share: shareOf(this.rate, rank), untilMs: this.nowMs });
      while (throttle.judge('simulations', 'shop', 'plan') === null) this.#letThrough.push(this.nowMs);
    }
  }

  get inWindow(): number {
    return this.#letThrough.filter((atMs) => atMs > this.nowMs - WINDOW_MS).length;
  }

  /** Sum of the greatest share of each run in the last window. */
  get bound(): number {
    const greatest = new Map<string, number>();
    for (const { run, share, untilMs } of this.#had) {
      if (untilMs > this.nowMs - WINDOW_MS) greatest.set(run, Math.max(share, greatest.get(run) ?? 0));
    }
    return [...greatest.values()].reduce((sum, share) => sum + share, 0);
  }
}

const RATES = fc.integer({ min: 1, max: 60 });

test('in any window all nodes let through at most the greatest share of each', () => {
  const moves = fc.array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: 700 }),
      move: fc.constantFrom('join', 'leave', 'beat', 'none'),
    }),
    { minLength: 1, maxLength: 16 },
  );
  fc.assert(
    fc.property(RATES, moves, (rate, steps) => {
      const cluster = new BusyCluster(rate);
      for (const { afterMs, move } of steps) {
        cluster.nowMs += afterMs;
        if (move === 'join') cluster.join();
        else if (move === 'leave') cluster.leave();
        else if (move === 'beat') cluster.beatAll();
        cluster.use();
        assert.ok(cluster.inWindow <= cluster.bound, `${cluster.inWindow} of ${cluster.bound}`);
      }
    }),
  );
});

test('one node that joins or leaves adds at most its share to the rate; a window later the rate holds', () => {
  const counts = fc.integer({ min: 2, max: 8 });
  fc.assert(
    fc.property(
      RATES,
      counts,
      fc.constantFrom('join', 'leave'),
      fc.boolean(),
      (rate, count, move, isLate) => {
        const cluster = new BusyCluster(rate);
        while (cluster.count < count) cluster.join();
        cluster.beatAll();
        cluster.use();
        assert.equal(cluster.inWindow, rate);
        if (move === 'join') cluster.join();
        else cluster.leave();
        if (isLate) cluster.use();
        cluster.beatAll();
        cluster.use();
        const share = Math.ceil(rate / Math.max(count, cluster.count));
        assert.ok(cluster.inWindow <= rate + share, `${cluster.inWindow} of ${rate} + ${share}`);
        cluster.nowMs += WINDOW_MS;
        cluster.use();
        assert.equal(cluster.inWindow, rate);
      },
    ),
  );
});

test('nodes that are started together let through at most rate x (1 + 1/2 + ... + 1/n), rounded up, in their first window', () => {
  fc.assert(
    fc.property(RATES, fc.integer({ min: 1, max: 8 }), (rate, count) => {
      const cluster = new BusyCluster(rate);
      let most = 0;
      while (cluster.count < count) {
        cluster.join();
        cluster.use();
        most += Math.ceil(rate / cluster.count);
      }
      cluster.beatAll();
      cluster.use();
      assert.ok(cluster.inWindow <= most, `${cluster.inWindow} of ${most}`);
    }),
  );
});
