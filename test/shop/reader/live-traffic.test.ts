/** What lint and effects take from live traffic: carts that were kept, and rules that coverage saw matched in 30 days. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConfigData } from '../../../src/engine/wire/write-bodies.ts';
import type { LiveTraffic } from '../../../src/shop/reader/live-traffic.ts';
import { matchedLately, NO_TRAFFIC } from '../../../src/shop/reader/live-traffic.ts';
import { accepted, openShop, request } from '../actor/shop-stage.ts';

const NOW = '2026-06-01T12:00:00Z';
const NOW_MS = Date.parse(NOW);

const far = { conditionType: 'destination_country', operator: 'equals' } as const;
const data: ConfigData = {
  zones: [{ id: 'zone_us', name: 'US', countries: ['US'] }],
  methods: [
    {
      id: 'method_a',
      name: 'A',
      serviceCode: 'a',
      zoneId: 'zone_us',
      rateType: 'percentage',
      config: { percentage: 10 },
      rules: [
        {
          id: 'rule_far',
          action: 'free',
          conditions: [{ ...far, value: 'DE' }],
        },
      ],
    },
  ],
};

async function shopWithRules() {
  const { shop } = await openShop();
  accepted(await shop.write(request({ kind: 'executeConfig', data })));
  const unmatched = (traffic: LiveTraffic, changed = data) => {
    const report = shop.lint('live', NOW_MS, traffic);
    const previewed = shop.preview({ data: changed }, { now: NOW, seed: 'seed' }, traffic);
    assert.ok(report.ok && previewed.ok);
    return [report.value.findings, previewed.value.warnings].map((found) =>
      found
        .filter(({ code }) => code === 'rule_unmatched')
        .map(({ record, message }) => [record.id, /, and no live cart in 30 days: /.test(message)]),
    );
  };
  return { shop, unmatched };
}

test('a rule that live carts matched lately is not reported, and others say that no live cart did', async () => {
  const { unmatched } = await shopWithRules();
  const told = (isLive: boolean) => [['rule_far', isLive]];
  assert.deepEqual(unmatched(NO_TRAFFIC), [told(false), told(false)]);
  const quiet = { ...NO_TRAFFIC, matched: ['rule_other'] };
  assert.deepEqual(unmatched(quiet), [told(true), told(true)]);
  const used = { ...NO_TRAFFIC, matched: ['rule_far'] };
  assert.deepEqual(unmatched(used), [[], []]);
  // A rule with other conditions is another one, which no live cart has met; one with another action is not.
  const [method] = data.methods ?? [];
  const [rule] = method?.rules ?? [];
  assert.ok(method !== undefined && rule !== undefined);
  const hiding = { ...rule, action: 'hide' as const };
  assert.deepEqual(unmatched(used, { ...data, methods: [{ ...method, rules: [hiding] }] }), [[], []]);
  const french = { ...rule, conditions: [{ ...far, value: 'FR' }] };
  assert.deepEqual(unmatched(used, { ...data, methods: [{ ...method, rules: [french] }] }), [[], told(true)]);
});

test('coverage knows which rules matched in the last 30 days, and of no traffic where nothing was counted', () => {
  const times = ['2026-05-02T12:00:00Z', '2026-05-02T11:59:59Z', null];
  const coverage = {
    since: NOW,
    simulations: 3,
    zones: [],
    methods: [],
    rules: times.map((lastMatchedAt, index) => ({
      ruleId: `rule_${index}`,
      evaluated: 1,
      matched: 1,
      lastMatchedAt,
    })),
    tiers: [],
    groups: [],
    days: [],
  };
  assert.deepEqual(matchedLately(coverage, NOW_MS), ['rule_0']);
  assert.equal(matchedLately({ ...coverage, simulations: 0 }, NOW_MS), null);
});

test('a kept cart joins the probe carts of a changeset, and the answer is the same for a while', async () => {
  const { shop } = await shopWithRules();
  accepted(await shop.write(request({ kind: 'enterStaging' })));
  const rule = { action: 'adjust_add', adjustmentValue: 100 } as const;
  accepted(await shop.write(request({ kind: 'createRule', methodId: 'method_a', body: rule })));
  const cart = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 123_456 }] };
  const carts = [{ text: JSON.stringify(cart), nowMs: NOW_MS }];
  const effects = shop.effects(NOW_MS, carts);
  assert.ok(effects.ok);
  assert.deepEqual(
    effects.value.samples.find(({ request: { items } }) => items[0]?.price === 123_456),
    {
      request: cart,
      at: '2026-06-01T12:00:00.000Z',
      before: [{ serviceCode: 'a', totalPrice: 12_346 }],
      after: [{ serviceCode: 'a', totalPrice: 12_446 }],
    },
  );
  const later = (seconds: number, given = carts) => {
    const made = shop.effects(NOW_MS + 1_000 * seconds, given);
    assert.ok(made.ok);
    return made.value;
  };
  assert.equal(later(59), effects.value);
  assert.notEqual(later(60), effects.value);
  // For a key that may not see carts of customers, it is made anew.
  assert.equal(later(60, []).probes, effects.value.probes - 1);
  accepted(await shop.write(request({ kind: 'discardStaging' })));
  assert.equal(shop.effects(NOW_MS, carts).ok, false);
});
