/** Coverage of shops in memory: kept across restarts; counts restart when a record matches something else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { silentLogger } from '../../../src/base/runtime/logger.ts';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import { DAY_MS, dayOfText } from '../../../src/engine/domain/calendar-day.ts';
import type { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import type { Rule } from '../../../src/engine/domain/rule.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import type { PlacedConfig, ShopState } from '../../../src/engine/domain/shop-event.ts';
import type { UseCounter } from '../../../src/engine/evaluate/evaluate.ts';
import { evaluateToParts } from '../../../src/engine/evaluate/evaluate.ts';
import { type Coverage, DAY_PRICES_MAX } from '../../../src/engine/wire/coverage.ts';
import { DayCounts } from '../../../src/shop/coverage/day-counts.ts';
import { LiveCoverage } from '../../../src/shop/coverage/live-coverage.ts';
import { AuthorityUnavailableError } from '../../../src/store/log/authority.ts';
import { MemoryEventLog } from '../../support/memory-event-log.ts';

const SHOP = 'shop_a';
const NOW_MS = Date.parse('2026-11-18T17:00:00Z');
const SETTINGS = { id: SHOP, name: 'A', currency: 'USD', timezone: 'UTC', plan: 'open' } as const;

const hideCold: Rule = {
  id: 'rule_cold',
  action: 'hide',
  conditions: [
    { conditionType: 'product_tag', operator: 'equals', value: 'cold', scope: 'any_product_in_order' },
  ],
  enabled: true,
};

const configOf = (rules: readonly Rule[] = [hideCold], name = 'Parcel'): ShopConfig => ({
  zones: [{ id: 'zone_us', name: 'US', countries: ['US'], subzones: [] }],
  productGroups: [
    {
      id: 'group_all',
      name: 'All',
      isDefault: true,
      variantIds: [],
      productIds: [],
      skus: [],
      tags: [],
      vendors: [],
    },
  ],
  methods: [
    {
      id: 'method_parcel',
      name,
      subtitle: '',
      serviceCode: 'parcel',
      zoneId: 'zone_us',
      productGroupId: 'group_all',
      rateType: 'by_weight_table',
      config: {
        tiers: [
          { minWeight: 0, maxWeight: 1_000, price: 500 },
          { minWeight: 1_000, maxWeight: null, price: 900 },
        ],
      },
      enabled: true,
      freeShippingThreshold: null,
      rules,
    },
  ],
  blendedRates: [],
});

const cart = (grams: number, tag = ''): SimulateRequest => ({
  destination: { country: 'US' },
  items: [{ quantity: 1, grams, price: 100, properties: { tag } }],
});

const stateOf = (config: ShopConfig) =>
  ({ settings: SETTINGS, config: config as unknown as PlacedConfig }) as ShopState;

/** Counts carts of a configuration as the shop's reader does. */
function count(counter: UseCounter, config: ShopConfig, ...carts: readonly SimulateRequest[]): void {
  const shop = compileShop(config, SETTINGS);
  for (const each of carts) evaluateToParts(shop, each, NOW_MS, 'all', counter);
}

function openCoverage(log: MemoryEventLog = new MemoryEventLog(), clock = { nowMs: () => NOW_MS }) {
  return { log, coverage: new LiveCoverage({ log, clock, logger: silentLogger }) };
}

const open = (coverage: LiveCoverage, config: ShopConfig): UseCounter =>
  coverage.open(SHOP, () => stateOf(config));

async function seen(coverage: LiveCoverage, config: ShopConfig): Promise<Coverage> {
  const results = await coverage.results(stateOf(config));
  assert.ok(results.ok);
  return results.value;
}

const ruleCounts = ({ rules }: Coverage) => rules.map(({ evaluated, matched }) => [evaluated, matched]);

test('results include every simulation that was answered before, and every record, used or not', async () => {
  const { coverage } = openCoverage();
  const config = configOf();
  const counter = open(coverage, config);
  const none = await seen(coverage, config);
  assert.deepEqual(
    none.tiers.map((tier) => tier.count),
    [0, 0],
  );
  assert.deepEqual(none.methods[0]?.lastOfferedAt, null);
  count(counter, config, cart(10), cart(2_000), cart(20, 'cold'));
  const { simulations, days, methods, tiers, zones, groups, since, ...rest } = await seen(coverage, config);
  assert.deepEqual(days, [{ date: '2026-11-18', simulations: 3, withoutRate: 1, cheapestMedian: 500 }]);
  const at = new Date(NOW_MS).toISOString();
  assert.deepEqual([simulations, since], [3, at]);
  assert.deepEqual(methods, [
    { methodId: 'method_parcel', considered: 3, visible: 2, offered: 2, lastOfferedAt: at },
  ]);
  assert.deepEqual(
    tiers.map((tier) => tier.count),
    [2, 1],
  );
  assert.deepEqual(zones, [{ zoneId: 'zone_us', subzoneId: null, count: 3 }]);
  assert.deepEqual(groups, [{ productGroupId: 'group_all', count: 3 }]);
  assert.deepEqual(rest.rules, [{ ruleId: 'rule_cold', evaluated: 3, matched: 1, lastMatchedAt: at }]);
});

test('the counts of a rule restart when its conditions change, and continue after other changes', async () => {
  const { coverage } = openCoverage();
  const before = configOf();
  const counter = open(coverage, before);
  count(counter, before, cart(10), cart(10, 'cold'));
  const renamed = configOf([{ ...hideCold, name: 'No cold', action: 'show' }], 'Parcel post');
  assert.deepEqual(ruleCounts(await seen(coverage, renamed)), [[2, 1]]);
  const [condition] = hideCold.conditions;
  assert.ok(condition !== undefined);
  const changed = configOf([{ ...hideCold, conditions: [{ ...condition, value: 'frozen' }] }]);
  assert.deepEqual(ruleCounts(await seen(coverage, changed)), [[0, 0]]);
  count(counter, changed, cart(10, 'frozen'));
  assert.deepEqual(ruleCounts(await seen(coverage, changed)), [[1, 1]]);
  assert.equal((await seen(coverage, changed)).methods[0]?.considered, 3);
});

test('counts are kept when the process stops, and when the shop is evicted and loaded again', async () => {
  const { log, coverage } = openCoverage();
  const config = configOf();
  count(open(coverage, config), config, cart(10));
  await coverage.close();
  const { coverage: next } = openCoverage(log);
  count(open(next, config), config, cart(10));
  next.closed(SHOP);
  count(open(next, config), config, cart(10));
  assert.equal((await seen(next, config)).simulations, 3);
  await next.close();
  assert.equal((await seen(openCoverage(log).coverage, config)).simulations, 3);
});

test('counts of another thread are added, and a shop without simulations writes nothing', async () => {
  const { log, coverage } = openCoverage();
  const config = configOf();
  open(coverage, config);
  await coverage.close();
  assert.equal(log.readShopText('coverage', SHOP), null);
  open(coverage, config);
  const uses = { simulations: 2, days: [], records: [] };
  coverage.add(SHOP, uses);
  coverage.add('shop_that_is_gone', uses);
  assert.equal((await seen(coverage, config)).simulations, 2);
  await coverage.close();
});

test('damaged counts restart at 0, and counts of deleted records are removed', async () => {
  const log = new MemoryEventLog();
  await log.writeShopText('coverage', SHOP, 'not JSON');
  const { coverage } = openCoverage(log);
  const config = configOf();
  count(open(coverage, config), config, cart(10, 'cold'));
  await coverage.close();
  assert.match(log.readShopText('coverage', SHOP) ?? '', /rule_cold/);
  const { coverage: next } = openCoverage(log);
  const without = configOf([]);
  count(open(next, without), without, cart(10));
  await next.close();
  const kept = log.readShopText('coverage', SHOP) ?? '';
  assert.match(kept, /method_parcel/);
  assert.doesNotMatch(kept, /rule_cold/);
});

test('the shops with the most simulations are listed, largest first, up to a limit', () => {
  const { coverage } = openCoverage();
  for (const [shopId, simulations] of [
    ['shop_small', 1],
    ['shop_large', 9],
    ['shop_middle', 5],
  ] as const) {
    coverage.open(shopId, () => stateOf(configOf()));
    const uses = { simulations, days: [], records: [] };
    coverage.add(shopId, uses);
  }
  assert.deepEqual(coverage.largest(2), [
    { shopId: 'shop_large', simulations: 9 },
    { shopId: 'shop_middle', simulations: 5 },
  ]);
});

/** The log of a node in a cluster; `texts` are those of the other nodes. */
class NodeLog extends MemoryEventLog {
  texts: readonly string[] | null = [];

  async textsElsewhere(): Promise<readonly string[]> {
    if (this.texts === null) throw new AuthorityUnavailableError('no server is a primary');
    return this.texts;
  }
}

test('results are the sum over all nodes, without rows of other nodes for records that have changed since', async () => {
  const config = configOf();
  const counted = async (used: ShopConfig, ...carts: readonly SimulateRequest[]) => {
    const { log, coverage } = openCoverage();
    count(open(coverage, used), used, ...carts);
    await coverage.close();
    return log.readShopText('coverage', SHOP) ?? assert.fail('nothing is written');
  };
  const log = new NodeLog();
  const { coverage } = openCoverage(log);
  count(open(coverage, config), config, cart(500), cart(1_500, 'cold'));
  const older = configOf([{ ...hideCold, conditions: [] }]);
  log.texts = [await counted(config, cart(600, 'cold')), await counted(older, cart(700)), '{"format":0}'];
  const sum = await seen(coverage, config);
  assert.equal(sum.simulations, 4);
  assert.deepEqual(sum.days, [{ date: '2026-11-18', simulations: 4, withoutRate: 3, cheapestMedian: 500 }]);
  assert.deepEqual(ruleCounts(sum), [[3, 2]]);
  assert.deepEqual(
    sum.tiers.map(({ count }) => count),
    [3, 1],
  );
  assert.deepEqual(
    sum.methods.map(({ considered, offered }) => [considered, offered]),
    [[4, 1]],
  );
  assert.equal(sum.rules[0]?.lastMatchedAt, new Date(NOW_MS).toISOString());
  await coverage.close();
});

test('while the counts of other nodes cannot be read the request is refused', async () => {
  const log = new NodeLog();
  const { coverage } = openCoverage(log);
  log.texts = null;
  const refused = await coverage.results(stateOf(configOf()));
  assert.equal(!refused.ok && refused.code, 'UNAVAILABLE');
  await coverage.close();
});

test('counts that could not be written are written later, without a further simulation', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let isReachable = false;
  class FailingLog extends MemoryEventLog {
    override async writeShopText(...text: Parameters<MemoryEventLog['writeShopText']>): Promise<void> {
      if (!isReachable) throw new AuthorityUnavailableError('no server is a primary');
      await super.writeShopText(...text);
    }
  }
  const log = new FailingLog();
  const { coverage } = openCoverage(log);
  open(coverage, configOf());
  const uses = { simulations: 2, days: [], records: [] };
  coverage.add(SHOP, uses);
  const pass = async () => {
    context.mock.timers.tick(30_000);
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  await pass();
  assert.equal(log.readShopText('coverage', SHOP), null);
  isReachable = true;
  await pass();
  assert.match(log.readShopText('coverage', SHOP) ?? '', /"simulations":2/);
  await coverage.close();
});

test('a day is that of the shop, is kept for 30 days and across restarts, and a day between without simulations is shown', async () => {
  let nowMs = Date.parse('2026-11-18T07:59:00Z');
  const clock = { nowMs: () => nowMs };
  const settings = { ...SETTINGS, timezone: 'America/Los_Angeles' };
  const config = configOf();
  const state = { ...stateOf(config), settings };
  const log = new MemoryEventLog();
  const day = async (...carts: readonly SimulateRequest[]) => {
    const { coverage } = openCoverage(log, clock);
    const counter = coverage.open(SHOP, () => state);
    count(counter, config, ...carts);
    const results = await coverage.results(state);
    await coverage.close();
    assert.ok(results.ok);
    return results.value.days;
  };
  const first = { date: '2026-11-17', simulations: 1, withoutRate: 0, cheapestMedian: 500 };
  assert.deepEqual(await day(cart(10)), [first]);
  nowMs += 60_000;
  const second = { date: '2026-11-18', simulations: 3, withoutRate: 0, cheapestMedian: 900 };
  assert.deepEqual(await day(cart(10), cart(2_000), cart(2_000)), [first, second]);
  nowMs += 2 * DAY_MS;
  const none = { simulations: 0, withoutRate: 0, cheapestMedian: null };
  const last = { date: '2026-11-20', simulations: 1, withoutRate: 1, cheapestMedian: null };
  assert.deepEqual(await day(cart(10, 'cold')), [first, second, { date: '2026-11-19', ...none }, last]);
  nowMs += 27 * DAY_MS;
  const month = await day();
  assert.equal(month.length, 30);
  assert.deepEqual([month[0], month.at(-1)], [second, { date: '2026-12-17', ...none }]);
  nowMs += DAY_MS;
  assert.equal((await day(cart(10)))[0]?.date, '2026-11-19');
  assert.doesNotMatch(log.readShopText('coverage', SHOP) ?? '', new RegExp(`\\[${dayOfText(second.date)},`));
});

test('a day of more than 500 different prices is kept in steps, and its median is off by at most half of one', () => {
  const prices = fc.array(fc.oneof(fc.nat(5_000), fc.nat(2_000_000), fc.maxSafeNat()), {
    maxLength: 2_000,
    size: 'max',
  });
  fc.assert(
    fc.property(prices, fc.nat(2_000), (each, at) => {
      const counted = (of: readonly number[]) => {
        const days = new DayCounts();
        days.add([[0, of.length, 0, 1, ...of.flatMap((price) => [price, 1])]]);
        return days;
      };
      const sum = counted(each.slice(0, at));
      sum.add(counted(each.slice(at)).rows());
      const [[, simulations = 0, , step = 1, ...kept] = []] = sum.rows();
      assert.equal(simulations, each.length);
      assert.ok(kept.length <= 2 * DAY_PRICES_MAX);
      if (new Set(each).size <= DAY_PRICES_MAX) assert.equal(step, 1);
      const exact = each.toSorted((a, b) => a - b)[Math.ceil(each.length / 2) - 1] ?? null;
      const shown = sum.view(0, 0)[0]?.cheapestMedian ?? null;
      if (exact === null || shown === null) assert.equal(shown, exact);
      else assert.ok(Math.abs(shown - exact) <= step / 2, `${shown}, not ${exact}`);
      // Half the step would not have been enough.
      const finer = new Set(each.map((price) => Math.floor(price / (step / 2))));
      assert.ok(step === 1 || finer.size > DAY_PRICES_MAX);
    }),
    { numRuns: 30 },
  );
});
