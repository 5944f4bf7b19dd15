import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeImage } from '../../../src/engine/change/state-image.ts';
import { DiskFullError } from '../../../src/store/log/event-log.ts';
import { accepted, groupNames, newGroup, openShop, openStage, request, SHOP } from './shop-stage.ts';

test('a checkpoint is written after enough records, and the next start replays only the records after it', async () => {
  const { stage, shop } = await openShop({ checkpointRecords: 4 });
  for (let index = 0; index < 7; index++) accepted(await shop.write(request(newGroup(`G${index}`))));
  await shop.idle();
  assert.deepEqual(stage.log.checkpoints, [4, 8]);
  accepted(await shop.write(request(newGroup('last'))));
  const read: number[] = [];
  const next = openStage({}, stage.log);
  const readAll = stage.log.read.bind(stage.log);
  stage.log.read = (shopId, after, upTo) => {
    read.push(after);
    return readAll(shopId, after, upTo);
  };
  assert.deepEqual((await next.directory.load(SHOP)).state, shop.state);
  assert.deepEqual(read, [8]);
});

test('a checkpoint is written after enough bytes of records', async () => {
  const { stage, shop } = await openShop({ checkpointBytes: 2_000 });
  accepted(await shop.write(request(newGroup('small'))));
  await shop.idle();
  assert.deepEqual(stage.log.checkpoints, []);
  accepted(await shop.write(request({ kind: 'createGroup', body: { name: 'large', skus: bigList() } })));
  await shop.idle();
  assert.deepEqual(stage.log.checkpoints, [3]);
});

const bigList = () => Array.from({ length: 300 }, (_, index) => `SKU-${index}`);

test('checkpoints take no more space than the records between them, also after a restart', async () => {
  const limits = { checkpointBytes: 1 };
  const { stage, shop } = await openShop(limits);
  const lengths = new Map<number, number>();
  const writeCheckpoint = stage.log.writeCheckpoint.bind(stage.log);
  stage.log.writeCheckpoint = (shopId, checkpoint) => {
    lengths.set(checkpoint.sequenceNumber, [checkpoint.image].flat().join('').length);
    return writeCheckpoint(shopId, checkpoint);
  };
  let open = shop;
  for (let index = 0; index < 60; index++) {
    accepted(await open.write(request(newGroup(`G${index}`))));
    await open.idle();
    open = await openStage(limits, stage.log).directory.load(SHOP);
  }
  const [first, ...rest] = [...lengths.keys()];
  assert.ok(first !== undefined && rest.length >= 3, 'checkpoints were written');
  let before = first;
  for (const at of rest) {
    const records = JSON.stringify([...stage.log.read(SHOP, before, at)]).length;
    assert.ok(records >= (lengths.get(before) ?? 0), `records ${before} to ${at} take ${records}`);
    before = at;
  }
});

test('a checkpoint that fails is counted, and neither delays nor refuses a write', async () => {
  const { stage, shop } = await openShop({ checkpointRecords: 1 });
  stage.log.checkpointFailure = new Error('disk full');
  accepted(await shop.write(request(newGroup('One'))));
  accepted(await shop.write(request(newGroup('Two'))));
  await shop.idle();
  assert.ok(stage.metrics.values.checkpoint_failures > 0);
  assert.deepEqual(stage.fatal, []);
  assert.deepEqual(groupNames(shop), ['Default', 'One', 'Two']);
});

test('a checkpoint that found a full disk is due again with the next write', async () => {
  const { stage, shop } = await openShop({ checkpointRecords: 3 });
  stage.log.checkpointFailure = new DiskFullError();
  for (const name of ['One', 'Two', 'Three']) accepted(await shop.write(request(newGroup(name))));
  await shop.idle();
  assert.deepEqual(stage.log.checkpoints, []);
  stage.log.checkpointFailure = null;
  accepted(await shop.write(request(newGroup('Four'))));
  await shop.idle();
  assert.deepEqual(stage.log.checkpoints, [shop.sequenceNumber]);
});

test('an answer does not wait for the checkpoint that its write makes due', async () => {
  const { stage, shop } = await openShop({ checkpointRecords: 1 });
  let finish = (): void => {};
  stage.log.writeCheckpoint = () => new Promise((resolve) => (finish = resolve));
  accepted(await shop.write(request(newGroup('One'))));
  accepted(await shop.write(request(newGroup('Two'))));
  assert.equal(shop.isBusy, true);
  finish();
  await shop.idle();
  assert.equal(shop.isBusy, false);
});

test('an image of an unknown format is skipped', async () => {
  const { stage, shop } = await openShop();
  accepted(await shop.write(request(newGroup('One'))));
  const image = JSON.stringify({ ...JSON.parse(writeImage(shop.state)), format: 99 });
  await stage.log.writeCheckpoint(SHOP, { sequenceNumber: 2, image });
  assert.deepEqual((await openStage({}, stage.log).directory.load(SHOP)).state, shop.state);
});
