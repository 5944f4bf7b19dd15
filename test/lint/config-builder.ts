/** Configurations for examples: what an example does not say is a plain default. */

import type { BlendedRate } from '../../src/domain/blended-rate.ts';
import { ITEMS_MAX_DEFAULT } from '../../src/domain/cart.ts';
import type { Check } from '../../src/domain/check.ts';
import type { Condition, ConditionType, Operator, Scope } from '../../src/domain/condition.ts';
import type { Expectation } from '../../src/domain/expectation.ts';
import type { LintReport } from '../../src/domain/finding.ts';
import type { ProductGroup } from '../../src/domain/product-group.ts';
import type { Rule, RuleAction } from '../../src/domain/rule.ts';
import type { ShippingMethod } from '../../src/domain/shipping-method.ts';
import type { ShopConfig } from '../../src/domain/shop-config.ts';
import type { Zone } from '../../src/domain/zone.ts';
import { lintReport } from '../../src/lint/lint-config.ts';

export const SETTINGS = {
  currency: 'USD',
  timezone: 'America/New_York',
  itemsMax: ITEMS_MAX_DEFAULT,
} as const;

export const condition = (
  conditionType: ConditionType,
  operator: Operator,
  value: string | number,
  scope: Scope = 'any_product_in_order',
): Condition => ({ conditionType, operator, value: String(value), scope });

export const rule = (id: string, action: RuleAction, ...conditions: readonly Condition[]): Rule => ({
  id,
  action,
  conditions,
  enabled: true,
  ...(action.startsWith('adjust') ? { adjustmentValue: 100, adjustmentType: 'flat' as const } : {}),
});

export const group = (id: string, more: Partial<ProductGroup> = {}): ProductGroup => ({
  id,
  name: `Group ${id}`,
  isDefault: false,
  ...{ variantIds: [], productIds: [], skus: [], tags: [], vendors: [] },
  ...more,
});

/** `subzones`: id -> postal patterns. */
export const zone = (
  id: string,
  countries: readonly string[],
  subzones: Readonly<Record<string, string>> = {},
): Zone => ({
  id,
  name: `Zone ${id}`,
  countries,
  subzones: Object.entries(subzones).map(([subzoneId, postalCodes]) => ({
    id: subzoneId,
    name: `Subzone ${subzoneId}`,
    postalCodes,
  })),
});

export const check = (id: string, ...expectations: readonly Expectation[]): Check => ({
  id,
  name: `Check ${id}`,
  request: { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 1 }] },
  at: null,
  expectations,
  enabled: true,
});

export const method = (id: string, more: Partial<ShippingMethod> = {}): ShippingMethod =>
  ({
    id,
    name: `Method ${id}`,
    subtitle: '',
    serviceCode: `code-${id}`,
    zoneId: 'us',
    productGroupId: 'rest',
    rateType: 'flat',
    config: { price: 500 },
    enabled: true,
    freeShippingThreshold: null,
    rules: [],
    ...more,
  }) as ShippingMethod;

export const blended = (id: string, more: Partial<BlendedRate> = {}): BlendedRate => ({
  id,
  name: `Blended ${id}`,
  subtitle: '',
  serviceCode: `blend-${id}`,
  zoneId: 'us',
  freeShippingThreshold: null,
  preferences: [],
  enabled: true,
  ...more,
});

/** A zone `us` with country US and the default group `rest`, unless said otherwise. */
export const shop = (more: Partial<ShopConfig> = {}): ShopConfig => ({
  zones: [zone('us', ['US'])],
  productGroups: [group('rest', { isDefault: true })],
  methods: [method('plain')],
  blendedRates: [],
  ...more,
});

/** A shop whose only method has these rules. */
export const shopWithRules = (...rules: readonly Rule[]): ShopConfig =>
  shop({ methods: [method('plain', { rules })] });

/** The findings of a report alone. */
export const lintConfig = (...asked: Parameters<typeof lintReport>): LintReport['findings'] =>
  lintReport(...asked).findings;
