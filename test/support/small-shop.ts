/** The smallest shop that can answer, and carts for it: a test names only what it is about. */
import type { BlendedRate } from '../../src/engine/domain/blended-rate.ts';
import type { CartItem, SimulateRequest } from '../../src/engine/domain/cart.ts';
import {
  CONDITION_TYPES,
  type Condition,
  type ConditionType,
  type Operator,
  operandCount,
  type Scope,
  type ValueKind,
} from '../../src/engine/domain/condition.ts';
import type { ProductGroup } from '../../src/engine/domain/product-group.ts';
import type { RateConfig } from '../../src/engine/domain/rate-type.ts';
import type { Rule } from '../../src/engine/domain/rule.ts';
import type { ShippingMethod } from '../../src/engine/domain/shipping-method.ts';
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';

export const SETTINGS = { currency: 'USD', timezone: 'UTC' } as const;
export const NOW_MS = Date.parse('2026-11-18T17:00:00Z');

export const group = (id: string, fields: Partial<ProductGroup> = {}): ProductGroup => ({
  id,
  name: id,
  isDefault: false,
  ...{ variantIds: [], productIds: [], skus: [], tags: [], vendors: [] },
  ...fields,
});

export const FLAT = (price: number): RateConfig => ({ rateType: 'flat', config: { price } });

/** A method of the zone `zone` and the group `default`. */
export const method = (
  id: string,
  rate: RateConfig,
  fields: Partial<Omit<ShippingMethod, 'rateType' | 'config'>> = {},
): ShippingMethod => ({
  id,
  name: id,
  subtitle: '',
  serviceCode: id,
  zoneId: 'zone',
  productGroupId: 'default',
  enabled: true,
  freeShippingThreshold: null,
  rules: [],
  ...fields,
  ...rate,
});

export const condition = (
  conditionType: ConditionType,
  operator: Operator,
  value: string | number,
  scope: Scope = 'any_product_in_order',
): Condition => ({ conditionType, operator, value: String(value), scope });

/** A value of each kind that every operator but `between` accepts. */
const EXAMPLES: Readonly<Record<ValueKind, string>> = {
  text: 'a',
  tags: 'a',
  number: '5',
  postal: 'A1',
  day: 'monday',
  time: '09:30',
  date: '2026-02-28',
};

/** A condition of this type, with as many values as the operator takes. */
export function exampleOf(type: ConditionType, operator: Operator = 'equals', scope?: Scope): Condition {
  const value = EXAMPLES[CONDITION_TYPES[type].kind];
  return condition(type, operator, operandCount(operator).min === 2 ? `${value},${value}` : value, scope);
}

type RuleFields = Partial<Omit<Rule, 'id' | 'action'>>;
export const rule = (id: string, action: Rule['action'], fields: RuleFields = {}): Rule => ({
  id,
  action,
  conditions: [],
  enabled: true,
  ...fields,
});

/** A blended rate of the zone `zone`, without preferences. */
export const blend = (fields: Partial<BlendedRate> = {}): BlendedRate => ({
  id: 'blend',
  name: 'Blend',
  subtitle: '',
  serviceCode: 'blend',
  zoneId: 'zone',
  freeShippingThreshold: null,
  preferences: [],
  enabled: true,
  ...fields,
});

/** One zone for all countries, one default group. */
export const shop = (methods: readonly ShippingMethod[], fields: Partial<ShopConfig> = {}): ShopConfig => ({
  zones: [{ id: 'zone', name: 'Zone', countries: ['*'], subzones: [] }],
  productGroups: [group('default', { isDefault: true })],
  blendedRates: [],
  ...fields,
  methods,
});

export const item = (fields: Partial<CartItem> = {}): CartItem => ({
  quantity: 1,
  grams: 100,
  price: 1_000,
  ...fields,
});

export const cart = (...items: readonly CartItem[]): SimulateRequest => ({
  destination: { country: 'US' },
  items: [...items],
});
