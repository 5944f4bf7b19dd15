import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMetrics } from '../../../src/base/metrics/metrics.ts';
import { silentLogger } from '../../../src/base/runtime/logger.ts';
import { readSettings } from '../../../src/front/settings.ts';
import { LiveShadow } from '../../../src/shop/shadow/live-shadow.ts';
import { cart, item, NOW_MS } from '../../support/small-shop.ts';
import {
  createShop,
  newMethod,
  openShadowStage,
  replay,
  resultsOf,
  SHOP,
  simulate,
  write,
} from './shadow-stage.ts';

const NO_USES = { simulations: 0, days: [], records: [] };

const CART = cart(item({ sku: 'S1' }));
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('each live simulation is evaluated against the changeset at the time of the answer', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  simulate(shop, CART);
  await write(shop, { kind: 'enterStaging' });
  for (let count = 0; count < 100; count++) simulate(shop, CART);
  await write(shop, newMethod('n', 700));
  for (let count = 0; count < 50; count++) simulate(shop, CART);
  await write(shop, { kind: 'createGroup', body: { name: 'Heavy' } });
  const results = resultsOf(stage, shop);
  const { simulations, evaluated, identical, different, dropped, samples, coverage } = results;
  assert.deepEqual([simulations, evaluated, identical, different, dropped], [150, 150, 100, 50, 0]);
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

test('results have every simulation that was answered before, in the same turn of the event loop too', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  await write(shop, { kind: 'enterStaging' });
  const [method] = shop.state.config.methods;
  await write(shop, { kind: 'updateMethod', id: method?.id ?? '', body: { enabled: false } });
  for (let count = 1; count <= 8; count++) {
    simulate(shop, CART);
    const results = await stage.shadow.resultsSinceEdit(shop.state);
    assert.ok(results.ok);
    assert.deepEqual([results.value.evaluated, results.value.lost], [count, count]);
    assert.equal(results.value.lostSamples.length, count);
  }
  simulate(shop, CART);
  assert.equal(resultsOf(stage, shop).lost, 9);
});

test('nobody has to ask: carts are evaluated in the following turns of the event loop', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  await write(shop, { kind: 'enterStaging' });
  for (let count = 0; count < 100; count++) simulate(shop, CART);
  assert.equal(stage.metrics.values.shadow_evaluated, 0, 'not while answers are made');
  const seen: number[] = [];
  while (stage.metrics.values.shadow_evaluated < 100) {
    await turn();
    seen.push(stage.metrics.values.shadow_evaluated);
  }
  assert.ok(seen.length > 2, 'a few carts a turn');
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
  assert.deepEqual(await sinceEdit(stage, shop), [0, 10, 0, 0, 100, 0]);
  const [method] = shop.state.config.methods;
  await write(shop, { kind: 'updateMethod', id: method?.id ?? '', body: { enabled: false } });
  assert.deepEqual(await sinceEdit(stage, shop), [1, 0, 0, 0, 0, 0]);
  for (let count = 0; count < 3; count++) simulate(shop, CART);
  const whole = resultsOf(stage, shop);
  assert.deepEqual([whole.evaluated, whole.lost, whole.gained], [13, 3, 0]);
  assert.deepEqual(await sinceEdit(stage, shop), [1, 3, 3, 3, 100, 3]);
  const again = await restart();
  assert.deepEqual(await sinceEdit(again.stage, again.shop), [1, 3, 3, 3, 100, 3]);
});

test('a cart that was answered before an edit of the changeset does not count for the edit', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  await write(shop, { kind: 'enterStaging' });
  const written = write(shop, newMethod('n', 700));
  for (let count = 0; count < 5; count++) simulate(shop, CART);
  await written;
  const results = await stage.shadow.resultsSinceEdit(shop.state);
  assert.ok(results.ok);
  assert.deepEqual([results.value.writes, results.value.evaluated], [1, 0]);
  const { evaluated, identical } = resultsOf(stage, shop);
  assert.deepEqual([evaluated, identical], [5, 5]);
});

test('an explained simulation counts as live; one of the changeset or of a version, or a test, does not', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  const { id: versionId } = shop.state.version;
  const used = () => shop.useCounter.take().simulations;
  await write(shop, { kind: 'enterStaging' });
  for (const form of ['explained', 'all', 'rates'] as const) {
    for (const source of ['staged', { versionId }] as const) simulate(shop, CART, NOW_MS, { source, form });
    simulate(shop, CART, NOW_MS, { source: 'live', form, isTest: true });
  }
  assert.deepEqual([used(), resultsOf(stage, shop).simulations, stage.shadow.keptCarts(SHOP)], [0, 0, []]);
  simulate(shop, CART, NOW_MS, { source: 'live', form: 'explained' });
  simulate(shop, CART, NOW_MS, { source: 'live', form: 'rates', isTest: false });
  assert.equal(resultsOf(stage, shop).evaluated, 2);
  assert.deepEqual([used(), stage.shadow.keptCarts(SHOP).length], [2, 2]);
});

test('results survive a restart, and are removed with their changeset', async (context) => {
  const { stage, shop, restart } = await openShadowStage(context);
  await write(shop, { kind: 'enterStaging' });
  await write(shop, newMethod('n', 700));
  for (let count = 0; count < 30; count++) simulate(shop, CART);
  replay(stage, shop);
  const before = resultsOf(stage, shop);
  assert.deepEqual([before.evaluated, before.replayed.evaluated], [30, 30]);
  const second = await restart();
  assert.deepEqual(resultsOf(second.stage, second.shop), before);
  simulate(second.shop, CART);
  assert.equal(resultsOf(second.stage, second.shop).evaluated, 31);
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
  assert.equal(resultsOf(stage, again).evaluated, 2);
  // The shop was evicted before a thread answered this cart.
  shop.simulatedElsewhere([CART], NOW_MS, NO_USES);
  await turn();
  assert.equal(resultsOf(stage, again).evaluated, 3);
  await write(again, { kind: 'discardStaging' });
  await write(again, { kind: 'enterStaging' });
  shop.simulatedElsewhere([CART], NOW_MS, NO_USES);
  await turn();
  simulate(again, CART);
  const { evaluated, dropped } = resultsOf(stage, again);
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
  assert.equal(ended.value.evaluated, 0);
  simulate(shop, CART);
  assert.equal(resultsOf(stage, shop).evaluated, 2);
});

test('of a flood as many are evaluated as the budget of a second has; the others are dropped, and every answer is the same', async (context) => {
  let nowMs = 0;
  const limits = { shadowPerSecond: 100 };
  const { stage, shop } = await openShadowStage(context, { limits, monotonicMs: () => nowMs });
  const answer = simulate(shop, CART);
  await write(shop, { kind: 'enterStaging' });
  const SECONDS = 5;
  for (let second = 0; second < SECONDS; second++) {
    nowMs = 1_000 * second;
    for (let count = 0; count < 700; count++) {
      nowMs++;
      assert.equal(simulate(shop, CART), answer);
      if (count % 10 === 0) await turn();
    }
  }
  const { simulations, evaluated, dropped } = resultsOf(stage, shop);
  assert.deepEqual([simulations, evaluated, dropped], [700 * SECONDS, 100 * SECONDS, 600 * SECONDS]);
  const { shadow_evaluated, shadow_dropped } = stage.metrics.values;
  assert.deepEqual([shadow_evaluated, shadow_dropped], [evaluated, dropped]);
});

test('a flood of one shop leaves the others their share', async (context) => {
  const limits = { shadowPerSecond: 100 };
  const { stage, shop: busy } = await openShadowStage(context, { limits });
  const quiet = await createShop(stage, 'shop_b');
  for (const shop of [busy, quiet]) await write(shop, { kind: 'enterStaging' });
  for (let count = 0; count < 1_000; count++) simulate(busy, CART);
  for (let count = 0; count < 30; count++) simulate(quiet, CART);
  const [first, second] = [busy, quiet].map((shop) => resultsOf(stage, shop));
  assert.deepEqual([first?.evaluated, first?.dropped], [75, 925]);
  assert.deepEqual([second?.evaluated, second?.dropped], [25, 5]);
});

test('more carts than may wait are dropped', async (context) => {
  const { stage, shop } = await openShadowStage(context, { limits: { shadowPerSecond: 10_000 } });
  await write(shop, { kind: 'enterStaging' });
  for (let count = 0; count < 1_300; count++) simulate(shop, CART);
  const { evaluated, dropped } = resultsOf(stage, shop);
  assert.deepEqual([evaluated, dropped], [1_000, 300]);
});

test('a cart that cannot be evaluated is dropped, and the next ones are evaluated', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  await write(shop, { kind: 'enterStaging' });
  simulate(shop, CART);
  // As a bug in the evaluation would.
  const broken = {
    ...CART,
    get items(): never {
      throw new Error('planted');
    },
  };
  const items = CART.items;
  let reads = 0;
  const changing = {
    ...CART,
    get items() {
      // Readable while it is answered and kept.
      reads++;
      return reads > 3 ? broken.items : items;
    },
  };
  shop.simulatedElsewhere([changing], NOW_MS, NO_USES);
  simulate(shop, CART);
  const { evaluated, dropped } = resultsOf(stage, shop);
  assert.deepEqual([evaluated, dropped], [2, 1]);
});

test('simulations that wait when their changeset ends do not count for another', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  await write(shop, { kind: 'enterStaging' });
  const discarded = write(shop, { kind: 'discardStaging' });
  simulate(shop, CART);
  await discarded;
  await write(shop, { kind: 'enterStaging' });
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
  replay(stage, shop);
  const results = resultsOf(stage, shop);
  assert.deepEqual(
    [results.samples.length, results.samples.filter(({ replayed }) => replayed).length],
    [40, 20],
  );
  const kept = JSON.stringify(stage.shadow.keptCarts(SHOP));
  // In memory only; other texts may change an answer once a rule reads them.
  for (const personal of [
    'address name',
    'address phone',
    'address company',
    'address address1',
    'customer',
  ]) {
    assert.ok(!kept.includes(`Planted ${personal}`), personal);
  }
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
  const stored: (() => void)[] = [];
  const shadow = new LiveShadow({
    log: { readShopText: () => null, writeShopText: () => new Promise((done) => stored.push(done)) },
    clock: { monotonicMs: () => 0 },
    logger: silentLogger,
    metrics: createMetrics(),
    limits: readSettings({}),
  });
  const evaluated = () => {
    const results = shadow.results(shop.state, []);
    assert.ok(results.ok);
    return results.value.evaluated;
  };
  const first = shadow.open(shop);
  first.simulated(CART, NOW_MS);
  const closed = shadow.close();
  while (stored.length < 1) await turn();
  first.simulated(CART, NOW_MS);
  first.closed();
  assert.equal(evaluated(), 2);
  stored[0]?.();
  await closed;
  assert.equal(evaluated(), 2, 'the second simulation is not stored yet');
  const again = shadow.close();
  while (stored.length < 2) await turn();
  assert.equal(evaluated(), 2);
  stored[1]?.();
  await again;
  assert.equal(evaluated(), 0, 'the log of this test stores nothing');
});
