/** Results of a changeset compared with a naive computation over full answers, on random shops. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import {
  CONDITION_TYPE_NAMES,
  CONDITION_TYPES,
  type ConditionType,
  type Subject,
} from '../../../src/engine/domain/condition.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import type { PlacedConfig } from '../../../src/engine/domain/shop-event.ts';
import { EVIDENCE_MAX } from '../../../src/engine/wire/gate-report.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import { SAMPLE_ENTRIES_MAX, SAMPLES_MAX, ShadowResults } from '../../../src/engine/wire/shadow-results.ts';
import { CartComparer } from '../../../src/shop/shadow/cart-comparer.ts';
import { ShadowTally } from '../../../src/shop/shadow/shadow-tally.ts';
import { shopEdits } from '../../support/arbitrary/edits.ts';
import { referenceSimulate } from '../../support/reference/simulate.ts';
import { type ShopCart, shopCase, simulationSettings } from '../../support/shop-arbitraries.ts';
import { cart, FLAT, item, method, NOW_MS, rule, SETTINGS, shop } from '../../support/small-shop.ts';
import { isAnswered, naiveShadow, placed } from './naive-shadow.ts';

const results = compileSchema(ShadowResults);

function tallyOf(
  live: ShopConfig,
  staged: ShopConfig,
  settings: typeof SETTINGS | { currency: string; timezone: string },
  carts: readonly ShopCart[],
): ShadowTally {
  const before = compileShop(live, settings);
  const comparer = new CartComparer(before, compileShop(staged, settings, before));
  const tally = new ShadowTally('shop', 'staging');
  for (const { request, nowMs } of carts) {
    const comparison = comparer.compare(request, nowMs);
    if (comparison !== null) tally.add(comparison, 0);
  }
  return tally;
}

const viewOf = (tally: ShadowTally, live: ShopConfig, staged: ShopConfig) =>
  tally.view(placed<PlacedConfig>(live), placed<PlacedConfig>(staged));

test('counts, coverage and prices by method equal a naive computation over full answers', () => {
  let different = 0;
  const property = fc.property(
    shopCase(12),
    shopEdits(simulationSettings, 4),
    ({ config, settings, carts }, edits) => {
      const staged = edits.reduce((form, edit) => edit(form), { config, settings }).config;
      const answered = carts.filter((one) => isAnswered(config, settings, one));
      const tally = tallyOf(config, staged, settings, carts);
      const { samples, dropped, replayed, simulations, ...view } = viewOf(tally, config, staged);
      const naive = naiveShadow(config, staged, settings, answered);
      for (const id of naive.beyondDouble) {
        for (const { byMethod, byZone, byGroup } of [view, naive.results])
          for (const one of [byMethod[id], byZone[id], byGroup[id]])
            Object.assign(one ?? {}, { differenceCents: 0 });
      }
      assert.deepEqual(view, naive.results);
      assert.equal(samples.length, Math.min(SAMPLES_MAX, view.different));
      assert.deepEqual([dropped, replayed.runs, simulations], [0, 0, answered.length]);
      different += view.different;

      const read = ShadowTally.read(tally.text(), 'shop', 'staging');
      const whole = viewOf(tally, config, staged);
      assert.ok(results.check(whole));
      assert.ok(read !== null);
      assert.deepEqual(viewOf(read, config, staged), whole);
      tally.prune(placed(config), placed(staged));
      assert.deepEqual(viewOf(tally, config, staged), whole);
    },
  );
  fc.assert(property, { numRuns: 120, unbiased: true, includeErrorInReport: true });
  assert.ok(different > 20, `${different} carts that differ`);
});

/** Of the customer's tags a sample shows those that a condition names. */
const isPersonal = (type: ConditionType) =>
  CONDITION_TYPES[type].privacy === 'personal' && type !== 'customer_tag';
const withoutPersonalConditions = (config: ShopConfig): ShopConfig => ({
  ...config,
  methods: config.methods.map((one) => ({
    ...one,
    rules: one.rules.map((rule) => ({
      ...rule,
      conditions: rule.conditions.filter(({ conditionType }) => !isPersonal(conditionType)),
    })),
  })),
});

/** The texts of these that a sample shows only if something reads them, when nothing does. */
const unread = (of: Subject) =>
  Object.fromEntries(
    CONDITION_TYPE_NAMES.map((type) => CONDITION_TYPES[type])
      .filter(({ subject, kind, privacy }) => subject === of && kind !== 'number' && privacy !== 'public')
      .flatMap(({ reads }) => reads.map((name) => [name, null])),
  );
const UNREAD = {
  ...unread('item'),
  ...{ name: null, vendor: null, productId: null, variantId: null, properties: null },
};
const NOBODY = {
  ...unread('destination'),
  ...{ name: null, company: null, phone: null },
  ...{ address1: null, address2: null, address3: null },
};

test('a sample has the rates of both sides and their differences, and no personal data', () => {
  const live = shop([method('a', FLAT(500)), method('b', FLAT(700)), method('gone', FLAT(900))]);
  const staged = shop([method('a', FLAT(500)), method('b', FLAT(650)), method('new', FLAT(100))]);
  const personal = {
    name: 'Ada Lovelace',
    phone: '+1 555 0199',
    address1: '1 Analytical Way',
    company: 'Engines',
  };
  const request = {
    ...cart(item({ sku: 'S1', name: 'Gift for Ada', quantity: 2 }), item({ requiresShipping: false })),
    destination: { country: 'US', province: 'CA', postalCode: '90210', city: 'Beverly Hills', ...personal },
  };
  const view = viewOf(tallyOf(live, staged, SETTINGS, [{ request, nowMs: NOW_MS }]), live, staged);
  const answers = [live, staged].map((config) => referenceSimulate(config, SETTINGS, request, NOW_MS));
  const [before, after] = answers.map((answer) => (answer.status === 200 ? answer.answer.rates : []));
  assert.deepEqual(view.samples, [
    {
      at: '2026-11-18T17:00:00.000Z',
      destination: { country: 'US', province: 'CA', postalCode: '90210' },
      items: [
        { sku: 'S1', quantity: 2, grams: 100, price: 1_000, requiresShipping: true },
        { sku: '', quantity: 1, grams: 100, price: 1_000, requiresShipping: false },
      ],
      itemCount: 2,
      cartTotal: 3_000,
      live: before,
      staged: after,
      differences: [
        { serviceCode: 'b', serviceName: 'b', live: 700, staged: 650 },
        { serviceCode: 'gone', serviceName: 'gone', live: 900, staged: null },
        { serviceCode: 'new', serviceName: 'new', live: null, staged: 100 },
      ],
      request: {
        destination: { ...NOBODY, country: 'US', province: 'CA', postalCode: '90210', city: null },
        items: [
          { ...UNREAD, sku: 'S1', quantity: 2, grams: 100, price: 1_000, requiresShipping: null },
          { ...UNREAD, sku: null, quantity: 1, grams: 100, price: 1_000, requiresShipping: false },
        ],
        ...unread('request'),
        currency: null,
        locale: null,
      },
      replayed: false,
    },
  ]);
  assert.doesNotMatch(JSON.stringify(view), /Ada|0199|Analytical|Engines|Beverly/);
});

test('other delivery dates are a difference of no cents, and stand in the sample with the prices', () => {
  const live = shop([
    method('a', FLAT(500)),
    method('b', FLAT(700), { delivery: { minDays: 1, maxDays: 2 } }),
  ]);
  const staged = shop([
    method('a', FLAT(500), { delivery: { minDays: 0, maxDays: 0 } }),
    method('b', FLAT(700), { delivery: { minDays: 1, maxDays: 3 } }),
  ]);
  // Wednesday, 18 November 2026.
  const carts = [{ request: cart(item()), nowMs: NOW_MS }];
  const { different, byMethod, byZone, byGroup, samples } = viewOf(
    tallyOf(live, staged, SETTINGS, carts),
    live,
    staged,
  );
  const [from, to] = [{ minDeliveryDate: '2026-11-19' }, { maxDeliveryDate: '2026-11-20' }];
  assert.deepEqual(samples[0]?.differences, [
    {
      ...{ serviceCode: 'a', serviceName: 'a', live: 500, staged: 500 },
      stagedDates: { minDeliveryDate: '2026-11-18', maxDeliveryDate: '2026-11-18' },
    },
    {
      ...{ serviceCode: 'b', serviceName: 'b', live: 700, staged: 700 },
      liveDates: { ...from, ...to },
      stagedDates: { ...from, maxDeliveryDate: '2026-11-23' },
    },
  ]);
  assert.deepEqual([different, byMethod], [1, {}]);
  for (const [{ differenceCents, ...counts } = { differenceCents: 1 }] of [byZone, byGroup].map(
    Object.values,
  )) {
    assert.deepEqual([differenceCents, counts], [0, { name: counts.name, evaluated: 1, different: 1 }]);
  }
});

test('a changeset that only renames methods has no differences', () => {
  const live = shop([method('a', FLAT(500))]);
  const staged = shop([method('a', FLAT(500), { name: 'Express', subtitle: 'fast' })]);
  const view = viewOf(
    tallyOf(live, staged, SETTINGS, [{ request: cart(item()), nowMs: NOW_MS }]),
    live,
    staged,
  );
  assert.deepEqual([view.identical, view.different, view.byMethod], [1, 0, {}]);
});

test('the order of rates of one service is no difference, however large their prices are', () => {
  const prices = [1, 2, 2 ** 53 - 1];
  const shopOf = (order: readonly number[]) =>
    shop(order.map((price, at) => method(`m${at}`, FLAT(price), { serviceCode: 'one' })));
  const [live, staged] = [shopOf(prices), shopOf(prices.toReversed())];
  const view = viewOf(
    tallyOf(live, staged, SETTINGS, [{ request: cart(item()), nowMs: NOW_MS }]),
    live,
    staged,
  );
  assert.deepEqual([view.identical, view.different], [1, 0]);
});

test('the newest samples are kept, newest first, and each stays small', () => {
  const many = Array.from({ length: 60 }, (_, index) => method(`m${index}`, FLAT(index)));
  const live = shop(many);
  const staged = shop(many.map((one) => ({ ...one, ...FLAT(5_000) })));
  const items = Array.from({ length: 300 }, () => item({ sku: 'x'.repeat(500) }));
  const carts = Array.from({ length: SAMPLES_MAX + 7 }, (_, index) => ({
    request: { ...cart(...items), destination: { country: 'US', province: 'p'.repeat(900) } },
    nowMs: NOW_MS + index,
  }));
  const tally = tallyOf(live, staged, SETTINGS, carts);
  const { samples, different } = viewOf(tally, live, staged);
  assert.equal(different, carts.length);
  assert.deepEqual(
    samples.map(({ at }) => Date.parse(at) - NOW_MS),
    Array.from({ length: SAMPLES_MAX }, (_, index) => carts.length - 1 - index),
  );
  for (const { items: kept, itemCount, live: before, staged: after, differences } of samples) {
    assert.equal(itemCount, 300);
    for (const list of [kept, before, after, differences]) assert.equal(list.length, SAMPLE_ENTRIES_MAX);
  }
  assert.ok(tally.text().length < 1_500_000);
});

test('lost carts stay evidence however many other carts differ after them', () => {
  const isLight = { conditionType: 'cart_weight', operator: 'less_than', value: '100' } as const;
  const conditions = [{ ...isLight, scope: 'any_product_in_order' as const }];
  const live = shop([method('a', FLAT(1))]);
  const staged = shop([method('a', FLAT(2), { rules: [rule('light', 'hide', { conditions })] })]);
  const lost = EVIDENCE_MAX + 5;
  const carts = Array.from({ length: lost + 2 * SAMPLES_MAX }, (_, index) => ({
    request: cart(item({ grams: index < lost ? 99 : 100 })),
    nowMs: NOW_MS + index,
  }));
  const tally = tallyOf(live, staged, SETTINGS, carts);
  for (const each of [tally, ShadowTally.read(tally.text(), 'shop', 'staging')]) {
    assert.ok(each !== null);
    const results = each.sinceEdit(placed(staged));
    assert.equal(results.lost, lost);
    assert.ok(results.samples.every(({ staged: rates }) => rates.length > 0));
    assert.deepEqual(
      results.lostSamples.map(({ at, staged: rates }) => [Date.parse(at) - NOW_MS, rates.length]),
      Array.from({ length: EVIDENCE_MAX }, (_, index) => [lost - 1 - index, 0]),
    );
  }
});

test('the request of a sample gets the same answer as the full request, if no rule reads personal fields', () => {
  let samples = 0;
  const property = fc.property(
    shopCase(6),
    shopEdits(simulationSettings, 4),
    ({ config: whole, settings, carts }, edits) => {
      const edited = edits.reduce((form, edit) => edit(form), { config: whole, settings }).config;
      const [config = whole, staged = edited] = [whole, edited].map(withoutPersonalConditions);
      for (const { request, nowMs } of carts) {
        const [sample] = viewOf(
          tallyOf(config, staged, settings, [{ request, nowMs }]),
          config,
          staged,
        ).samples;
        if (sample === undefined || sample.request === null) continue;
        samples++;
        for (const side of [config, staged]) {
          const ratesFor = (cart: SimulateRequest) => {
            const result = referenceSimulate(side, settings, cart, nowMs);
            return result.status === 200 ? result.answer.rates : null;
          };
          assert.deepEqual(ratesFor(sample.request), ratesFor(request));
        }
      }
    },
  );
  fc.assert(property, { numRuns: 120, unbiased: true });
  assert.ok(samples > 20, `${samples} samples`);
});

test('results of another changeset or format are ignored', () => {
  const text = new ShadowTally('shop', 'staging').text();
  assert.ok(ShadowTally.read(text, 'shop', 'staging') !== null);
  assert.equal(ShadowTally.read(text, 'shop', 'another'), null);
  assert.equal(
    ShadowTally.read(JSON.stringify({ ...JSON.parse(text), format: 99 }), 'shop', 'staging'),
    null,
  );
});

test('deleted records are removed from the results, and the others stay', () => {
  const live = shop([method('a', FLAT(1)), method('b', FLAT(1))]);
  const staged = shop([method('a', FLAT(2)), method('b', FLAT(2)), method('brief', FLAT(3))]);
  const tally = tallyOf(live, staged, SETTINGS, [{ request: cart(item()), nowMs: NOW_MS }]);
  const later = shop([method('a', FLAT(2))]);
  tally.prune(placed(live), placed(later));
  assert.deepEqual(Object.keys(viewOf(tally, live, later).byMethod).sort(), ['a', 'b']);
});
