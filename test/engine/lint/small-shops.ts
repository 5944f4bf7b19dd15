/**
 * Small random shops in which conditions contradict and imply each other, patterns cover each other and
 * blended rates fail often. A shop is read off a list of numbers, so that making one costs microseconds
 * and a smaller list shrinks to a simpler shop.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { BlendedRate, Preference } from '../../../src/engine/domain/blended-rate.ts';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import type { Check } from '../../../src/engine/domain/check.ts';
import {
  CONDITION_TYPES,
  type Condition,
  type ConditionType,
  findConditionDefect,
  OPERATORS_BY_KIND,
  type Operator,
  operandCount,
  SCOPE_NAMES,
  SCOPES,
} from '../../../src/engine/domain/condition.ts';
import { FULFILMENT_DEFAULT } from '../../../src/engine/domain/delivery.ts';
import type { ProductGroup } from '../../../src/engine/domain/product-group.ts';
import type { RateConfig } from '../../../src/engine/domain/rate-type.ts';
import type { Rule, RuleAction } from '../../../src/engine/domain/rule.ts';
import type { ShippingMethod } from '../../../src/engine/domain/shipping-method.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import type { Zone } from '../../../src/engine/domain/zone.ts';
import { group } from '../../support/small-shop.ts';

/** Gives the numbers of the list in order, again and again. */
class Choices {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  below(count: number): number {
    return (this.#numbers[this.#at++ % this.#numbers.length] as number) % count;
  }

  of<T>(pool: readonly T[]): T {
    return pool[this.below(pool.length)] as T;
  }

  list<T>(min: number, max: number, make: (index: number) => T): T[] {
    return Array.from({ length: min + this.below(max - min + 1) }, (_, index) => make(index));
  }
}

export const PATTERNS = [
  ...['9*', '99*', '991*', '991', '99', '*', '1*', '99 1', '10'],
  ...['990-995', '991-991', '1-9', '10-30', '15-20', '10-14', '000-999'],
  ...['10000-19999', '12345-12399', '10000', '1 0*'],
  ...['PA6*', 'PA6 7*', 'PA67*', 'PA6 7LN', 'P A6*', '998110000-998119999', '123456789'],
];
const FIRST_COUNTRIES = [
  ...[['US'], ['US', 'DE'], ['DE'], ['GB'], ['GB', 'DE'], ['*']],
  ...[
    ['GB', 'US'],
    ['JE', 'US', 'DE'],
    ['GB', 'JE'],
    ['DE', 'GB', 'US'],
  ],
];
const COUNTRIES = [...FIRST_COUNTRIES, ['DE', '*'], []];
const MATCHERS: readonly Partial<ProductGroup>[] = [
  {},
  { tags: ['vip'] },
  { skus: ['a*'] },
  { skus: ['ab', 'a*'] },
  { vendors: ['acme'], tags: ['vip'] },
  { productIds: ['p1'] },
];

const TYPES: readonly ConditionType[] = [
  ...([
    ...['product_tag', 'product_sku', 'product_group', 'product_price', 'product_quantity'],
    ...['product_weight', 'product_longest_side', 'product_girth'],
  ] as const),
  ...(['cart_total', 'cart_quantity', 'cart_unique_items', 'cart_weight', 'cart_currency'] as const),
  ...([
    'destination_country',
    'destination_state',
    'destination_postal_code',
    'destination_subzone',
  ] as const),
  ...(['customer_tag', 'customer_id', 'order_total'] as const),
  ...(['day_of_week', 'time_of_day', 'date', 'product_price', 'cart_total', 'destination_state'] as const),
];
const TEXTS: Partial<Record<ConditionType, readonly string[]>> = {
  product_tag: ['vip', 'v*', 'red', 'r\\,d', '*', 'i'],
  customer_tag: ['vip', 'v*', 'r\\,d', 'red', '*', 'i'],
  customer_id: ['7', '7*', '8,9', '*', '71'],
  product_sku: ['ab', 'a*', 'abc', 'b', '*'],
  product_group: ['group_0', 'group_1', 'GROUP_1', 'group_2', 'group_9', 'group*'],
  cart_currency: ['usd', 'EUR', 'us', 'e*', 'euros'],
  destination_country: ['us', 'DE', 'GB', 'FR', 'd*'],
  destination_state: ['CA', 'ca,ny', 'NY', 'C*', 'AK', '*', 'a'],
  destination_subzone: ['sub_0_0', 'sub_0_1', 'sub_1_0', 'sub_0_*', 'sub_9'],
  day_of_week: ['monday', 'tuesday', 'friday,sunday', 'sunday'],
};
const NUMBERS: Partial<Record<ConditionType, readonly number[]>> = {
  product_price: [0, 100, 500, 501],
  product_weight: [0, 100, 200],
  product_quantity: [0, 1, 2, 2_000_000],
  product_longest_side: [0, 1, 300, 100_000],
  product_girth: [0, 1, 300, 500_000],
  order_total: [0, 100, 200, 500],
  cart_total: [0, 100, 200, 500, 1_000],
  cart_weight: [0, 100, 300],
  cart_quantity: [0, 1, 2, 3],
  cart_unique_items: [0, 1, 2],
};
const DATES = ['2026-02-28', '2026-03-01', '2026-03-02', '2026-12-31'];
const TIMES = ['00:00', '09:00', '17:00', '23:59'];

function operandFor(choices: Choices, type: ConditionType, operator: Operator): string {
  const { kind } = CONDITION_TYPES[type];
  const count = operandCount(operator).min === 2 ? 2 : operator.endsWith('equals') ? 1 + choices.below(2) : 1;
  const one = (): string => {
    if (kind === 'number') return String(choices.of(NUMBERS[type] ?? [0]));
    if (kind === 'date') return choices.of(DATES);
    if (kind === 'time') return choices.of(TIMES);
    if (kind === 'postal')
      return operator.endsWith('equals') ? choices.of(PATTERNS) : choices.of(['9', '99', '1', 'PA6', '7L']);
    return choices.of(TEXTS[type] ?? ['x']);
  };
  return Array.from({ length: count }, one).join(',');
}

function conditionOf(choices: Choices, types: readonly ConditionType[]): Condition {
  const conditionType = choices.of(types);
  const { kind, subject, summable } = CONDITION_TYPES[conditionType];
  // Plain operators are more frequent.
  const operators = OPERATORS_BY_KIND[kind];
  const operator = choices.below(3) === 0 ? choices.of(operators) : choices.of(operators.slice(0, 4));
  const scopes = SCOPE_NAMES.filter(
    (scope) => subject === 'item' && (SCOPES[scope].quantifier !== 'sum' || summable === true),
  );
  const scope = subject === 'item' ? choices.of(scopes) : 'any_product_in_order';
  const condition = { conditionType, operator, value: operandFor(choices, conditionType, operator), scope };
  const defect = findConditionDefect(condition);
  return defect === null
    ? condition
    : { ...condition, operator: 'equals', value: String(TEXTS[conditionType]?.[0] ?? '9') };
}

const ACTIONS: readonly RuleAction[] = ['hide', 'show', 'free', 'adjust_add', 'hide'];

function ruleOf(choices: Choices, id: string): Rule {
  const action = choices.of(ACTIONS);
  // Few types per rule, so that its conditions compare the same value.
  const types = choices.list(1, 2, () => choices.of(TYPES));
  return {
    id,
    action,
    conditions: choices.list(0, 3, () => conditionOf(choices, types)),
    enabled: choices.below(8) > 0,
    ...(action === 'adjust_add' ? { adjustmentValue: 100, adjustmentType: 'flat' as const } : {}),
  };
}

function rateOf(choices: Choices): RateConfig {
  const bounds = [0, 1, 2, 100, 500, 1_000].slice(choices.below(3));
  const price = () => choices.of([0, 100, 200, 300]);
  const hasGap = choices.below(2) === 0;
  const kept = <T>(tiers: readonly T[]): T[] => tiers.filter((_, i) => !hasGap || i !== 1);
  const ends = bounds.slice(0, -1).map((from, i): [number, number] => [from, bounds[i + 1] as number]);
  switch (choices.below(7)) {
    case 0:
      return { rateType: 'free', config: {} };
    case 1: {
      const tiers = kept(ends.map(([minPrice, maxPrice]) => ({ minPrice, maxPrice, price: price() })));
      return { rateType: 'by_price_table', config: { tiers } };
    }
    case 2: {
      const tiers = kept(ends.map(([minWeight, maxWeight]) => ({ minWeight, maxWeight, price: price() })));
      return { rateType: 'by_weight_table', config: { tiers } };
    }
    case 3: {
      const some = ends.slice(0, 1 + choices.below(4));
      const tiers = kept(some.map(([minItems, maxItems]) => ({ minItems, maxItems, price: price() })));
      return { rateType: 'by_items_table', config: { tiers } };
    }
    case 4:
      return { rateType: 'percentage', config: { percentage: choices.of([0, 10, 0.01]) } };
    default:
      return { rateType: 'flat', config: { price: price() } };
  }
}

export const SMALL_SETTINGS = {
  currency: 'USD',
  timezone: 'America/New_York',
  itemsMax: ITEMS_MAX_DEFAULT,
  // No working day and no holiday to come: findings on delivery dates need such a shop.
  fulfilment: { ...FULFILMENT_DEFAULT, workingDays: [], holidays: ['2020-01-01'] },
  today: '2026-01-07',
};

function shopOf(choices: Choices): ShopConfig {
  const zones = choices.list(
    1,
    3,
    (z): Zone => ({
      id: `zone_${z}`,
      name: `Zone ${z}`,
      countries: choices.of(z === 0 ? FIRST_COUNTRIES : COUNTRIES),
      subzones: choices.list(0, 2, (s) => ({
        id: `sub_${z}_${s}`,
        name: `Sub ${z} ${s}`,
        postalCodes: choices.list(0, 3, () => choices.of(PATTERNS)).join(', '),
      })),
    }),
  );
  const groupBodies = choices.list(1, 3, (g) =>
    group(`group_${g}`, { name: `Group ${g}`, ...choices.of(MATCHERS) }),
  );
  const defaultGroup = choices.below(groupBodies.length);
  const productGroups = groupBodies.map((each, g) => ({ ...each, isDefault: g === defaultGroup }));
  const places = zones.flatMap(({ id, subzones }) => [id, ...subzones.map((subzone) => subzone.id)]);
  const methods = choices.list(
    1,
    5,
    (m): ShippingMethod => ({
      id: `method_${m}`,
      name: `Method ${m}`,
      subtitle: '',
      serviceCode: choices.of(['std', 'fast', `code-${m}`]),
      zoneId: choices.of(choices.below(2) === 0 ? places.slice(0, 2) : places),
      productGroupId: choices.of(productGroups).id,
      enabled: choices.below(8) > 0,
      freeShippingThreshold: choices.of([null, null, null, 0, 1, 100, 10_000]),
      ...rateOf(choices),
      ...(m === 1 ? { delivery: { minDays: 1, maxDays: 2 } } : {}),
      rules: choices.list(0, 3, (r) => ruleOf(choices, `rule_${m}_${r}`)),
    }),
  );
  const blendedRates = choices.list(0, 2, (b): BlendedRate => {
    const zoneId = choices.of(places);
    const [, zone = '', subzone] = zoneId.split('_');
    const preferences = productGroups.flatMap(({ id }): Preference[] => {
      // Of the same zone, and for a subzone of it or of the zone itself (contract section 3).
      const candidates = methods.filter(({ productGroupId, zoneId: bound }) => {
        const isNear =
          bound === `zone_${zone}` ||
          (subzone === undefined ? bound.startsWith(`sub_${zone}_`) : bound === zoneId);
        return productGroupId === id && isNear;
      });
      const chosen = choices.below(3) === 0 ? null : (candidates[choices.below(4)]?.id ?? null);
      return choices.below(2) === 0 ? [{ productGroupId: id, preferredMethodId: chosen }] : [];
    });
    const freeShippingThreshold = choices.of([null, null, 0, 500]);
    const enabled = choices.below(8) > 0;
    const texts = { name: `Blended ${b}`, subtitle: '', serviceCode: choices.of(['both', 'mix']) };
    return { id: `blended_${b}`, ...texts, zoneId, freeShippingThreshold, preferences, enabled };
  });
  const checks = choices.list(0, 2, (c): Check => {
    const serviceCode = choices.of(['std', 'both', 'code-0']);
    const request = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 1 }] };
    const expectations = [{ kind: 'no_rate' as const, serviceCode }];
    const enabled = choices.below(4) > 0;
    return { id: `check_${c}`, name: `Check ${c}`, request, at: null, expectations, enabled };
  });
  return { zones, productGroups, methods, blendedRates, checks };
}

/** More numbers than most shops use. */
const NUMBERS_PER_SHOP = 120;

export const smallShop: Arbitrary<ShopConfig> = fc
  .array(fc.nat(0xffff), { minLength: NUMBERS_PER_SHOP, maxLength: NUMBERS_PER_SHOP })
  .map((numbers) => shopOf(new Choices(numbers)));
