/** A log whose first records were removed: verified, backed up, interrupted during the removal, damaged. */
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { ApiKey } from '../../../src/domain/api-key.ts';
import { DamagedLogError } from '../../../src/log/event-log.ts';
import { backupLog } from '../../../src/log/lmdb/backup-log.ts';
import type { LmdbEventLog } from '../../../src/log/lmdb/lmdb-event-log.ts';
import {
  ownedIdKey,
  recordKey,
  sealBeginning,
  sealHead,
  sealVersion,
  shopKey,
  unsealBeginning,
  unsealHead,
  versionKey,
} from '../../../src/log/lmdb/table-format.ts';
import { verifyLog } from '../../../src/log/lmdb/verify-log.ts';
import { hashRecord } from '../../../src/log/record-codec.ts';
import {
  imageWith,
  keyRecord,
  revokeRecord,
  sampleVersionId,
  settingsRecord,
  versionRecord,
} from '../sample-records.ts';
import { newLogFolder, withLog } from './log-folder.ts';

const SHOP = 'shop_a';
const RECORDS = 1300;
const KEPT_AFTER = 1200;

const keyOf = (record: ReturnType<typeof keyRecord>): ApiKey => {
  assert.ok(record.event.kind === 'keyCreated');
  return record.event.key;
};

/** Two keys, then versions in batches of three, and a revocation near the end; not trimmed yet. */
async function filled(log: LmdbEventLog): Promise<void> {
  const keys = [keyRecord('key_1', 'one'), keyRecord('key_2', 'two')];
  const versions = Array.from({ length: RECORDS - keys.length - 1 }, (_, index) =>
    versionRecord(index + 1, `batch_${Math.floor(index / 3)}`),
  );
  await log.append(SHOP, 0, [...keys, ...versions, revokeRecord('key_1')]);
  await log.writeCheckpoint(SHOP, { sequenceNumber: 600, image: '{}' });
  await log.writeCheckpoint(SHOP, { sequenceNumber: KEPT_AFTER, image: imageWith(SHOP, keys.map(keyOf)) });
  await log.append('shop_b', 0, [versionRecord(1), settingsRecord(2)]);
}

const defectsOf = async (log: LmdbEventLog): Promise<string[]> =>
  (await verifyLog(log)).defects.map(
    ({ shopId, sequenceNumber, what }) => `${shopId} ${sequenceNumber} ${what}`,
  );

test('a trimmed log verifies, frees the removed pages and can be backed up', async () => {
  const folder = newLogFolder();
  await withLog(folder, async (log) => {
    await filled(log);
    assert.deepEqual(await defectsOf(log), []);
    assert.equal(await log.trim(SHOP, KEPT_AFTER), KEPT_AFTER);
    const { defects, records, checkpoints } = await verifyLog(log);
    assert.deepEqual({ defects, records, checkpoints }, { defects: [], records: 102, checkpoints: 1 });
    assert.equal(log.tables.versions.getKeysCount(), 100);
    assert.equal(log.tables.versionIds.getKeysCount(), 51, 'the ids of the others end with the number');
    const report = await backupLog(log, join(dirname(folder), 'copy.mdb'));
    assert.equal(report.records, 102);
  });
});

test('an interrupted removal is invisible, and the next removal completes it', async () => {
  await withLog(newLogFolder(), async (log) => {
    await filled(log);
    const { tables } = log;
    const record = tables.records.get(recordKey(SHOP, KEPT_AFTER));
    assert.ok(record !== undefined);
    const key = shopKey(SHOP);
    const beginning = { sequenceNumber: KEPT_AFTER, hash: hashRecord(record) };
    await tables.beginnings.put(key, sealHead(key, beginning));
    await tables.records.remove(recordKey(SHOP, 1));
    assert.deepEqual(await defectsOf(log), []);
    assert.throws(() => [...log.read(SHOP, KEPT_AFTER - 1)], DamagedLogError);
    assert.equal(log.findVersion(SHOP, sampleVersionId(5)), null);
    assert.equal(log.oldestVersion(SHOP)?.sequenceNumber, KEPT_AFTER + 1);
    assert.equal(log.latestCheckpoint(SHOP, KEPT_AFTER - 1), null);
    assert.equal(await log.trim(SHOP, KEPT_AFTER), KEPT_AFTER - 1);
    assert.equal(tables.versions.getKeysCount(), 100);
    assert.deepEqual(await defectsOf(log), []);
  });
});

test('an interrupted removal that keeps a version is invisible, and the next removal completes it', async () => {
  await withLog(newLogFolder(), async (log) => {
    await filled(log);
    await log.append(SHOP, RECORDS, [settingsRecord('a'), settingsRecord('b')]);
    const { tables } = log;
    const headAt = (sequenceNumber: number) => {
      const record = tables.records.get(recordKey(SHOP, sequenceNumber));
      assert.ok(record !== undefined);
      return { sequenceNumber, hash: hashRecord(record) };
    };
    // The last version is the record before the revocation.
    const upTo = RECORDS + 1;
    const image = imageWith(SHOP, [keyOf(keyRecord('key_2', 'two'))]);
    for (const at of [RECORDS - 2, upTo]) await log.writeCheckpoint(SHOP, { sequenceNumber: at, image });
    const key = shopKey(SHOP);
    const beginning = { ...headAt(upTo), kept: headAt(RECORDS - 2) };
    await tables.beginnings.put(key, sealBeginning(key, beginning));
    await tables.records.remove(recordKey(SHOP, 1));
    assert.deepEqual(await defectsOf(log), []);
    assert.equal(log.oldestVersion(SHOP)?.sequenceNumber, RECORDS - 1);
    assert.equal(log.versionAt(SHOP, RECORDS - 4), null);
    assert.equal(log.latestCheckpoint(SHOP, RECORDS - 3), null);
    assert.equal(await log.trim(SHOP, upTo, RECORDS - 3), upTo - 2);
    assert.equal(tables.versions.getKeysCount(), 2, 'one of each shop');
    assert.equal(tables.checkpoints.getKeysCount(), 2);
    assert.deepEqual(await defectsOf(log), []);
  });
});

test('a missing part at the beginning of a trimmed log is named', async () => {
  await withLog(newLogFolder(), async (log) => {
    await filled(log);
    await log.trim(SHOP, KEPT_AFTER);
    const { tables } = log;
    const checkpointKey = recordKey(SHOP, KEPT_AFTER);
    const checkpoint = tables.checkpoints.get(checkpointKey);
    assert.ok(checkpoint !== undefined);
    await tables.checkpoints.remove(checkpointKey);
    const [first = ''] = await defectsOf(log);
    assert.equal(first, `shop_a ${KEPT_AFTER} the checkpoint that the log begins with: it is missing`);
    await tables.checkpoints.put(checkpointKey, checkpoint);
    assert.deepEqual(await defectsOf(log), []);

    // Also an entry that is shorter than its header.
    for (const damaged of ['damaged', 'RWI']) {
      await tables.beginnings.put(shopKey(SHOP), Buffer.from(damaged));
      assert.ok((await defectsOf(log)).includes('shop_a 0 the entry of its beginning is damaged'));
      assert.throws(() => log.oldestVersion(SHOP), DamagedLogError);
    }
    await tables.beginnings.remove(shopKey(SHOP));
    assert.ok((await defectsOf(log)).includes('shop_a 1 it is missing'), 'the removed records are reported');
  });
});

test('missing, wrong and superfluous entries of versions are named', async () => {
  await withLog(newLogFolder(), async (log) => {
    await filled(log);
    await log.trim(SHOP, KEPT_AFTER);
    const { versions, versionIds } = log.tables;
    const [key, idKey] = [versionKey(SHOP, 1251), ownedIdKey(SHOP, sampleVersionId(1251))];
    const [entry, idEntry] = [versions.get(key), versionIds.get(idKey)];
    const known = log.versionAt(SHOP, 1251);
    assert.ok(entry !== undefined && idEntry !== undefined && known !== null);
    const isOff = `shop_a ${known.sequenceNumber} the index entry of its version is missing or wrong`;
    const tooMany = 'shop_a 0 the index of versions has an entry of a version that no record makes';

    await versions.remove(key);
    assert.deepEqual(await defectsOf(log), [isOff, tooMany]);
    await versions.put(key, sealVersion(key, { ...known, batchRun: 7 }));
    assert.deepEqual(await defectsOf(log), [isOff]);
    await versions.put(key, Buffer.from('damaged'));
    assert.deepEqual(await defectsOf(log), [isOff]);
    assert.throws(() => log.versionAt(SHOP, 1251), DamagedLogError);
    await versions.put(key, entry);
    await versionIds.remove(idKey);
    assert.deepEqual(await defectsOf(log), [isOff]);
    await versionIds.put(idKey, idEntry);
    const extraId = ownedIdKey(SHOP, 'version_ofNone');
    await versionIds.put(extraId, idEntry);
    assert.deepEqual(await defectsOf(log), [tooMany]);
    await versionIds.remove(extraId);
    const extra = versionKey(SHOP, 5000);
    await versions.put(extra, sealVersion(extra, known));
    assert.deepEqual(await defectsOf(log), [tooMany]);
    await versions.remove(extra);
    await versions.put(versionKey('shop_c', 1), entry);
    assert.deepEqual(await defectsOf(log), [
      '? 0 the index of versions has an entry that belongs to no shop',
    ]);
  });
});

/** Ten changesets after the last version; the log is trimmed in the middle of them. */
async function filledWithChangesets(log: LmdbEventLog): Promise<void> {
  const keys = [keyRecord('key_1', 'one'), keyRecord('key_2', 'two')];
  const others = Array.from({ length: 10 }, (_, index) => settingsRecord(index));
  await log.append(SHOP, 0, [...keys, versionRecord(1, 'batch'), versionRecord(2, 'batch'), ...others]);
  for (const at of [3, 8]) {
    await log.writeCheckpoint(SHOP, { sequenceNumber: at, image: imageWith(SHOP, keys.map(keyOf)) });
  }
  assert.equal(await log.trim(SHOP, 8, 2), 7);
}

test('a version that is kept before the beginning is verified, backed up and found', async () => {
  const folder = newLogFolder();
  await withLog(folder, async (log) => {
    await filledWithChangesets(log);
    const { defects, records, checkpoints } = await verifyLog(log);
    assert.deepEqual({ defects, records, checkpoints }, { defects: [], records: 7, checkpoints: 2 });
    assert.equal(log.tables.versions.getKeysCount(), 1);
    assert.equal((await backupLog(log, join(dirname(folder), 'copy.mdb'))).records, 7);
  });
  await withLog(folder, async (log) => {
    assert.deepEqual(
      Array.from(log.read(SHOP, 3, 4), ({ event }) => event),
      [versionRecord(2, 'batch').event],
    );
    await log.append(SHOP, 14, [versionRecord(3, 'batch')]);
    assert.equal(log.versionAt(SHOP, 3)?.batchRun, 3);
    assert.deepEqual(await defectsOf(log), []);
  });
});

test('a damaged or missing kept version is named, and never served', async () => {
  await withLog(newLogFolder(), async (log) => {
    await filledWithChangesets(log);
    const { records, checkpoints, beginnings } = log.tables;
    const spoilt = async (table: typeof records, key: Buffer, value: Buffer | null): Promise<string[]> => {
      const stored = table.get(key);
      assert.ok(stored !== undefined);
      await (value === null ? table.remove(key) : table.put(key, value));
      const found = await defectsOf(log);
      assert.throws(() => [log.versionAt(SHOP, 2), ...log.read(SHOP, 3, 4), restored(log)], DamagedLogError);
      await table.put(key, stored);
      assert.deepEqual(await defectsOf(log), []);
      return found;
    };
    const restored = ({ latestCheckpoint }: LmdbEventLog) => {
      if (latestCheckpoint.call(log, SHOP, 4) === null) throw new DamagedLogError(SHOP, 3, 'no checkpoint');
    };
    const record = records.get(recordKey(SHOP, 4));
    const rotten = Buffer.from(record ?? []);
    rotten[rotten.length - 3] = (rotten[rotten.length - 3] ?? 0) ^ 1;
    assert.deepEqual(await spoilt(records, recordKey(SHOP, 4), null), ['shop_a 4 it is missing']);
    assert.deepEqual(await spoilt(records, recordKey(SHOP, 4), rotten), [
      'shop_a 4 its checksum does not match',
    ]);
    const before = 'shop_a 3 the checkpoint before the version that is kept: it is missing';
    assert.deepEqual(await spoilt(checkpoints, recordKey(SHOP, 3), null), [before]);
    const beginning = Buffer.from(beginnings.get(shopKey(SHOP)) ?? []);
    for (const at of [3, 20, 60]) {
      const damaged = Buffer.from(beginning);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      const [first] = await spoilt(beginnings, shopKey(SHOP), damaged);
      assert.equal(first, 'shop_a 0 the entry of its beginning is damaged');
    }
  });
});

test('the entry of a beginning is stored as releases wrote it', () => {
  const key = Buffer.from('shop_a');
  const head = { sequenceNumber: 258, hash: Buffer.alloc(32, 0xab) };
  const hash = 'ab'.repeat(32);
  const plain = sealBeginning(key, { ...head, kept: null });
  assert.equal(plain.toString('hex'), `52574901${plain.toString('hex', 4, 8)}0000000000000102${hash}`);
  assert.deepEqual(plain, sealHead(key, head));
  const kept = { sequenceNumber: 7, hash: Buffer.alloc(32, 0xcd) };
  const both = sealBeginning(key, { ...head, kept });
  assert.equal(
    both.toString('hex'),
    `52574902${both.toString('hex', 4, 8)}0000000000000102${hash}0000000000000007${'cd'.repeat(32)}`,
  );
  assert.deepEqual(unsealBeginning(key, both), { ...head, kept });
  assert.equal(unsealBeginning(Buffer.from('shop_b'), both), null);
  assert.equal(unsealHead(key, both), null, 'an older program does not accept it');
});
