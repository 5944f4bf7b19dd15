/** A backup is the complete log at one moment, or there is no backup. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
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

/** Restores a backup file into a folder and opens the log. */
function restored(file: string): LmdbEventLog {
  const folder = newLogFolder();
  mkdirSync(folder);
  copyFileSync(file, join(folder, 'data.mdb'));
  return openLmdbEventLog({ path: folder });
}

test('a backup made during writes opens, verifies and has all records from before it', async () => {
  const folder = newLogFolder();
  const target = join(dirname(folder), 'backup.mdb');
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
  assert.equal(statSync(target).mode & 0o777, 0o600);
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
  assert.deepEqual(readdirSync(dirname(folder)).sort(), ['backup.mdb', 'db']);
});

test('a backup never overwrites', async () => {
  const folder = newLogFolder();
  const log = openLmdbEventLog({ path: folder });
  const target = join(dirname(folder), 'taken');
  writeFileSync(target, 'precious');
  await assert.rejects(backupLog(log, target), CopyRefusedError);
  assert.equal(readFileSync(target, 'utf8'), 'precious');
  await assert.rejects(backupLog(log, join(folder, 'no', 'such', 'folder')), CopyRefusedError);
  await log.close();
});

test('a copy without disk space is refused, names the file, and leaves nothing', async (context) => {
  const folder = newLogFolder();
  const log = openLmdbEventLog({ path: folder });
  const target = join(dirname(folder), 'backup');
  context.mock.method(log.tables.root, 'backup', () => Promise.reject(new Error('No space left on device')));
  await assert.rejects(backupLog(log, target), {
    name: CopyRefusedError.name,
    message: `${target} cannot be written: No space left on device`,
  });
  assert.deepEqual(readdirSync(dirname(folder)), ['db']);
  await log.close();
});

test('the next backup removes the unfinished copy of a killed process, and no other', async () => {
  const folder = newLogFolder();
  const parent = dirname(folder);
  const { pid: endedPid } = spawnSync(process.execPath, ['--version']);
  const unfinished = (host: string, pid: number) => `${host}-${pid}-AbC123`;
  const left = [unfinished(hostname(), endedPid), unfinished(hostname(), process.pid)];
  const kept = [unfinished(hostname(), process.ppid), unfinished('another-host', endedPid)];
  for (const name of [...left, ...kept]) {
    mkdirSync(join(parent, `monday.mdb.unfinished-${name}`));
    writeFileSync(join(parent, `monday.mdb.unfinished-${name}`, 'data.mdb'), 'half a copy');
  }
  const log = openLmdbEventLog({ path: folder });
  // Two at the same time, so that each finds the unfinished copy of the other.
  await Promise.all(['a.mdb', 'b.mdb'].map((name) => backupLog(log, join(parent, name))));
  await log.close();
  assert.deepEqual(
    readdirSync(parent).sort(),
    ['a.mdb', 'b.mdb', 'db', ...kept.map((name) => `monday.mdb.unfinished-${name}`)].sort(),
  );
});

test('a damaged log is not backed up', async () => {
  const folder = newLogFolder();
  const log = openLmdbEventLog({ path: folder });
  await log.append('shop_a', 0, [settingsRecord(1), settingsRecord(2)]);
  await log.tables.records.remove(recordKey('shop_a', 1));
  const target = join(dirname(folder), 'backup');
  const damage = new DamagedLogError('shop_a', 1, 'it is missing');
  await assert.rejects(backupLog(log, target), { name: damage.name, message: damage.message });
  assert.ok(!existsSync(target));
  assert.deepEqual(readdirSync(dirname(folder)), ['db']);
  await log.close();
});
