/**
 * Steps of an explanation. The price of a method: the rate, the threshold and each rule that changed it (contract section
 * 5.3). Its delivery dates: cutoff, first working day, handling and the two deliveries (contract section 11.11). A step
 * begins where the step before it ended; the first price step begins at 0, and both deliveries begin on the day on which
 * the parcel leaves.
 */
import type { CompiledMethod, CompiledRule } from '../compile/compiled-method.ts';
import { type GroupTotals, groupSum, priceBeforeBounds, SUM_OF_TABLE } from '../compile/rate-function.ts';
import { dayOfDate, dayText } from '../domain/calendar-day.ts';
import { WEEKDAYS, type Weekday } from '../domain/condition.ts';
import { cutoffOn, type Delivery } from '../domain/delivery.ts';
import { isTableRateType, tiersOfRate } from '../domain/rate-type.ts';
import type { CartFacts } from '../evaluate/cart-facts.ts';
import { adjustedPrice, adjustmentCents } from '../evaluate/method-evaluator.ts';
import type { DeliveryStep, PlainStep } from '../wire/explained-answer.ts';

/**
 * Returns the steps of a method's price; none when the total is outside the rate table. A threshold that is reached is
 * always a step, a rule only when it changed the price. `adjustments`: the matched rules that act on the price, in order.
 */
export function priceSteps(
  method: CompiledMethod,
  totals: GroupTotals,
  facts: CartFacts,
  adjustments: readonly CompiledRule[],
): readonly PlainStep[] {
  let price = method.rate(totals);
  if (price < 0) return [];
  const steps: PlainStep[] = [baseStep(method, price, totals)];
  const { freeShippingThreshold } = method.record;
  const { totalCents: cartTotal, orderTotalCents: orderTotal } = facts;
  if (freeShippingThreshold !== null && facts.isFree(method)) {
    const step = { kind: 'threshold', before: price, after: 0, freeShippingThreshold, cartTotal } as const;
    steps.push(method.isFreeByOrderTotal ? { ...step, orderTotal } : step);
    price = 0;
  }
  for (const rule of adjustments) {
    const after = adjustedPrice(rule, price);
    if (after !== price) steps.push(ruleStep(rule, price, after));
    price = after;
  }
  return steps;
}

function ruleStep(rule: CompiledRule, before: number, after: number): PlainStep {
  const { record, action } = rule;
  const step = { kind: 'rule', before, after, ruleId: record.id, action } as const;
  if (action !== 'adjust_subtract') return step;
  const amount = adjustmentCents(rule, before);
  if (amount !== null && amount <= before) return step;
  return { ...step, clamped: { bound: 'zero', unclamped: amount === null ? null : before - amount } };
}

function baseStep({ record, tierIndex }: CompiledMethod, after: number, totals: GroupTotals): PlainStep {
  const step = { kind: 'base', before: 0, after, rateType: record.rateType } as const;
  const unclamped = priceBeforeBounds(record, totals);
  if (unclamped !== undefined && unclamped !== after) {
    const bound = unclamped === null || unclamped > after ? 'maxPrice' : 'minPrice';
    return { ...step, clamped: { bound, unclamped } };
  }
  if (tierIndex === null || !isTableRateType(record.rateType)) return step;
  const total = groupSum(totals, SUM_OF_TABLE[record.rateType]);
  const index = tierIndex(totals);
  const tier = tiersOfRate(record)?.[index];
  return tier === undefined ? step : { ...step, tier: { index, from: tier.from, to: tier.to, total } };
}

/** Returns no steps in a shop without working days, whose rates have no dates. */
export function deliverySteps(
  { minDays, maxDays }: Delivery,
  { shop, nowMs }: CartFacts,
): readonly DeliveryStep[] {
  const { deliveries, calendar } = shop;
  if (!deliveries.hasWorkingDays) return [];
  const moment = calendar.at(nowMs);
  const { handlingDays } = deliveries.fulfilment;
  const cutoff = cutoffOn(deliveries.fulfilment, WEEKDAYS[moment.weekday] as Weekday);
  const steps: DeliveryStep[] = [];
  const walk = (kind: Exclude<DeliveryStep['kind'], 'cutoff'>, from: number, count: number): number => {
    const { day, ...skipped } = deliveries.walk(from, count);
    const isStep = day > from || kind !== 'first_working_day';
    if (isStep) steps.push({ kind, from: dayText(from), to: dayText(day), workingDays: count, ...skipped });
    return day;
  };
  const today = dayOfDate(moment.date);
  const start = deliveries.startOf(moment);
  if (start > today) steps.push({ kind: 'cutoff', from: dayText(today), to: dayText(start), cutoff });
  const first = walk('first_working_day', start, 0);
  const leaves = handlingDays === 0 ? first : walk('handling', first, handlingDays);
  walk('earliest_delivery', leaves, minDays);
  walk('latest_delivery', leaves, maxDays);
  return steps;
}
