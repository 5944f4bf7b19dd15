/** The counts equal the sums over the traces of the reference evaluator. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import { tiersOfRate } from '../../../src/engine/domain/rate-type.ts';
import type { PlacedConfig } from '../../../src/engine/domain/shop-event.ts';
import { evaluateToParts, UseCounter } from '../../../src/engine/evaluate/evaluate.ts';
import type { Coverage } from '../../../src/engine/wire/coverage.ts';
import { RecordMarks, ShopCoverage } from '../../../src/shop/coverage/shop-coverage.ts';
import { readOrder, totalsOf } from '../../support/reference/order.ts';
import { referenceSimulate } from '../../support/reference/simulate.ts';
import { type ShopCart, type ShopCase, shopCase } from '../../support/shop-arbitraries.ts';
import {
  blend,
  cart,
  FLAT,
  group,
  item,
  method,
  SETTINGS,
  shop as smallShop,
} from '../../support/small-shop.ts';

const SHOPS = Number(process.env['RATEWRIGHT_COVERED_SHOPS'] ?? 60);
const CARTS = 30;
const NOW_MS = Date.parse('2026-11-18T17:00:00Z');
const SINCE = '2026-11-18T00:00:00.000Z';

const marks = new RecordMarks();

/** The uses of `carts`, counted by the compiled shop in two parts. */
function counted(
  { config, settings }: Pick<ShopCase, 'config' | 'settings'>,
  carts: readonly ShopCart[],
): ShopCoverage {
  const shop = compileShop(config, settings);
  const counter = new UseCounter();
  const coverage = new ShopCoverage(SINCE, marks);
  for (const [index, { request, nowMs }] of carts.entries()) {
    evaluateToParts(shop, request, nowMs, index % 2 === 0 ? 'all' : 'rates', counter);
    if (index % 10 === 9) coverage.collect(counter.take(), settings, NOW_MS);
  }
  coverage.collect(counter.take(), settings, NOW_MS);
  return coverage;
}

const coveredOf = ({ config, settings }: Pick<ShopCase, 'config' | 'settings'>) => ({
  config: config as unknown as PlacedConfig,
  settings,
});

const viewOf = (coverage: ShopCoverage, shop: Pick<ShopCase, 'config' | 'settings'>): Coverage =>
  coverage.view(coveredOf(shop), NOW_MS);

const TIER_TOTAL = {
  by_weight_table: 'weight',
  by_price_table: 'price',
  by_items_table: 'quantity',
} as const;

/** The same from full answers, in a map of counts by text. */
function naively({ config, settings }: ShopCase, carts: readonly ShopCart[]): (key: string) => number {
  const counts = new Map<string, number>();
  const cheapest: number[] = [];
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { request, nowMs } of carts) {
    const result = referenceSimulate(config, settings, request, nowMs);
    if (result.status !== 200) continue;
    add('simulations');
    const { zone, methodEvaluations, blendedRates, rates } = result.answer;
    if (rates.length === 0) add('withoutRate');
    else cheapest.push(Math.min(...rates.map(({ totalPrice }) => totalPrice)));
    if (zone === null) continue;
    add(`zone ${zone.id} ${zone.subzone?.id ?? null}`);
    const items = readOrder(request, config.productGroups).items.filter(({ isShippable }) => isShippable);
    for (const groupId of new Set(items.map((item) => item.groupId))) add(`group ${groupId}`);
    for (const { methodId, productGroupId, visible, ruleTraces } of methodEvaluations) {
      add(`considered ${methodId}`);
      if (visible) add(`visible ${methodId}`);
      if (visible && blendedRates.length === 0) add(`offered ${methodId}`);
      for (const { ruleId, matched } of ruleTraces) {
        add(`evaluated ${ruleId}`);
        if (matched) add(`matched ${ruleId}`);
      }
      const method = config.methods.find(({ id }) => id === methodId);
      assert.ok(method !== undefined);
      const tiers = tiersOfRate(method);
      if (tiers === null) continue;
      const totals = totalsOf(items.filter((item) => item.groupId === productGroupId));
      const total = totals[TIER_TOTAL[method.rateType as keyof typeof TIER_TOTAL]];
      const index = tiers.findIndex(({ from, to }) => from <= total && (to === null || total < to));
      if (index >= 0) add(`tier ${methodId} ${index}`);
    }
    const blended = blendedRates.flatMap(({ visible, components }) => (visible ? components : []));
    for (const methodId of new Set(blended.map((component) => component.methodId)))
      add(`offered ${methodId}`);
  }
  // The lower one of two in the middle.
  const median = cheapest.toSorted((a, b) => a - b)[Math.ceil(cheapest.length / 2) - 1];
  if (median !== undefined) counts.set('median', median);
  return (key) => counts.get(key) ?? 0;
}

test('every count equals a count of full answers, with and without traces', () => {
  let offered = 0;
  fc.assert(
    fc.property(shopCase(CARTS), (shop) => {
      const view = viewOf(counted(shop, shop.carts), shop);
      const count = naively(shop, shop.carts);
      assert.equal(view.simulations, count('simulations'));
      const { date = '', ...today } = view.days.at(-1) ?? {};
      assert.match(date, /^2026-11-1[789]$/);
      assert.deepEqual(today, {
        simulations: count('simulations'),
        withoutRate: count('withoutRate'),
        cheapestMedian: count('simulations') > count('withoutRate') ? count('median') : null,
      });
      for (const { zoneId, subzoneId, count: found } of view.zones)
        assert.equal(found, count(`zone ${zoneId} ${subzoneId}`));
      for (const { productGroupId, count: found } of view.groups)
        assert.equal(found, count(`group ${productGroupId}`));
      for (const method of view.methods) {
        const of = (what: string) => count(`${what} ${method.methodId}`);
        const { considered, visible, lastOfferedAt } = method;
        assert.deepEqual(
          [considered, visible, method.offered],
          [of('considered'), of('visible'), of('offered')],
        );
        assert.equal(lastOfferedAt, method.offered > 0 ? new Date(NOW_MS).toISOString() : null);
        offered += method.offered;
      }
      for (const { ruleId, evaluated, matched } of view.rules)
        assert.deepEqual([evaluated, matched], [count(`evaluated ${ruleId}`), count(`matched ${ruleId}`)]);
      for (const { methodId, index, count: found } of view.tiers)
        assert.equal(found, count(`tier ${methodId} ${index}`));
      assert.equal(view.methods.length, shop.config.methods.length);
    }),
    { numRuns: SHOPS },
  );
  assert.ok(offered > SHOPS, `${offered} offered`);
});

test('a method that several blended rates use is offered once in a simulation', () => {
  const methods = ['default', 'books'].map((productGroupId) =>
    method(productGroupId, FLAT(100), { productGroupId }),
  );
  const config = smallShop(methods, {
    productGroups: [group('default', { isDefault: true }), group('books', { skus: ['B'] })],
    blendedRates: ['first', 'second', 'third'].map((id) => blend({ id, serviceCode: id })),
  });
  const request = cart(item(), item({ sku: 'B' }));
  const shop = { config, settings: SETTINGS };
  const view = viewOf(counted(shop, [{ request, nowMs: NOW_MS }]), shop);
  assert.deepEqual(
    view.methods.map(({ considered, visible, offered }) => [considered, visible, offered]),
    [
      [1, 1, 1],
      [1, 1, 1],
    ],
  );
});

test('coverage is the same after it was stored and read, the sum of two parts is the total, and pruning loses nothing', () => {
  fc.assert(
    fc.property(shopCase(CARTS), (shop) => {
      const half = Math.floor(shop.carts.length / 2);
      const again = ShopCoverage.read(counted(shop, shop.carts.slice(0, half)).text(), marks);
      assert.ok(again !== null);
      again.add(JSON.parse(JSON.stringify(counted(shop, shop.carts.slice(half)).uses())));
      const whole = viewOf(counted(shop, shop.carts), shop);
      assert.deepEqual(viewOf(again, shop), whole);
      again.prune(coveredOf(shop), NOW_MS);
      assert.deepEqual(viewOf(again, shop), whole);
    }),
    { numRuns: SHOPS / 5 },
  );
});
