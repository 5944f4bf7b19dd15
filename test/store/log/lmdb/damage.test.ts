/** Cut, missing, foreign and damaged files are reported; none is served and none kills the process. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { packImage } from '../../../../src/store/log/checkpoint-codec.ts';
import { DamagedLogError, UnusableDataFileError } from '../../../../src/store/log/event-log.ts';
import { prepareFolder } from '../../../../src/store/log/lmdb/data-file.ts';
import { verifyLog } from '../../../../src/store/log/lmdb/lmdb-content.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../../../../src/store/log/lmdb/lmdb-event-log.ts';
import { answerKey, ownedIdKey, recordKey, shopKey } from '../../../../src/store/log/lmdb/table-format.ts';
import { encodeRecord, hashRecord } from '../../../../src/store/log/record-codec.ts';
import { fileCallsOf } from '../../../support/file-calls.ts';
import { answeredRecord, keyRecord, markOf, START_MS, settingsRecord, sha256Of } from '../sample-records.ts';
import { newLogFolder, withLog } from './log-folder.ts';
import { runLogProcess } from './log-process.ts';

const dataFile = (folder: string): string => join(folder, 'data.mdb');

const PAGE_BYTES = 4096;
/** At so many places the data file is cut. */
const CUTS = 6;
/** Records of each shop in `writtenLog`. */
const RECORDS = 60;

/** A closed log with three shops, keys, answers, checkpoints and large records. */
async function writtenLog(): Promise<string> {
  const folder = newLogFolder();
  const log = openLmdbEventLog({ path: folder });
  await Promise.all(
    ['shop_a', 'shop_b', 'shop_c'].map(async (shopId) => {
      const records = Array.from({ length: RECORDS - 2 }, (_, index) => {
        const number = index + 3;
        const text = number % 10 === 0 ? `${number} ${shopId} `.repeat(1500) : `${number} in ${shopId}`;
        return answeredRecord(text, `key ${number}`, START_MS);
      });
      await log.append(shopId, 0, [settingsRecord('first'), keyRecord(`key_${shopId}`, shopId), ...records]);
      const images = [20, 40, 60].map((at) => ({ sequenceNumber: at, image: `{"at":${at}}` }));
      await Promise.all(images.map((checkpoint) => log.writeCheckpoint(shopId, checkpoint)));
    }),
  );
  await log.close();
  return folder;
}

/** Undoes what only a clean stop does. */
const crash = (folder: string): void => rmSync(join(folder, 'clean'), { force: true });

/** Flips one bit of `text`, which occurs once in the data file, `offset` bytes after its start. */
function flip(folder: string, text: string | Buffer, offset = 0): void {
  const bytes = readFileSync(dataFile(folder));
  const at = bytes.indexOf(text);
  assert.ok(at > 0, `${text.toString('latin1')} is not in the file`);
  for (let copy = at; copy >= 0; copy = bytes.indexOf(text, copy + text.length)) {
    bytes[copy + offset] = (bytes[copy + offset] ?? 0) ^ 0x10;
  }
  writeFileSync(dataFile(folder), bytes);
}

const places = async (log: LmdbEventLog): Promise<string[]> =>
  (await verifyLog(log)).defects.map(({ shopId, sequenceNumber }) => `${shopId} ${sequenceNumber}`);

test('an undamaged log has no defects, and the report counts its content', async () => {
  const folder = await writtenLog();
  const report = await withLog(folder, (log) => verifyLog(log));
  // Each key twice; each answer, and each note of the audit.
  const indexEntries = 3 * 2 + 3 * 58 + 3 * 59;
  assert.deepEqual(report, { shops: 3, records: 180, checkpoints: 9, indexEntries, defects: [] });
});

test('the error of a flipped bit in a record names shop and number, and other shops are still served', async () => {
  const folder = await writtenLog();
  flip(folder, 'Shop 17 in shop_b', 6);
  await withLog(folder, async (log) => {
    assert.throws(
      () => [...log.read('shop_b', 0)],
      (error) => error instanceof DamagedLogError && error.shopId === 'shop_b' && error.sequenceNumber === 17,
    );
    assert.equal(Array.from(log.read('shop_b', 0, 16)).length, 16);
    assert.equal(Array.from(log.read('shop_b', 18)).length, 42);
    assert.throws(() => [...log.read('shop_b', 17)], /record 17: its checksum does not match/);
    assert.throws(() => log.findAnswer('shop_b', 'key 17', 0), DamagedLogError);
    assert.equal(Array.from(log.read('shop_a', 0)).length, 60);
    const found = await places(log);
    assert.ok(found.includes('shop_b 17'));
    assert.ok(
      found.every((place) => /^shop_b 1[78]$/.test(place)),
      found.join(),
    );
  });
});

test('a flipped bit in a record of many pages is detected', async () => {
  const folder = await writtenLog();
  flip(folder, '30 shop_c 30 shop_c 30 shop_c', 3);
  await withLog(folder, async (log) => {
    assert.throws(() => [...log.read('shop_c', 20)], DamagedLogError);
    assert.ok((await places(log)).includes('shop_c 30'));
  });
});

test('a damaged checkpoint is skipped and reported', async () => {
  const folder = await writtenLog();
  flip(folder, await packImage(Buffer.from('{"at":60}')), 1);
  await withLog(folder, async (log) => {
    assert.deepEqual(log.latestCheckpoint('shop_a'), { sequenceNumber: 40, image: '{"at":40}' });
    assert.deepEqual(await places(log), ['shop_a 60', 'shop_b 60', 'shop_c 60']);
  });
});

test('a checkpoint at a damaged record is skipped', async () => {
  const folder = await writtenLog();
  flip(folder, '60 shop_a 60 shop_a 60 shop_a', 3);
  await withLog(folder, (log) => assert.equal(log.latestCheckpoint('shop_a')?.sequenceNumber, 40));
});

test('a damaged entry of a key is refused and reported', async () => {
  const folder = await writtenLog();
  flip(folder, '["shop_b","key_shop_b","write"]', 3);
  await withLog(folder, async (log) => {
    assert.throws(() => log.findKey(sha256Of('shop_b')), DamagedLogError);
    assert.equal(log.findKey(sha256Of('shop_a'))?.keyId, 'key_shop_a');
    assert.deepEqual(await places(log), ['shop_b 0']);
  });
});

test('missing and swapped records are detected, also the last ones', async () => {
  const folder = await writtenLog();
  await withLog(folder, async ({ tables: { records, shops } }) => {
    const exchanged = records.get(recordKey('shop_b', 5)) ?? assert.fail();
    await Promise.all([
      records.remove(recordKey('shop_a', 60)),
      records.remove(recordKey('shop_a', 59)),
      records.put(recordKey('shop_b', 6), exchanged),
      records.put(recordKey('shop_d', 1), exchanged),
      shops.remove(shopKey('shop_c')),
    ]);
  });
  await withLog(folder, async (log) => {
    assert.throws(() => [...log.read('shop_a', 50)], /record 59: it is missing/);
    assert.throws(() => [...log.read('shop_b', 0)], /record 6: it carries the number 5/);
    assert.throws(() => log.lastSequenceNumber('shop_c'), /missing from the table of shops/);
    assert.throws(() => [...log.read('shop_d', 0)], DamagedLogError);
    const found = await places(log);
    for (const place of ['shop_a 60', 'shop_b 6', 'shop_c 0', 'shop_d 1'])
      assert.ok(found.includes(place), place);
  });
});

test('a record that was replaced with a valid one breaks the chain', async () => {
  const folder = await writtenLog();
  await withLog(folder, async ({ tables: { records } }) => {
    for (const number of [10, 60]) {
      const before = records.get(recordKey('shop_a', number - 1)) ?? assert.fail();
      const forged = encodeRecord('shop_a', number, hashRecord(before), settingsRecord('forged'));
      await records.put(recordKey('shop_a', number), forged);
    }
  });
  await withLog(folder, async (log) => {
    assert.throws(() => [...log.read('shop_a', 0)], /record 11: it does not follow the record before it/);
    assert.throws(() => [...log.read('shop_a', 11)], /record 60: it is not the record that was written last/);
    const found = await places(log);
    assert.ok(found.includes('shop_a 11') && found.includes('shop_a 60'));
  });
});

test('index entries that are missing or have no record are reported', async () => {
  const folder = await writtenLog();
  await withLog(folder, async ({ tables: { answers, apiKeys, keyIds, shops } }) => {
    const entry = answers.get(answerKey('shop_a', 'key 5', 5)) ?? assert.fail();
    await Promise.all([
      answers.remove(answerKey('shop_a', 'key 4', 4)),
      answers.put(answerKey('shop_a', 'no such key', 5), entry),
      apiKeys.remove(sha256Of('shop_a')),
      apiKeys.put(sha256Of('nobody'), entry),
      keyIds.remove(ownedIdKey('shop_b', 'key_shop_b')),
      keyIds.put(ownedIdKey('shop_b', 'key_x'), entry),
      shops.put(Buffer.from('shop_e'), entry),
    ]);
  });
  await withLog(folder, async (log) => {
    assert.deepEqual((await places(log)).sort(), [
      '? 0',
      'shop_a 0',
      'shop_a 4',
      'shop_a 5',
      'shop_b 0',
      'shop_b 0',
      'shop_e 0',
    ]);
  });
});

test('forgotten answers are not reported as missing; later ones are', async () => {
  const folder = newLogFolder();
  await withLog(folder, async (log) => {
    await log.append(
      'shop_a',
      0,
      [1, 2, 3].map((at) => answeredRecord(at, `key ${at}`, at)),
    );
    assert.equal(await log.forgetAnswers(3), 2);
    assert.deepEqual((await verifyLog(log)).defects, []);
    await log.tables.answers.remove(answerKey('shop_a', 'key 3', 3));
    assert.deepEqual(await places(log), ['shop_a 3']);
  });
});

test('a data file cut at a page, or a byte beside one, is refused or complete, and never crashes', async () => {
  const folder = await writtenLog();
  // Behind the last page is only room for more.
  const { pageSize, lastPage } = lastPageOf(folder);
  const size = (lastPage + 1) * pageSize;
  const lengths = new Set([0, 1, 24, 100, size]);
  // Each opening reads the file in a process of its own, so not every page is tried.
  const step = PAGE_BYTES * Math.ceil(size / PAGE_BYTES / CUTS);
  for (let at = PAGE_BYTES; at < size; at += step) for (const by of [-1, 0, 1]) lengths.add(at + by);
  const { status, signal, stdout, stderr } = runLogProcess('open-cut', folder, ...[...lengths].map(String));
  assert.deepEqual({ status, signal }, { status: 0, signal: null }, stderr);
  const outcomes = stdout.trimEnd().split('\n');
  assert.equal(outcomes.length, lengths.size);
  const refused = outcomes.filter((line) => line.endsWith(' UnusableDataFileError'));
  const whole = outcomes.filter((line) => line.endsWith(' whole'));
  assert.ok(whole.includes(`${size} whole`));
  assert.deepEqual(outcomes.length, refused.length + whole.length, 'there is no other outcome');
  // A few pages at the end are free: each of them gives three lengths that are complete.
  assert.ok(refused.length >= lengths.size - 13, `${whole.length} whole`);
});

test('a file that ends early because its last pages are free is complete', async () => {
  const folder = newLogFolder();
  await withLog(folder, async ({ tables }) => {
    const keys = Array.from({ length: 300 }, (_, index) =>
      Buffer.from(`key ${String(index).padStart(4, '0')}`),
    );
    // One commit fills pages and empties them again: they are allocated and never written.
    await tables.root.batch(() => {
      for (const key of keys) tables.keyUse.put(key, Buffer.alloc(500));
      for (const key of keys) tables.keyUse.remove(key);
    });
  });
  const { pageSize, lastPage } = lastPageOf(folder);
  assert.ok(statSync(dataFile(folder)).size < (lastPage + 1) * pageSize, 'the file is not short');
  await withLog(folder, async (log) => {
    assert.equal((await log.append('shop_a', 0, [settingsRecord(1)])).kind, 'appended');
    assert.deepEqual((await verifyLog(log)).defects, []);
  });
});

function lastPageOf(folder: string): { readonly pageSize: number; readonly lastPage: number } {
  const bytes = readFileSync(dataFile(folder));
  const pageSize = bytes.readUInt32LE(48);
  const [first, second] = [0, pageSize].map((at) => ({
    transaction: bytes.readBigUInt64LE(at + 24 + 128),
    lastPage: Number(bytes.readBigUInt64LE(at + 24 + 120)),
  }));
  const newest = first && second && first.transaction > second.transaction ? first : second;
  return { pageSize, lastPage: newest?.lastPage ?? 0 };
}

const DAMAGED = /data\.mdb is damaged \(.+\): restore a backup$/;

test('a log with a torn page is refused with one line', async () => {
  const folder = await writtenLog();
  const bytes = readFileSync(dataFile(folder));
  const at = bytes.indexOf('Shop 17 in shop_b');
  const page = at - (at % 4096);
  bytes.writeUInt16LE(0xfff0, page + 24);
  writeFileSync(dataFile(folder), bytes);
  crash(folder);
  unusable(folder, DAMAGED);
});

const unusable = (path: string, message: RegExp): void =>
  assert.throws(
    () => openLmdbEventLog({ path }),
    (error) =>
      error instanceof UnusableDataFileError && message.test(error.message) && !error.message.includes('\n'),
  );

test('a folder that is not a log is refused with one line that names the reason', async () => {
  const folder = newLogFolder();
  mkdirSync(folder);
  writeFileSync(dataFile(folder), 'x'.repeat(10_000));
  unusable(folder, /data\.mdb is damaged \(it is no file of LMDB\): restore a backup$/);
  rmSync(dataFile(folder));
  mkdirSync(dataFile(folder));
  unusable(folder, /is not a file$/);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  unusable(file, /is not a folder$/);
  unusable(join(file, 'below'), /ENOTDIR|EEXIST/);
});

test('a folder that the system does not allow is refused, and the attempt ends', () => {
  const folder = join(newLogFolder(), 'deep', 'below');
  assert.ok(!existsSync(folder));
  void openLmdbEventLog({ path: folder }).close();
  assert.ok(existsSync(folder));
  if (process.platform === 'linux') unusable('/proc/none/below', /^data folder \/proc\/none\/below: ENOENT/);
});

test('a missing or empty data file is detected, and no new log replaces it', async () => {
  const folder = await writtenLog();
  truncateSync(dataFile(folder), 0);
  unusable(folder, /is missing or empty; restore it from a backup$/);
  rmSync(dataFile(folder));
  unusable(folder, /is missing or empty; restore it from a backup$/);
  assert.ok(!existsSync(dataFile(folder)));
});

test('a file of the log that cannot be opened is named', async () => {
  const folder = await writtenLog();
  for (const name of ['lock.mdb', 'data.mdb']) {
    const path = join(folder, name);
    rmSync(path);
    mkdirSync(path);
    unusable(folder, new RegExp(`/${name} is not a file$`));
    rmSync(path, { recursive: true });
    symlinkSync(join(folder, 'nowhere'), path);
    unusable(folder, new RegExp(`/${name} is a link that leads nowhere$`));
    rmSync(path);
    writeFileSync(path, '');
    chmodSync(path, 0);
    // Root can open it.
    if (process.getuid?.() !== 0) unusable(folder, /EACCES/);
    rmSync(path);
  }
  const link = join(folder, 'link');
  symlinkSync(join(folder, 'nowhere'), link);
  unusable(link, /\/link is a link that leads nowhere$/);
});

test('a log of a later format is refused', async () => {
  const folder = await writtenLog();
  writeFileSync(join(folder, 'format'), 'ratewright log 2\n');
  unusable(folder, /was written by a later version \(log format 2\)$/);
  writeFileSync(join(folder, 'format'), 'ratewright');
  unusable(folder, /format is damaged$/);
});

test('a data file alone, such as a restored backup, is a log', async () => {
  const folder = await writtenLog();
  rmSync(join(folder, 'format'));
  rmSync(join(folder, 'lock.mdb'));
  await withLog(folder, (log) => assert.equal(Array.from(log.read('shop_a', 58), markOf).length, 2));
  assert.ok(existsSync(join(folder, 'format')));
});

test('only the owner can read the folder of a log', async () => {
  const folder = await writtenLog();
  assert.equal(statSync(folder).mode & 0o777, 0o700);
});

test('the names of a new folder and its parents are on disk before anything is written into it', (context) => {
  const folder = newLogFolder();
  const top = dirname(folder);
  const inner = join(top, 'a/b/db');
  assert.deepEqual(
    fileCallsOf(context, () => prepareFolder(inner)),
    [
      `mkdir ${join(top, 'a')}`,
      `sync ${top}`,
      `mkdir ${join(top, 'a/b')}`,
      `sync ${join(top, 'a')}`,
      `mkdir ${inner}`,
      `sync ${join(top, 'a/b')}`,
    ],
  );
});

test('damaged results of a changeset are detected, and nothing else is lost', async () => {
  const folder = await writtenLog();
  await withLog(folder, (log) => log.writeShopText('shadowResults', 'shop_b', '{"marked":"results"}'));
  assert.deepEqual(await withLog(folder, places), []);
  flip(folder, '{"marked":"results"}', 4);
  await withLog(folder, async (log) => {
    assert.throws(() => log.readShopText('shadowResults', 'shop_b'), DamagedLogError);
    assert.equal([...log.read('shop_b', 0)].length, RECORDS);
    const { defects } = await verifyLog(log);
    assert.equal(defects.map(({ shopId }) => shopId).join(), 'shop_b');
  });
});

test('a clean stop leaves a mark that spares the next opening the check, once and only for the same file', async () => {
  const folder = await writtenLog();
  const mark = join(folder, 'clean');
  const torn = (): void => {
    const bytes = readFileSync(dataFile(folder));
    const page = bytes.indexOf('Shop 17 in shop_b') & ~(PAGE_BYTES - 1);
    bytes.writeUInt16LE(0xfff0, page + 24);
    writeFileSync(dataFile(folder), bytes);
  };
  assert.ok(existsSync(mark));
  const log = openLmdbEventLog({ path: folder });
  assert.ok(!existsSync(mark), 'a crash from now on leaves none');
  assert.equal((await log.append('shop_new', 0, [settingsRecord(1)])).kind, 'appended');
  await log.close();
  const marked = readFileSync(mark);

  // What happens to a file after a clean stop is not looked for, unless the check is asked for.
  torn();
  assert.throws(() => openLmdbEventLog({ path: folder, check: 'always' }), UnusableDataFileError);
  // The opening before took the mark away, as a crash does.
  unusable(folder, DAMAGED);
  const old = await writtenLog();
  writeFileSync(join(old, 'clean'), marked);
  const bytes = readFileSync(dataFile(old));
  bytes.writeUInt16LE(0xfff0, (bytes.indexOf('Shop 17 in shop_b') & ~(PAGE_BYTES - 1)) + 24);
  writeFileSync(dataFile(old), bytes);
  unusable(old, DAMAGED);
});

test('a log that failed or was only read leaves no mark', async () => {
  const folder = await writtenLog();
  const mark = join(folder, 'clean');
  const failed = openLmdbEventLog({ path: folder });
  await failed.writer.commit([], () => Promise.reject(new Error('no flush')));
  await failed.close();
  assert.ok(!existsSync(mark));
  await openLmdbEventLog({ path: folder, isReadOnly: true }).close();
  assert.ok(!existsSync(mark));
});
