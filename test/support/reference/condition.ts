/** Conditions: what each looks at, how it compares, over which items (contract section 3, "Conditions"). */

import type { Destination } from '../../../src/domain/cart.ts';
import type { Condition } from '../../../src/domain/condition.ts';
import type { LocalTime } from './clock.ts';
import { type Order, type OrderItem, totalsOf } from './order.ts';
import { postalMatches } from './postal.ts';
import { alternativesOf, textMatches } from './text.ts';

/** All that a condition of one method's rules may look at. */
export interface Situation {
  readonly order: Order;
  readonly destination: Destination;
  /** The total of the order after discounts, or the cart total. */
  readonly orderTotal: bigint;
  readonly customer: { readonly id: string; readonly tags: readonly string[] };
  readonly currency: string;
  readonly locale: string;
  readonly subzoneId: string;
  readonly now: LocalTime;
  /** The shippable items of the method's group. */
  readonly groupItems: readonly OrderItem[];
}

export interface ConditionOutcome {
  readonly matched: boolean;
  /**
   * For a product condition with an item scope: the items of the scope for which the comparison holds,
   * whatever the scope then makes of them (of `no_product_*` these are the items that break it).
   * Null for every other condition.
   */
  readonly satisfiedBy: readonly OrderItem[] | null;
}

const NEGATED: Readonly<Record<string, string>> = {
  not_equals: 'equals',
  not_contains: 'contains',
  not_starts_with: 'starts_with',
  not_ends_with: 'ends_with',
  is_not_empty: 'is_empty',
};

/** A condition is asked of many items and carts; its value is split once. */
const alternativesByCondition = new WeakMap<Condition, string[]>();

function alternativesIn(condition: Condition): string[] {
  const known = alternativesByCondition.get(condition);
  if (known !== undefined) return known;
  const alternatives = alternativesOf(condition.value);
  alternativesByCondition.set(condition, alternatives);
  return alternatives;
}

/** "A negative operator matches if its positive twin does not." */
function compare(
  condition: Condition,
  positive: (operator: string, alternatives: string[]) => boolean,
): boolean {
  const alternatives = alternativesIn(condition);
  const twin = NEGATED[condition.operator];
  return twin === undefined ? positive(condition.operator, alternatives) : !positive(twin, alternatives);
}

const compareText = (condition: Condition, text: string): boolean =>
  compare(condition, (operator, alternatives) => textMatches(operator, text, alternatives));

/** "Tags: a positive operator matches if any tag does; a negative one if none does; is_empty = no tags." */
const compareTags = (condition: Condition, tags: readonly string[]): boolean =>
  compare(condition, (operator, alternatives) =>
    operator === 'is_empty'
      ? tags.length === 0
      : tags.some((tag) => textMatches(operator, tag, alternatives)),
  );

/** Numbers, times and dates. `between` takes its two ends as written. */
function compareOrdered<T extends bigint | string>(
  condition: Condition,
  have: T,
  read: (alternative: string) => T,
): boolean {
  return compare(condition, (operator, alternatives) => {
    const [first, second] = alternatives.map(read);
    if (first === undefined) throw new Error('a condition without a value');
    switch (operator) {
      case 'equals':
        return alternatives.some((alternative) => read(alternative) === have);
      case 'greater_than':
        return have > first;
      case 'greater_than_or_equal':
        return have >= first;
      case 'less_than':
        return have < first;
      case 'less_than_or_equal':
        return have <= first;
      case 'between':
        if (second === undefined) throw new Error('between takes two values');
        return first <= have && have <= second;
      default:
        throw new Error(`${operator} is no positive operator of numbers, times or dates`);
    }
  });
}

const compareNumber = (condition: Condition, have: bigint): boolean =>
  compareOrdered(condition, have, BigInt);
/** Times and dates order like their digits, once years have as many of them. */
const compareClock = (condition: Condition, have: string): boolean =>
  compareOrdered(condition, have.padStart(12, '0'), (alternative) => alternative.padStart(12, '0'));

/** The three sides, shortest first; a side that is not given is 0. */
export const sidesOf = ({ sides }: OrderItem): [bigint, bigint, bigint] =>
  [...sides].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)) as [bigint, bigint, bigint];

/** One item against a product condition. */
function itemSatisfies(condition: Condition, item: OrderItem): boolean {
  switch (condition.conditionType) {
    case 'product_tag':
      return compareTags(condition, item.tags);
    case 'product_sku':
      return compareText(condition, item.sku);
    case 'product_vendor':
      return compareText(condition, item.vendor);
    case 'product_title':
      return compareText(condition, item.name);
    case 'product_id':
      return compareText(condition, item.productId);
    case 'product_variant_id':
      return compareText(condition, item.variantId);
    case 'product_group':
      return compareText(condition, item.groupId);
    case 'product_longest_side':
      return compareNumber(condition, sidesOf(item)[2]);
    case 'product_girth': {
      const [shortest, middle, longest] = sidesOf(item);
      return compareNumber(condition, longest + 2n * (shortest + middle));
    }
    case 'product_weight':
      return compareNumber(condition, item.grams);
    case 'product_price':
      return compareNumber(condition, item.price);
    case 'product_quantity':
      return compareNumber(condition, item.quantity);
    default:
      throw new Error(`${condition.conditionType} is no product condition`);
  }
}

/** "Sum (grams x quantity, price x quantity, quantity) is compared." */
function sumSatisfies(condition: Condition, items: readonly OrderItem[]): boolean {
  const totals = totalsOf(items);
  switch (condition.conditionType) {
    case 'product_weight':
      return compareNumber(condition, totals.weight);
    case 'product_price':
      return compareNumber(condition, totals.price);
    case 'product_quantity':
      return compareNumber(condition, totals.quantity);
    default:
      throw new Error(`${condition.conditionType} has no sum`);
  }
}

/** "address1, 2, 3 joined by one space, empty ones left out". */
export const addressOf = ({ address1, address2, address3 }: Destination): string =>
  [address1, address2, address3]
    .map((line) => (line ?? '').trim())
    .filter((line) => line !== '')
    .join(' ');

/** Conditions that are not about products: their scope is echoed and ignored. */
function situationSatisfies(condition: Condition, at: Situation): boolean {
  const { destination, order } = at;
  switch (condition.conditionType) {
    case 'cart_total':
      return compareNumber(condition, order.totals.price);
    case 'cart_weight':
      return compareNumber(condition, order.totals.weight);
    case 'cart_quantity':
      return compareNumber(condition, order.totals.quantity);
    case 'cart_unique_items':
      return compareNumber(condition, BigInt(order.items.length));
    case 'order_total':
      return compareNumber(condition, at.orderTotal);
    case 'customer_tag':
      return compareTags(condition, at.customer.tags);
    case 'customer_id':
      return compareText(condition, at.customer.id);
    case 'cart_currency':
      return compareText(condition, at.currency);
    case 'cart_locale':
      return compareText(condition, at.locale);
    case 'destination_country':
      return compareText(condition, destination.country);
    case 'destination_state':
      return compareText(condition, destination.province ?? '');
    case 'destination_city':
      return compareText(condition, destination.city ?? '');
    case 'destination_name':
      return compareText(condition, destination.name ?? '');
    case 'destination_company':
      return compareText(condition, destination.company ?? '');
    case 'destination_phone':
      return compareText(condition, destination.phone ?? '');
    case 'destination_address':
      return compareText(condition, addressOf(destination));
    case 'destination_postal_code': {
      const country = destination.country.toUpperCase();
      const code = destination.postalCode ?? '';
      return compare(condition, (operator, alternatives) =>
        postalMatches(operator, country, code, alternatives),
      );
    }
    case 'destination_subzone':
      return compareText(condition, at.subzoneId);
    case 'day_of_week':
      return compareText(condition, at.now.dayOfWeek);
    case 'time_of_day':
      return compareClock(condition, at.now.timeOfDay);
    case 'date':
      return compareClock(condition, at.now.date);
    default:
      throw new Error(`${condition.conditionType} looks at items`);
  }
}

/** One condition of a rule, with the items that satisfy it where its scope is over items. */
export function evaluateCondition(condition: Condition, at: Situation): ConditionOutcome {
  if (!condition.conditionType.startsWith('product_')) {
    return { matched: situationSatisfies(condition, at), satisfiedBy: null };
  }
  const items = condition.scope.endsWith('_group') ? at.groupItems : at.order.items;
  if (condition.scope.startsWith('sum_of_')) {
    return { matched: sumSatisfies(condition, items), satisfiedBy: null };
  }
  const satisfiedBy = items.filter((item) => itemSatisfies(condition, item));
  const quantifier = condition.scope.split('_')[0];
  const matched =
    quantifier === 'any'
      ? satisfiedBy.length > 0
      : quantifier === 'all'
        ? satisfiedBy.length === items.length
        : satisfiedBy.length === 0;
  return { matched, satisfiedBy };
}
