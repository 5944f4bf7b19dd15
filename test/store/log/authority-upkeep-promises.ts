/** The promises of the `Authority` port about keys, checkpoints, trimming, deletion and side tables. */
import assert from 'node:assert/strict';
import type { Authority } from '../../../src/store/log/authority.ts';
import type { ShopTextKind } from '../../../src/store/log/event-log.ts';
import { headAfter, NO_HEAD } from '../../../src/store/log/record-codec.ts';
import type { AuthorityPromise } from './authority-contract.ts';
import {
  appendGroup,
  appendMarks,
  groupOf,
  kindOf,
  marksBehind,
  newShop,
  newShopId,
} from './authority-shops.ts';
import { encodeGroup } from './encoded-records.ts';
import { keyRecord, numbersOf, revokeRecord, START_MS, settingsRecord, sha256Of } from './sample-records.ts';

export function upkeepPromises(promise: AuthorityPromise): void {
  keyPromises(promise);
  checkpointPromises(promise);
  trimPromises(promise);
  deletePromises(promise);
  sidePromises(promise);
}

const keyIdsOf = async (authority: Authority, secrets: readonly string[]) =>
  (await authority.keys(secrets.map(sha256Of))).map((holder) => holder?.keyId ?? null);

function keyPromises(promise: AuthorityPromise): void {
  promise('a key is found by its digest from its append until it is revoked', async (one, other) => {
    const shopId = newShopId();
    const [first, second] = [`${shopId} 1`, `${shopId} 2`];
    const made = encodeGroup(shopId, NO_HEAD, [
      keyRecord('key_1', first, 'read'),
      keyRecord('key_2', second, 'admin'),
    ]);
    const head = await appendGroup(one, made);
    assert.deepEqual(await other.keys([sha256Of(second), sha256Of('unknown'), sha256Of(first)]), [
      { shopId, keyId: 'key_2', permission: 'admin' },
      null,
      { shopId, keyId: 'key_1', permission: 'read' },
    ]);
    await appendGroup(other, encodeGroup(shopId, head, [revokeRecord('key_1')]));
    assert.deepEqual(await keyIdsOf(one, [first, second]), [null, 'key_2']);
    assert.deepEqual(await one.keys([]), []);
  });

  promise('a stale group creates and revokes no key', async (one) => {
    const shopId = newShopId();
    const secret = `${shopId} 1`;
    const head = await appendGroup(one, encodeGroup(shopId, NO_HEAD, [keyRecord('key_1', secret)]));
    const stale = encodeGroup(shopId, NO_HEAD, [keyRecord('key_2', `${shopId} 2`), revokeRecord('key_1')]);
    assert.equal(await kindOf(one.append(stale)), 'staleWriter');
    assert.deepEqual(await keyIdsOf(one, [secret, `${shopId} 2`]), ['key_1', null]);
    assert.deepEqual((await one.tail(shopId, 0)).state?.head, head);
  });

  promise(
    'a key that its own group revokes is not created; a new key replaces one of the same id',
    async (one) => {
      const shopId = newShopId();
      const secrets = [1, 2, 3].map((number) => `${shopId} ${number}`);
      const [first = '', second = '', third = ''] = secrets;
      const head = await appendGroup(
        one,
        encodeGroup(shopId, NO_HEAD, [
          keyRecord('key_1', first),
          keyRecord('key_2', second),
          revokeRecord('key_2'),
        ]),
      );
      assert.deepEqual(await keyIdsOf(one, secrets), ['key_1', null, null]);
      const anew = [revokeRecord('key_1'), keyRecord('key_1', third), keyRecord('key_3', first)];
      await appendGroup(one, encodeGroup(shopId, head, anew));
      assert.deepEqual(await keyIdsOf(one, secrets), ['key_3', null, 'key_1']);
    },
  );

  promise('when two shops have a key with the same secret, the later key is found', async (one) => {
    const [shopId, other] = [newShopId(), newShopId()];
    const secret = `${shopId} shared`;
    const [head] = await Promise.all([
      appendGroup(one, encodeGroup(shopId, NO_HEAD, [keyRecord('key_1', secret)])),
      newShop(one, 'a'),
    ]);
    await appendGroup(one, encodeGroup(other, NO_HEAD, [keyRecord('key_9', secret)]));
    assert.deepEqual(await keyIdsOf(one, [secret]), ['key_9']);
    await appendGroup(one, encodeGroup(shopId, head, [revokeRecord('key_1')]));
    assert.deepEqual(await keyIdsOf(one, [secret]), ['key_9']);
  });

  promise('two groups that create the same secret at the same time are both appended', async (one, other) => {
    const secret = `${newShopId()} raced`;
    const kinds = await Promise.all(
      [one, one, other, other].map((each, index) =>
        kindOf(each.append(encodeGroup(newShopId(), NO_HEAD, [keyRecord(`key_${index}`, secret)]))),
      ),
    );
    assert.deepEqual(new Set(kinds), new Set(['appended']));
    assert.match((await keyIdsOf(one, [secret]))[0] ?? '', /^key_[0-3]$/);
  });
}

const image = (bytes: number): Buffer => Buffer.alloc(bytes, bytes);

function checkpointPromises(promise: AuthorityPromise): void {
  promise('a shop starts from its newest checkpoint and the records after it', async (one, other) => {
    const { shopId } = await newShop(one, 'a', 'b', 'c', 'd');
    assert.equal((await other.start(shopId)).checkpoint, null);
    assert.equal((await other.start(shopId)).records.length, 4);
    await one.writeCheckpoint(shopId, { sequenceNumber: 1, stored: image(10) });
    await one.writeCheckpoint(shopId, { sequenceNumber: 3, stored: image(200_000) });
    const { checkpoint, records, state } = await other.start(shopId);
    assert.equal(checkpoint?.sequenceNumber, 3);
    assert.ok(checkpoint.stored.equals(image(200_000)));
    assert.deepEqual(numbersOf(records), [4]);
    assert.equal(state?.head.sequenceNumber, 4);
  });

  promise('the newest checkpoint up to a number is found; a second write replaces it', async (one) => {
    const { shopId } = await newShop(one, 'a', 'b', 'c');
    await one.writeCheckpoint(shopId, { sequenceNumber: 1, stored: image(65_536) });
    await one.writeCheckpoint(shopId, { sequenceNumber: 3, stored: image(300_000) });
    await one.writeCheckpoint(shopId, { sequenceNumber: 3, stored: image(70_000) });
    assert.deepEqual(await one.checkpoint(shopId), { sequenceNumber: 3, stored: image(70_000) });
    assert.deepEqual(await one.checkpoint(shopId, 2), { sequenceNumber: 1, stored: image(65_536) });
    assert.equal(await one.checkpoint(shopId, 0), null);
    assert.equal(await one.checkpoint(newShopId()), null);
  });

  promise('a checkpoint needs a record that exists', async (one) => {
    const { shopId } = await newShop(one, 'a');
    for (const sequenceNumber of [0, 2]) {
      await assert.rejects(one.writeCheckpoint(shopId, { sequenceNumber, stored: image(1) }), RangeError);
    }
    await assert.rejects(
      one.writeCheckpoint(newShopId(), { sequenceNumber: 1, stored: image(1) }),
      RangeError,
    );
    assert.equal(await one.checkpoint(shopId), null);
  });
}

function trimPromises(promise: AuthorityPromise): void {
  promise('trimming removes records and checkpoints', async (one, other) => {
    const { shopId } = await newShop(one, 1, 2, 3, 4, 5, 6, 7);
    for (const at of [1, 2, 4, 5])
      await one.writeCheckpoint(shopId, { sequenceNumber: at, stored: image(at) });
    assert.equal(await one.trim(shopId, 5), 5);
    const { checkpoint, records, state } = await other.start(shopId);
    assert.deepEqual([state?.removedUpTo, checkpoint?.sequenceNumber], [5, 5]);
    assert.deepEqual(numbersOf(records), [6, 7]);
    assert.deepEqual((await other.tail(shopId, 0)).records, []);
    assert.deepEqual((await other.tail(shopId, 4)).records, []);
    assert.equal(await other.checkpoint(shopId, 4), null);
    assert.equal(await other.hashAt(shopId, 4), null);
    // The same trim again changes nothing.
    assert.equal(await other.trim(shopId, 5), 0);
    await one.writeCheckpoint(shopId, { sequenceNumber: 6, stored: image(6) });
    assert.equal(await one.trim(shopId, 6), 1);
    assert.equal(await one.checkpoint(shopId, 5), null);
  });

  promise('records are appended to a trimmed log', async (one, other) => {
    const { shopId, head } = await newShop(one, 'a', 'b');
    await one.writeCheckpoint(shopId, { sequenceNumber: 1, stored: image(1) });
    await one.trim(shopId, 1);
    await appendMarks(other, shopId, head, 'c');
    assert.deepEqual(await marksBehind(one, shopId, 1), ['2:b', '3:c']);
  });

  promise('a log is not trimmed completely, nor without the checkpoints that it needs', async (one) => {
    const { shopId } = await newShop(one, 1, 2, 3, 4);
    await one.writeCheckpoint(shopId, { sequenceNumber: 3, stored: image(3) });
    await one.writeCheckpoint(shopId, { sequenceNumber: 4, stored: image(4) });
    for (const upTo of [2, 4, 0]) await assert.rejects(one.trim(shopId, upTo), RangeError, `${upTo}`);
    await assert.rejects(one.trim(newShopId(), 1), RangeError);
    assert.equal((await marksBehind(one, shopId)).length, 4);
    assert.equal(await one.trim(shopId, 3), 3);
  });
}

/** Ids of mirrors. */
const MINE = '00000000-0000-4000-8000-000000000001';
const YOURS = '00000000-0000-4000-8000-000000000002';

const textsOf = async (authority: Authority, shopId: string, kind: ShopTextKind = 'shadowResults') =>
  [...(await authority.readShopTexts(kind, shopId))].sort();

function deletePromises(promise: AuthorityPromise): void {
  promise('nothing of a deleted shop is found, and its id is not used again', async (one, other) => {
    const shopId = newShopId();
    const secret = `${shopId} 1`;
    const first = encodeGroup(shopId, NO_HEAD, [keyRecord('key_1', secret), settingsRecord('b')]);
    const head = await appendGroup(one, first);
    await one.writeCheckpoint(shopId, { sequenceNumber: 1, stored: image(1) });
    await one.writeShopText('shadowResults', shopId, MINE, 'results');
    await one.writeShopText('coverage', shopId, MINE, 'uses');
    assert.equal(await other.deleteShop(shopId, { ...head, sequenceNumber: 1 }), false);
    assert.deepEqual((await one.keys([sha256Of(secret)]))[0]?.shopId, shopId);
    assert.equal(await other.deleteShop(shopId, head), true);
    assert.equal(await one.deleteShop(shopId, head), true);
    const { state, records, checkpoint } = await one.start(shopId);
    assert.deepEqual([state?.isDeleted, records, checkpoint], [true, [], null]);
    assert.deepEqual(await one.keys([sha256Of(secret)]), [null]);
    assert.deepEqual(await textsOf(one, shopId), []);
    assert.deepEqual(await textsOf(one, shopId, 'coverage'), []);
    for (const group of [first, groupOf(shopId, head, 'c'), groupOf(shopId, NO_HEAD, 'c')]) {
      assert.equal(await kindOf(one.append(group)), 'staleWriter');
    }
    await one.writeShopText('shadowResults', shopId, MINE, 'late results');
    assert.deepEqual(await textsOf(one, shopId), []);
    assert.equal(await one.deleteShop(newShopId(), head), false);
  });
}

function sidePromises(promise: AuthorityPromise): void {
  promise('results of a changeset are stored by process until an append ends it', async (one, other) => {
    const { shopId, head } = await newShop(one, 'a');
    await one.writeShopText('shadowResults', shopId, MINE, 'first');
    await one.writeShopText('shadowResults', shopId, MINE, 'mine');
    await other.writeShopText('shadowResults', shopId, YOURS, 'yours');
    await one.writeShopText('coverage', shopId, MINE, 'uses');
    assert.deepEqual(await textsOf(one, shopId), [
      [MINE, 'mine'],
      [YOURS, 'yours'],
    ]);
    await other.writeShopText('shadowResults', shopId, YOURS, null);
    assert.deepEqual(await textsOf(other, shopId), [[MINE, 'mine']]);
    const ended = encodeGroup(shopId, head, [
      { atMs: START_MS, event: { kind: 'stagingEnded', outcome: 'discarded' } },
    ]);
    assert.equal(ended.endsChangeset, true);
    await appendGroup(other, ended);
    assert.deepEqual(await textsOf(one, shopId), []);
    assert.deepEqual(await textsOf(one, shopId, 'coverage'), [[MINE, 'uses']]);
    assert.deepEqual((await one.tail(shopId, 0)).state?.head, headAfter(ended));
  });

  promise('the latest use of a key is stored', async (one, other) => {
    const [first, second] = [newShopId(), newShopId()];
    await one.writeKeyUse(
      new Map([
        [first, START_MS + 5],
        [second, START_MS],
      ]),
    );
    await other.writeKeyUse(
      new Map([
        [second, START_MS + 9],
        [first, START_MS],
      ]),
    );
    await other.writeKeyUse(new Map());
    const read = await one.readKeyUse([first, second, newShopId()]);
    assert.deepEqual(
      new Map(read),
      new Map([
        [first, START_MS + 5],
        [second, START_MS + 9],
      ]),
    );
  });

  promise('work with one name is done by one process at a time', async (one, other) => {
    const name = newShopId();
    let runs = 0;
    const work = async () => {
      runs++;
      assert.equal(await other.alone(name, work), false);
      assert.equal(await one.alone(name, work), false);
      assert.equal(await other.alone(`${name} other`, async () => {}), true);
    };
    assert.equal(await one.alone(name, work), true);
    assert.equal(runs, 1);
    const failure = new Error('the work failed');
    await assert.rejects(
      other.alone(name, async () => {
        throw failure;
      }),
      failure,
    );
    assert.equal(await one.alone(name, async () => {}), true);
  });
}
