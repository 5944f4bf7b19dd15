/** A backup is the complete log at one moment, or it is refused. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { DamagedLogError } from '../../../../src/store/log/event-log.ts';
import { backupLog } from '../../../../src/store/log/lmdb/backup-log.ts';
import { verifyLog } from '../../../../src/store/log/lmdb/lmdb-content.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../../../../src/store/log/lmdb/lmdb-event-log.ts';
import { recordKey } from '../../../../src/store/log/lmdb/table-format.ts';
import { CopyRefusedError } from '../../../../src/store/log/log-copy.ts';
import { answeredRecord, markOf, START_MS, settingsRecord } from '../sample-records.ts';
import { newLogFolder } from './log-folder.ts';

/** An empty folder beside that of the log. */
function folderBeside(folder: string): string {
  const path = join(dirname(folder), 'backup');
  mkdirSync(path);
  return path;
}

/** Restores a backup into a folder and opens the log. */
function restored(from: string): LmdbEventLog {
  const folder = newLogFolder();
  mkdirSync(folder);
  copyFileSync(join(from, 'data.mdb'), join(folder, 'data.mdb'));
  return openLmdbEventLog({ path: folder });
}

test('a backup made during writes opens, verifies and has all records from before it', async () => {
  const folder = newLogFolder();
  const target = folderBeside(folder);
  const log = openLmdbEventLog({ path: folder });
  let isDone = false;
  let last = 0;
  const writing = (async () => {
    while (!isDone) {
      const records = [
        answeredRecord(last + 1, `key ${last}`, START_MS),
        settingsRecord('x'.repeat(last % 9000)),
      ];
      assert.equal((await log.append('shop_a', last, records)).kind, 'appended');
      last += 2;
    }
  })();
  while (last < 200) await new Promise((resolve) => setImmediate(resolve));
  const before = last;
  const report = await backupLog(log, target);
  isDone = true;
  await writing;
  const copy = restored(target);
  const length = copy.lastSequenceNumber('shop_a');
  assert.ok(before <= length && length <= last);
  assert.equal(report.records, length);
  assert.deepEqual((await verifyLog(copy)).defects, []);
  assert.deepEqual(
    Array.from(copy.read('shop_a', 0), markOf),
    Array.from(log.read('shop_a', 0, length), markOf),
  );
  assert.equal((await copy.append('shop_a', length, [settingsRecord('after')])).kind, 'appended');
  await Promise.all([copy.close(), log.close()]);
});

test('a copy without disk space is refused', async (context) => {
  const folder = newLogFolder();
  const log = openLmdbEventLog({ path: folder });
  context.mock.method(log.tables.root, 'backup', () => Promise.reject(new Error('No space left on device')));
  await assert.rejects(backupLog(log, folderBeside(folder)), {
    name: CopyRefusedError.name,
    message: 'the copy cannot be written: No space left on device',
  });
  await log.close();
});

test('a damaged log is not backed up', async () => {
  const folder = newLogFolder();
  const log = openLmdbEventLog({ path: folder });
  await log.append('shop_a', 0, [settingsRecord(1), settingsRecord(2)]);
  await log.tables.records.remove(recordKey('shop_a', 1));
  const damage = new DamagedLogError('shop_a', 1, 'it is missing');
  await assert.rejects(backupLog(log, folderBeside(folder)), { name: damage.name, message: damage.message });
  await log.close();
});
