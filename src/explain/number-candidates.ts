/**
 * Candidates among the changes of numbers: cart total, cart weight, quantity. Along the number of one item
 * every outcome stays the same between two bounds of the conditions and tiers at stake, so the change of
 * least size on each stretch stands for all of it, and these are complete.
 */
import { ITEM_NUMBER, ORDER_NUMBER, type Predicate, SOURCE } from '../compile/predicate.ts';
import { type CartItem, GRAMS_MAX, PRICE_MAX, QUANTITY_MAX } from '../domain/cart.ts';
import { isTableRateType, type RateConfigs, type TableRateType, tiersOf } from '../domain/rate-type.ts';
import type { RequestChange } from '../wire/explained-answer.ts';
import { conditionsAtStake, isInGroup, type Question, type SearchCase } from './search-case.ts';
import { CANDIDATES_MAX, type SearchLimits } from './search-limits.ts';

type NumberKind = 'cart_total' | 'cart_weight' | 'quantity';

/** `ITEM_NUMBER` fields that change with each kind. */
const FIELDS: { readonly [K in NumberKind]: readonly number[] } = {
  cart_total: [ITEM_NUMBER.price],
  cart_weight: [ITEM_NUMBER.weight],
  quantity: [ITEM_NUMBER.weight, ITEM_NUMBER.price, ITEM_NUMBER.quantity],
};

/** Smallest and largest value that a request may hold. */
const RANGES: { readonly [K in NumberKind]: readonly [number, number] } = {
  cart_total: [0, PRICE_MAX],
  cart_weight: [0, GRAMS_MAX],
  quantity: [1, QUANTITY_MAX],
};

const TABLE_FIELD: { readonly [K in TableRateType]: number } = {
  by_weight_table: ITEM_NUMBER.weight,
  by_price_table: ITEM_NUMBER.price,
  by_items_table: ITEM_NUMBER.quantity,
};

/** Ascending numbers at which an outcome can change, by `ITEM_NUMBER` field: below it is one, from it on another. */
interface Cuts {
  readonly order: readonly (readonly number[])[];
  readonly group: readonly (readonly number[])[];
  readonly item: readonly (readonly number[])[];
}

/** A number that outcomes depend on: `value` now, and `slope` more per unit of the item's number. */
interface Reading {
  readonly cuts: readonly number[];
  readonly value: number;
  readonly slope: number;
}

interface Candidate {
  /** Change of the item's number. */
  readonly delta: number;
  /** What the change is measured by: cents, grams, pieces; without sign. */
  readonly size: number;
  readonly itemIndex: number;
}

/** The changes of this kind that can matter, the smallest first. */
export function numberCandidates(
  at: SearchCase,
  question: Question,
  kind: NumberKind,
  limits: SearchLimits,
): readonly RequestChange[] {
  const cuts = cutsOf(at, question);
  const { items } = at.scene.request;
  const cutCount = FIELDS[kind].reduce(
    (count, field) => count + [cuts.order, cuts.group, cuts.item].flatMap((of) => of[field] ?? []).length,
    0,
  );
  const perReading = Math.max(1, Math.floor(CANDIDATES_MAX / (6 * FIELDS[kind].length * items.length)));
  const listed = items.length * (1 + Math.min(cutCount, 6 * perReading));
  if (!limits.spend(cutCount + 2 * listed)) return [];
  const hasItemCuts = FIELDS[kind].some((field) => (cuts.item[field] ?? []).length > 0);
  const candidates = new Map<string, Candidate>();
  for (const [itemIndex, item] of items.entries()) {
    const inGroup = isInGroup(at, itemIndex);
    const perUnit = kind === 'quantity' ? 1 : item.quantity;
    for (const delta of deltasOf(readingsOf(at, kind, cuts, itemIndex), perReading, limits)) {
      const changed = numberOf(kind, item) + delta;
      if (changed < RANGES[kind][0] || changed > RANGES[kind][1]) continue;
      const size = Math.abs(delta * perUnit);
      // Without conditions on single items, items are alike when totals change alike.
      const likeness = kind === 'quantity' ? `${delta}:${item.price}:${item.grams}` : delta * perUnit;
      const key = hasItemCuts ? `${itemIndex}:${delta}` : `${likeness}:${inGroup}`;
      if (!candidates.has(key)) candidates.set(key, { delta, size, itemIndex });
    }
  }
  return [...candidates.values()]
    .sort((a, b) => a.size - b.size || Math.sign(b.delta) - Math.sign(a.delta) || a.itemIndex - b.itemIndex)
    .map(({ delta, itemIndex }) => changeOf(kind, items[itemIndex] as CartItem, itemIndex, delta));
}

function changeOf(kind: NumberKind, item: CartItem, itemIndex: number, delta: number): RequestChange {
  const by = kind === 'quantity' ? delta : delta * item.quantity;
  return { kind, by, itemIndex, to: numberOf(kind, item) + delta };
}

function numberOf(kind: NumberKind, item: CartItem): number {
  if (kind === 'quantity') return item.quantity;
  return kind === 'cart_total' ? item.price : item.grams;
}

function cutsOf(at: SearchCase, question: Question): Cuts {
  const of = (): Set<number>[] => [new Set(), new Set(), new Set()];
  const cuts = { order: of(), group: of(), item: of() };
  for (const { predicate } of conditionsAtStake(at, question)) {
    const [reading, field] = readingOf(predicate);
    const into = reading === null ? undefined : cuts[reading][field];
    if (into !== undefined) for (const cut of cutsOfPredicate(predicate)) into.add(cut);
  }
  const { record } = at;
  if (isTableRateType(record.rateType)) {
    const tiers = tiersOf(record.rateType, record.config as RateConfigs[TableRateType]);
    const into = cuts.group[TABLE_FIELD[record.rateType]];
    for (const { from, to } of tiers) into?.add(from).add(to ?? from);
  }
  const sorted = (sets: readonly Set<number>[]) => sets.map((set) => [...set].sort((a, b) => a - b));
  return { order: sorted(cuts.order), group: sorted(cuts.group), item: sorted(cuts.item) };
}

const ORDER_FIELD = new Map<number, number>([
  [ORDER_NUMBER.weight, ITEM_NUMBER.weight],
  [ORDER_NUMBER.total, ITEM_NUMBER.price],
  [ORDER_NUMBER.quantity, ITEM_NUMBER.quantity],
]);

/** Which number a predicate looks at, in terms of `ITEM_NUMBER`; [null, -1] for none that can change here. */
function readingOf({ source, field }: Predicate): readonly [keyof Cuts | null, number] {
  if (source === SOURCE.itemNumber) return ['item', field];
  if (source === SOURCE.groupSum) return ['group', field];
  const orderField = source === SOURCE.orderNumber ? ORDER_FIELD.get(field) : undefined;
  return orderField === undefined ? [null, -1] : ['order', orderField];
}

const cutsOfPredicate = ({ numbers, low, high }: Predicate): readonly number[] =>
  numbers.length > 0
    ? numbers.flatMap((number) => [number, number + 1])
    : [low, high + 1].filter(Number.isFinite);

function readingsOf(at: SearchCase, kind: NumberKind, cuts: Cuts, itemIndex: number): readonly Reading[] {
  const { facts, request } = at.scene;
  const item = request.items[itemIndex] as CartItem;
  const ofItem = [item.grams, item.price, item.quantity];
  const ofOrder = [facts.weightGrams, facts.totalCents, facts.quantity];
  const { totals } = at.group;
  const ofGroup = [totals.weightGrams, totals.priceCents, totals.quantity];
  const inGroup = isInGroup(at, itemIndex);
  const readings: Reading[] = [];
  for (const field of FIELDS[kind]) {
    const slope =
      kind !== 'quantity' ? item.quantity : field === ITEM_NUMBER.quantity ? 1 : (ofItem[field] ?? 0);
    readings.push({ cuts: cuts.order[field] ?? [], value: ofOrder[field] ?? 0, slope });
    if (inGroup) readings.push({ cuts: cuts.group[field] ?? [], value: ofGroup[field] ?? 0, slope });
    // A change of quantity leaves the weight and price of one piece as they are.
    if (kind !== 'quantity' || field === ITEM_NUMBER.quantity)
      readings.push({ cuts: cuts.item[field] ?? [], value: ofItem[field] ?? 0, slope: 1 });
  }
  return readings;
}

/** For each stretch between two cuts, the change of least size that leads into it. */
function deltasOf(
  readings: readonly Reading[],
  perReading: number,
  limits: SearchLimits,
): ReadonlySet<number> {
  const deltas = new Set<number>();
  for (const { cuts, value, slope } of readings) {
    if (slope === 0) continue;
    for (const cut of nearest(cuts, value, perReading, limits)) {
      const reached = ceilingOfQuotient(cut - value, slope);
      // From `reached` on the number is at the cut or above; one before, it is below.
      deltas.add(reached > 0 ? reached : reached - 1);
    }
  }
  return deltas;
}

/** At most `max` cuts on either side of the value. */
function nearest(
  cuts: readonly number[],
  value: number,
  max: number,
  limits: SearchLimits,
): readonly number[] {
  if (cuts.length <= max) return cuts;
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cuts[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  if (low > max || cuts.length - low > max) limits.wasLimited = true;
  return cuts.slice(Math.max(0, low - max), low + max);
}

/** Exact for integers within 2^53 of 0; `divisor` > 0. */
function ceilingOfQuotient(dividend: number, divisor: number): number {
  const rest = dividend % divisor;
  return (dividend - rest) / divisor + (rest > 0 ? 1 : 0);
}
