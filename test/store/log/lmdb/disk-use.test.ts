import assert from 'node:assert/strict';
import { rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { dataFileIn, readDiskUse } from '../../../../src/store/log/lmdb/data-file.ts';
import { openLmdbEventLog } from '../../../../src/store/log/lmdb/lmdb-event-log.ts';
import { settingsRecord } from '../sample-records.ts';
import { newLogFolder } from './log-folder.ts';

test('the size of the data file is reported, and 0 when it was removed under an open log', async () => {
  const folder = newLogFolder();
  const log = openLmdbEventLog({ path: folder });
  const use = await readDiskUse(folder);
  assert.equal(use.fileBytes, statSync(dataFileIn(folder)).size);
  assert.ok(use.fileBytes > 0 && use.freeBytes > 0);
  rmSync(dataFileIn(folder));
  const without = await readDiskUse(folder);
  assert.ok(without.fileBytes === 0 && without.freeBytes > 0);
  // Growing the file makes no other one in its place, which would hide the loss until the next start.
  const large = [settingsRecord('x'.repeat(6_000_000))];
  assert.equal((await log.append('shop_a', 0, large)).kind, 'appended');
  assert.equal((await readDiskUse(folder)).fileBytes, 0);
  await log.close();
  rmSync(dirname(folder), { recursive: true });
  assert.deepEqual(await readDiskUse(folder), { fileBytes: 0, freeBytes: 0 });
});
