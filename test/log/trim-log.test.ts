/** A log whose first records were removed: verified, backed up, cut short on the way, damaged. */
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { ApiKey } from '../../src/domain/api-key.ts';
import { shopImageData } from '../../src/domain/shop-image.ts';
import { backupLog } from '../../src/log/backup-log.ts';
import { DamagedLogError } from '../../src/log/event-log.ts';
import { sealHead, sealVersion } from '../../src/log/index-entry.ts';
import { type LmdbEventLog, openLmdbEventLog } from '../../src/log/lmdb-event-log.ts';
import { recordKey, shopKey, versionIdKey, versionKey } from '../../src/log/log-keys.ts';
import { hashRecord } from '../../src/log/record-codec.ts';
import { verifyLog } from '../../src/log/verify-log.ts';
import { newLogFolder } from './log-folder.ts';
import { keyRecord, revokeRecord, settingsRecord, versionRecord } from './sample-records.ts';

const SHOP = 'shop_a';
const RECORDS = 1300;
const KEPT_AFTER = 1200;

/** The image of a shop of which only the keys matter. */
const imageWith = (keys: readonly ApiKey[]): string => {
  const { event } = versionRecord(1);
  const settings = { id: SHOP, name: 'A', currency: 'USD', timezone: 'UTC', plan: 'starter' };
  const config = { zones: [], productGroups: [], methods: [], blendedRates: [] };
  assert.ok('version' in event);
  return JSON.stringify(shopImageData({ settings, keys, config, version: event.version, staging: null }));
};

const keyOf = (record: ReturnType<typeof keyRecord>): ApiKey => {
  assert.ok(record.event.kind === 'keyCreated');
  return record.event.key;
};

/** Two keys, then versions in batches of three, a revocation near the end; not yet trimmed. */
async function filled(log: LmdbEventLog): Promise<void> {
  const keys = [keyRecord('key_1', 'one'), keyRecord('key_2', 'two')];
  const versions = Array.from({ length: RECORDS - keys.length - 1 }, (_, index) =>
    versionRecord(index + 1, `batch_${Math.floor(index / 3)}`),
  );
  await log.append(SHOP, 0, [...keys, ...versions, revokeRecord('key_1')]);
  await log.writeCheckpoint(SHOP, { sequenceNumber: 600, image: '{}' });
  await log.writeCheckpoint(SHOP, { sequenceNumber: KEPT_AFTER, image: imageWith(keys.map(keyOf)) });
  await log.append('shop_b', 0, [versionRecord(1), settingsRecord(2)]);
}

async function opened<T>(body: (log: LmdbEventLog) => Promise<T>, folder = newLogFolder()): Promise<T> {
  const log = openLmdbEventLog({ path: folder });
  try {
    return await body(log);
  } finally {
    await log.close();
  }
}

const defectsOf = async (log: LmdbEventLog): Promise<string[]> =>
  (await verifyLog(log)).defects.map(
    ({ shopId, sequenceNumber, what }) => `${shopId} ${sequenceNumber} ${what}`,
  );

test('a trimmed log is whole, frees what it removed and is backed up as it is', async () => {
  const folder = newLogFolder();
  await opened(async (log) => {
    await filled(log);
    assert.deepEqual(await defectsOf(log), []);
    assert.equal(await log.trim(SHOP, KEPT_AFTER), KEPT_AFTER);
    const { defects, records, checkpoints } = await verifyLog(log);
    assert.deepEqual({ defects, records, checkpoints }, { defects: [], records: 102, checkpoints: 1 });
    assert.equal(log.tables.versions.getKeysCount(), 100);
    assert.equal(log.tables.versionIds.getKeysCount(), 100);
    const report = await backupLog(log, join(dirname(folder), 'copy.mdb'));
    assert.equal(report.records, 102);
  }, folder);
});

test('a removal that was cut short is seen by nobody and completed by the next', async () => {
  await opened(async (log) => {
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
    assert.equal(log.findVersion(SHOP, 'version_5'), null);
    assert.equal(log.oldestVersion(SHOP)?.sequenceNumber, KEPT_AFTER + 1);
    assert.equal(log.latestCheckpoint(SHOP, KEPT_AFTER - 1), null);
    assert.equal(await log.trim(SHOP, KEPT_AFTER), KEPT_AFTER - 1);
    assert.equal(tables.versions.getKeysCount(), 100);
    assert.deepEqual(await defectsOf(log), []);
  });
});

test('what is missing at the beginning of a trimmed log is named', async () => {
  await opened(async (log) => {
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

    await tables.beginnings.put(shopKey(SHOP), Buffer.from('damaged'));
    assert.ok((await defectsOf(log)).includes('shop_a 0 the entry of its beginning is damaged'));
    assert.throws(() => log.oldestVersion(SHOP), DamagedLogError);
    await tables.beginnings.remove(shopKey(SHOP));
    assert.ok((await defectsOf(log)).includes('shop_a 1 it is missing'), 'records are missed again');
  });
});

test('entries of versions that are missing, wrong or too many are named', async () => {
  await opened(async (log) => {
    await filled(log);
    await log.trim(SHOP, KEPT_AFTER);
    const { versions, versionIds } = log.tables;
    const [key, idKey] = [versionKey(SHOP, 1250), versionIdKey(SHOP, 'version_1250')];
    const [entry, idEntry] = [versions.get(key), versionIds.get(idKey)];
    const known = log.versionAt(SHOP, 1250);
    assert.ok(entry !== undefined && idEntry !== undefined && known !== null);
    const isOff = `shop_a ${known.sequenceNumber} its version is not in the index as it is`;
    const tooMany = 'shop_a 0 the index of versions holds one that no record makes';

    await versions.remove(key);
    assert.deepEqual(await defectsOf(log), [isOff, tooMany]);
    await versions.put(key, sealVersion(key, { ...known, batchRun: 7 }));
    assert.deepEqual(await defectsOf(log), [isOff]);
    await versions.put(key, Buffer.from('damaged'));
    assert.deepEqual(await defectsOf(log), [isOff]);
    assert.throws(() => log.versionAt(SHOP, 1250), DamagedLogError);
    await versions.put(key, entry);
    await versionIds.remove(idKey);
    assert.deepEqual(await defectsOf(log), [isOff, tooMany]);
    await versionIds.put(idKey, idEntry);
    const extra = versionKey(SHOP, 5000);
    await versions.put(extra, sealVersion(extra, known));
    assert.deepEqual(await defectsOf(log), [tooMany]);
    await versions.remove(extra);
    await versions.put(versionKey('shop_c', 1), entry);
    assert.deepEqual(await defectsOf(log), ['? 0 the index of versions holds one of no shop']);
  });
});
