/** What `verify` finds in a database. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Authority } from '../../../../src/store/log/authority.ts';
import { encodeCheckpoint, packImage } from '../../../../src/store/log/checkpoint-codec.ts';
import { NO_HEAD } from '../../../../src/store/log/record-codec.ts';
import type { LogReport } from '../../../../src/store/log/verification.ts';
import { appendGroup, newShop, newShopId } from '../authority-shops.ts';
import { encodeGroup } from '../encoded-records.ts';
import { imageWith, keyRecord, revokeRecord, settingsRecord, sha256Of } from '../sample-records.ts';

/** An authority on a separate database, and functions that damage it. */
export interface DamageableAuthority {
  readonly authority: Authority;
  readonly verify: () => Promise<LogReport>;
  /** Changes a byte of a record. */
  readonly damageRecord: (shopId: string, sequenceNumber: number) => Promise<void>;
  readonly removeRecord: (shopId: string, sequenceNumber: number) => Promise<void>;
  readonly removeKey: (digest: Buffer) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The stored form of a checkpoint of a shop with these keys. */
async function checkpointAt(
  shopId: string,
  sequenceNumber: number,
  hash: Buffer,
  keys: Parameters<typeof imageWith>[1] = [],
): Promise<{ readonly sequenceNumber: number; readonly stored: Buffer }> {
  const packed = await packImage(Buffer.from(imageWith(shopId, keys)));
  return { sequenceNumber, stored: encodeCheckpoint(shopId, sequenceNumber, packed, hash) };
}

const defectsOf = async ({ verify }: DamageableAuthority): Promise<readonly string[]> =>
  (await verify()).defects.map(({ shopId, sequenceNumber, what }) => `${shopId} ${sequenceNumber}: ${what}`);

export function verifyPromises(open: () => Promise<DamageableAuthority>): void {
  test('PostgreSQL: an undamaged log verifies, with trimmed and deleted shops, checkpoints and keys', async () => {
    const { authority, verify, close } = await open();
    const shopId = newShopId();
    const records = [
      keyRecord('key_1', 'first'),
      keyRecord('key_2', 'second'),
      settingsRecord('c'),
      revokeRecord('key_1'),
      settingsRecord('e'),
    ];
    const group = encodeGroup(shopId, NO_HEAD, records);
    await appendGroup(authority, group);
    const [first, second] = [records[0]?.event, records[1]?.event];
    assert.ok(first?.kind === 'keyCreated' && second?.kind === 'keyCreated');
    const hashAt = (sequenceNumber: number) => group.records[sequenceNumber - 1]?.hash ?? assert.fail();
    for (const at of [1, 3, 5]) {
      await authority.writeCheckpoint(
        shopId,
        await checkpointAt(shopId, at, hashAt(at), [first.key, second.key]),
      );
    }
    await authority.trim(shopId, 3);
    const deleted = await newShop(authority, 'a');
    await authority.deleteShop(deleted.shopId, deleted.head);
    await newShop(authority, 'a', 'b');
    const report = await verify();
    assert.deepEqual(report, { shops: 2, records: 4, checkpoints: 2, indexEntries: 1, defects: [] });
    await close();
  });

  test('PostgreSQL: changed, missing and foreign records and a missing key are named', async () => {
    const opened = await open();
    const { authority, damageRecord, removeRecord, removeKey, close } = opened;
    const changed = await newShop(authority, 'a', 'b', 'c');
    const shorter = await newShop(authority, 'a', 'b', 'c');
    const keyed = newShopId();
    await appendGroup(authority, encodeGroup(keyed, NO_HEAD, [keyRecord('key_1', keyed)]));
    const misplaced = await newShop(authority, 'a');
    const checkpoint = await checkpointAt(misplaced.shopId, 1, Buffer.alloc(32, 1));
    await authority.writeCheckpoint(misplaced.shopId, checkpoint);
    assert.equal((await defectsOf(opened)).length, 1);
    await damageRecord(changed.shopId, 2);
    await removeRecord(shorter.shopId, 2);
    await removeKey(sha256Of(keyed));
    assert.deepEqual(
      (await defectsOf(opened)).toSorted(),
      [
        `${changed.shopId} 2: its checksum does not match`,
        `${changed.shopId} 3: it does not follow the record before it`,
        `${keyed} 0: the entry of key_1 in the index of API keys is missing or wrong`,
        `${misplaced.shopId} 1: checkpoint: its hash is not that of its record`,
        `${shorter.shopId} 2: it is missing`,
      ].toSorted(),
    );
    await close();
  });

  test('PostgreSQL: a shop that is written to during the check is not reported as damaged', async () => {
    const opened = await open();
    const { authority, close } = opened;
    const { shopId, head } = await newShop(authority, 'a');
    let isOver = false;
    const writing = (async () => {
      for (let at = head, round = 0; !isOver; round++) {
        const records = [keyRecord(`key_${round}`, `${shopId} ${round}`), revokeRecord(`key_${round - 1}`)];
        at = await appendGroup(authority, encodeGroup(shopId, at, records));
      }
    })();
    for (let runs = 0; runs < 10; runs++) assert.deepEqual(await defectsOf(opened), []);
    isOver = true;
    await writing;
    await close();
  });
}
