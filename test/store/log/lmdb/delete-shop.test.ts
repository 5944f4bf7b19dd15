/** A deleted shop is gone for every reader and writer at once and forever; other shops are unchanged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyLog } from '../../../../src/store/log/lmdb/lmdb-content.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../../../../src/store/log/lmdb/lmdb-event-log.ts';
import type { Table } from '../../../../src/store/log/lmdb/log-tables.ts';
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

/** One id begins with another, so that a range that is too wide would be detected. */
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

/** All entries of a log as `table key`, except those that record a deletion. */
function entriesOf({ tables }: LmdbEventLog): string[] {
  const { deletedShops, root, folder, ...others } = tables.newSnapshot();
  return Object.entries(others as unknown as Record<string, Table>).flatMap(([name, table]) =>
    Array.from(table.getKeys(), (key) => `${name} ${key.toString('latin1')}`),
  );
}

const isOfDeleted = (entry: string): boolean =>
  /(?:^|[ _])shop_a(?![0-9A-Za-z_])/.test(entry) ||
  entry.includes(sha256Of('secret of shop_a').toString('latin1'));

test('nothing of a deleted shop is left, and other shops are unchanged', async () => {
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

test('nothing is written under the id of a deleted shop, even by a writer that has its head in memory', async () => {
  const log = await openFilled();
  await log.deletions.delete('shop_a', LAST, START_MS);
  const left = entriesOf(log);
  for (const expected of [LAST, LAST - 1, 0]) {
    const result = await log.append('shop_a', expected, [settingsRecord('late')]);
    assert.deepEqual(result, { kind: 'staleWriter' });
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

test('of a deletion and a write at the same time exactly one is executed', async () => {
  const log = await openFilled();
  let deletions = 0;
  for (let turn = 0; turn < 40; turn++) {
    const shopId = `shop_turn_${turn}`;
    await log.append(shopId, 0, [settingsRecord(1)]);
    const write = () => log.append(shopId, 1, [settingsRecord(2)]);
    const remove = () => log.deletions.delete(shopId, 1, START_MS);
    // What begins later meets the other in a later stage.
    const wait = async () => {
      for (let turns = 0; turns < turn / 8; turns++) await new Promise((resolve) => setImmediate(resolve));
    };
    const [writing, removing] =
      turn % 2 === 0 ? [write(), wait().then(remove)] : [wait().then(write), remove()];
    const [appended, isDeleted] = await Promise.all([writing, removing]);
    assert.equal(appended.kind === 'appended', !isDeleted);
    if (isDeleted) deletions++;
  }
  assert.ok(deletions > 0 && deletions < 40, `${deletions}`);
  assert.deepEqual((await verifyLog(log)).defects, []);
  await log.close();
});

test('an interrupted deletion is no damage, and the next deletion completes it', async (context) => {
  const log = await openFilled();
  const cut = context.mock.method(log.deletions, 'removeRemains', async () => {});
  assert.equal(await log.deletions.delete('shop_a', LAST, START_MS), true);
  cut.mock.restore();
  assert.ok(entriesOf(log).some(isOfDeleted));
  const { defects, shops } = await verifyLog(log);
  assert.deepEqual([defects, shops], [[], 2]);
  assert.equal(log.lastSequenceNumber('shop_a'), 0);
  assert.equal(await log.deletions.delete('shop_b', LAST, START_MS), true);
  assert.ok(!entriesOf(log).some((entry) => isOfDeleted(entry) || entry.includes('shop_b')));
  assert.deepEqual((await verifyLog(log)).defects, []);
  await log.close();
});
