/**
 * Shops of any size from a few patterns that merchants really write. Conditions are mixed, so that of the
 * rules of a cart some match, some do not, and some report matched items.
 */
import type { Condition } from '../../src/engine/domain/condition.ts';
import { ISO_COUNTRIES } from '../../src/engine/domain/country.ts';
import type { ProductGroup } from '../../src/engine/domain/product-group.ts';
import type { RateConfig } from '../../src/engine/domain/rate-type.ts';
import type { Rule } from '../../src/engine/domain/rule.ts';
import type { ShippingMethod } from '../../src/engine/domain/shipping-method.ts';
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';
import type { Zone } from '../../src/engine/domain/zone.ts';

const condition = (
  conditionType: Condition['conditionType'],
  operator: Condition['operator'],
  value: string,
  scope: Condition['scope'] = 'any_product_in_order',
): Condition => ({ conditionType, operator, value, scope });

/** The conditions rules are made of; each rule takes neighbours, so that they differ in kind. */
const CONDITIONS: readonly Condition[] = [
  condition('destination_state', 'equals', 'AK,HI'),
  condition('product_tag', 'equals', 'fragile,chilled'),
  condition('cart_total', 'greater_than_or_equal', '15000'),
  condition('product_weight', 'greater_than', '2000', 'any_product_in_group'),
  condition('destination_address', 'contains', 'po box,p.o. box'),
  condition('cart_weight', 'between', '0,5000'),
  condition('product_sku', 'starts_with', 'FUEL-,POWER-'),
  condition('destination_postal_code', 'equals', '995*,996*,967*,10001-10299'),
  condition('cart_quantity', 'less_than', '6'),
  condition('product_vendor', 'equals', 'Tamarack Works'),
  condition('destination_city', 'not_contains', 'anchorage'),
  condition('product_price', 'greater_than_or_equal', '5000', 'sum_of_group'),
  condition('destination_country', 'equals', 'US'),
  condition('product_tag', 'equals', 'hazmat', 'no_product_in_order'),
  condition('cart_locale', 'starts_with', 'en'),
  condition('day_of_week', 'not_equals', 'sunday'),
];

const ACTIONS: readonly Pick<Rule, 'action' | 'adjustmentType' | 'adjustmentValue'>[] = [
  { action: 'adjust_add', adjustmentType: 'flat', adjustmentValue: 450 },
  { action: 'hide' },
  { action: 'adjust_subtract', adjustmentType: 'percentage', adjustmentValue: 15 },
  { action: 'free' },
  { action: 'adjust_add', adjustmentType: 'percentage', adjustmentValue: 10 },
];

function makeRate(at: number): RateConfig {
  switch (at % 6) {
    case 0:
      return { rateType: 'flat', config: { price: 895 } };
    case 1:
      return {
        rateType: 'by_weight_table',
        config: {
          tiers: [
            { minWeight: 0, maxWeight: 1_000, price: 695 },
            { minWeight: 1_000, maxWeight: 5_000, price: 1_295 },
            { minWeight: 5_000, maxWeight: 20_000, price: 2_495 },
            { minWeight: 20_000, maxWeight: null, price: 4_995 },
          ],
        },
      };
    case 2:
      return {
        rateType: 'by_price_table',
        config: {
          tiers: [
            { minPrice: 0, maxPrice: 10_000, price: 990 },
            { minPrice: 10_000, maxPrice: 50_000, price: 590 },
            { minPrice: 50_000, maxPrice: null, price: 0 },
          ],
        },
      };
    case 3:
      return { rateType: 'by_items', config: { firstItemPrice: 700, additionalItemPrice: 150 } };
    case 4:
      return {
        rateType: 'by_weight',
        config: { firstWeight: 1_000, firstPrice: 900, additionalWeight: 500, additionalPrice: 120 },
      };
    default:
      return { rateType: 'percentage', config: { percentage: 7.5, minPrice: 500, maxPrice: 6_000 } };
  }
}

const METHOD_NAMES = ['Economy', 'Standard Shipping', 'Express', 'Next Day', 'Courier', 'Freight'];

/** Rules `first`, `first + 1`, ... of a method; `first` shifts which conditions and actions they get. */
export function makeRules(methodId: string, count: number, conditionsEach: number, first = 0): Rule[] {
  return Array.from({ length: count }, (_, i) => {
    const at = first + i;
    return {
      id: `rule_${methodId}_${i}`,
      ...(ACTIONS[at % ACTIONS.length] ?? { action: 'hide' }),
      conditions: Array.from(
        { length: conditionsEach },
        (_, c) => CONDITIONS[(at * 3 + c * 5) % CONDITIONS.length] ?? condition('cart_total', 'equals', '0'),
      ),
      enabled: true,
    };
  });
}

interface MethodPlan {
  readonly zoneId: string;
  readonly groupId?: string;
  /** Place in its zone: decides name and rate type. */
  readonly at: number;
  readonly rules: readonly Rule[];
}

export const methodIdOf = (zoneId: string, at: number): string => `method_${zoneId}_${at}`;

export function makeMethod({ zoneId, groupId = DEFAULT_GROUP.id, at, rules }: MethodPlan): ShippingMethod {
  const name = METHOD_NAMES[at % METHOD_NAMES.length] ?? 'Standard Shipping';
  const row = Math.floor(at / METHOD_NAMES.length);
  return {
    id: methodIdOf(zoneId, at),
    name: row === 0 ? name : `${name} ${row + 1}`,
    subtitle: `${2 + (at % 5)}-${4 + (at % 5)} business days`,
    serviceCode: `${name.toLowerCase().replaceAll(' ', '-')}-${row + 1}`,
    zoneId,
    productGroupId: groupId,
    ...makeRate(at),
    enabled: true,
    freeShippingThreshold: at % 4 === 1 ? 60_000 : null,
    rules,
  };
}

export const makeGroup = (id: string, name: string, matchers: Partial<ProductGroup> = {}): ProductGroup => ({
  id,
  name,
  isDefault: false,
  variantIds: [],
  productIds: [],
  skus: [],
  tags: [],
  vendors: [],
  ...matchers,
});

export const DEFAULT_GROUP = makeGroup('group_default', 'Default', { isDefault: true });

export const makeZone = (id: string, name: string, countries: readonly string[]): Zone => ({
  id,
  name,
  countries: [...countries],
  subzones: [],
});

/** Countries of zones to which no cart of a profile goes. */
export const OTHER_COUNTRIES: readonly string[] = [...ISO_COUNTRIES.keys()].filter(
  (code) => code !== 'US' && code !== 'JP',
);

const OTHER_METHODS_PER_ZONE = 30;

/**
 * Adds `count` methods in zones to which no cart goes, several for a country where there are more zones than countries;
 * by default with as many rules as those of the profile *typical*.
 */
export function withOtherMethods(config: ShopConfig, count: number, rulesEach = 4): ShopConfig {
  const zones = Array.from({ length: Math.ceil(count / OTHER_METHODS_PER_ZONE) }, (_, at) =>
    makeZone(`zone_other_${at}`, `Other ${at}`, [OTHER_COUNTRIES[at % OTHER_COUNTRIES.length] as string]),
  );
  const methods = Array.from({ length: count }, (_, made) => {
    const { id: zoneId } = zones[Math.floor(made / OTHER_METHODS_PER_ZONE)] as Zone;
    const at = made % OTHER_METHODS_PER_ZONE;
    return makeMethod({ zoneId, at, rules: makeRules(methodIdOf(zoneId, at), rulesEach, 2, made) });
  });
  // In front, so that they would be met first if anything walked the lists.
  return { ...config, zones: [...zones, ...config.zones], methods: [...methods, ...config.methods] };
}
