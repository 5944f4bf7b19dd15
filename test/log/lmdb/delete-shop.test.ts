/** A deleted shop is gone for every reader and writer at once, and for good; the others stay as they are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LmdbEventLog, openLmdbEventLog } from '../../../src/log/lmdb/lmdb-event-log.ts';
import type { Table } from '../../../src/log/lmdb/log-tables.ts';
import { verifyLog } from '../../../src/log/lmdb/verify-log.ts';
import {
  answeredRecord,
  keyRecord,
  markOf,
  START_MS,
  settingsRecord,
  sha256Of,
  versionRecord,
} from '../sample-records.ts';
import { newLogFolder } from './log-folder.ts';

/** One id begins with another, so that a range that is too wide would be noticed. */
const SHOPS = ['shop_a', 'shop_a1', 'shop_b'];
const LAST = 5;

async function openFilled(): Promise<LmdbEventLog> {
  const log = openLmdbEventLog({ path: newLogFolder() });
  for (const shopId of SHOPS) {
    const records = [
      settingsRecord(1),
      keyRecord(`key_of_${shopId}`, `secret of ${shopId}`),
      answeredRecord(3, 'key 3', START_MS),
      versionRecord(1),
      versionRecord(2),
    ];
    assert.equal((await log.append(shopId, 0, records)).kind, 'appended');
    await log.writeCheckpoint(shopId, { sequenceNumber: 4, image: '{}' });
    await log.writeShopText('shadowResults', shopId, 'results');
    await log.writeKeyUse(new Map([[`key_of_${shopId}`, START_MS]]));
  }
  return log;
}

/** Everything that a log holds, but for what notes a deletion: `table key`. */
function entriesOf({ tables }: LmdbEventLog): string[] {
  const { deletedShops, root, folder, ...others } = tables.freshly();
  return Object.entries(others as unknown as Record<string, Table>).flatMap(([name, table]) =>
    Array.from(table.getKeys(), (key) => `${name} ${key.toString('latin1')}`),
  );
}

const isOfDeleted = (entry: string): boolean =>
  /(?:^|[ _])shop_a(?![0-9A-Za-z_])/.test(entry) ||
  entry.includes(sha256Of('secret of shop_a').toString('latin1'));

test('nothing of a deleted shop is left, and what the log holds of others stays', async () => {
  const log = await openFilled();
  const before = entriesOf(log);
  assert.equal(before.filter(isOfDeleted).length, before.length / SHOPS.length);
  assert.equal(await log.deletions.delete('shop_a', LAST, START_MS), true);
  assert.deepEqual(
    entriesOf(log),
    before.filter((entry) => !isOfDeleted(entry)),
  );
  const { defects, shops } = await verifyLog(log);
  assert.deepEqual([defects, shops], [[], 2]);
  assert.deepEqual([...log.shopIds()], ['shop_a1', 'shop_b']);
  assert.equal(log.lastSequenceNumber('shop_a'), 0);
  assert.deepEqual([...log.read('shop_a', 0)], []);
  assert.equal(log.findKey(sha256Of('secret of shop_a')), null);
  assert.equal(log.findKey(sha256Of('secret of shop_a1'))?.shopId, 'shop_a1');
  assert.deepEqual(Array.from(log.read('shop_b', 0), markOf).length, LAST);
  assert.equal(log.deletions.wasDeleted('shop_a'), true);
  assert.equal(log.deletions.wasDeleted('shop_b'), false);
  await log.close();
});

test('nothing is written under the id of a deleted shop, whatever a writer remembers of it', async () => {
  const log = await openFilled();
  await log.deletions.delete('shop_a', LAST, START_MS);
  const left = entriesOf(log);
  for (const expected of [LAST, LAST - 1, 0]) {
    const result = await log.append('shop_a', expected, [settingsRecord('late')]);
    assert.deepEqual(result, { kind: 'staleWriter', sequenceNumber: 0 });
  }
  await log.writeShopText('shadowResults', 'shop_a', 'late');
  assert.deepEqual(entriesOf(log), left);
  assert.equal((await log.append('shop_b', LAST, [settingsRecord('next')])).kind, 'appended');
  assert.deepEqual((await verifyLog(log)).defects, []);
  await log.close();
});

test('a shop that was written to meanwhile is not deleted', async () => {
  const log = await openFilled();
  const before = entriesOf(log);
  assert.equal(await log.deletions.delete('shop_a', LAST - 1, START_MS), false);
  assert.deepEqual(entriesOf(log), before);
  assert.equal(log.deletions.wasDeleted('shop_a'), false);
  await log.close();
});

test('of a deletion and a write at the same moment exactly one is carried out', async () => {
  const log = await openFilled();
  let deletions = 0;
  for (let turn = 0; turn < 40; turn++) {
    const shopId = `shop_turn_${turn}`;
    await log.append(shopId, 0, [settingsRecord(1)]);
    const writing = log.append(shopId, 1, [settingsRecord(2)]);
    // The later it is, the further the write has come.
    for (let turns = 0; turns < turn / 4; turns++) await new Promise((resolve) => setImmediate(resolve));
    const [appended, isDeleted] = await Promise.all([writing, log.deletions.delete(shopId, 1, START_MS)]);
    assert.equal(appended.kind === 'appended', !isDeleted);
    if (isDeleted) deletions++;
  }
  assert.ok(deletions > 0 && deletions < 40, `${deletions}`);
  assert.deepEqual((await verifyLog(log)).defects, []);
  await log.close();
});

test('a deletion that was cut short is no damage, and the next one completes it', async (context) => {
  const log = await openFilled();
  const cut = context.mock.method(log.deletions, 'removeRemains', async () => {});
  assert.equal(await log.deletions.delete('shop_a', LAST, START_MS), true);
  cut.mock.restore();
  assert.ok(entriesOf(log).some(isOfDeleted));
  const { defects, shops } = await verifyLog(log);
  assert.deepEqual([defects, shops], [[], 2]);
  assert.equal(log.lastSequenceNumber('shop_a'), 0);
  assert.equal(await log.deletions.delete('shop_b', LAST, START_MS), true);
  assert.deepEqual(
    entriesOf(log).filter((entry) => isOfDeleted(entry) || entry.includes('shop_b')),
    [],
  );
  assert.deepEqual((await verifyLog(log)).defects, []);
  await log.close();
});
