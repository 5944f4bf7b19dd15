/**
 * Cart needs: combines requirements on items, sums and the order, and proves that no cart can satisfy them. Different
 * items may satisfy different "some item" requirements, so these contradict each other only when the cart can hold only
 * one item.
 *
 * Three comparisons: each item that must exist with the requirements on every item; the sums with the least and most
 * that such items can add up to; the sums of the group with those of the order.
 */
import { SOURCE } from '../compile/predicate.ts';
import { FIELD } from '../domain/condition.ts';
import type { GroupMap } from './group-map.ts';
import { type IntervalSet, isEmptySet, maxOf, minOf } from './interval-set.ts';
import {
  type NumberSets,
  numbersAt,
  numbersOfAll,
  onlyTexts,
  type Requirement,
  variableOf,
} from './requirement.ts';
import type { Steps } from './steps.ts';
import { findTags, findText, isTextFit } from './text-search.ts';

/** The possible values of one item. "No shape" is proved; for a shape an item need not exist. */
export interface ItemShape {
  readonly numbers: NumberSets;
  /** Millimetres of the longest side, and the girth. */
  readonly sides: readonly [IntervalSet, IntervalSet];
  /** `FIELD` of a text of an item -> a text that satisfies the requirements on that field. */
  readonly texts: ReadonlyMap<number, string>;
  readonly tags: readonly string[];
  /** Indexes of the groups that the item may belong to; at most GROUPS_MAX. */
  readonly groups: readonly number[];
  readonly requirements: readonly Requirement[];
}

/** Number of groups from which an example is chosen. */
const GROUPS_MAX = 16;

const GROUP_VARIABLE = variableOf(SOURCE.itemText, FIELD.product_group);

/**
 * Returns the shape of an item of one of `groups` (a single group, or all groups that can be filled); null only when no
 * such item exists.
 */
function shapeOf(
  requirements: readonly Requirement[],
  groups: readonly number[],
  map: GroupMap,
  steps: Steps,
): ItemShape | null {
  steps.spend(requirements.length);
  const left = groupsLeft(
    requirements.filter((each) => each.variable === GROUP_VARIABLE),
    groups,
    map,
    steps,
  );
  const onNumbers = requirements.filter(({ predicate }) => predicate.source === SOURCE.itemNumber);
  const numbers = numbersOfAll(onNumbers, SOURCE.itemNumber, steps);
  const side = (field: number) => numbersAt(onNumbers, SOURCE.itemNumber, field, steps);
  const sides = [side(FIELD.product_longest_side), side(FIELD.product_girth)] as const;
  if (left.length === 0 || [...numbers, ...sides].some(isEmptySet)) return null;
  const words = wordsOf(requirements, left, map, steps);
  return words && { numbers, sides, ...words, groups: left, requirements };
}

/** Returns the first groups that satisfy the requirements on the group itself. */
function groupsLeft(
  onGroup: readonly Requirement[],
  groups: readonly number[],
  map: GroupMap,
  steps: Steps,
): readonly number[] {
  // With many groups, look up only the groups that a requirement names.
  const ids = groups.length === 1 ? null : onlyTexts(onGroup);
  const left: number[] = [];
  for (const group of ids === null ? groups : map.fillableNamed(ids)) {
    if (left.length === GROUPS_MAX) break;
    if (isTextFit(onGroup, map.all[group]?.comparableId ?? '', steps)) left.push(group);
  }
  return left;
}

type Words = Pick<ItemShape, 'texts' | 'tags'>;

/** Returns texts and tags that satisfy the requirements; if one group is left, they may belong to it. */
function wordsOf(
  requirements: readonly Requirement[],
  groups: readonly number[],
  map: GroupMap,
  steps: Steps,
): Words | null {
  const onTexts = requirements.filter(
    ({ predicate: { source }, variable }) =>
      source === SOURCE.itemTags || (source === SOURCE.itemText && variable !== GROUP_VARIABLE),
  );
  const [group] = groups;
  const routes = groups.length === 1 && group !== undefined ? map.membership.routesTo(group) : null;
  for (const route of onTexts.length === 0 || routes === null ? [[]] : routes) {
    const words = findWords([...onTexts, ...route], steps);
    if (words !== null) return words;
  }
  return null;
}

function findWords(onTexts: readonly Requirement[], steps: Steps): Words | null {
  const onTags = onTexts.filter(({ predicate }) => predicate.source === SOURCE.itemTags);
  const tags = findTags(onTags, steps);
  if (tags === null) return null;
  const texts = new Map<number, string>();
  for (const { predicate, variable } of onTexts) {
    if (predicate.source === SOURCE.itemTags || texts.has(predicate.field)) continue;
    const own = onTexts.filter((each) => each.variable === variable);
    const text = findText(own, steps);
    if (text === null) return null;
    texts.set(predicate.field, text);
  }
  return { texts, tags };
}

export interface CartNeed {
  /** Shippable items of the method's group; at least one. */
  readonly groupItems: readonly ItemShape[];
  /** Items of any group. */
  readonly orderItems: readonly ItemShape[];
  /** The shape that every item in the order has. */
  readonly everyItem: ItemShape;
  /** Sums of the order. */
  readonly order: NumberSets;
  readonly group: NumberSets;
  readonly uniqueItems: IntervalSet;
}

const { product_weight: weight, product_price: price, product_quantity: quantity } = FIELD;

/** Returns the need of a cart with items of this group; null only when no such cart exists. */
export function cartNeedOf(
  requirements: readonly Requirement[],
  groupIndex: number,
  map: GroupMap,
  steps: Steps,
): CartNeed | null {
  const order = numbersOfAll(requirements, SOURCE.orderNumber, steps);
  const group = numbersOfAll(requirements, SOURCE.groupSum, steps);
  const uniqueItems = numbersAt(requirements, SOURCE.orderNumber, FIELD.cart_unique_items, steps);
  if ([...order, ...group, uniqueItems].some(isEmptySet)) return null;
  const every = requirements.filter(({ kind }) => kind === 'every');
  const everyOrder = every.filter(({ inGroup }) => !inGroup);
  const some = requirements.filter(({ kind }) => kind === 'some');
  const isSingle = maxOf(uniqueItems) === 1 || maxOf(order[quantity]) === 1;
  const ofTheGroup = (...more: readonly Requirement[]) =>
    shapeOf([...every, ...more], [groupIndex], map, steps);
  const ofAnyGroup = (...more: readonly Requirement[]) =>
    shapeOf([...everyOrder, ...more], map.fillable, map, steps);
  const everyItem = ofAnyGroup();
  const everyOfGroup = ofTheGroup();
  if (everyItem === null || everyOfGroup === null) return null;
  const inGroup = some.filter((each) => each.inGroup);
  const groupItems = isSingle
    ? [ofTheGroup(...some)]
    : inGroup.length === 0
      ? [everyOfGroup]
      : inGroup.map((each) => ofTheGroup(each));
  // Requirements on the group's items do not apply, because these items may be unshippable.
  const others = isSingle ? [] : some.filter((each) => !each.inGroup);
  const orderItems = others.map((each) => ofAnyGroup(each));
  if (!areShapes(groupItems) || !areShapes(orderItems)) return null;
  const need = { groupItems, orderItems, everyItem, order, group, uniqueItems };
  return canAddUp(need, everyOfGroup, isSingle) ? need : null;
}

const areShapes = (shapes: readonly (ItemShape | null)[]): shapes is readonly ItemShape[] =>
  !shapes.includes(null);

/** False only when the sums cannot be those of the items. */
function canAddUp(need: CartNeed, everyOfGroup: ItemShape, isSingle: boolean): boolean {
  const { order, group, groupItems, orderItems, everyItem, uniqueItems } = need;
  const all = [...groupItems, ...orderItems];
  const leastPieces = (shapes: readonly ItemShape[]) =>
    Math.max(...shapes.map(({ numbers }) => minOf(numbers[quantity])));
  const leastInGroup = Math.max(minOf(group[quantity]), leastPieces(groupItems));
  const least = Math.max(leastInGroup, minOf(uniqueItems), leastPieces(all));
  const most = maxOf(order[quantity]);
  const mostInGroup = Math.min(most, maxOf(group[quantity]));
  if (leastInGroup > mostInGroup || least > most) return false;
  if (isSingle && groupItems.some(({ numbers }) => maxOf(numbers[quantity]) < minOf(order[quantity])))
    return false;
  return ([weight, price] as const).every((field) => {
    const leastOf = (shapes: readonly ItemShape[]) =>
      Math.max(0, ...shapes.map(({ numbers }) => minOf(numbers[field]) * minOf(numbers[quantity])));
    const leastOfGroup = Math.max(minOf(group[field]), leastOf(groupItems));
    const mostOfOrder = Math.min(maxOf(order[field]), maxOf(everyItem.numbers[field]) * most);
    const mostOfAll = maxOf(everyOfGroup.numbers[field]) * mostInGroup;
    const mostOfGroup = Math.min(maxOf(group[field]), mostOfOrder, mostOfAll);
    const leastOfOrder = Math.max(leastOfGroup, leastOf(all), minOf(order[field]));
    return leastOfGroup <= mostOfGroup && leastOfOrder <= mostOfOrder;
  });
}
