/**
 * A full disk at every place where the log writes: nothing is stored, nothing of it is readable or stored later, reads go on,
 * and the same write succeeds once there is room.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DiskFullError } from '../../../../src/store/log/event-log.ts';
import { pagesOf, SPARE_BYTES } from '../../../../src/store/log/lmdb/file-room.ts';
import { verifyLog } from '../../../../src/store/log/lmdb/lmdb-content.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../../../../src/store/log/lmdb/lmdb-event-log.ts';
import type { Change, Table } from '../../../../src/store/log/lmdb/log-tables.ts';
import { SeededRandom } from '../../../simulator/seeded-random.ts';
import { smallDisk } from '../../../support/small-disk.ts';
import { answeredRecord, imageWith, START_MS, settingsRecord } from '../sample-records.ts';
import { newLogFolder, withLog } from './log-folder.ts';
import { logProgram } from './log-process.ts';

const DISK_MB = 24;
const LARGE = 'x'.repeat(3_000_000);

/** Everything in the tables, as text. */
function contentOf({ tables }: LmdbEventLog): string {
  const { records, checkpoints, shops, answers, keyUse, coverage, shadowResults, versions, deletedShops } =
    tables.newSnapshot();
  const all = [records, checkpoints, shops, answers, keyUse, coverage, shadowResults, versions, deletedShops];
  const text = (table: Table) =>
    Array.from(table.getRange({}), ({ key, value }) => `${key.toString('hex')} ${value.toString('hex')}`);
  return all.map((table) => text(table).join('\n')).join('\n\n');
}

const appended = async (log: LmdbEventLog, shopId: string, after: number, mark: string): Promise<void> => {
  const result = await log.append(shopId, after, [answeredRecord(mark, `key ${mark}`, START_MS)]);
  if (result.kind === 'diskFull') throw result.cause;
  assert.equal(result.kind, 'appended');
};

/** Every kind of write, on shops with two records each, of which `trimmed` has a checkpoint at the first. */
const WRITES: Readonly<Record<string, (log: LmdbEventLog) => Promise<unknown>>> = {
  'a small record': (log) => appended(log, 'shop_a', 2, 'small'),
  'a record of many pages': (log) => appended(log, 'shop_a', 2, LARGE),
  'a first record': (log) => appended(log, 'shop_new', 0, 'first'),
  'a checkpoint': (log) => log.writeCheckpoint('shop_a', { sequenceNumber: 2, image: '{"at":2}' }),
  'a text about a shop': (log) => log.writeShopText('coverage', 'shop_a', LARGE),
  'the removal of a text': (log) => log.writeShopText('shadowResults', 'shop_a', null),
  'the use of a key': (log) => log.writeKeyUse(new Map([['key_1', START_MS]])),
  'old answers': (log) => log.forgetAnswers(START_MS + 1),
  'the removal of records': (log) => log.trim('trimmed', 1),
  'the deletion of a shop': (log) => log.deletions.delete('deleted', 2, START_MS),
};

for (const [what, write] of Object.entries(WRITES)) {
  test(`on a full disk nothing of ${what} is stored, and the write succeeds once there is room`, async (context) => {
    const disk = smallDisk(context, DISK_MB);
    if (disk === null) return;
    const said: boolean[] = [];
    const folder = join(disk.path, 'db');
    const log = openLmdbEventLog({ path: folder, onDiskFull: (isFull) => said.push(isFull) });
    for (const shopId of ['shop_a', 'trimmed', 'deleted']) {
      await appended(log, shopId, 0, 'one');
      await appended(log, shopId, 1, 'two');
    }
    await log.writeCheckpoint('trimmed', { sequenceNumber: 1, image: imageWith('trimmed', []) });
    await log.writeShopText('shadowResults', 'shop_a', 'results');
    const before = contentOf(log);
    disk.fill();
    for (let attempt = 0; attempt < 3; attempt++) await assert.rejects(write(log), DiskFullError);
    assert.equal(contentOf(log), before);
    assert.deepEqual(said, [true]);
    assert.equal([...log.read('shop_a', 0)].length, 2);

    disk.empty();
    await write(log);
    assert.deepEqual(said, [true, false]);
    const after = contentOf(log);
    assert.notEqual(after, before);
    await appended(log, 'shop_later', 0, 'later');
    assert.deepEqual((await verifyLog(log)).defects, []);
    await log.close();
    await withLog(folder, async (again) => {
      assert.equal(again.lastSequenceNumber('shop_later'), 1);
      assert.deepEqual((await verifyLog(again)).defects, []);
    });
  });
}

test('a log on a full disk opens, answers and refuses; a new one is refused with one line', async (context) => {
  const disk = smallDisk(context, DISK_MB);
  if (disk === null) return;
  const folder = join(disk.path, 'db');
  await withLog(folder, (log) => appended(log, 'shop_a', 0, 'one'));
  disk.fill();
  await withLog(folder, async (log) => {
    assert.equal([...log.read('shop_a', 0)].length, 1);
    assert.equal((await log.append('shop_a', 1, [settingsRecord(2)])).kind, 'diskFull');
  });
  const refused = (path: string) =>
    assert.throws(
      () => openLmdbEventLog({ path }),
      (error) => error instanceof DiskFullError && /: the disk is full, /.test(error.message),
    );
  refused(join(disk.path, 'other'));
  // LMDB maps a new lock file, and the kernel kills who writes to a page that the disk cannot hold.
  rmSync(join(folder, 'lock.mdb'));
  disk.fill();
  refused(folder);
  disk.empty();
  await withLog(folder, (log) => appended(log, 'shop_a', 1, 'two'));
});

test('appends that fill the disk are whole or refused, and go on whenever there is room', async (context) => {
  const disk = smallDisk(context, DISK_MB);
  if (disk === null) return;
  const folder = join(disk.path, 'db');
  const log = openLmdbEventLog({ path: folder });
  const random = new SeededRandom(7);
  const shopIds = Array.from({ length: 8 }, (_, index) => `shop_${index}`);
  const last = new Map(shopIds.map((shopId) => [shopId, 0]));
  let refused = 0;
  for (let round = 0; round < 300; round++) {
    if (round % 50 === 25) disk.fill();
    if (round % 50 === 40) disk.empty();
    await Promise.all(
      shopIds.map(async (shopId) => {
        const after = last.get(shopId) ?? 0;
        const size = random.chance(10) ? random.below(60_000) : random.below(500);
        const { kind } = await log.append(shopId, after, [settingsRecord('x'.repeat(size))]);
        if (kind === 'appended') last.set(shopId, after + 1);
        else refused += Number(assert.equal(kind, 'diskFull') ?? 1);
      }),
    );
  }
  assert.ok(refused > 0);
  for (const [shopId, number] of last) assert.equal(log.lastSequenceNumber(shopId), number);
  assert.deepEqual((await verifyLog(log)).defects, []);
  await log.close();
});

/** Runs with the size of files limited to a few MB, as a quota would. */
test('a limit on the size of files is a full disk too', { skip: process.platform === 'win32' }, async () => {
  const folder = newLogFolder();
  const shopIds = Array.from({ length: 16 }, (_, index) => `shop_${index}`);
  const script = 'ulimit -f 12000 && exec "$@"';
  const { stdout, stderr, status } = spawnSync(
    'sh',
    ['-c', script, 'sh', process.execPath, logProgram, 'fill', folder, ...shopIds],
    { encoding: 'utf8', timeout: 300_000 },
  );
  assert.equal(status, 0, stderr);
  assert.equal(stderr, '');
  const answers = stdout.trimEnd().split('\n');
  const last = Object.fromEntries(answers.slice(0, -1).map((line) => line.split(' ')));
  assert.equal(answers.at(-1), 'writes go on false');
  await withLog(folder, async (log) => {
    for (const shopId of shopIds) assert.equal(log.lastSequenceNumber(shopId), Number(last[shopId]));
    assert.deepEqual((await verifyLog(log)).defects, []);
    assert.equal((await log.append('shop_new', 0, [settingsRecord(1)])).kind, 'appended');
  });
});

test('no transaction takes more of the file than was reserved for it', async () => {
  const folder = newLogFolder();
  const random = new SeededRandom(11);
  const keys = new Map<Table, Buffer[]>();
  await withLog(folder, async (log) => {
    const { tables } = log;
    const all = [tables.records, tables.answers, tables.versions, tables.keyUse];
    for (let round = 0; round < 60; round++) {
      const { lastPageNumber: before, pageSize } = tables.usedPages();
      const removes = random.chance(30);
      const changes: Change[] = Array.from({ length: random.chance(50) ? random.below(8) : 1_200 }, () => {
        const table = all[random.below(all.length)] ?? tables.records;
        const known = keys.get(table) ?? [];
        keys.set(table, known);
        const old = removes ? known.pop() : undefined;
        if (old !== undefined) return { table, key: old, value: null };
        const key = Buffer.from(`shop_${random.below(40)}\0${random.below(2 ** 31)}${random.below(2 ** 31)}`);
        if (known.length < 30_000) known.splice(random.below(known.length + 1), 0, key);
        return {
          table,
          key,
          value: Buffer.alloc(random.chance(1) ? random.below(500_000) : random.below(2_000)),
        };
      });
      if (changes.length > 0) await log.commit(changes);
      const taken = tables.usedPages().lastPageNumber - before;
      const reserved = pagesOf(changes, pageSize) + SPARE_BYTES / pageSize;
      assert.ok(taken <= reserved, `round ${round}: ${taken} pages, ${reserved} reserved`);
      const used = (tables.usedPages().lastPageNumber + 1) * pageSize;
      assert.ok(changes.length === 0 || statSync(join(folder, 'data.mdb')).size >= used + SPARE_BYTES / 2);
    }
  });
});
