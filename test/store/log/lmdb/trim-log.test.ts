/** A log whose first records were removed: verified, backed up, interrupted during the removal, damaged. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { ApiKey } from '../../../../src/engine/domain/api-key.ts';
import { DamagedLogError } from '../../../../src/store/log/event-log.ts';
import { backupLog } from '../../../../src/store/log/lmdb/backup-log.ts';
import { verifyLog } from '../../../../src/store/log/lmdb/lmdb-content.ts';
import type { LmdbEventLog } from '../../../../src/store/log/lmdb/lmdb-event-log.ts';
import {
  recordKey,
  sealHead,
  sealVersion,
  shopKey,
  versionKey,
} from '../../../../src/store/log/lmdb/table-format.ts';
import { hashRecord } from '../../../../src/store/log/record-codec.ts';
import {
  imageWith,
  keyRecord,
  numbersOf,
  revokeRecord,
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
  await log.append(SHOP, 0, [...keys, settingsRecord(1), ...versions.slice(1), revokeRecord('key_1')]);
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
    const copy = join(dirname(folder), 'copy');
    mkdirSync(copy);
    const report = await backupLog(log, copy);
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
    assert.equal(log.versionAt(SHOP, 5), null);
    assert.equal(log.oldestVersion(SHOP)?.sequenceNumber, KEPT_AFTER + 1);
    assert.equal(log.latestCheckpoint(SHOP, KEPT_AFTER - 1), null);
    assert.equal(await log.trim(SHOP, KEPT_AFTER), KEPT_AFTER - 1);
    assert.equal(tables.versions.getKeysCount(), 100);
    assert.equal(tables.audit.getKeysCount(), 1);
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
    assert.equal(first, `shop_a ${KEPT_AFTER} the checkpoint that the log begins with is missing`);
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

test('missing, wrong and superfluous entries of versions and of the audit are named', async () => {
  await withLog(newLogFolder(), async (log) => {
    await filled(log);
    await log.trim(SHOP, KEPT_AFTER);
    const { versions } = log.tables;
    const key = versionKey(SHOP, 1251);
    const entry = versions.get(key);
    const known = log.versionAt(SHOP, 1251);
    assert.ok(entry !== undefined && known !== null);
    const isOff = `shop_a ${known.sequenceNumber} its index entry is missing or wrong: version 1251`;

    await versions.remove(key);
    assert.deepEqual(await defectsOf(log), [isOff]);
    await versions.put(key, sealVersion(key, { ...known, batchRun: 7 }));
    assert.deepEqual(await defectsOf(log), [isOff]);
    await versions.put(key, Buffer.from('damaged'));
    assert.deepEqual(await defectsOf(log), [isOff]);
    assert.throws(() => log.versionAt(SHOP, 1251), DamagedLogError);
    await versions.put(key, entry);

    const noted = recordKey('shop_b', 2);
    const { audit } = log.tables;
    const mark = audit.get(noted) ?? assert.fail();
    for (const damaged of [null, Buffer.from('damaged')]) {
      await (damaged === null ? audit.remove(noted) : audit.put(noted, damaged));
      assert.deepEqual(await defectsOf(log), [
        'shop_b 2 its index entry is missing or wrong: audit of record 2',
      ]);
    }
    await audit.put(noted, mark);
    await audit.put(recordKey('shop_b', 1), mark);
    assert.deepEqual(await defectsOf(log), ['shop_b 1 no record makes its index entry: audit of record 1']);
    assert.deepEqual(numbersOf(log.readAudit('shop_b', 2, 9)), [2, 1]);
    await audit.remove(recordKey('shop_b', 1));
    const extra = versionKey(SHOP, 5000);
    await versions.put(extra, sealVersion(extra, known));
    assert.deepEqual(await defectsOf(log), [
      `shop_a ${known.sequenceNumber} no record makes its index entry: version 5000`,
    ]);
    await versions.remove(extra);
    await versions.put(versionKey('shop_c', 1), entry);
    assert.deepEqual(await defectsOf(log), [
      'shop_c 0 its entry in the table of shops is missing or damaged',
      'shop_c 0 no record makes its index entry: version 1',
    ]);
  });
});
