import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnknownShopError } from '../../../src/shop/actor/shop-directory.ts';
import { DamagedLogError } from '../../../src/store/log/event-log.ts';
import {
  accepted,
  createShop,
  groupNames,
  newGroup,
  openShop,
  openStage,
  refusal,
  request,
  SHOP,
  settle,
  until,
} from './shop-stage.ts';

test('concurrent requests for a shop share one recovery', async () => {
  const { stage } = await openShop();
  const next = openStage({}, stage.log);
  assert.equal(next.directory.loaded(SHOP), undefined);
  const actors = await Promise.all([1, 2, 3].map(() => next.directory.load(SHOP)));
  assert.equal(new Set(actors).size, 1);
  assert.equal(next.directory.loaded(SHOP), actors[0]);
  assert.equal(next.metrics.values.shops_recovered, 1);
});

test('a shop that the log does not have cannot be loaded, and is not remembered as missing', async () => {
  const stage = openStage();
  await assert.rejects(stage.directory.load(SHOP), UnknownShopError);
  await createShop(stage);
  assert.deepEqual(groupNames(await stage.directory.load(SHOP)), ['Default']);
});

test('a damaged history is refused with its name, other shops are served', async () => {
  const { stage } = await openShop();
  await createShop(stage, 'shop_b');
  const next = openStage({}, stage.log);
  const readAll = stage.log.read.bind(stage.log);
  stage.log.read = (shopId, after) => {
    if (shopId === SHOP) throw new DamagedLogError(shopId, 1, 'does not have its checksum');
    return readAll(shopId, after);
  };
  await assert.rejects(next.directory.load(SHOP), DamagedLogError);
  assert.equal((await next.directory.load('shop_b')).shopId, 'shop_b');
});

test('an id is given to one shop only', async () => {
  const { stage } = await openShop();
  const settings = { id: SHOP, name: 'B', currency: 'USD', timezone: 'UTC', plan: 'open' };
  assert.equal(refusal(await stage.directory.createShop(settings)), 'CONFLICT');
  assert.equal(
    refusal(await stage.directory.createShop({ ...settings, id: 'shop_b', currency: 'XYZ' })),
    'VALIDATION_ERROR',
  );
  assert.deepEqual([...stage.log.shopIds()], [SHOP]);
});

test('a shop without an id gets one', async () => {
  const { directory } = openStage();
  const outcome = await directory.createShop({ name: 'B', currency: 'USD', timezone: 'UTC', plan: 'open' });
  assert.ok(outcome.ok);
  assert.match(outcome.value.shopId, /^shop_[0-9A-Z]{26}$/);
});

test('a shop that cannot be stored stops the process', async () => {
  const stage = openStage();
  stage.log.outcomes.push(() => ({ kind: 'unavailable', cause: new Error('disk full') }));
  const settings = { name: 'B', currency: 'USD', timezone: 'UTC', plan: 'open' };
  assert.equal(refusal(await stage.directory.createShop(settings)), 'INTERNAL_ERROR');
  assert.equal(stage.fatal.length, 1);
});

test('the least recently used shop is evicted', async () => {
  const stage = openStage({ shopsLoadedMax: 2 });
  for (const id of ['shop_a', 'shop_b', 'shop_c']) await createShop(stage, id);
  assert.equal(stage.directory.loaded('shop_a'), undefined);
  assert.equal(stage.metrics.values.shops_loaded, 2);
  await stage.directory.load('shop_a');
  assert.equal(stage.metrics.values.shops_evicted, 2);
  assert.equal(stage.metrics.values.shops_loaded, 2);
});

test('a shop with a waiting write is never evicted', async () => {
  const stage = openStage({ shopsLoadedMax: 1 });
  const shop = await createShop(stage, 'shop_a');
  await createShop(stage, 'shop_b');
  const busy = await stage.directory.load('shop_a');
  assert.notEqual(busy, shop);
  stage.log.isHeld = true;
  const write = busy.write(request(newGroup('One')));
  await until(() => stage.log.isWaiting);
  await stage.directory.load('shop_b');
  assert.equal(stage.directory.loaded('shop_a'), busy);
  stage.log.release();
  accepted(await write);
});

test('a write to an actor that was evicted meanwhile is seen by the readers of the one after it', async () => {
  const stage = openStage({ shopsLoadedMax: 1 });
  const before = await createShop(stage, 'shop_a');
  await createShop(stage, 'shop_b');
  const after = await stage.directory.load('shop_a');
  accepted(await before.write(request(newGroup('One'))));
  assert.deepEqual(groupNames(after), ['Default', 'One']);
});

test('a shop that another process deleted refuses the writes that wait, and leaves memory', async () => {
  const { stage, shop } = await openShop();
  assert.equal(stage.directory.peek(SHOP)?.isBusy ?? false, false);
  const waiting = shop.write(request(newGroup('Late')));
  assert.equal(stage.directory.peek(SHOP)?.isBusy, true);
  stage.log.lastSequenceNumber = () => 0;
  stage.log.outcomes.push(() => ({ kind: 'staleWriter' }));
  await stage.directory.refresh(SHOP);
  assert.equal(refusal(await waiting), 'NOT_FOUND');
  assert.equal(stage.directory.loaded(SHOP), undefined);
  assert.equal(stage.directory.peek(SHOP)?.isBusy ?? false, false);
  assert.equal(stage.metrics.values.shops_loaded, 0);
  assert.equal(stage.fatal.length, 0);
});

test('after a refresh readers see what another process wrote', async () => {
  const { stage, shop } = await openShop();
  const other = await openStage({}, stage.log).directory.load(SHOP);
  accepted(await other.write(request(newGroup('Theirs'))));
  assert.deepEqual(groupNames(shop), ['Default']);
  await stage.directory.refresh(SHOP);
  assert.deepEqual(shop.state, other.state);
  await stage.directory.refresh('shop_that_is_not_loaded');
});

test('a refresh during a flush waits for it and loses nothing', async () => {
  const { stage, shop } = await openShop();
  stage.log.isHeld = true;
  const write = shop.write(request(newGroup('Ours')));
  await until(() => stage.log.isWaiting);
  let isDone = false;
  const refresh = stage.directory.refresh(SHOP).then(() => {
    isDone = true;
  });
  await settle();
  assert.equal(isDone, false);
  stage.log.release();
  accepted(await write);
  await refresh;
  assert.deepEqual(groupNames(shop), ['Default', 'Ours']);
});

test('a refresh that meets damage rejects and leaves the published state', async () => {
  const { stage, shop } = await openShop();
  stage.log.read = () => {
    throw new DamagedLogError(SHOP, 2, 'does not have its checksum');
  };
  await assert.rejects(stage.directory.refresh(SHOP), DamagedLogError);
  assert.deepEqual(groupNames(shop), ['Default']);
});

test('close resolves once every waiting write is answered', async () => {
  const { stage, shop } = await openShop();
  stage.log.isHeld = true;
  const write = shop.write(request(newGroup('One')));
  await until(() => stage.log.isWaiting);
  let isClosed = false;
  const close = stage.directory.close().then(() => {
    isClosed = true;
  });
  await settle();
  assert.equal(isClosed, false);
  stage.log.release();
  await close;
  accepted(await write);
});
