import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../src/change/command.ts';
import { BATCH_REQUESTS } from '../../src/shadow/watched-shop.ts';
import { RECENT_SIMULATIONS_MAX } from '../../src/wire/shadow-results.ts';
import { cart, item, NOW_MS } from '../support/small-shop.ts';
import {
  createShop,
  HeldWorkers,
  newMethod,
  openShadowStage,
  resultsOf,
  SHOP,
  simulate,
  write,
} from './shadow-stage.ts';

test('a replay evaluates the last simulations against the changeset and marks them', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  for (let count = 0; count < RECENT_SIMULATIONS_MAX + 50; count++) {
    simulate(shop, cart(item({ price: count })), NOW_MS + count);
  }
  await write(shop, { kind: 'enterStaging' });
  await write(shop, newMethod('n', 700));
  assert.deepEqual(await stage.shadow.replay(SHOP), { ok: true, value: null });
  const { evaluated, different, dropped, replayed, samples } = resultsOf(stage, shop);
  assert.deepEqual([evaluated, different, dropped, replayed], [200, 200, 0, 200]);
  assert.ok(samples.every((sample) => sample.replayed));
  // The newest simulations, with their time and cart.
  assert.equal(samples[0]?.at, new Date(NOW_MS + 249).toISOString());
  assert.equal(samples[0]?.cartTotal, 249);
});

test('a replay runs in the threads that clients wait for, one batch after another', async (context) => {
  const [workers, answerWorkers] = [new HeldWorkers(), new HeldWorkers()];
  const { stage, shop } = await openShadowStage(context, { workers, answerWorkers });
  for (let count = 0; count < RECENT_SIMULATIONS_MAX; count++) simulate(shop, cart(item()));
  await write(shop, { kind: 'enterStaging' });
  const replay = stage.shadow.replay(SHOP);
  const sizes = () => answerWorkers.batches.map(({ texts }) => texts.length);
  for (let left = RECENT_SIMULATIONS_MAX; left > 0; left -= BATCH_REQUESTS) {
    // The recent simulations are listed in slices before the first batch is sent.
    if (left === RECENT_SIMULATIONS_MAX) await answerWorkers.handed();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(
      sizes().reduce((sum, size) => sum + size, 0),
      RECENT_SIMULATIONS_MAX - Math.max(0, left - BATCH_REQUESTS),
    );
    await answerWorkers.settle();
  }
  assert.ok((await replay).ok);
  assert.deepEqual(sizes(), [64, 64, 64, 8]);
  assert.deepEqual(workers.batches, []);
  assert.equal(resultsOf(stage, shop).replayed, RECENT_SIMULATIONS_MAX);
});

test('a replay without a changeset is refused', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  simulate(shop, cart(item()));
  for (const shopId of [SHOP, 'nobody']) {
    const outcome = await stage.shadow.replay(shopId);
    assert.equal(outcome.ok ? 'ok' : outcome.code, 'CONFLICT');
  }
});

test('a second replay is refused while the first one runs', async (context) => {
  const workers = new HeldWorkers();
  const { stage, shop } = await openShadowStage(context, { workers });
  simulate(shop, cart(item()));
  await write(shop, { kind: 'enterStaging' });
  const first = stage.shadow.replay(SHOP);
  const second = await stage.shadow.replay(SHOP);
  assert.equal(second.ok ? 'ok' : second.code, 'RATE_LIMITED');
  await workers.handed();
  await workers.settle();
  assert.ok((await first).ok);
  const third = stage.shadow.replay(SHOP);
  await workers.handed();
  await workers.settle();
  assert.ok((await third).ok);
  assert.equal(resultsOf(stage, shop).replayed, 2);
});

test('a replay of a changeset that has ended is refused, also if its shop was evicted meanwhile', async (context) => {
  const workers = new HeldWorkers();
  const { stage, shop } = await openShadowStage(context, { workers, limits: { shopsLoadedMax: 1 } });
  simulate(shop, cart(item()));
  await write(shop, { kind: 'enterStaging' });
  const ended = stage.shadow.replay(SHOP);
  await createShop(stage, 'shop_b');
  await createShop(stage, 'shop_c');
  const again = await stage.directory.load(SHOP);
  assert.notEqual(again, shop);
  await write(again, { kind: 'discardStaging' });
  await write(again, { kind: 'enterStaging' });
  await workers.handed();
  await workers.settle();
  const outcome = await ended;
  assert.equal(outcome.ok ? 'ok' : outcome.code, 'CONFLICT');
  const going = stage.shadow.replay(SHOP);
  await createShop(stage, 'shop_d');
  await createShop(stage, 'shop_e');
  assert.equal(stage.directory.loaded(SHOP), undefined);
  await workers.settle();
  assert.ok((await going).ok);
});

test('a replay whose thread fails counts its carts as dropped, and the next one runs', async (context) => {
  const workers = new HeldWorkers();
  const { stage, shop } = await openShadowStage(context, { workers });
  simulate(shop, cart(item()));
  await write(shop, { kind: 'enterStaging' });
  for (const failure of [new Error('a thread went'), undefined]) {
    const replay = stage.shadow.replay(SHOP);
    await workers.handed();
    await workers.settle(failure);
    assert.ok((await replay).ok);
  }
  const { dropped, replayed } = resultsOf(stage, shop);
  assert.deepEqual([dropped, replayed], [1, 1]);
});

test('a rule that reads a personal field is replayed with it', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  const methodId = shop.state.config.methods[0]?.id ?? '';
  const readsPhone: Command = {
    kind: 'createRule',
    methodId,
    body: {
      action: 'hide',
      conditions: [{ conditionType: 'destination_phone', operator: 'starts_with', value: '+49' }],
    },
  };
  await write(shop, readsPhone);
  simulate(shop, { ...cart(item()), destination: { country: 'DE', phone: '+49 30 1', name: 'N' } });
  await write(shop, { kind: 'enterStaging' });
  await write(shop, { kind: 'updateMethod', id: methodId, body: { config: { price: 900 } } });
  assert.ok((await stage.shadow.replay(SHOP)).ok);
  // Hidden on both sides; without the phone it would be visible.
  const { evaluated, identical } = resultsOf(stage, shop);
  assert.deepEqual([evaluated, identical], [1, 1]);
});
