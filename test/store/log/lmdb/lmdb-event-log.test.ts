/** The LMDB adapter keeps the promises of the port; further tests are for this adapter alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LmdbEventLog, openLmdbEventLog } from '../../../../src/store/log/lmdb/lmdb-event-log.ts';
import { describeEventLog } from '../event-log-contract.ts';
import { markOf, settingsRecord } from '../sample-records.ts';
import { newLogFolder } from './log-folder.ts';

describeEventLog('lmdb', {
  open: () => openLmdbEventLog({ path: newLogFolder() }),
  reopen: async (log) => {
    assert.ok(log instanceof LmdbEventLog);
    await log.close();
    return openLmdbEventLog({ path: log.tables.folder });
  },
});

test('three thousand shops are listed, in order', async () => {
  const log = openLmdbEventLog({ path: newLogFolder() });
  const ids = Array.from({ length: 3_000 }, (_, index) => `shop_${String(index).padStart(5, '0')}`);
  const results = await Promise.all(ids.map((id) => log.append(id, 0, [settingsRecord(id)])));
  assert.ok(results.every(({ kind }) => kind === 'appended'));
  assert.deepEqual([...log.shopIds()], ids);
  const again = await Promise.all(ids.map((id) => log.append(id, 1, [settingsRecord('again')])));
  assert.ok(again.every(({ kind }) => kind === 'appended'));
  assert.deepEqual(Array.from(log.read('shop_02777', 0), markOf), ['shop_02777', 'again']);
  await log.close();
});

test('a folder with a dot in its name is opened as a folder', async () => {
  const path = `${newLogFolder()}/v1.5/my.shop`;
  const log = openLmdbEventLog({ path });
  assert.equal((await log.append('shop_a', 0, [settingsRecord(1)])).kind, 'appended');
  await log.close();
  const again = openLmdbEventLog({ path });
  assert.equal(again.lastSequenceNumber('shop_a'), 1);
  await again.close();
});
