/** The limits of the shadow: one below, at, and one above each limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import type { PlacedConfig } from '../../../src/engine/domain/shop-event.ts';
import {
  KEPT_CARTS_MAX,
  MISSING_PAIRS_MAX,
  REPLAY_SAMPLES_MAX,
  SAMPLE_ENTRIES_MAX,
  SAMPLE_TEXT_MAX,
  SAMPLES_MAX,
  type ShadowResults,
} from '../../../src/engine/wire/shadow-results.ts';
import { CartComparer } from '../../../src/shop/shadow/cart-comparer.ts';
import { KeptCarts, ShopCarts } from '../../../src/shop/shadow/kept-carts.ts';
import { replayCarts } from '../../../src/shop/shadow/replay-carts.ts';
import { ShadowTally } from '../../../src/shop/shadow/shadow-tally.ts';
import { cart, FLAT, item, method, NOW_MS, SETTINGS, shop } from '../../support/small-shop.ts';
import { placed } from './naive-shadow.ts';

const around = (limit: number): readonly number[] => [limit - 1, limit, limit + 1];

function resultsFor(
  live: ShopConfig,
  staged: ShopConfig,
  requests: readonly ReturnType<typeof cart>[],
): ShadowResults {
  const before = compileShop(live, SETTINGS);
  const comparer = new CartComparer(before, compileShop(staged, SETTINGS, before));
  const tally = new ShadowTally('shop', 'staging');
  for (const request of requests) {
    const comparison = comparer.compare(request, NOW_MS);
    assert.ok(comparison !== null);
    tally.add(comparison, 0);
  }
  return tally.view(placed<PlacedConfig>(live), placed<PlacedConfig>(staged));
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

test('carts that are kept, and samples of a replay', () => {
  for (const count of around(REPLAY_SAMPLES_MAX)) {
    const carts = Array.from({ length: count }, () => ({
      text: JSON.stringify(cart(item())),
      nowMs: NOW_MS,
    }));
    const [live, staged] = [LIVE, STAGED].map((config) => compileShop(config, SETTINGS));
    assert.ok(live !== undefined && staged !== undefined);
    const { different, samples } = replayCarts(live, staged, carts);
    assert.deepEqual([different, samples.length], [count, Math.min(count, REPLAY_SAMPLES_MAX)]);
  }
  for (const count of around(KEPT_CARTS_MAX)) {
    const carts = new ShopCarts(new KeptCarts(1_000_000), { config: LIVE, staging: null } as never);
    for (let at = 0; at < count; at++) carts.offer(cart(item()), at);
    assert.equal(carts.list().length, Math.min(count, KEPT_CARTS_MAX));
  }
});
