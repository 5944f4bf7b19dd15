/** The limits of the shadow: one below, at, and one above each limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileShop } from '../../src/compile/compiled-shop.ts';
import type { ShopConfig } from '../../src/domain/shop-config.ts';
import type { PlacedConfig } from '../../src/domain/shop-event.ts';
import { finishSteps, NEVER } from '../../src/pace/work-steps.ts';
import { evaluateShadowBatch } from '../../src/shadow/shadow-batch.ts';
import { ShadowTally } from '../../src/shadow/shadow-tally.ts';
import {
  MISSING_PAIRS_MAX,
  RECENT_SIMULATIONS_MAX,
  SAMPLE_ENTRIES_MAX,
  SAMPLE_TEXT_MAX,
  SAMPLES_MAX,
  type ShadowResults,
} from '../../src/wire/shadow-results.ts';
import { cart, FLAT, item, method, NOW_MS, SETTINGS, shop } from '../support/small-shop.ts';
import { placed } from './naive-shadow.ts';
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

const around = (limit: number): readonly number[] => [limit - 1, limit, limit + 1];

function resultsFor(
  live: ShopConfig,
  staged: ShopConfig,
  requests: readonly ReturnType<typeof cart>[],
): ShadowResults {
  const before = compileShop(live, SETTINGS);
  const tally = new ShadowTally('shop', 'staging');
  const texts = requests.map((request) => JSON.stringify(request));
  const times = requests.map(() => NOW_MS);
  const batch = { texts, times, isReplay: false };
  tally.add(evaluateShadowBatch(before, compileShop(staged, SETTINGS, before), batch), false, true);
  return finishSteps(tally.viewSteps(placed<PlacedConfig>(live), placed<PlacedConfig>(staged), NEVER));
}

const LIVE = shop([method('m', FLAT(1))]);
const STAGED = shop([method('m', FLAT(2))]);

test('samples', () => {
  for (const count of around(SAMPLES_MAX)) {
    const carts = Array.from({ length: count }, () => cart(item()));
    const { samples, different } = resultsFor(LIVE, STAGED, carts);
    assert.deepEqual([different, samples.length], [count, Math.min(count, SAMPLES_MAX)]);
  }
});

test('items, rates and differences of a sample, and the characters of its texts', () => {
  for (const count of around(SAMPLE_ENTRIES_MAX)) {
    const many = Array.from({ length: count }, (_, index) => method(`m${index}`, FLAT(index)));
    const dearer = many.map((one) => ({ ...one, ...FLAT(5_000) }));
    const items = Array.from({ length: count }, () => item());
    const [sample] = resultsFor(shop(many), shop(dearer), [cart(...items)]).samples;
    assert.equal(sample?.itemCount, count);
    for (const list of [sample?.items, sample?.live, sample?.staged, sample?.differences]) {
      assert.equal(list?.length, Math.min(count, SAMPLE_ENTRIES_MAX));
    }
  }
  for (const length of around(SAMPLE_TEXT_MAX)) {
    const [sample] = resultsFor(LIVE, STAGED, [cart(item({ sku: 's'.repeat(length) }))]).samples;
    assert.equal(sample?.items[0]?.sku?.length, Math.min(length, SAMPLE_TEXT_MAX));
  }
  const whole = 's'.repeat(SAMPLE_TEXT_MAX - 1);
  const [sample] = resultsFor(LIVE, STAGED, [cart(item({ sku: `${whole}\u{1f69a}` }))]).samples;
  assert.equal(sample?.items[0]?.sku, whole, 'no half of a character');
});

test('pairs that no cart has covered', () => {
  for (const count of around(MISSING_PAIRS_MAX)) {
    const groups = Array.from({ length: count }, (_, index) => ({
      ...(LIVE.productGroups[0] as ShopConfig['productGroups'][number]),
      id: `group_${index}`,
    }));
    const zones = LIVE.zones.slice(0, 1);
    const { coverage } = resultsFor(LIVE, { ...LIVE, zones, productGroups: groups }, []);
    assert.deepEqual([coverage.possible, coverage.seen], [count, 0]);
    assert.equal(coverage.missing.length, Math.min(count, MISSING_PAIRS_MAX));
  }
});

test('simulations of a replay', async (context) => {
  const { stage, shop: live } = await openShadowStage(context);
  for (let count = 0; count < RECENT_SIMULATIONS_MAX - 1; count++) simulate(live, cart(item()));
  await write(live, { kind: 'enterStaging' });
  await write(live, newMethod('n', 700));
  let shown = 0;
  for (const count of around(RECENT_SIMULATIONS_MAX)) {
    assert.ok((await stage.shadow.replay(SHOP)).ok);
    const { replayed } = resultsOf(stage, live);
    assert.equal(replayed - shown, Math.min(count, RECENT_SIMULATIONS_MAX));
    shown = replayed;
    simulate(live, cart(item()));
  }
});

test('waiting requests: half of the queue for one shop, all of it for all shops', async (context) => {
  const workers = new HeldWorkers();
  const { stage, shop: first } = await openShadowStage(context, { workers, limits: { shadowQueueMax: 4 } });
  const shops = [first, await createShop(stage, 'shop_b'), await createShop(stage, 'shop_c')];
  for (const one of shops) await write(one, { kind: 'enterStaging' });
  const dropped = shops.map((one) => {
    for (let count = 0; count < 3; count++) simulate(one, cart(item()));
    return resultsOf(stage, one).dropped;
  });
  assert.deepEqual(dropped, [1, 1, 3]);
});

test('waiting bytes: a request that fills the queue exactly is accepted', async (context) => {
  const request = cart(item({ name: '\u20ac'.repeat(1_000) }));
  const length = Buffer.byteLength(JSON.stringify(request));
  for (const [limit, dropped] of [
    [2 * length - 1, 2],
    [2 * length, 1],
    [2 * length + 1, 1],
  ] as const) {
    const workers = new HeldWorkers();
    const limits = { shadowQueueBytesMax: limit };
    const { stage, shop: one } = await openShadowStage(context, { workers, limits });
    await write(one, { kind: 'enterStaging' });
    for (let count = 0; count < 3; count++) simulate(one, request);
    assert.equal(resultsOf(stage, one).dropped, dropped);
  }
});
