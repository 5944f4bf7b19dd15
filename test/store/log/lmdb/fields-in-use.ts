/**
 * The fields, rate types, condition types and expectations that a shop can have, and those that a state uses. Together
 * the fixtures must use all of them, so that a new field gets a fixture.
 */
import { AUDIT_ACTIONS } from '../../../../src/engine/domain/audit.ts';
import { BlendedRate } from '../../../../src/engine/domain/blended-rate.ts';
import { CartItem, Customer, OrderTotals } from '../../../../src/engine/domain/cart.ts';
import { Check } from '../../../../src/engine/domain/check.ts';
import { CONDITION_TYPE_NAMES, Condition } from '../../../../src/engine/domain/condition.ts';
import { Delivery, Fulfilment } from '../../../../src/engine/domain/delivery.ts';
import { EXPECTATION_KINDS } from '../../../../src/engine/domain/expectation.ts';
import { ProductGroup } from '../../../../src/engine/domain/product-group.ts';
import { PromotionGate } from '../../../../src/engine/domain/promotion-gate.ts';
import { RATE_TYPE_NAMES } from '../../../../src/engine/domain/rate-type.ts';
import { Rule } from '../../../../src/engine/domain/rule.ts';
import { ShippingMethod } from '../../../../src/engine/domain/shipping-method.ts';
import { ShopSettings } from '../../../../src/engine/domain/shop.ts';
import type { ShopState } from '../../../../src/engine/domain/shop-event.ts';
import { Subzone, Zone } from '../../../../src/engine/domain/zone.ts';

const SCHEMAS = {
  settings: ShopSettings,
  fulfilment: Fulfilment,
  promotionGate: PromotionGate,
  zone: Zone,
  subzone: Subzone,
  productGroup: ProductGroup,
  method: ShippingMethod,
  delivery: Delivery,
  rule: Rule,
  condition: Condition,
  blendedRate: BlendedRate,
  check: Check,
  item: CartItem,
  customer: Customer,
  orderTotals: OrderTotals,
} as const;
type Kind = keyof typeof SCHEMAS;

/** The fields of items that random checks have. */
const ITEM_FIELDS = new Set(['quantity', 'grams', 'price', 'sku', 'length', 'width', 'height']);

/** All fields, and what the audit tells of. */
export const FIELDS: readonly string[] = [
  ...Object.entries(SCHEMAS).flatMap(([kind, { properties }]) =>
    Object.keys(properties)
      .filter((field) => kind !== 'item' || ITEM_FIELDS.has(field))
      .map((field) => `${kind} ${field}`),
  ),
  ...RATE_TYPE_NAMES.map((name) => `rate type ${name}`),
  ...CONDITION_TYPE_NAMES.map((name) => `condition type ${name}`),
  ...EXPECTATION_KINDS.map((kind) => `expectation ${kind}`),
  ...AUDIT_ACTIONS.map((action) => `audit ${action}`),
];

/** Yields the fields that the state uses, with repetitions. */
export function* fieldsOf({ settings, config, staging }: ShopState): Generator<string> {
  const of = (kind: Kind, records: readonly (object | null | undefined)[]) =>
    records.flatMap((record) => Object.keys(record ?? {}).map((field) => `${kind} ${field}`));
  yield* of('settings', [settings]);
  yield* of('fulfilment', [settings.fulfilment]);
  yield* of('promotionGate', [settings.promotionGate]);
  for (const { zones, productGroups, methods, blendedRates, checks } of [config, staging?.config ?? config]) {
    const rules = methods.flatMap((method) => method.rules);
    const conditions = rules.flatMap((rule) => rule.conditions);
    const requests = checks.map(({ request }) => request);
    yield* of('zone', zones);
    yield* of(
      'subzone',
      zones.flatMap(({ subzones }) => subzones),
    );
    yield* of('productGroup', productGroups);
    yield* of('method', methods);
    yield* of(
      'delivery',
      methods.map(({ delivery }) => delivery),
    );
    yield* of('rule', rules);
    yield* of('condition', conditions);
    yield* of('blendedRate', blendedRates);
    yield* of('check', checks);
    yield* of(
      'item',
      requests.flatMap(({ items }) => items),
    );
    yield* of(
      'customer',
      requests.map(({ customer }) => customer),
    );
    yield* of(
      'orderTotals',
      requests.map(({ orderTotals }) => orderTotals),
    );
    yield* methods.map(({ rateType }) => `rate type ${rateType}`);
    yield* conditions.map(({ conditionType }) => `condition type ${conditionType}`);
    yield* checks.flatMap(({ expectations }) => expectations.map(({ kind }) => `expectation ${kind}`));
  }
}
