/** For each code of the lint a small shop with that defect. */
import type { FindingCode } from '../../../src/engine/domain/finding.ts';
import type { ShippingMethod } from '../../../src/engine/domain/shipping-method.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import {
  blended,
  check,
  condition,
  group,
  method,
  rule,
  shop,
  shopWithRules,
  zone,
} from './config-builder.ts';

const rest = group('rest', { isDefault: true });
const vip = group('vip', { tags: ['vip'] });
const zones = [zone('us', ['US'], { a: '1*', b: '2*' })];
const withCodes = (a: string, b: string): ShopConfig => shop({ zones: [zone('us', ['US'], { a, b })] });
const withMethod = (more: Partial<ShippingMethod>): ShopConfig => shop({ methods: [method('m', more)] });
const byWeight = (...ends: readonly (readonly [number, number | null, number])[]): ShopConfig =>
  withMethod({
    rateType: 'by_weight_table',
    config: { tiers: ends.map(([minWeight, maxWeight, price]) => ({ minWeight, maxWeight, price })) },
  });
const state = (value: string) => condition('destination_state', 'equals', value);

export const DEFECTIVE_SHOPS: Readonly<Record<FindingCode, ShopConfig>> = {
  rule_never_matches: shopWithRules(rule('r', 'free', state('AK'), state('HI'))),
  method_never_visible: shop({ methods: [method('m'), method('never', { rules: [rule('h', 'hide')] })] }),
  zone_never_matches: shop({ zones: [zone('us', ['US']), zone('later', ['US'])] }),
  subzone_never_matches: withCodes('99*', '99*'),
  cart_without_rates: shop({
    zones,
    productGroups: [rest, vip],
    methods: [method('rest'), method('rest-in-a', { zoneId: 'a' }), method('vip', { productGroupId: 'vip' })],
    blendedRates: [blended('x', { preferences: [{ productGroupId: 'rest', preferredMethodId: 'rest' }] })],
  }),
  rule_unmatched: shopWithRules(rule('r', 'free', condition('destination_country', 'equals', 'DE'))),
  method_unseen: shopWithRules(rule('h', 'hide', condition('destination_country', 'equals', 'US'))),
  tier_gap: byWeight([0, 500, 100], [501, null, 200]),
  tier_price_falls: byWeight([0, 500, 200], [500, null, 100]),
  postal_pattern_never_wins: withCodes('99*', '99*, 5*'),
  postal_pattern_impossible: withCodes('9021, 90*', '5*'),
  group_never_filled: shop({
    productGroups: [group('rest', { isDefault: true, skus: ['ab*'] }), group('later', { skus: ['abc*'] })],
  }),
  group_without_method: shop({
    zones: [zone('us', ['US']), zone('de', ['DE'])],
    productGroups: [rest, vip],
    methods: [method('us'), method('de', { zoneId: 'de' }), method('vip', { productGroupId: 'vip' })],
  }),
  subzone_without_method: shop({
    zones,
    productGroups: [rest, vip],
    methods: [method('us'), method('vip', { zoneId: 'a', productGroupId: 'vip' })],
  }),
  threshold_below_prices: withMethod({ freeShippingThreshold: 0 }),
  duplicate_service_code: shop({
    methods: [method('a', { serviceCode: 'std' }), method('b', { serviceCode: 'std' })],
  }),
  check_of_unknown_service: shop({
    checks: [check('c', { kind: 'no_rate', serviceCode: 'overnite' })],
    methods: [method('a', { serviceCode: 'overnight' })],
  }),
  delivery_without_working_days: withMethod({ delivery: { minDays: 1, maxDays: 2 } }),
  delivery_on_some_methods: shop({
    methods: [method('a', { delivery: { minDays: 1, maxDays: 2 } }), method('b')],
  }),
  holidays_past: withMethod({ delivery: { minDays: 1, maxDays: 2 } }),
  zone_remainder_without_method: shop({
    zones,
    productGroups: [rest, vip],
    methods: [method('us'), method('vip', { zoneId: 'a', productGroupId: 'vip' })],
  }),
  zone_without_method: shop({ zones: [zone('us', ['US']), zone('de', ['DE'])] }),
};
