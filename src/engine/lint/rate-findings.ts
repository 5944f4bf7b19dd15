/**
 * Findings on rates: gaps between the tiers of a table, prices that fall where more weight or more pieces should cost
 * more, and free-shipping thresholds that are reached before anything can be charged.
 *
 * Prices by total often fall on purpose, so there only a rise after a fall is reported. A table may begin above 0 or
 * end: that is a limit, not a gap. A threshold is compared with the order, the rate with the items of the group, which
 * cost no more than the order, so a price that begins at the threshold or above it is never charged.
 */
import { firstCharge, type GroupTotal, SUM_OF_TABLE, type SumField } from '../compile/rate-function.ts';
import { type ConditionType, FIELD } from '../domain/condition.ts';
import type { FindingCode } from '../domain/finding.ts';
import { moneyText } from '../domain/money-text.ts';
import { isTableRateType, type Tier, tiersOfRate } from '../domain/rate-type.ts';
import { probeOf, setNumber } from '../probes/draft-cart.ts';
import type { MethodEvaluation } from '../wire/answer.ts';
import { amountWords, counted, type Draft, draftOf, quoted, recordOf, type Unit } from './draft.ts';
import type { MethodFacts } from './method-facts.ts';
import { evaluationOf } from './rule-findings.ts';
import type { ShopFacts } from './shop-facts.ts';

/** The condition type that compares a sum, and the unit of the sum. */
const MEASURES: Readonly<Record<SumField, readonly [ConditionType, Unit]>> = {
  [FIELD.product_weight]: ['product_weight', 'grams'],
  [FIELD.product_price]: ['product_price', 'money'],
  [FIELD.product_quantity]: ['product_quantity', 'pieces'],
};

export function* rateFindings(shop: ShopFacts): Generator<Draft> {
  for (const facts of shop.methods()) {
    if (facts.invisibility !== null) continue;
    yield* tierFindings(shop, facts);
    yield* thresholdFindings(shop, facts);
  }
  const { currency } = shop.settings;
  for (const blended of shop.config.blendedRates) {
    if (blended.freeShippingThreshold !== 0 || !blended.enabled) continue;
    if (shop.zones.reached(blended.zoneId) === undefined) continue;
    const message = `Blended rate ${quoted(blended.name)} is always free because every order reaches its free-shipping threshold of ${moneyText(0, currency)}.`;
    yield draftOf('threshold_below_prices', recordOf('blendedRate', blended), message);
  }
}

/** A finding on a method; its request shows the method unless `shows` requires otherwise. */
function draftAt(
  shop: ShopFacts,
  facts: MethodFacts,
  code: FindingCode,
  message: string,
  { field, sum }: GroupTotal,
  shows: (evaluation: MethodEvaluation) => boolean,
): Draft {
  return draftOf(code, recordOf('method', facts.method), message, () => {
    const offered = shop.finder.offering(facts.method);
    // Further items of the group would add to the sum.
    const isAlone = offered?.others.every(({ requiresShipping }) => requiresShipping === false);
    const draft = offered && isAlone ? setNumber(MEASURES[field][0], 'sum_of_group', sum)(offered) : null;
    return shop.witnesses.confirmed(draft && probeOf(draft), (answer) => {
      const evaluation = evaluationOf(answer, facts);
      return evaluation !== undefined && shows(evaluation);
    });
  });
}

function* tierFindings(shop: ShopFacts, facts: MethodFacts): Generator<Draft> {
  const { name, rateType } = facts.method;
  const tiers = tiersOfRate(facts.method);
  if (tiers === null || !isTableRateType(rateType)) return;
  const field = SUM_OF_TABLE[rateType];
  const [, unit] = MEASURES[field];
  const { currency } = shop.settings;
  const words = (amount: number) => amountWords(amount, unit, currency);
  const gaps = gapsOf(tiers);
  const [gap] = gaps;
  if (gap !== undefined) {
    const more = gaps.length > 1 ? ` (and ${counted(gaps.length - 1, 'more gap')})` : '';
    const message = `The rate table of ${quoted(name)} has no tier from ${words(gap.from)} to below ${words(gap.to)}${more}.`;
    const total = { field, sum: gap.from };
    yield draftAt(shop, facts, 'tier_gap', message, total, ({ reason }) => reason === 'outside_rate_table');
  }
  const isByPrice = rateType === 'by_price_table';
  const odd = isByPrice ? riseAfterFall(tiers) : firstFall(tiers);
  if (odd === undefined) return;
  const why = isByPrice ? 'rises again after it fell' : 'is below that of the tier before';
  const price = moneyText(odd.priceCents, currency);
  const message = `In the rate table of ${quoted(name)} the price from ${words(odd.from)} on, ${price}, ${why}.`;
  const total = { field, sum: odd.from };
  yield draftAt(shop, facts, 'tier_price_falls', message, total, ({ visible }) => visible);
}

function gapsOf(tiers: readonly Tier[]): readonly { readonly from: number; readonly to: number }[] {
  return tiers.flatMap(({ from: to }, i) => {
    const from = tiers[i - 1]?.to ?? null;
    return from !== null && from < to ? [{ from, to }] : [];
  });
}

const firstFall = (tiers: readonly Tier[]): Tier | undefined =>
  tiers.find(({ priceCents }, i) => priceCents < (tiers[i - 1]?.priceCents ?? 0));

function riseAfterFall(tiers: readonly Tier[]): Tier | undefined {
  const priceBefore = (i: number) => tiers[i - 1]?.priceCents ?? tiers[0]?.priceCents ?? 0;
  const fall = tiers.findIndex(({ priceCents }, i) => priceCents < priceBefore(i));
  return tiers.find(({ priceCents }, i) => fall >= 0 && i > fall && priceCents > priceBefore(i));
}

function* thresholdFindings(shop: ShopFacts, facts: MethodFacts): Generator<Draft> {
  const { method } = facts;
  const threshold = method.freeShippingThreshold;
  const charge = threshold === null ? null : firstCharge(method);
  if (threshold === null || charge === null) return;
  // Discounts can take the total of the order below that of the items.
  if (threshold > (method.thresholdBasis === 'order_total' ? 0 : charge.fromTotal)) return;
  const money = (amount: number) => moneyText(amount, shop.settings.currency);
  const why =
    threshold === 0
      ? `every order reaches its free-shipping threshold of ${money(0)}`
      : `its prices begin at a total of ${money(charge.fromTotal)}, where its free-shipping threshold of ${money(threshold)} is reached`;
  const message = `${quoted(method.name)} never charges a price of its rate because ${why}.`;
  yield draftAt(shop, facts, 'threshold_below_prices', message, charge.example, ({ visible }) => visible);
}
