import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '../../../src/base/runtime/logger.ts';
import { newKeySecret, printOf } from '../../../src/base/secrets/key-secret.ts';
import { LiveKeyRing } from '../../../src/shop/actor/key-ring.ts';
import { KeyLookup } from '../../../src/store/cluster/key-lookup.ts';
import {
  accepted,
  createShop,
  openShop,
  openStage,
  request,
  SHOP,
  START_MS,
  type Stage,
} from './shop-stage.ts';

const ringOver = ({ log, clock }: Stage, keysCachedMax = 100) =>
  new LiveKeyRing({ log, clock, logger: silentLogger, keysCachedMax });

async function newKey(stage: Stage, secret = newKeySecret(), shopId = SHOP): Promise<string> {
  const shop = await stage.directory.load(shopId);
  const command = { kind: 'createKey', label: 'K', permission: 'read', ...printOf(secret) } as const;
  accepted(await shop.write(request(command)));
  return secret;
}

const keyIdOf = async ({ directory }: Stage): Promise<string> =>
  (await directory.load(SHOP)).state.keys.at(-1)?.id ?? '';

test('a secret is 256 random bits in printable characters, of which the shop keeps nine and a digest', () => {
  const secret = newKeySecret();
  assert.match(secret, /^rw_[A-Za-z0-9_-]{43}$/);
  assert.notEqual(secret, newKeySecret());
  assert.equal(printOf(secret).prefix, secret.slice(0, 9));
  assert.match(printOf(secret).secretSha256, /^[0-9a-f]{64}$/);
  assert.equal(printOf('0123456789abcdef').prefix, '0123');
});

test('a key is found with a scheme in any case and without one', async () => {
  const { stage } = await openShop();
  const secret = await newKey(stage);
  const ring = ringOver(stage);
  const grant = { shopId: SHOP, keyId: await keyIdOf(stage), permission: 'read', secret };
  for (const header of [`Bearer ${secret}`, `bearer ${secret}`, `BEARER  ${secret}`, secret]) {
    assert.deepEqual(ring.find(header), grant, header);
  }
});

test('a missing, malformed or unknown key is not found', async () => {
  const { stage } = await openShop();
  const secret = await newKey(stage);
  const ring = ringOver(stage);
  const wrong = ['', 'Bearer', 'Bearer ', `Basic ${secret}`, `${secret}x`, secret.slice(1), `${secret} x`];
  for (const header of [...wrong, `Bearer ${'x'.repeat(10_000)}`, `Bearer ${secret}\n`, 'Bearer é']) {
    assert.equal(ring.find(header), null, header);
  }
});

test('a header of more than 256 characters is rejected', async () => {
  const { stage } = await openShop();
  const secret = await newKey(stage);
  const ring = ringOver(stage);
  for (const length of [255, 256, 257]) {
    const header = `Bearer${secret.padStart(length - 'Bearer'.length)}`;
    assert.equal(header.length, length);
    assert.equal(ring.find(header) !== null, length <= 256, `${length}`);
  }
});

test('a known header costs no digest and no read of the log', async () => {
  const { stage } = await openShop();
  const header = `Bearer ${await newKey(stage)}`;
  const ring = ringOver(stage);
  for (let turn = 0; turn < 10; turn++) assert.ok(ring.find(header));
  assert.equal(stage.log.readsOfKeys, 1);
});

test('a new key works at once, even if it was presented before its creation', async () => {
  const { stage } = await openShop();
  const secret = newKeySecret();
  const ring = ringOver(stage);
  assert.equal(ring.find(secret), null);
  await newKey(stage, secret);
  assert.ok(ring.find(secret));
});

test('a revoked key is not found from the moment it is forgotten, under none of its headers', async () => {
  const { stage } = await openShop();
  const secret = await newKey(stage);
  const ring = ringOver(stage);
  assert.ok(ring.find(secret));
  assert.ok(ring.find(`Bearer ${secret}`));
  const shop = await stage.directory.load(SHOP);
  const keyId = await keyIdOf(stage);
  await newKey(stage);
  accepted(await shop.write(request({ kind: 'revokeKey', id: keyId })));
  ring.forget(keyId);
  assert.equal(ring.find(secret), null);
  assert.equal(ring.find(`Bearer ${secret}`), null);
});

test('forgetting a shop asks the log again for its keys and leaves the others', async () => {
  const { stage } = await openShop();
  await createShop(stage, 'shop_b');
  const [ours, theirs] = [await newKey(stage), await newKey(stage, newKeySecret(), 'shop_b')];
  const ring = ringOver(stage);
  ring.find(ours);
  ring.find(theirs);
  ring.forgetShop(SHOP);
  assert.ok(ring.find(theirs));
  assert.equal(stage.log.readsOfKeys, 2);
  assert.ok(ring.find(ours));
  assert.equal(stage.log.readsOfKeys, 3);
});

test('the number of cached headers is bounded, and used headers stay', async () => {
  const { stage } = await openShop();
  const ring = ringOver(stage, 8);
  const used = await newKey(stage);
  const secrets = [];
  for (let index = 0; index < 30; index++) secrets.push(await newKey(stage));
  ring.find(used);
  for (const secret of secrets) {
    ring.find(secret);
    ring.find(used);
  }
  assert.equal(stage.log.readsOfKeys, 31);
  const first = secrets[0] ?? '';
  ring.find(first);
  assert.equal(stage.log.readsOfKeys, 32);
});

test('the last use of a key is known at once and written with the next flush', async () => {
  const { stage } = await openShop();
  const secret = await newKey(stage);
  const keyId = await keyIdOf(stage);
  const ring = ringOver(stage);
  assert.equal(ring.lastUsedAtMs(keyId), null);
  ring.find(secret);
  assert.equal(ring.lastUsedAtMs(keyId), START_MS);
  assert.equal(stage.log.readKeyUse(keyId), null);
  await ring.flush();
  assert.equal(stage.log.readKeyUse(keyId), START_MS);
  stage.clock.ms += 5;
  ring.find(`Bearer ${secret}`);
  await ring.flush();
  assert.equal(stage.log.readKeyUse(keyId), START_MS + 5);
  assert.equal(ringOver(openStage({}, stage.log)).lastUsedAtMs(keyId), START_MS + 5);
});

test('a use is written once', async () => {
  const { stage } = await openShop();
  const ring = ringOver(stage);
  ring.find(await newKey(stage));
  let written = 0;
  const write = stage.log.writeKeyUse.bind(stage.log);
  stage.log.writeKeyUse = (uses) => {
    written++;
    return write(uses);
  };
  await ring.flush();
  assert.equal(written, 1);
  await ring.flush();
  assert.equal(written, 1);
});

test('a use that could not be written is written with a later flush', async () => {
  const { stage } = await openShop();
  const ring = ringOver(stage, 2);
  const secret = await newKey(stage);
  const keyId = await keyIdOf(stage);
  ring.find(secret);
  const write = stage.log.writeKeyUse.bind(stage.log);
  stage.log.writeKeyUse = () => Promise.reject(new Error('busy'));
  await ring.flush();
  stage.log.writeKeyUse = write;
  await ring.flush();
  assert.equal(stage.log.readKeyUse(keyId), START_MS);
});

test('the first use of a key that another node had to be asked for counts', async () => {
  const { stage } = await openShop();
  const secret = await newKey(stage);
  const keyId = await keyIdOf(stage);
  const keys = async (digests: readonly Buffer[]) => digests.map((digest) => stage.log.findKey(digest));
  const { log, clock } = stage;
  const lookup = new KeyLookup({ keys }, () => 0);
  const ring = new LiveKeyRing({
    log,
    clock,
    logger: silentLogger,
    keysCachedMax: 10,
    lookup,
    hasKeysOf: () => false,
  });
  assert.equal(ring.find(secret), null);
  assert.equal((await ring.ask(secret))?.keyId, keyId);
  assert.equal(ring.lastUsedAtMs(keyId), START_MS);
});

test('where a database holds the keys, those of shops that are followed are found in the log', async () => {
  const { stage } = await openShop();
  const secret = await newKey(stage);
  const { log, clock } = stage;
  const lookup = new KeyLookup({ keys: () => assert.fail('nothing is asked') }, () => 0);
  const followed = new Set([SHOP]);
  const hasKeysOf = (shopId: string) => followed.has(shopId);
  const newRing = () =>
    new LiveKeyRing({
      ...{ log, clock, lookup, hasKeysOf },
      logger: silentLogger,
    });
  assert.equal(newRing().find(secret)?.shopId, SHOP);
  followed.clear();
  assert.equal(newRing().find(secret), null);
});
