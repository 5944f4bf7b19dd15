/** Bisect against evaluating every version of random histories (contract section 10.3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareConfigs } from '../../../src/engine/change/diff.ts';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import type { PlacedConfig } from '../../../src/engine/domain/shop-event.ts';
import { evaluate } from '../../../src/engine/evaluate/evaluate.ts';
import type { SimulateAnswer } from '../../../src/engine/wire/answer.ts';
import { FLIPS_MAX } from '../../../src/engine/wire/bisect.ts';
import type { MethodUpdate } from '../../../src/engine/wire/write-bodies.ts';
import { bisect, type VersionChange } from '../../../src/shop/reader/bisect.ts';
import { shopWithZones, type TrialShop } from '../../engine/change/trial-shop.ts';
import { historyCommandOf, historyIntent } from '../../support/history-arbitraries.ts';

const HISTORIES = Number(process.env['RATEWRIGHT_HISTORIES'] ?? 150);
const NOW_MS = Date.UTC(2026, 5, 1);

const cart: fc.Arbitrary<SimulateRequest> = fc.record({
  destination: fc.record({
    country: fc.constantFrom('US', 'US', 'US', 'GB', 'CA'),
    province: fc.constantFrom('CA', 'AK'),
    postalCode: fc.constantFrom('99501', '10001'),
  }),
  items: fc.array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 5 }),
      grams: fc.constantFrom(0, 500, 5_000),
      price: fc.constantFrom(0, 999, 5_000),
      sku: fc.constantFrom('HVY-1', 'MUG', null),
      vendor: fc.constantFrom('Acme', null),
      tags: fc.constantFrom(['fragile'], []),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

function ratesAt(shop: TrialShop, config: PlacedConfig, request: SimulateRequest) {
  const answer = evaluate(compileShop(config as ShopConfig, shop.state.settings), request, NOW_MS);
  if (!answer.ok) return [];
  const { rates } = JSON.parse(answer.value) as SimulateAnswer;
  return rates.map(({ serviceCode, totalPrice, minDeliveryDate, maxDeliveryDate }) => ({
    serviceCode,
    totalPrice,
    ...(minDeliveryDate === undefined ? {} : { minDeliveryDate, maxDeliveryDate }),
  }));
}

/** Equal for rates that differ in their order only. */
const asSet = (rates: ReturnType<typeof ratesAt>): string =>
  JSON.stringify(rates.map((rate) => JSON.stringify(rate)).sort());

const versionsOf = (shop: TrialShop) => [...shop.versions.values()].sort((a, b) => a.number - b.number);
const changesOf = (shop: TrialShop): VersionChange[] =>
  shop.events.flatMap((event) => (event.kind === 'configChanged' ? [event] : []));

test(`a bisect gives what evaluating every version gives, in ${HISTORIES} histories, and evaluates fewer`, () => {
  let found = 0;
  let evaluations = 0;
  let all = 0;
  fc.assert(
    fc.property(
      fc.array(historyIntent, { minLength: 10, maxLength: 40, size: 'max' }),
      cart,
      fc.option(fc.constantFrom('standard', 'standard-2', 'express')),
      fc.nat(),
      (intents, request, serviceCode, choice) => {
        const shop = shopWithZones();
        for (const intent of intents) {
          const outcome = shop.try(historyCommandOf(intent, shop.state, [...shop.versions.keys()]));
          if (outcome.ok) shop.keep(outcome.value);
        }
        const versions = versionsOf(shop);
        const first = choice % Math.max(1, versions.length - 1);
        const isAsked = (rate: { readonly serviceCode: string }) =>
          serviceCode === null || rate.serviceCode === serviceCode;
        const expected = versions.slice(first).flatMap(({ number, config }, index, from) => {
          const old = index === 0 ? undefined : from[index - 1]?.config;
          if (old === undefined) return [];
          const [before, after] = [old, config].map((one) => ratesAt(shop, one, request).filter(isAsked));
          return asSet(before ?? []) === asSet(after ?? [])
            ? []
            : [{ number, before, after, diff: compareConfigs(old, config) }];
        });
        const start = versions[first];
        assert.ok(start !== undefined);
        const changes = changesOf(shop).filter(({ version }) => version.number > start.number);
        const asked = { request, nowMs: NOW_MS, serviceCode };
        const { flips, evaluated, limited } = bisect(asked, shop.state.settings, start.config, changes);
        assert.deepEqual(
          flips.map(({ version, ...flip }) => ({ number: version.number, ...flip })),
          expected,
        );
        assert.equal(limited, false);
        found += flips.length;
        evaluations += evaluated;
        all += changes.length + 1;
      },
    ),
    { numRuns: HISTORIES },
  );
  assert.ok(found > 0, 'histories change answers');
  assert.ok(evaluations < all * 0.8, `${evaluations} of ${all}`);
});

const US_CART: SimulateRequest = {
  destination: { country: 'US' },
  items: [{ quantity: 1, grams: 100, price: 100 }],
};

test('other delivery dates are a change; other names and another order of equal prices are none', () => {
  const shop = shopWithZones();
  const [first, second] = ['First', 'Second'].map(
    (name) => shop.createMethod({ name, zoneId: 'zone_us' }).id,
  );
  assert.ok(first !== undefined && second !== undefined);
  const start = { number: shop.state.version.number, config: shop.config };
  const update = (body: MethodUpdate) => shop.accept({ kind: 'updateMethod', id: second, body });
  update({ name: 'Renamed', subtitle: 'By rail' });
  update({ position: 0 });
  update({ delivery: { minDays: 1, maxDays: 2 } });
  const { flips } = bisect(
    { request: US_CART, nowMs: NOW_MS, serviceCode: null },
    shop.state.settings,
    start.config,
    changesOf(shop).filter(({ version }) => version.number > start.number),
  );
  const [rate, other] = ['second', 'first'].map((serviceCode) => ({ serviceCode, totalPrice: 0 }));
  // The first of June 2026 is a Monday.
  const dates = { minDeliveryDate: '2026-06-02', maxDeliveryDate: '2026-06-03' };
  assert.deepEqual(
    flips.map(({ version, before, after }) => [version.number, before, after]),
    [[start.number + 3, [rate, other], [{ ...rate, ...dates }, other]]],
  );
});

test('only versions that change what can affect the cart are evaluated, and at most a hundred flips are reported', () => {
  const shop = shopWithZones();
  const here = shop.createMethod({ name: 'Here', zoneId: 'zone_us' }).id;
  const elsewhere = shop.createMethod({ name: 'Elsewhere', zoneId: 'zone_gb' }).id;
  const other = shop.createGroup({ name: 'Other', skus: ['OTHER'] }).id;
  const notInCart = shop.createMethod({ name: 'Other', zoneId: 'zone_us', productGroupId: other }).id;
  const start = { number: shop.state.version.number, config: shop.config };
  const price = (id: string, cents: number) =>
    shop.accept({ kind: 'updateMethod', id, body: { rateType: 'flat', config: { price: cents } } });
  for (const id of [elsewhere, notInCart, here, elsewhere]) price(id, 700);
  shop.accept({ kind: 'updateGroup', id: other, body: { skus: ['MORE'] } });
  const run = () =>
    bisect(
      { request: US_CART, nowMs: NOW_MS, serviceCode: null },
      shop.state.settings,
      start.config,
      changesOf(shop).filter(({ version }) => version.number > start.number),
    );
  const { flips, evaluated } = run();
  assert.equal(evaluated, 2, 'the first version, and the one that changed the price here');
  assert.deepEqual(
    flips.map(({ version, after }) => [version.number, after]),
    [[start.number + 3, [{ serviceCode: 'here', totalPrice: 700 }]]],
  );
  for (let cents = 1; cents < FLIPS_MAX; cents++) price(here, cents);
  assert.deepEqual([run().flips.length, run().limited], [FLIPS_MAX, false]);
  price(here, FLIPS_MAX);
  assert.deepEqual([run().flips.length, run().limited], [FLIPS_MAX, true]);
});
