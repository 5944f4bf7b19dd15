/** Conditions: the compared value, the comparison and the scope (contract section 3, "Conditions"). */

import type { Destination, SimulateRequest } from '../../../src/engine/domain/cart.ts';
import type { Condition, ConditionType } from '../../../src/engine/domain/condition.ts';
import type { Actual } from '../../../src/engine/wire/explained-answer.ts';
import type { LocalTime } from './clock.ts';
import { dayMatches, holds, orderedMatches, textMatches } from './operator.ts';
import { type Order, type OrderItem, totalsOf } from './order.ts';
import { canonicalCode, postalMatches } from './postal.ts';
import { alternativesOf, compared, fieldText, tagsOf } from './text.ts';

/** A text, a number or tags, before they are compared. */
type Value = string | bigint | readonly string[];

/** The facts that conditions of one method compare. */
export interface Situation {
  readonly order: Order;
  readonly request: SimulateRequest;
  /** The total of the order after discounts, or the cart total. */
  readonly orderTotal: bigint;
  /** Of the shop. */
  readonly currency: string;
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

/** Cached, because a condition is tested on many items and carts. */
const alternativesByCondition = new WeakMap<Condition, string[]>();

function alternativesIn(condition: Condition): string[] {
  const known = alternativesByCondition.get(condition);
  if (known !== undefined) return known;
  const alternatives = alternativesOf(condition.value);
  alternativesByCondition.set(condition, alternatives);
  return alternatives;
}

/** Compares by the positive operator and the alternatives of the condition. */
function compare(
  condition: Condition,
  positive: (operator: string, alternatives: string[]) => boolean,
): boolean {
  const alternatives = alternativesIn(condition);
  return holds(condition.operator, (operator) => positive(operator, alternatives));
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

const compareNumber = (condition: Condition, have: bigint): boolean =>
  compare(condition, (operator, alternatives) => orderedMatches(operator, have, alternatives.map(BigInt)));

/** Times and dates order like their digits, once years have as many of them. */
const padded = (text: string): string => text.padStart(12, '0');
const compareClock = (condition: Condition, have: string): boolean =>
  compare(condition, (operator, alternatives) =>
    orderedMatches(operator, padded(have), alternatives.map(padded)),
  );

/** The three sides, shortest first; a side that is not given is 0. */
const sidesOf = ({ sides }: OrderItem): [bigint, bigint, bigint] =>
  [...sides].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)) as [bigint, bigint, bigint];

/** The value of one item that a product condition compares. */
function itemValue(type: ConditionType, item: OrderItem): Value {
  switch (type) {
    case 'product_tag':
      return item.tags;
    case 'product_sku':
      return item.sku;
    case 'product_vendor':
      return item.vendor;
    case 'product_title':
      return item.name;
    case 'product_id':
      return item.productId;
    case 'product_variant_id':
      return item.variantId;
    case 'product_group':
      return item.groupId;
    case 'product_longest_side':
      return sidesOf(item)[2];
    case 'product_girth': {
      const [shortest, middle, longest] = sidesOf(item);
      return longest + 2n * (shortest + middle);
    }
    case 'product_weight':
      return item.grams;
    case 'product_price':
      return item.price;
    case 'product_quantity':
      return item.quantity;
    default:
      throw new Error(`${type} is no product condition`);
  }
}

/** "Sum (grams x quantity, price x quantity, quantity) is compared." */
function sumValue(type: ConditionType, items: readonly OrderItem[]): bigint {
  const { weight, price, quantity } = totalsOf(items);
  const sums: Partial<Record<ConditionType, bigint>> = {
    product_weight: weight,
    product_price: price,
    product_quantity: quantity,
  };
  const sum = sums[type];
  if (sum === undefined) throw new Error(`${type} has no sum`);
  return sum;
}

/** "address1, 2, 3 joined by one space, empty ones left out". */
const addressOf = ({ address1, address2, address3 }: Destination): string =>
  [address1, address2, address3]
    .map((line) => (line ?? '').trim())
    .filter((line) => line !== '')
    .join(' ');

/** "Tags: a comma-separated string or an array of strings" (contract section 11); of an array no element is split. */
function customerTags({ customer }: SimulateRequest): readonly string[] {
  const tags = customer?.tags;
  return Array.isArray(tags) ? tags.filter((tag) => tag.trim() !== '') : tagsOf(tags);
}

/** The values that the other conditions compare: their scope is echoed and ignored. */
function situationValue(type: ConditionType, at: Situation): Value {
  const { order, request, now } = at;
  const { destination } = request;
  switch (type) {
    case 'cart_total':
      return order.totals.price;
    case 'cart_weight':
      return order.totals.weight;
    case 'cart_quantity':
      return order.totals.quantity;
    case 'cart_unique_items':
      return BigInt(order.items.length);
    case 'order_total':
      return at.orderTotal;
    case 'customer_tag':
      return customerTags(request);
    case 'customer_id':
      return fieldText(request.customer?.id);
    case 'cart_currency':
      return request.currency ?? at.currency;
    case 'cart_locale':
      return request.locale ?? '';
    case 'destination_country':
      return destination.country;
    case 'destination_state':
      return destination.province ?? '';
    case 'destination_city':
      return destination.city ?? '';
    case 'destination_name':
      return destination.name ?? '';
    case 'destination_company':
      return destination.company ?? '';
    case 'destination_phone':
      return destination.phone ?? '';
    case 'destination_address':
      return addressOf(destination);
    case 'destination_postal_code':
      return destination.postalCode ?? '';
    case 'destination_subzone':
      return at.subzoneId;
    case 'day_of_week':
      return now.dayOfWeek;
    case 'time_of_day':
      return now.timeOfDay;
    case 'date':
      return now.date;
    default:
      throw new Error(`${type} looks at items`);
  }
}

function satisfies(condition: Condition, value: Value, at: Situation): boolean {
  const { conditionType } = condition;
  if (typeof value === 'bigint') return compareNumber(condition, value);
  if (typeof value !== 'string') return compareTags(condition, value);
  if (conditionType === 'time_of_day' || conditionType === 'date') return compareClock(condition, value);
  if (conditionType === 'day_of_week')
    return compare(condition, (operator, alternatives) => dayMatches(operator, value, alternatives));
  return conditionType === 'destination_postal_code'
    ? compare(condition, (operator, alternatives) =>
        postalMatches(operator, at.request.destination.country.toUpperCase(), value, alternatives),
      )
    : compareText(condition, value);
}

const itemsLookedAt = ({ scope }: Condition, at: Situation): readonly OrderItem[] =>
  scope.endsWith('_group') ? at.groupItems : at.order.items;

/** One condition of a rule, with the items that satisfy it where its scope is over items. */
export function evaluateCondition(condition: Condition, at: Situation): ConditionOutcome {
  const { conditionType, scope } = condition;
  const items = itemsLookedAt(condition, at);
  if (!conditionType.startsWith('product_') || scope.startsWith('sum_of_')) {
    return { matched: satisfies(condition, wholeValue(condition, at), at), satisfiedBy: null };
  }
  const satisfiedBy = items.filter((item) => satisfies(condition, itemValue(conditionType, item), at));
  const quantifier = scope.split('_')[0];
  const matched =
    quantifier === 'any'
      ? satisfiedBy.length > 0
      : quantifier === 'all'
        ? satisfiedBy.length === items.length
        : satisfiedBy.length === 0;
  return { matched, satisfiedBy };
}

const wholeValue = (condition: Condition, at: Situation): Value =>
  condition.conditionType.startsWith('product_')
    ? sumValue(condition.conditionType, itemsLookedAt(condition, at))
    : situationValue(condition.conditionType, at);

const ENTRIES_MAX = 20;

const shown = (value: Value): string | number | string[] => {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' ? compared(value) : value.map(compared).slice(0, ENTRIES_MAX);
};

/**
 * "A string, a number, an array with one entry per looked-at item, at most 20; of tags an array of strings" (contract
 * section 10, `explain=full`).
 */
export function referenceActual(condition: Condition, at: Situation): Actual {
  const { conditionType, scope } = condition;
  const { country, postalCode } = at.request.destination;
  if (conditionType === 'destination_postal_code')
    return canonicalCode(country.toUpperCase(), postalCode ?? '');
  if (!conditionType.startsWith('product_') || scope.startsWith('sum_of_'))
    return shown(wholeValue(condition, at));
  const items = itemsLookedAt(condition, at).slice(0, ENTRIES_MAX);
  return items.map((item) => shown(itemValue(conditionType, item)));
}
