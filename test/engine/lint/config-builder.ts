/** Configurations for examples; fields that an example does not name have plain defaults. */
import assert from 'node:assert/strict';
import type { BlendedRate } from '../../../src/engine/domain/blended-rate.ts';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import type { Check } from '../../../src/engine/domain/check.ts';
import type { Condition } from '../../../src/engine/domain/condition.ts';
import type { Expectation } from '../../../src/engine/domain/expectation.ts';
import type { LintReport } from '../../../src/engine/domain/finding.ts';
import type { ProductGroup } from '../../../src/engine/domain/product-group.ts';
import type { Rule, RuleAction } from '../../../src/engine/domain/rule.ts';
import type { ShippingMethod } from '../../../src/engine/domain/shipping-method.ts';
import type { ShopConfig } from '../../../src/engine/domain/shop-config.ts';
import type { Zone } from '../../../src/engine/domain/zone.ts';
import { lintReport } from '../../../src/engine/lint/lint-config.ts';
import * as small from '../../support/small-shop.ts';
import { isShown, testedShop } from './finding-truth.ts';

export const SETTINGS = {
  currency: 'USD',
  timezone: 'America/New_York',
  itemsMax: ITEMS_MAX_DEFAULT,
} as const;

export const { condition } = small;

export const rule = (id: string, action: RuleAction, ...conditions: readonly Condition[]): Rule =>
  small.rule(id, action, {
    conditions,
    ...(action.startsWith('adjust') ? { adjustmentValue: 100, adjustmentType: 'flat' as const } : {}),
  });

export const group = (id: string, more: Partial<ProductGroup> = {}): ProductGroup =>
  small.group(id, { name: `Group ${id}`, ...more });

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
    ...small.method(id, small.FLAT(500), { name: `Method ${id}`, serviceCode: `code-${id}` }),
    zoneId: 'us',
    productGroupId: 'rest',
    ...more,
  }) as ShippingMethod;

export const blended = (id: string, more: Partial<BlendedRate> = {}): BlendedRate =>
  small.blend({ id, name: `Blended ${id}`, serviceCode: `blend-${id}`, zoneId: 'us', ...more });

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

/** The findings of a report, without the counts of omitted ones. */
export const lintConfig = (...asked: Parameters<typeof lintReport>): LintReport['findings'] =>
  lintReport(...asked).findings;

/** `code record` of every finding; `without` is the number of those that have no witness. */
export function findingsOf(config: ShopConfig, without = 0): string[] {
  const findings = shownFindings(config);
  const alone = findings.filter(({ witness }) => witness === null);
  assert.equal(alone.length, without, alone.map(({ message }) => message).join());
  return findings.map(({ code, record }) => `${code} ${record.id}`);
}

/** The findings of a report, each of which its witness shows. */
export function shownFindings(config: ShopConfig): LintReport['findings'] {
  const findings = lintConfig(config, SETTINGS);
  for (const finding of findings) assert.ok(isShown(finding, testedShop(config, SETTINGS)), finding.message);
  return findings;
}
