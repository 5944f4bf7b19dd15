/** The limits of heavy work, with a pool that the test controls. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from '../../src/domain/failure.ts';
import type { ShopState } from '../../src/domain/shop-event.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { type HeavyLimits, HeavyWork } from '../../src/worker/heavy-work.ts';
import type { PoolAnswer } from '../../src/worker/pool-task.ts';

const ROOM = 1_000_000;
const shopOf = (shopId: string) => ({
  shopId,
  sequenceNumber: 1,
  state: { version: { id: 'version' } } as ShopState,
});
const textOf = (text: string) => ({ kind: 'preview', text, isChecked: false, now: '', seed: '' }) as const;

/** Work that is answered only after `finish`; `ask` returns whether it was accepted. */
function openWork(limits: Partial<HeavyLimits>) {
  const metrics = createMetrics();
  const waiting: (() => void)[] = [];
  const refused: PoolAnswer = { kind: 'refused', failure: failure('NOT_FOUND', 'none'), isOfBody: false };
  const pool = { run: () => new Promise<PoolAnswer>((resolve) => waiting.push(() => resolve(refused))) };
  const all = {
    heavyMicroseconds: 1_000,
    heavyQueueMax: ROOM,
    heavyQueueBytesMax: ROOM,
    heavyDeadlineMs: ROOM,
    ...limits,
  };
  const work = new HeavyWork({ pool, logger: silentLogger, metrics, limits: all });
  const askWith = (shopId: string, text: string): boolean => {
    const before = metrics.values.heavy_refused;
    void work.answerUnread(shopOf(shopId), textOf(text));
    return metrics.values.heavy_refused === before;
  };
  const ask = (shopId: string, length = 0): boolean => askWith(shopId, 'x'.repeat(length));
  const finish = async (): Promise<void> => {
    for (const answer of waiting.splice(0)) answer();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, askWith, finish };
}

test('one shop can fill half of the queue, all shops together the whole queue, and again after it was emptied', async () => {
  const { ask, finish } = openWork({ heavyQueueMax: 4 });
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(
      ['a', 'a', 'a', 'b', 'c', 'd', 'b'].map((shopId) => ask(shopId)),
      [true, true, false, true, true, false, false],
    );
    await finish();
  }
});

test('bytes are accepted up to the limit exactly; a larger body is accepted alone', async () => {
  const { ask, askWith, finish } = openWork({ heavyQueueBytesMax: 1_000 });
  for (const [second, isTaken] of [
    [399, true],
    [400, true],
    [401, false],
  ] as const) {
    assert.ok(ask('a', 600));
    assert.equal(ask('b', second), isTaken, String(second));
    await finish();
  }
  // Bytes count, also for a text with three bytes per character.
  for (const [second, isTaken] of [
    ['\u20ac'.repeat(133), true],
    ['\u20ac'.repeat(134), false],
  ] as const) {
    assert.ok(askWith('a', '\u20ac'.repeat(200)));
    assert.equal(askWith('b', second), isTaken, String(second.length));
    await finish();
  }
  assert.ok(ask('a', 1_001));
  assert.ok(!ask('b', 1));
  await finish();
  assert.ok(ask('b', 1));
});
