/** Recovery gives the same state with and without checkpoints, for the last record and any earlier one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ShopEvent } from '../../src/domain/shop-event.ts';
import { DamagedLogError } from '../../src/log/event-log.ts';
import { replayShop } from '../../src/log/replay.ts';
import { MemoryEventLog } from '../support/memory-event-log.ts';
import { settingsRecord } from './sample-records.ts';

/** The state of these tests: the names of all settings so far. */
const names = {
  fromImage: (image: string): readonly string[] => {
    const state: unknown = JSON.parse(image);
    assert.ok(Array.isArray(state));
    return state;
  },
  apply: (state: readonly string[] | null, event: ShopEvent): readonly string[] => [
    ...(state ?? []),
    event.kind === 'settingsChanged' ? event.settings.name : event.kind,
  ],
};

const nameOf = (mark: number): string => `Shop ${mark}`;
const namesUpTo = (last: number): string[] => Array.from({ length: last }, (_, index) => nameOf(index + 1));

async function logOf(length: number, checkpoints: readonly number[] = []): Promise<MemoryEventLog> {
  const log = new MemoryEventLog();
  await log.append(
    'shop_a',
    0,
    Array.from({ length }, (_, index) => settingsRecord(index + 1)),
  );
  for (const at of checkpoints) {
    await log.writeCheckpoint('shop_a', { sequenceNumber: at, image: JSON.stringify(namesUpTo(at)) });
  }
  return log;
}

test('a shop without records has no state', async () => {
  assert.equal(replayShop(new MemoryEventLog(), 'shop_a', names), null);
  assert.equal(replayShop(await logOf(2), 'shop_a', { ...names, upTo: 0 }), null);
});

test('checkpoint and tail give the same state as all records, up to any record', async () => {
  const length = 12;
  const places = fc.subarray(Array.from({ length }, (_, index) => index + 1));
  await fc.assert(
    fc.asyncProperty(places, fc.integer({ min: 1, max: length + 3 }), async (checkpoints, upTo) => {
      const log = await logOf(length, checkpoints);
      const last = Math.min(upTo, length);
      const expected = { state: namesUpTo(last), sequenceNumber: last };
      assert.deepEqual(replayShop(log, 'shop_a', { ...names, upTo }), expected);
    }),
  );
});

test('records before the checkpoint are not read', async () => {
  const log = await logOf(5, [3]);
  log.damageRecord('shop_a', 2);
  assert.deepEqual(replayShop(log, 'shop_a', names)?.state, namesUpTo(5));
  assert.throws(() => replayShop(log, 'shop_a', { ...names, upTo: 2 }), DamagedLogError);
});

test('a damaged checkpoint, or one without an image, costs only time', async () => {
  const log = await logOf(6, [2, 4]);
  log.damageCheckpoint('shop_a', 4);
  await log.writeCheckpoint('shop_a', { sequenceNumber: 5, image: 'not an image' });
  await log.writeCheckpoint('shop_a', { sequenceNumber: 6, image: '"no list"' });
  assert.deepEqual(replayShop(log, 'shop_a', names), { state: namesUpTo(6), sequenceNumber: 6 });
  await log.writeCheckpoint('shop_a', { sequenceNumber: 2, image: '{' });
  assert.deepEqual(replayShop(log, 'shop_a', names), { state: namesUpTo(6), sequenceNumber: 6 });
});

test('an error of apply and a damaged record are not treated as a bad checkpoint', async () => {
  const log = await logOf(3, [1]);
  const failing = () => {
    throw new Error('a bug');
  };
  assert.throws(() => replayShop(log, 'shop_a', { ...names, apply: failing }), /a bug/);
  log.damageRecord('shop_a', 3);
  assert.throws(() => replayShop(log, 'shop_a', names), DamagedLogError);
});
