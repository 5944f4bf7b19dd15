/**
 * Changes of numbers: cart total, order total, cart weight, quantity. The outcomes change only at the bounds of the
 * conditions and tiers at stake. Between two bounds it is enough to try the smallest change, so the listed changes are
 * complete.
 */

import { groupedBy } from '../../base/runtime/map-entries.ts';
import { type Predicate, SOURCE } from '../compile/predicate.ts';
import { groupSum, SUM_OF_TABLE } from '../compile/rate-function.ts';
import {
  type CartItem,
  GRAMS_MAX,
  ORDER_TOTAL_MAX,
  PRICE_MAX,
  QUANTITY_MAX,
  QUANTITY_MIN,
  type SimulateRequest,
} from '../domain/cart.ts';
import { FIELD } from '../domain/condition.ts';
import { quotientRoundedUp } from '../domain/money.ts';
import { isTableRateType, type RateConfig, tiersOfRate } from '../domain/rate-type.ts';
import { type CartFacts, orderNumber } from '../evaluate/cart-facts.ts';
import type { RequestChange } from '../wire/explained-answer.ts';
import { CANDIDATES_MAX, isInGroup, predicatesAtStake, type SearchCase } from './search-case.ts';

const { product_weight: weight, product_price: price, product_quantity: quantity } = FIELD;
/**
 * `of`: the property of an item that changes, from `min` to `max`; `field`: its number in `FIELD`; `sums`: the numbers of
 * the sums that change.
 */
export const KINDS = {
  cart_total: { of: 'price', field: price, min: 0, max: PRICE_MAX, sums: [price] },
  cart_weight: { of: 'grams', field: weight, min: 0, max: GRAMS_MAX, sums: [weight] },
  quantity: {
    of: 'quantity',
    field: quantity,
    min: QUANTITY_MIN,
    max: QUANTITY_MAX,
    sums: [weight, price, quantity],
  },
} as const;
export type NumberKind = keyof typeof KINDS;

/**
 * True when a number of an item, or a sum of it, can change with this kind of change; `field` is its number in `FIELD`. A
 * change of quantity does not change the weight and price of one piece.
 */
export const touchesNumber = (kind: NumberKind, source: number, field: number | null): boolean =>
  source === SOURCE.itemNumber
    ? KINDS[kind].field === field
    : (KINDS[kind].sums as readonly (number | null)[]).includes(field);

/** A number that is `value` now and grows by `slope` with each unit by which a number of an item grows. */
interface Growth {
  readonly value: number;
  readonly slope: number;
}

/**
 * How the number of a source that conditions and tiers compare grows with the number of one item that a change of this
 * kind sets; null when it stays as it is. `field`: its number in `FIELD`. `groupIndex`: the group of a sum over a group.
 */
export function growthOf(
  facts: CartFacts,
  kind: NumberKind,
  itemIndex: number,
  source: number,
  field: number,
  groupIndex?: number,
): Growth | null {
  const item = facts.request.items[itemIndex] as CartItem;
  if (!touchesNumber(kind, source, field)) return null;
  if (source === SOURCE.itemNumber) return { value: item[KINDS[kind].of], slope: 1 };
  const perPiece = field === quantity ? 1 : field === price ? item.price : item.grams;
  const slope = kind === 'quantity' ? perPiece : item.quantity;
  if (slope === 0) return null;
  if (source === SOURCE.orderNumber) return { value: orderNumber(facts, field), slope };
  const group = facts.groups.find(({ index }) => index === groupIndex);
  const isIn = item.requiresShipping !== false && facts.items[itemIndex]?.groupIndex === groupIndex;
  return group !== undefined && isIn ? { value: groupSum(group.totals, field), slope } : null;
}

/** What a predicate reads. */
type Read = Pick<Predicate, 'source' | 'field'>;

const isOrderTotal = ({ source, field }: Read): boolean =>
  source === SOURCE.orderNumber && field === FIELD.order_total;

/**
 * Returns the number in `FIELD` of a number of an item or of a sum of it; null for any other value. Sums over the order have
 * the same numbers. The total of the order is the cart total when the request does not give it.
 */
export function summedField(predicate: Read, { orderTotals }: SimulateRequest): number | null {
  const { source, field } = predicate;
  if (isOrderTotal(predicate)) return typeof orderTotals?.totalPrice === 'number' ? null : price;
  const isOfItems =
    source === SOURCE.itemNumber || source === SOURCE.groupSum || source === SOURCE.orderNumber;
  return isOfItems && field <= quantity ? field : null;
}

/** Returns the changes of a given total of the order that can change an outcome, the smallest first. */
export function orderTotalChanges(at: SearchCase): readonly RequestChange[] {
  const total = at.scene.facts.request.orderTotals?.totalPrice;
  if (typeof total !== 'number') return [];
  const cuts = predicatesAtStake(at).filter(isOrderTotal).flatMap(cutsOfPredicate);
  at.limits.spend(cuts.length);
  // At the cut or above it, and below it.
  const reached = cuts.map((cut) => (cut > total ? cut : cut - 1));
  return [...new Set(reached)]
    .filter((to) => to >= 0 && to <= ORDER_TOTAL_MAX)
    .map((to) => ({ kind: 'order_total' as const, by: to - total, to }))
    .sort((a, b) => Math.abs(a.by) - Math.abs(b.by) || b.by - a.by);
}

/** The numbers at which the outcome of the predicate can change. */
const cutsOfPredicate = ({ numbers, low, high }: Predicate): readonly number[] =>
  (numbers.length > 0 ? numbers.flatMap((one) => [one, one + 1]) : [low, high + 1]).filter(Number.isFinite);

/** Returns the changes of this kind that can change an outcome, the smallest first. */
export function numberChanges(at: SearchCase, kind: NumberKind): readonly RequestChange[] {
  const { of, min, max } = KINDS[kind];
  const { request } = at.scene.facts;
  const { items } = request;
  const perItem = Math.max(1, Math.floor(CANDIDATES_MAX / items.length));
  const predicates = predicatesAtStake(at);
  const hasItemCuts = predicates.some(
    (each) =>
      each.source === SOURCE.itemNumber && touchesNumber(kind, each.source, summedField(each, request)),
  );
  const changes = items.flatMap((item, itemIndex) => {
    const perUnit = kind === 'quantity' ? 1 : item.quantity;
    const all = [...deltasOf(at, predicates, kind, itemIndex)].sort((a, b) => Math.abs(a) - Math.abs(b));
    if (all.length > perItem) at.limits.wasLimited = true;
    const within = all
      .slice(0, perItem)
      .filter((delta) => item[of] + delta >= min && item[of] + delta <= max);
    return within.map((delta) => ({ kind, by: delta * perUnit, itemIndex, to: item[of] + delta }));
  });
  // Without conditions on single items, items are alike when totals change alike.
  const likeness = ({ by, itemIndex, to }: (typeof changes)[number]): string => {
    const item = items[itemIndex] as CartItem;
    if (hasItemCuts) return `${itemIndex} ${to}`;
    return [by, isInGroup(at, itemIndex), ...(kind === 'quantity' ? [item.price, item.grams] : [])].join(' ');
  };
  return [...groupedBy(changes, likeness).values()]
    .flatMap(([first]) => first ?? [])
    .sort(
      (a, b) =>
        Math.abs(a.by) - Math.abs(b.by) || Math.sign(b.by) - Math.sign(a.by) || a.itemIndex - b.itemIndex,
    );
}

/** Returns, for each interval between two cuts, the smallest change of the item's number that leads into it. */
function deltasOf(
  { scene, method, group, limits }: SearchCase,
  predicates: readonly Predicate[],
  kind: NumberKind,
  itemIndex: number,
): Set<number> {
  const deltas = new Set<number>();
  if (!limits.spend(predicates.length)) return deltas;
  const { facts } = scene;
  for (const reached of unitsToCuts(facts, kind, itemIndex, predicates, method.record, group.index)) {
    if (!limits.spend(1)) break;
    // With `reached` the number is at the cut or above; with `reached - 1` it is below.
    deltas.add(reached > 0 ? reached : reached - 1);
  }
  return deltas;
}

/** By how many units an item's number grows until the value of a predicate, or the total of the rate table, is at a cut or above. */
export function* unitsToCuts(
  facts: CartFacts,
  kind: NumberKind,
  itemIndex: number,
  predicates: readonly Predicate[],
  rate: RateConfig,
  groupIndex: number,
): Generator<number> {
  const of = function* (source: number, field: number | null, cutsOf: () => readonly number[]) {
    const growth = field === null ? null : growthOf(facts, kind, itemIndex, source, field, groupIndex);
    if (growth === null) return;
    for (const cut of cutsOf()) yield quotientRoundedUp(cut - growth.value, growth.slope);
  };
  for (const predicate of predicates) {
    yield* of(predicate.source, summedField(predicate, facts.request), () => cutsOfPredicate(predicate));
  }
  if (!isTableRateType(rate.rateType)) return;
  const bounds = () => (tiersOfRate(rate) ?? []).flatMap(({ from, to }) => [from, to ?? from]);
  yield* of(SOURCE.groupSum, SUM_OF_TABLE[rate.rateType], bounds);
}
