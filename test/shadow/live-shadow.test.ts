import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { finishSteps, NEVER } from '../../src/pace/work-steps.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { readSettings } from '../../src/settings.ts';
import { LiveShadow } from '../../src/shadow/live-shadow.ts';
import { BATCH_REQUESTS } from '../../src/shadow/watched-shop.ts';
import { cart, item, NOW_MS } from '../support/small-shop.ts';
import {
  createShop,
  HeldWorkers,
  newMethod,
  openShadowStage,
  resultsOf,
  SHOP,
  settledResults,
  simulate,
  write,
} from './shadow-stage.ts';

const CART = cart(item({ sku: 'S1' }));

test('each live simulation is evaluated against the changeset at the time of the answer', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  simulate(shop, CART);
  await write(shop, { kind: 'enterStaging' });
  for (let count = 0; count < 100; count++) simulate(shop, CART);
  await write(shop, newMethod('n', 700));
  for (let count = 0; count < 50; count++) simulate(shop, CART);
  await write(shop, { kind: 'createGroup', body: { name: 'Heavy' } });
  const results = await settledResults(stage, shop, 150);
  const { evaluated, identical, different, dropped, replayed, samples, coverage } = results;
  assert.deepEqual([evaluated, identical, different, dropped, replayed], [150, 100, 50, 0, 0]);
  assert.equal(samples.length, 50);
  assert.deepEqual(samples[0]?.differences, [
    { serviceCode: 'n', serviceName: 'n', live: null, staged: 700 },
  ]);
  assert.deepEqual(Object.values(results.byMethod), [
    { name: 'n', priceUp: 0, priceDown: 0, appeared: 50, disappeared: 0, differenceCents: 0 },
  ]);
  assert.deepEqual([coverage.seen, coverage.possible, coverage.percent], [1, 2, 50]);
  assert.deepEqual(
    coverage.missing.map(({ zoneName, productGroupName }) => [zoneName, productGroupName]),
    [['Zone', 'Heavy']],
  );
  assert.equal(stage.metrics.values.shadow_evaluated, 150);
});

test('the results since the last edit restart with each staged write, and survive a restart of the process', async (context) => {
  const { stage, shop, restart } = await openShadowStage(context);
  const sinceEdit = async (from: typeof stage, of: typeof shop) => {
    const results = await from.shadow.resultsSinceEdit(of.state);
    assert.ok(results.ok);
    const { writes, evaluated, different, lost, coverage, samples } = results.value;
    return [writes, evaluated, different, lost, coverage.percent, samples.length];
  };
  assert.equal((await stage.shadow.resultsSinceEdit(shop.state)).ok, false);
  await write(shop, { kind: 'enterStaging' });
  for (let count = 0; count < 10; count++) simulate(shop, CART);
  await settledResults(stage, shop, 10);
  assert.deepEqual(await sinceEdit(stage, shop), [0, 10, 0, 0, 100, 0]);
  const [method] = shop.state.config.methods;
  await write(shop, { kind: 'updateMethod', id: method?.id ?? '', body: { enabled: false } });
  assert.deepEqual(await sinceEdit(stage, shop), [1, 0, 0, 0, 0, 0]);
  for (let count = 0; count < 3; count++) simulate(shop, CART);
  const whole = await settledResults(stage, shop, 13);
  assert.deepEqual([whole.evaluated, whole.lost, whole.gained], [13, 3, 0]);
  assert.deepEqual(await sinceEdit(stage, shop), [1, 3, 3, 3, 100, 3]);
  const again = await restart();
  assert.deepEqual(await sinceEdit(again.stage, again.shop), [1, 3, 3, 3, 100, 3]);
});

test('a batch from before an edit of the changeset does not count for the edit', async (context) => {
  const workers = new HeldWorkers();
  const { stage, shop } = await openShadowStage(context, { workers });
  await write(shop, { kind: 'enterStaging' });
  for (let count = 0; count < 5; count++) simulate(shop, CART);
  await write(shop, newMethod('n', 700));
  await workers.settle();
  const results = await stage.shadow.resultsSinceEdit(shop.state);
  assert.ok(results.ok);
  assert.deepEqual([results.value.writes, results.value.evaluated], [1, 0]);
  assert.equal(resultsOf(stage, shop).evaluated, 5);
});

test('an explained simulation counts as live; simulations of the changeset or of a version do not', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  const { id: versionId } = shop.state.version;
  await write(shop, { kind: 'enterStaging' });
  assert.ok(shop.simulate(CART, NOW_MS, { source: 'live', form: 'explained' }).ok);
  for (const source of ['staged', { versionId }] as const) {
    assert.ok(shop.simulate(CART, NOW_MS, { source, form: 'explained' }).ok);
    assert.ok(shop.simulate(CART, NOW_MS, { source, form: 'all' }).ok);
  }
  simulate(shop, CART);
  const { evaluated, dropped } = await settledResults(stage, shop, 2);
  assert.deepEqual([evaluated, dropped], [2, 0]);
});

test('results survive a restart, and are removed with their changeset', async (context) => {
  const { stage, shop, restart } = await openShadowStage(context);
  await write(shop, { kind: 'enterStaging' });
  await write(shop, newMethod('n', 700));
  for (let count = 0; count < 30; count++) simulate(shop, CART);
  const before = await settledResults(stage, shop, 30);
  const second = await restart();
  assert.deepEqual(resultsOf(second.stage, second.shop), before);
  simulate(second.shop, CART);
  await settledResults(second.stage, second.shop, 31);
  await write(second.shop, { kind: 'discardStaging' });
  assert.equal(second.stage.shadow.results(second.shop.state, []).ok, false);
  await write(second.shop, { kind: 'enterStaging' });
  assert.equal(resultsOf(second.stage, second.shop).evaluated, 0);
  const third = await restart();
  assert.equal(resultsOf(third.stage, third.shop).evaluated, 0);
});

test('results of an evicted shop stay and continue', async (context) => {
  const { stage, shop } = await openShadowStage(context, { limits: { shopsLoadedMax: 1 } });
  await write(shop, { kind: 'enterStaging' });
  simulate(shop, CART);
  await shop.idle();
  await createShop(stage, 'shop_b');
  await createShop(stage, 'shop_c');
  const again = await stage.directory.load(SHOP);
  assert.notEqual(again, shop);
  simulate(again, CART);
  assert.equal((await settledResults(stage, again, 2)).evaluated, 2);
  // The shop was evicted before the thread answered this batch.
  shop.simulatedElsewhere(JSON.stringify(CART), NOW_MS, true);
  assert.equal((await settledResults(stage, again, 3)).evaluated, 3);
  await write(again, { kind: 'discardStaging' });
  await write(again, { kind: 'enterStaging' });
  shop.simulatedElsewhere(JSON.stringify(CART), NOW_MS, true);
  simulate(again, CART);
  const { evaluated, dropped } = await settledResults(stage, again, 1);
  assert.deepEqual([evaluated, dropped], [1, 0]);
});

test('a request for results of an ended changeset leaves those of the active one unchanged', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  await write(shop, { kind: 'enterStaging' });
  const { state } = shop;
  await write(shop, { kind: 'discardStaging' });
  await write(shop, { kind: 'enterStaging' });
  simulate(shop, CART);
  const ended = stage.shadow.results(state, []);
  assert.ok(ended.ok);
  assert.equal(finishSteps(ended.value(NEVER)).evaluated, 0);
  simulate(shop, CART);
  assert.equal((await settledResults(stage, shop, 2)).evaluated, 2);
});

test('requests beyond the queue are dropped and counted, and every answer is the same', async (context) => {
  const workers = new HeldWorkers();
  const { stage, shop } = await openShadowStage(context, { workers, limits: { shadowQueueMax: 300 } });
  const answer = simulate(shop, CART);
  await write(shop, { kind: 'enterStaging' });
  // All in one turn, so that no answer can wait for anything.
  for (let count = 0; count < 1_000; count++) assert.equal(simulate(shop, CART), answer);
  // One shop may take half of the queue.
  assert.equal(resultsOf(stage, shop).dropped, 850);
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(workers.batches.every(({ texts }) => texts.length <= BATCH_REQUESTS));
  await workers.settle();
  assert.equal((await settledResults(stage, shop, 1_000)).evaluated, 150);
  simulate(shop, CART);
  assert.equal(resultsOf(stage, shop).dropped, 850);
  await write(shop, { kind: 'createGroup', body: { name: 'G' } });
  await workers.settle();
  assert.equal(resultsOf(stage, shop).evaluated, 151);
});

test('the queue is also bounded by the bytes of the requests', async (context) => {
  const workers = new HeldWorkers();
  const limits = { shadowQueueBytesMax: 10_000 };
  const { stage, shop } = await openShadowStage(context, { workers, limits });
  await write(shop, { kind: 'enterStaging' });
  const large = cart(item({ name: 'x'.repeat(4_000) }));
  for (let count = 0; count < 5; count++) simulate(shop, large);
  assert.equal(resultsOf(stage, shop).dropped, 3);
  await write(shop, { kind: 'createGroup', body: { name: 'G' } });
  await workers.settle();
  assert.equal(resultsOf(stage, shop).evaluated, 2);
});

test('a lost batch is counted as dropped, and the next ones are evaluated', async (context) => {
  const workers = new HeldWorkers();
  const { stage, shop } = await openShadowStage(context, { workers });
  await write(shop, { kind: 'enterStaging' });
  for (let round = 0; round < 3; round++) {
    for (let count = 0; count < 10; count++) simulate(shop, CART);
    await write(shop, { kind: 'createGroup', body: { name: `G${round}` } });
    await workers.settle(round === 1 ? new Error('the worker died') : undefined);
  }
  const { evaluated, dropped } = resultsOf(stage, shop);
  assert.deepEqual([evaluated, dropped], [20, 10]);
});

test('simulations that end after their changeset do not count for another', async (context) => {
  const workers = new HeldWorkers();
  const { stage, shop } = await openShadowStage(context, { workers });
  await write(shop, { kind: 'enterStaging' });
  simulate(shop, CART);
  await write(shop, { kind: 'discardStaging' });
  await write(shop, { kind: 'enterStaging' });
  await workers.settle();
  const { evaluated, dropped } = resultsOf(stage, shop);
  assert.deepEqual([evaluated, dropped], [0, 0]);
});

/** A text for every free-text field of a request, except those that a sample shows. */
const planted = (word: string): string => `Planted ${word} 7`;
const ADDRESS_FIELDS = ['name', 'phone', 'company', 'city', 'address1', 'address2', 'address3', 'email'];
const ITEM_FIELDS = ['name', 'vendor', 'productId', 'variantId', 'comment'];
const plantedIn = (fields: readonly string[], where: string) =>
  Object.fromEntries(fields.map((field) => [field, planted(`${where} ${field}`)]));

test('the results and the data folder contain no personal data', async (context) => {
  const { stage, shop, restart } = await openShadowStage(context);
  const destination = { country: 'DE', postalCode: '10115', ...plantedIn(ADDRESS_FIELDS, 'address') };
  const properties = { tag: planted('tag'), Engraving: planted('engraving') };
  const request = {
    ...cart(item({ ...plantedIn(ITEM_FIELDS, 'item'), sku: 'LAMP', properties })),
    destination,
    locale: planted('locale'),
    customer: { id: planted('customer id'), tags: [planted('customer tag')], name: planted('customer name') },
  };
  simulate(shop, request);
  await write(shop, { kind: 'enterStaging' });
  await write(shop, newMethod('n', 700));
  for (let count = 0; count < 20; count++) simulate(shop, request);
  assert.ok((await stage.shadow.replay(SHOP)).ok);
  const results = await settledResults(stage, shop, 41);
  assert.equal(results.samples.length, 41);
  await restart();
  const files = readdirSync(stage.folder).map((file) => readFileSync(join(stage.folder, file)));
  assert.ok(files.some((file) => file.includes('10115')));
  assert.ok(JSON.stringify(request).includes('Planted'));
  assert.ok(!JSON.stringify(results).includes('Planted'));
  assert.ok(!files.some((file) => file.includes('Planted')));
});

test('results of an evicted shop stay in memory while any write of them is under way', async (context) => {
  const { shop } = await openShadowStage(context);
  await write(shop, { kind: 'enterStaging' });
  const workers = new HeldWorkers();
  const stored: (() => void)[] = [];
  const shadow = new LiveShadow({
    log: { readShopText: () => null, writeShopText: () => new Promise((done) => stored.push(done)) },
    pool: workers,
    answerPool: workers,
    logger: silentLogger,
    metrics: createMetrics(),
    limits: readSettings({}),
  });
  const watch = shadow.open(shop.state, shop.sequenceNumber);
  const closed: Promise<void>[] = [];
  for (const writes of [1, 2]) {
    watch.simulated(CART, NOW_MS);
    closed.push(shadow.close());
    await workers.handed();
    await workers.settle();
    while (stored.length < writes) await new Promise((resolve) => setImmediate(resolve));
  }
  watch.closed();
  stored[0]?.();
  await closed[0];
  const results = shadow.results(shop.state, []);
  assert.ok(results.ok);
  assert.equal(finishSteps(results.value(NEVER)).evaluated, 2);
  stored[1]?.();
  await closed[1];
});
