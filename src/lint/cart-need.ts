/**
 * Cart needs: what requirements on items, sums and the order ask of a cart together, and whether no cart
 * can have it. Different "some item" requirements may be met by different items, so they contradict each
 * other only where the cart can hold but one.
 *
 * What is held against each other: each item that must exist with what every item must be; sums with the
 * least that such items add up to and with the most that all items may; sums of the group with those of
 * the order.
 */
import { ITEM_NUMBER, ORDER_NUMBER, SOURCE } from '../compile/predicate.ts';
import type { GroupMap } from './group-map.ts';
import { type IntervalSet, isEmptySet, maxOf, minOf } from './interval-set.ts';
import { type ItemShape, shapeOf } from './item-shape.ts';
import { numbersAt, type Requirement } from './requirement.ts';
import type { Steps } from './steps.ts';

/** The sums of one set of items. */
interface Sums {
  readonly weightGrams: IntervalSet;
  readonly priceCents: IntervalSet;
  readonly quantity: IntervalSet;
}

export interface CartNeed {
  /** Of the shippable items of the method's group; at least one, the first of them for the group's sake. */
  readonly groupItems: readonly ItemShape[];
  /** Of items that may be any in the order. */
  readonly orderItems: readonly ItemShape[];
  /** Of every item in the order. */
  readonly everyItem: ItemShape;
  readonly order: Sums;
  readonly group: Sums;
  readonly uniqueItems: IntervalSet;
}

const isImpossible = ({ weightGrams, priceCents, quantity }: Sums): boolean =>
  [weightGrams, priceCents, quantity].some(isEmptySet);

/** What a cart with items of this group needs; null when there is certainly no such cart. */
export function cartNeedOf(
  requirements: readonly Requirement[],
  group: number,
  map: GroupMap,
  steps: Steps,
): CartNeed | null {
  const sumOfOrder = (field: number) => numbersAt(requirements, SOURCE.orderNumber, field, steps);
  const sumOfGroup = (field: number) => numbersAt(requirements, SOURCE.groupSum, field, steps);
  const order: Sums = {
    weightGrams: sumOfOrder(ORDER_NUMBER.weight),
    priceCents: sumOfOrder(ORDER_NUMBER.total),
    quantity: sumOfOrder(ORDER_NUMBER.quantity),
  };
  const ofGroup: Sums = {
    weightGrams: sumOfGroup(ITEM_NUMBER.weight),
    priceCents: sumOfGroup(ITEM_NUMBER.price),
    quantity: sumOfGroup(ITEM_NUMBER.quantity),
  };
  const uniqueItems = sumOfOrder(ORDER_NUMBER.uniqueItems);
  if (isImpossible(order) || isImpossible(ofGroup) || isEmptySet(uniqueItems)) return null;
  const everyOrder = requirements.filter((each) => each.kind === 'every' && !each.inGroup);
  const everyGroup = requirements.filter((each) => each.kind === 'every' && each.inGroup);
  const some = requirements.filter((each) => each.kind === 'some');
  const isSingle = maxOf(uniqueItems) === 1 || maxOf(order.quantity) === 1;
  const anyGroup = map.fillable;
  const ofTheGroup = (...more: readonly Requirement[]) =>
    shapeOf([...everyOrder, ...everyGroup, ...more], [group], map, steps);
  const everyItem = shapeOf(everyOrder, anyGroup, map, steps);
  const inGroup = some.filter((each) => each.inGroup);
  const groupItems = isSingle
    ? [ofTheGroup(...some)]
    : inGroup.length === 0
      ? [ofTheGroup()]
      : inGroup.map((each) => ofTheGroup(each));
  // An item that the group's requirements would not let in may be one that is not shipped.
  const orderItems = isSingle
    ? []
    : some
        .filter((each) => !each.inGroup)
        .map((each) => shapeOf([...everyOrder, each], anyGroup, map, steps));
  if (everyItem === null || !areShapes(groupItems) || !areShapes(orderItems)) return null;
  const need = { groupItems, orderItems, everyItem, order, group: ofGroup, uniqueItems };
  const everyOfGroup = ofTheGroup();
  return everyOfGroup !== null && canAddUp(need, everyOfGroup, isSingle) ? need : null;
}

const areShapes = (shapes: readonly (ItemShape | null)[]): shapes is readonly ItemShape[] =>
  !shapes.includes(null);

/** False only when the sums cannot be those of the items. */
function canAddUp(need: CartNeed, everyOfGroup: ItemShape, isSingle: boolean): boolean {
  const { order, group, groupItems, orderItems, everyItem, uniqueItems } = need;
  const all = [...groupItems, ...orderItems];
  const least = {
    group: Math.max(minOf(group.quantity), ...groupItems.map(({ quantity }) => minOf(quantity))),
    order: Math.max(minOf(uniqueItems), ...all.map(({ quantity }) => minOf(quantity))),
  };
  const mostPieces = maxOf(order.quantity);
  const mostInGroup = Math.min(mostPieces, maxOf(group.quantity));
  if (least.group > mostInGroup || Math.max(least.group, least.order) > mostPieces) return false;
  if (isSingle && groupItems.some(({ quantity }) => maxOf(quantity) < minOf(order.quantity))) return false;
  return (['weightGrams', 'priceCents'] as const).every((field) => {
    const atLeast = (shapes: readonly ItemShape[]) =>
      Math.max(0, ...shapes.map((shape) => minOf(shape[field]) * minOf(shape.quantity)));
    const leastOfGroup = Math.max(minOf(group[field]), atLeast(groupItems));
    const mostOfOrder = Math.min(maxOf(order[field]), maxOf(everyItem[field]) * mostPieces);
    const mostOfGroup = Math.min(maxOf(group[field]), mostOfOrder, maxOf(everyOfGroup[field]) * mostInGroup);
    return (
      leastOfGroup <= mostOfGroup &&
      Math.max(leastOfGroup, atLeast(all)) <= mostOfOrder &&
      minOf(order[field]) <= mostOfOrder
    );
  });
}
