/**
 * The price curve of a cart (contract section 10.4): which rates it is offered while its total, its weight or the quantity
 * of one item varies.
 *
 * Exact: the outcomes of conditions, tiers and thresholds change only at known values. Between two of them every price can
 * only rise with the value, so the offer is equal throughout when it is equal at both ends, and the last value with an
 * equal offer is found by bisection.
 * Bounds: SEGMENTS_MAX segments and EVALUATIONS_MAX evaluations; a curve that needs more ends there.
 */
import type { FreeFrom } from '../compile/compiled-method.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import { type Predicate, SOURCE } from '../compile/predicate.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import { FIELD } from '../domain/condition.ts';
import { invalid, type Outcome, success } from '../domain/failure.ts';
import { quotientRoundedUp } from '../domain/money.ts';
import { datesOf, ratesOf, sameRates } from '../evaluate/compared-rates.ts';
import { evaluateCart, refusalOf, TOO_LATE } from '../evaluate/evaluate.ts';
import { placedFacts } from '../probes/method-trial.ts';
import { type CurveRate, type PriceCurve, SEGMENTS_MAX, type Varied } from '../wire/price-curve.ts';
import { growthOf, KINDS, unitsToCuts } from './number-changes.ts';
import { withNumber } from './request-change.ts';

const EVALUATIONS_MAX = 20_000;

/** A request for a price curve; `from` and `to` are values of `vary`. */
export interface Sweeping {
  readonly request: SimulateRequest;
  readonly nowMs: number;
  readonly vary: Varied;
  readonly itemIndex: number | undefined;
  readonly from: number;
  readonly to: number;
}

/** One item of a cart as a function of the number that varies. */
interface VariedItem {
  readonly index: number;
  /** The value is `rest + slope x number`, or up to `slope - 1` above it. */
  readonly rest: number;
  readonly slope: number;
  /** The numbers at `from` and `to`. */
  readonly first: number;
  readonly last: number;
}

/**
 * The rates at one number, and the methods that blended rates add up, as JSON text; null when the request is refused, as a
 * price exceeds 2^53-1 or a date lies after the year 9999. The methods are in the text because, at one price, other methods with other delivery dates may be
 * added up between two numbers with equal rates.
 */
type OfferAt = (number: number) => string | null;

export function priceCurve(shop: CompiledShop, sweeping: Sweeping): Outcome<PriceCurve> {
  const varied = variedItem(sweeping);
  if (!varied.ok) return varied;
  const { request, nowMs, vary, from, to } = sweeping;
  const { index, first, last, rest, slope } = varied.value;
  const known = new Map<number, string | null>();
  const offerAt: OfferAt = (number) => {
    let offer = known.get(number);
    if (offer === undefined) {
      offer = offerOf(shop, withNumber(request, vary, index, number), nowMs);
      known.set(number, offer);
    }
    return offer;
  };
  const segments: { from: number; to: number; rates: CurveRate[] }[] = [];
  let [isLimited, length] = [false, 1];
  const cuts = [...cutsIn(shop, sweeping, varied.value), last + 1];
  let start = first;
  for (const cut of cuts) {
    while (start < cut && !isLimited) {
      const end = endOfEqual(offerAt, start, cut - 1, length);
      const offer = offerAt(start);
      isLimited = offer === null || segments.length === SEGMENTS_MAX || known.size > EVALUATIONS_MAX;
      if (offer === null || isLimited) break;
      length = end - start + 1;
      const [rates] = JSON.parse(offer) as [CurveRate[]];
      const previous = segments.at(-1);
      const reached = Math.min(to, rest + slope * (end + 1) - 1);
      if (previous !== undefined && sameRates(previous.rates, rates)) previous.to = reached;
      else segments.push({ from: Math.max(from, rest + slope * start), to: reached, rates });
      start = end + 1;
    }
  }
  const refusal =
    segments.length === 0 ? refusalOf(shop, withNumber(request, vary, index, first), nowMs) : null;
  return refusal === TOO_LATE ? refusal : success({ vary, segments, limited: isLimited });
}

/** The last number from `start` to `end` with the offer of `start`. `guess` is how many there may be. */
function endOfEqual(offerAt: OfferAt, start: number, end: number, guess: number): number {
  const offer = offerAt(start);
  if (offerAt(end) === offer) return end;
  // Equal at `low`, not equal at `high`.
  let [low, high] = [start, end];
  for (let step = Math.max(1, guess); low + step < high; step *= 2) {
    if (offerAt(low + step) === offer) low += step;
    else high = low + step;
  }
  while (low + 1 < high) {
    const middle = low + Math.floor((high - low) / 2);
    if (offerAt(middle) === offer) low = middle;
    else high = middle;
  }
  return low;
}

function offerOf(shop: CompiledShop, request: SimulateRequest, nowMs: number): string | null {
  const evaluation = evaluateCart(shop, request, nowMs, 'rates');
  if (evaluation === null) return null;
  const rates = ratesOf(evaluation).map((rate): CurveRate => {
    const { serviceCode, serviceName, totalPrice } = rate;
    return { serviceCode, serviceName, totalPrice, ...datesOf(rate) };
  });
  const added = evaluation.blends.map(({ chosen }) => chosen.map(({ method }) => method.methodId));
  return JSON.stringify([rates, added]);
}

function variedItem({ request, vary, itemIndex, from, to }: Sweeping): Outcome<VariedItem> {
  if (from > to) return invalid('/from must not be above /to');
  const { items } = request;
  const index = itemIndex ?? items.findIndex(({ requiresShipping }) => requiresShipping !== false);
  const item = items[index];
  if (item === undefined) {
    return invalid(
      itemIndex === undefined
        ? '/itemIndex is needed: no item of the request is shippable'
        : `/itemIndex must be at most ${items.length - 1}`,
    );
  }
  const { of, min, max } = KINDS[vary];
  const slope = vary === 'quantity' ? 1 : item.quantity;
  const others = items.filter((_, at) => at !== index);
  const rest = vary === 'quantity' ? 0 : others.reduce((sum, each) => sum + each[of] * each.quantity, 0);
  const [least, most] = vary === 'quantity' ? [min, max] : [rest, rest + slope * (max + 1) - 1];
  if (from < least || to > most) {
    const what = vary === 'quantity' ? 'pieces' : 'with the other items as they are';
    return invalid(`/${from < least ? 'from' : 'to'} must be from ${least} to ${most}: ${what}`);
  }
  const numberAt = (value: number): number => (value - rest - ((value - rest) % slope)) / slope;
  return success({ index, rest, slope, first: numberAt(from), last: numberAt(to) });
}

/** The numbers above `first`, ascending, at which the outcome of a condition, tier or threshold can change. */
function cutsIn(
  shop: CompiledShop,
  { request, nowMs, vary }: Sweeping,
  { index, first, last }: VariedItem,
): readonly number[] {
  const placed = placedFacts(shop, withNumber(request, vary, index, first), nowMs);
  if (placed === null) return [];
  const { zone, facts, plan } = placed;
  const cuts = new Set<number>();
  const add = (units: number): void => {
    if (units > 0 && first + units <= last) cuts.add(first + units);
  };
  const total = growthOf(facts, vary, index, SOURCE.orderNumber, FIELD.product_price);
  const isGiven = typeof request.orderTotals?.totalPrice === 'number';
  const addThreshold = ({ freeThreshold, isFreeByOrderTotal }: FreeFrom): void => {
    if (total !== null && Number.isFinite(freeThreshold) && !(isFreeByOrderTotal && isGiven))
      add(quotientRoundedUp(freeThreshold - total.value, total.slope));
  };
  plan.blends.forEach(addThreshold);
  for (const [groupIndex, { methods }] of plan.groups) {
    for (const { method } of methods) {
      addThreshold(method);
      const conditions = method.rules.flatMap((rule) => rule.conditions);
      const predicates = conditions.map(({ slot }) => zone.predicates[slot] as Predicate);
      for (const units of unitsToCuts(facts, vary, index, predicates, method.record, groupIndex)) add(units);
    }
  }
  return [...cuts].sort((a, b) => a - b);
}
