/** Carts that are kept for replays: which ones, without what is personal, within bounds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import type { Condition } from '../../../src/engine/domain/condition.ts';
import type { PlacedConfig, ShopState } from '../../../src/engine/domain/shop-event.ts';
import { evaluate } from '../../../src/engine/evaluate/evaluate.ts';
import { KEPT_CARTS_MAX } from '../../../src/engine/wire/shadow-results.ts';
import { KeptCarts, ShopCarts } from '../../../src/shop/shadow/kept-carts.ts';
import { keptRequest, personalFieldsRead } from '../../../src/shop/shadow/kept-request.ts';
import { shopCase } from '../../support/shop-arbitraries.ts';
import { cart, FLAT, item, method, rule, shop } from '../../support/small-shop.ts';
import { placed } from './naive-shadow.ts';

const reads = (...types: readonly Condition['conditionType'][]): PlacedConfig => {
  const conditions = types.map((conditionType): Condition => {
    return { conditionType, operator: 'contains', value: 'x', scope: 'any_product_in_order' };
  });
  return placed(shop([method('a', FLAT(1), { rules: [rule('r', 'hide', { conditions })] })]));
};

const stateOf = (config: PlacedConfig, staged: PlacedConfig | null = null): ShopState =>
  ({ config, staging: staged === null ? null : { config: staged } }) as unknown as ShopState;

const ADDRESSED: SimulateRequest = {
  ...cart(item({ sku: 'S' })),
  destination: {
    country: 'US',
    province: 'CA',
    city: 'LA',
    postalCode: '90001',
    name: 'Name',
    company: 'Company',
    phone: 'Phone',
    address1: 'Street 1',
    address2: 'Street 2',
    address3: 'Street 3',
  },
};

const MANY_BYTES = 1_000_000;

const namesIn = (carts: ShopCarts) =>
  ['Name', 'Company', 'Phone', 'Street 1', 'Street 2', 'Street 3'].filter((text) =>
    JSON.stringify(carts.list()).includes(text),
  );

test('personal fields are kept only if a rule of either configuration reads them', () => {
  const street = ['Street 1', 'Street 2', 'Street 3'];
  const cases: readonly (readonly [PlacedConfig, PlacedConfig | null, readonly string[]])[] = [
    [reads(), null, []],
    [reads('destination_city', 'destination_postal_code'), null, []],
    [reads('destination_name'), null, ['Name']],
    [reads('destination_address'), reads('destination_phone'), ['Phone', ...street]],
    [reads(), reads('destination_company'), ['Company']],
  ];
  for (const [live, staged, expected] of cases) {
    const carts = new ShopCarts(new KeptCarts(MANY_BYTES), stateOf(live, staged));
    carts.offer(ADDRESSED, 1);
    assert.deepEqual(namesIn(carts), expected);
  }
});

test('fields that no rule reads any more are removed from kept carts with the write', () => {
  const all = new KeptCarts(MANY_BYTES);
  const carts = new ShopCarts(all, stateOf(reads('destination_name', 'destination_phone')));
  carts.offer(ADDRESSED, 1);
  const { bytes } = all;
  carts.changed(stateOf(reads('destination_phone', 'destination_company')));
  assert.ok(all.bytes < bytes);
  assert.deepEqual(namesIn(carts), ['Phone']);
  // Carts that are kept from now on have what the rules read now.
  carts.offer(ADDRESSED, 2);
  assert.deepEqual(namesIn(carts), ['Company', 'Phone']);
});

test('fields that are not in the contract are not kept', () => {
  const request = {
    ...ADDRESSED,
    note: 'unknown note',
    destination: { ...ADDRESSED.destination, email: 'unknown@example' },
    items: [{ ...item(), properties: { tag: 'a', engraving: 'unknown words' } }],
  };
  assert.doesNotMatch(JSON.stringify(keptRequest(request, 0)), /unknown/);
});

test('a kept cart gets the same answer as the full request', () => {
  const property = fc.property(shopCase(4), ({ config, settings, carts }) => {
    const compiled = compileShop(config, settings);
    const fields = personalFieldsRead(placed(config));
    for (const { request, nowMs } of carts) {
      const kept = JSON.parse(JSON.stringify(keptRequest(request, fields))) as SimulateRequest;
      assert.deepEqual(evaluate(compiled, kept, nowMs), evaluate(compiled, request, nowMs));
    }
  });
  fc.assert(property, { numRuns: 150, unbiased: true });
});

/** Numbers from 0 to 1 that look random and are the same in each run. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const timesOf = (carts: ShopCarts): readonly number[] => carts.list().map(({ nowMs }) => nowMs);

test('all of the first carts are kept, then a sample of all', () => {
  const carts = new ShopCarts(new KeptCarts(MANY_BYTES, numbersFrom(7)), stateOf(reads()));
  for (let at = 0; at < KEPT_CARTS_MAX; at++) carts.offer(ADDRESSED, at);
  assert.deepEqual(timesOf(carts), [...Array(KEPT_CARTS_MAX).keys()]);
  const count = 20 * KEPT_CARTS_MAX;
  for (let at = KEPT_CARTS_MAX; at < count; at++) carts.offer(ADDRESSED, at);
  const times = timesOf(carts);
  assert.equal(times.length, KEPT_CARTS_MAX);
  for (let quarter = 0; quarter < 4; quarter++) {
    const [from, to] = [quarter, quarter + 1].map((part) => (part * count) / 4) as [number, number];
    const inside = times.filter((at) => from <= at && at < to).length;
    assert.ok(inside > 25 && inside < 75, `${inside} of ${KEPT_CARTS_MAX} in quarter ${quarter}`);
  }
});

test('in a long time recent carts take the place of old ones', () => {
  const carts = new ShopCarts(new KeptCarts(MANY_BYTES, numbersFrom(11)), stateOf(reads()));
  for (let at = 0; at < 120_000; at++) carts.offer(ADDRESSED, at);
  const recent = timesOf(carts).filter((at) => at >= 90_000).length;
  assert.ok(recent > KEPT_CARTS_MAX * 0.85, `${recent} recent ones`);
});

test('the limit holds over all shops, and the shop that kept none for the longest time loses its carts first', () => {
  const single = new KeptCarts(MANY_BYTES);
  new ShopCarts(single, stateOf(reads())).offer(ADDRESSED, 0);
  const all = new KeptCarts(10 * single.bytes);
  const [quiet, busy] = [new ShopCarts(all, stateOf(reads())), new ShopCarts(all, stateOf(reads()))];
  for (let at = 0; at < 6; at++) quiet.offer(ADDRESSED, at);
  for (let at = 0; at < 7; at++) busy.offer(ADDRESSED, at);
  assert.deepEqual([timesOf(quiet).length, timesOf(busy).length], [3, 7]);
  for (let at = 7; at < 30; at++) busy.offer(ADDRESSED, at);
  assert.deepEqual([timesOf(quiet).length, timesOf(busy).length], [0, 10]);
  assert.equal(all.bytes, 10 * single.bytes);
  busy.close();
  assert.equal(all.bytes, 0);
});

test('a limit of 0 keeps nothing', () => {
  const all = new KeptCarts(0);
  const carts = new ShopCarts(all, stateOf(reads()));
  carts.offer(ADDRESSED, 0);
  assert.deepEqual([carts.list(), all.bytes], [[], 0]);
});
