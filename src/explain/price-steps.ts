/**
 * Price steps: how a method's price came about, from the rate over the threshold to each rule that changed
 * it (contract section 5.3). Each step begins where the one before ended, the first at 0, the last ends at
 * the total price.
 */
import Type, { type Static } from 'typebox';
import type { CompiledRule } from '../compile/compiled-method.ts';
import { type GroupTotals, TOTAL_OF_TABLE } from '../compile/rate-function.ts';
import { Id } from '../domain/id.ts';
import { Cents, shareRoundedHalfUp } from '../domain/money.ts';
import {
  isTableRateType,
  percentageHundredths,
  RATE_TYPE_NAMES,
  type RateConfigs,
  type TableRateType,
  tiersOf,
} from '../domain/rate-type.ts';
import { RULE_ACTIONS } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import { adjustedPrice, adjustmentCents } from '../evaluate/method-evaluator.ts';

const strict = <P extends Record<string, Type.TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
const nullableInteger = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

const Tier = strict({
  index: Type.Integer({ minimum: 0 }),
  from: Type.Integer({ minimum: 0, description: 'Included; grams, cents or pieces as the rate type has it' }),
  to: nullableInteger('Excluded; null = open'),
  total: Type.Integer({ minimum: 0, description: "The total of the method's group that the tier holds" }),
});

const clamped = <B extends string>(bounds: readonly B[], description: string) =>
  Type.Optional(
    strict({
      bound: Type.Enum([...bounds], { description }),
      unclamped: nullableInteger('Cents before; null beyond 2^53-1'),
    }),
  );

export const PriceStep = Type.Union([
  strict({
    kind: Type.Literal('base'),
    before: Cents,
    after: Cents,
    rateType: Type.Enum(RATE_TYPE_NAMES),
    tier: Type.Optional(Tier),
    clamped: clamped(
      ['minPrice', 'maxPrice'] as const,
      'The bound of the percentage that the price was set to',
    ),
  }),
  strict({
    kind: Type.Literal('threshold'),
    before: Cents,
    after: Cents,
    freeShippingThreshold: Cents,
    cartTotal: Cents,
  }),
  strict({
    kind: Type.Literal('rule'),
    before: Cents,
    after: Cents,
    ruleId: Id,
    action: Type.Enum([...RULE_ACTIONS]),
    clamped: clamped(['zero'] as const, 'A price is never below zero'),
  }),
]);
export type PriceStep = Readonly<Static<typeof PriceStep>>;

/**
 * The steps of a method whose price could be evaluated: none outside the rate table. A threshold that is met
 * is always a step, a matched rule only when it changed the price. `matched` are the matched rules in
 * position order.
 */
export function priceSteps(
  record: ShippingMethod,
  basePrice: number,
  totals: GroupTotals,
  cartTotal: number,
  matched: readonly CompiledRule[],
): readonly PriceStep[] {
  if (basePrice < 0) return [];
  const steps: PriceStep[] = [baseStep(record, basePrice, totals)];
  let price = basePrice;
  const { freeShippingThreshold } = record;
  if (freeShippingThreshold !== null && cartTotal >= freeShippingThreshold) {
    steps.push({ kind: 'threshold', before: price, after: 0, freeShippingThreshold, cartTotal });
    price = 0;
  }
  for (const rule of matched) {
    if (rule.action === 'hide' || rule.action === 'show') continue;
    const after = adjustedPrice(rule, price);
    if (after !== price) steps.push(ruleStep(rule, price, after));
    price = after;
  }
  return steps;
}

function ruleStep(rule: CompiledRule, before: number, after: number): PriceStep {
  const { ruleId, action } = rule;
  const step = { kind: 'rule', before, after, ruleId, action } as const;
  if (action !== 'adjust_subtract') return step;
  const amount = adjustmentCents(rule, before);
  if (amount !== null && amount <= before) return step;
  return { ...step, clamped: { bound: 'zero', unclamped: amount === null ? null : before - amount } };
}

function baseStep(record: ShippingMethod, after: number, totals: GroupTotals): PriceStep {
  const step = { kind: 'base', before: 0, after, rateType: record.rateType } as const;
  if (record.rateType === 'percentage') {
    const hundredths = percentageHundredths(record.config.percentage) ?? 0;
    const unclamped = shareRoundedHalfUp(totals.priceCents, hundredths, 10_000);
    if (unclamped === after) return step;
    const bound = unclamped === null || unclamped > after ? 'maxPrice' : 'minPrice';
    return { ...step, clamped: { bound, unclamped } };
  }
  if (!isTableRateType(record.rateType)) return step;
  const tiers = tiersOf(record.rateType, record.config as RateConfigs[TableRateType]);
  const total = TOTAL_OF_TABLE[record.rateType](totals);
  const index = tiers.findIndex(({ from, to }) => from <= total && (to === null || total < to));
  const tier = tiers[index];
  return tier === undefined ? step : { ...step, tier: { index, from: tier.from, to: tier.to, total } };
}
