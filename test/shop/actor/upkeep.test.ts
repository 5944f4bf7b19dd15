/** What the server does once an hour beside its requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/runtime/logger.ts';
import { startUpkeep } from '../../../src/shop/actor/upkeep.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Lets promises that are resolved already have their say. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('old history and old answers go soon after the start and then every hour, one run at a time', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  let nowMs = 1_800_000_000_000;
  const forgotten: number[] = [];
  let finish = (): void => {};
  let runs = 0;
  let stops = 0;
  let flushes = 0;
  const stop = startUpkeep({
    log: {
      forgetAnswers: async (beforeMs) => {
        forgotten.push(nowMs - beforeMs);
        // The history is gone through whatever becomes of the answers.
        if (forgotten.length === 1) throw new Error('disk full');
        return 0;
      },
    },
    keys: { flush: async () => void flushes++ },
    clock: { nowMs: () => nowMs },
    logger: silentLogger,
    retention: {
      run: () => {
        runs++;
        return new Promise((resolve) => (finish = resolve));
      },
      stop: () => void stops++,
    },
  });
  const pass = async (ms: number): Promise<void> => {
    nowMs += ms;
    context.mock.timers.tick(ms);
    await settle();
  };
  await pass(MINUTE_MS - 1);
  assert.equal(runs, 0);
  await pass(1);
  assert.deepEqual([runs, flushes], [1, 1]);
  await pass(HOUR_MS);
  assert.equal(runs, 1, 'one that takes longer is not overtaken');
  finish();
  await settle();
  await pass(HOUR_MS);
  assert.equal(runs, 2);
  finish();
  await settle();
  await pass(HOUR_MS);
  assert.equal(runs, 3);
  assert.deepEqual(forgotten, [DAY_MS, DAY_MS, DAY_MS]);
  finish();
  await stop();
  assert.equal(stops, 1);
  await pass(HOUR_MS);
  assert.equal(runs, 3);
});

test('history is removed by one node at a time, and a node that had to wait tries again', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  const held = new Set<string>();
  const runs: string[] = [];
  let finish = (): void => {};
  const start = (name: string, alone: (work: () => Promise<void>) => Promise<boolean>) =>
    startUpkeep({
      log: { forgetAnswers: async () => 0 },
      keys: { flush: async () => {} },
      clock: { nowMs: () => 0 },
      logger: silentLogger,
      retention: {
        run: () => {
          runs.push(name);
          return new Promise((resolve) => (finish = resolve));
        },
        stop: () => {},
      },
      alone,
    });
  const lock = async (work: () => Promise<void>): Promise<boolean> => {
    if (held.has('retention')) return false;
    held.add('retention');
    await work().finally(() => held.delete('retention'));
    return true;
  };
  let isReachable = false;
  const stops = [
    start('first', lock),
    start('second', lock),
    start('cut off', (work) => (isReachable ? lock(work) : Promise.reject(new Error('no database')))),
  ];
  const pass = async (ms: number): Promise<void> => {
    context.mock.timers.tick(ms);
    await settle();
  };
  await pass(MINUTE_MS);
  assert.deepEqual(runs, ['first']);
  await pass(MINUTE_MS);
  assert.deepEqual(runs, ['first']);
  finish();
  await settle();
  await pass(MINUTE_MS);
  assert.deepEqual(runs, ['first', 'second']);
  isReachable = true;
  finish();
  await settle();
  await pass(MINUTE_MS);
  assert.deepEqual(runs, ['first', 'second', 'cut off']);
  finish();
  await Promise.all(stops.map((stop) => stop()));
  await pass(HOUR_MS);
  assert.equal(runs.length, 3);
});
