/** Effects of changes of places, groups and blended rates, whose methods are offered only to certain carts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareConfigs } from '../../../src/engine/change/diff.ts';
import { compileShop } from '../../../src/engine/compile/compiled-shop.ts';
import type { Condition } from '../../../src/engine/domain/condition.ts';
import type { RateConfig } from '../../../src/engine/domain/rate-type.ts';
import type { Rule, RuleAction } from '../../../src/engine/domain/rule.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import type { PlacedConfig } from '../../../src/engine/domain/shop-event.ts';
import { effectsOf } from '../../../src/engine/probes/effects.ts';
import { blend, condition, FLAT, group, method, NOW_MS, rule, SETTINGS } from '../../support/small-shop.ts';

const placed = (config: ShopConfig): PlacedConfig => ({ checks: [], ...config }) as unknown as PlacedConfig;

function effects(before: ShopConfig, after: ShopConfig) {
  const [was, is] = [compileShop(before, SETTINGS), compileShop(after, SETTINGS)];
  return effectsOf(was, is, compareConfigs(placed(before), placed(after)), [], NOW_MS);
}

const only = (action: RuleAction, each: Condition): readonly Rule[] => [
  rule('only', action, { conditions: [each] }),
];

/** The second one is a method of the subzone, the third one of another group. */
function shopOf(rate: RateConfig, rules: readonly Rule[]): ShopConfig {
  const subzone = { id: 'alaska', name: 'Alaska', postalCodes: '99*' };
  return {
    zones: [{ id: 'zone', name: 'Zone', countries: ['US', 'CA'], subzones: [subzone] }],
    productGroups: [group('default', { isDefault: true }), group('heavy', { skus: ['A', 'B'] })],
    methods: [
      method('everywhere', rate, { rules }),
      method('in alaska', rate, { rules, zoneId: 'alaska' }),
      method('heavy', rate, { rules, productGroupId: 'heavy' }),
    ],
    blendedRates: [
      blend({
        preferences: [
          { productGroupId: 'default', preferredMethodId: 'everywhere' },
          { productGroupId: 'heavy', preferredMethodId: 'heavy' },
        ],
      }),
    ],
  };
}

const SHOPS: Readonly<Record<string, ShopConfig>> = {
  'with a phone': shopOf(FLAT(500), only('hide', condition('destination_phone', 'is_empty', ''))),
  'above a total': shopOf(FLAT(500), only('show', condition('cart_total', 'greater_than', 100_000))),
  'for a tag of the customer': shopOf(FLAT(500), only('show', condition('customer_tag', 'equals', 'vip'))),
  'from a tier on': shopOf(
    { rateType: 'by_price_table', config: { tiers: [{ minPrice: 50_000, maxPrice: null, price: 1 }] } },
    [],
  ),
  'up to a tier': shopOf(
    { rateType: 'by_price_table', config: { tiers: [{ minPrice: 0, maxPrice: 1_000, price: 1 }] } },
    [],
  ),
};

for (const [offered, before] of Object.entries(SHOPS)) {
  test(`where methods are offered ${offered}, a changed place, group or blended rate is seen`, () => {
    const [zone] = before.zones;
    assert.ok(zone !== undefined);
    const withZone = (fields: Partial<typeof zone>): ShopConfig => ({
      ...before,
      zones: [{ ...zone, ...fields }],
    });
    const changes: Readonly<Record<string, ShopConfig>> = {
      'a country goes': withZone({ countries: ['US'] }),
      'a pattern moves': withZone({ subzones: [{ id: 'alaska', name: 'Alaska', postalCodes: '98*' }] }),
      'a product leaves its group': {
        ...before,
        productGroups: [group('default', { isDefault: true }), group('heavy', { skus: ['A'] })],
      },
      'the blended rate is disabled': {
        ...before,
        blendedRates: before.blendedRates.map((blended) => ({ ...blended, enabled: false })),
      },
    };
    for (const [what, after] of Object.entries(changes)) assert.ok(effects(before, after).changed > 0, what);
  });
}

test('a rule about a country is met by the cart that has all else the method needs', () => {
  const rules = [
    ...only('hide', condition('destination_country', 'equals', 'CA')),
    rule('phone', 'hide', { conditions: [condition('destination_phone', 'is_empty', '')] }),
  ];
  const before = shopOf(FLAT(500), rules);
  const after = shopOf(FLAT(500), rules.slice(1));
  assert.ok(effects(before, after).gained > 0);
});
