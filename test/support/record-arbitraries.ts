/**
 * Random parts of write bodies, as a client may send them: missing fields, numbers in place of texts, names with the
 * same service code. All pass their schemas; generators named "any" may give otherwise invalid values.
 */
import fc, { type Arbitrary } from 'fast-check';
import { Customer, OrderTotals } from '../../src/engine/domain/cart.ts';
import {
  CONDITION_TYPE_NAMES,
  type Condition,
  OPERATOR_NAMES,
  SCOPE_NAMES,
  WEEKDAYS,
} from '../../src/engine/domain/condition.ts';
import { GROUP_MATCHER_FIELDS } from '../../src/engine/domain/product-group.ts';
import { type GateCriterion, PromotionGate } from '../../src/engine/domain/promotion-gate.ts';
import type { CheckCreate, ConditionInput, ConfigData } from '../../src/engine/wire/write-bodies.ts';
import { cents, PRINTABLE_NAMES, ZONE_COUNTRIES } from './arbitrary/alphabets.ts';
import { condition } from './arbitrary/conditions.ts';
import { matchers, postalCodes } from './arbitrary/config.ts';
import { rateConfig } from './arbitrary/rates.ts';
import { filled } from './schema-fields.ts';

export const name = fc.constantFrom(...PRINTABLE_NAMES, 'express', 'EXPRESS!', '***', 'x'.repeat(200));
export const subtitle = fc.constantFrom('', '2-3 business days');
export const serviceCode = fc.constantFrom('express', 'standard', 'express-2');
export const threshold = fc.option(cents, { nil: null });
export const thresholdBasis = fc.constantFrom('cart_total' as const, 'order_total' as const);
/** Sometimes with fewer days at most than at least, which only the decision detects. */
const delivery = fc.constantFrom(
  null,
  { minDays: 1, maxDays: 3 },
  { minDays: 0, maxDays: 0 },
  { minDays: 3, maxDays: 2 },
);
export const position = fc.nat(6);

/** The day of the last time does not exist, which only the decision detects. */
const checkAt = fc.constantFrom(null, '2026-03-01T12:00:00Z', '2026-02-30T12:00:00Z');
export const checkFields = fc.record(
  {
    name,
    request: fc.constantFrom<CheckCreate['request']>(
      { destination: { country: 'US' }, items: [{ quantity: 1, grams: 500, price: 2_000 }] },
      { destination: { country: 'FR' }, items: [{ quantity: 1, grams: 500, price: 2_000, sku: 'HVY-1' }] },
      {
        destination: { country: 'US' },
        items: [{ quantity: 1, grams: 500, price: 2_000, length: 300, width: 200, height: 100 }],
        customer: { ...filled(Customer), id: 7, tags: ['vip', 'a, b'] },
        orderTotals: { ...filled(OrderTotals), subtotalPrice: 2_000, totalPrice: 1_800, discountAmount: 200 },
      },
    ),
    at: checkAt,
    expectations: fc.constantFrom<CheckCreate['expectations']>(
      [{ kind: 'some_rate' }],
      [{ kind: 'rates', rates: [{ serviceCode: 'standard', totalPrice: 500 }] }],
      [{ kind: 'rate_between', serviceCode: 'standard', minPrice: 2, maxPrice: 1 }],
      [{ kind: 'delivery', serviceCode: 'standard', minDate: '2026-03-02', maxDate: '2026-03-06' }],
    ),
    enabled: fc.boolean(),
    position,
  },
  { requiredKeys: [] },
);

/** Any pair of type and operator; most pairs are invalid. */
export const anyCondition: fc.Arbitrary<Condition> = fc.record({
  conditionType: fc.constantFrom(...CONDITION_TYPE_NAMES),
  operator: fc.constantFrom(...OPERATOR_NAMES),
  value: fc.constantFrom('AK,HI', '5', '1,2', 'monday', '09:30', '2026-02-28', '*', ''),
  scope: fc.constantFrom(...SCOPE_NAMES),
});

const conditionInput: fc.Arbitrary<ConditionInput> = fc.oneof(
  condition,
  fc.record({
    conditionType: fc.constant('cart_total' as const),
    operator: fc.constant('greater_than' as const),
    value: fc.nat(1_000_000),
  }),
);

const adjustment = fc.oneof(
  fc.record({ adjustmentValue: cents }),
  fc.record({ adjustmentValue: fc.nat(1_000), adjustmentType: fc.constant('percentage' as const) }),
);

type MethodBody = NonNullable<ConfigData['methods']>[number];
export type RuleBody = Omit<NonNullable<MethodBody['rules']>[number], 'id' | 'methodId' | 'position'>;

export const ruleBody: fc.Arbitrary<RuleBody> = fc
  .tuple(
    fc.record(
      {
        action: fc.constantFrom('hide' as const, 'show' as const, 'free' as const),
        conditions: fc.array(conditionInput, { maxLength: 3 }),
        enabled: fc.boolean(),
        name: fc.constantFrom('', 'Islands cost more', 'Not on Sundays'),
      },
      { requiredKeys: ['action'] },
    ),
    fc.option(fc.tuple(fc.constantFrom('adjust_add' as const, 'adjust_subtract' as const), adjustment)),
  )
  .map(([rule, adjusting]) =>
    adjusting === null ? rule : { ...rule, action: adjusting[0], ...adjusting[1] },
  );

/** Sometimes with an adjustment that does not fit the action, or an invalid condition. */
export const anyRuleBody: fc.Arbitrary<RuleBody> = fc.oneof(
  { weight: 5, arbitrary: ruleBody },
  {
    weight: 1,
    arbitrary: ruleBody.map((rule) => ({ ...rule, action: 'hide' as const, adjustmentValue: 1 })),
  },
  { weight: 1, arbitrary: fc.constant({ action: 'adjust_add' as const }) },
  { weight: 1, arbitrary: anyCondition.map((each) => ({ action: 'show' as const, conditions: [each] })) },
);

export const countries = fc.constantFrom(...ZONE_COUNTRIES).map((codes) => [...codes]);
export const newSubzones = fc.array(fc.record({ name, postalCodes }), { maxLength: 2 });

/** Any fields of a zone, except its subzones. */
export const zoneFields = fc.record({ name, countries, position }, { requiredKeys: [] });

/** Any fields of a group. */
export const groupFields = fc
  .tuple(
    fc.record({ name, isDefault: fc.boolean(), position }, { requiredKeys: [] }),
    matchers,
    fc.subarray([...GROUP_MATCHER_FIELDS]),
  )
  .map(([fields, lists, chosen]) => ({
    ...fields,
    ...Object.fromEntries(chosen.map((field) => [field, lists[field]])),
  }));

/** Any fields of a method, except its references; `rate` is the rate type and the config. */
export const methodFields = fc.record(
  {
    name,
    subtitle,
    serviceCode,
    rate: rateConfig,
    enabled: fc.boolean(),
    freeShippingThreshold: threshold,
    thresholdBasis,
    delivery,
    phoneRequired: fc.boolean(),
    position,
  },
  { requiredKeys: [] },
);

/** Criterion -> a random setting. */
const gateSettings = Object.fromEntries(
  Object.entries(PromotionGate.properties).map(
    ([criterion, setting]): [string, Arbitrary<boolean | number>] => [
      criterion,
      'maximum' in setting ? fc.nat(Math.min(Number(setting.maximum), 1_000)) : fc.boolean(),
    ],
  ),
) as { readonly [K in GateCriterion]: Arbitrary<NonNullable<PromotionGate[K]>> };

/** Fields of a write of the shop, within the schema. */
export const shopFields = fc.record(
  {
    currency: fc.constantFrom('USD', 'EUR', 'QQQ'),
    fulfilment: fc.option(
      fc.record(
        {
          cutoff: fc.constantFrom('00:00', '14:30'),
          cutoffByDay: fc.constantFrom({}, { friday: '12:00' }, { monday: '00:00', sunday: '23:59' }),
          handlingDays: fc.nat(3),
          workingDays: fc.subarray([...WEEKDAYS]),
          holidays: fc.subarray(['2026-12-25', '2027-01-01', '2026-02-30']),
        },
        { requiredKeys: [] },
      ),
    ),
    promotionGate: fc.option(fc.record(gateSettings, { requiredKeys: [] })),
  },
  { requiredKeys: [] },
);

/** One of the existing records, modulo their number; from this number on an unknown id. */
const STRAY = 97;
export const pick = fc.nat(99);

export function idOf(records: readonly { readonly id: string }[], choice: number): string {
  if (choice >= STRAY || records.length === 0) return 'nobody';
  return records[choice % records.length]?.id ?? 'nobody';
}
