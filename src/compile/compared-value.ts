/**
 * The value that each condition type compares: where it is in the facts of a cart, and how it is read from a request.
 * Evaluation reads many values, so each is read by its name and not by one in a table.
 */
import type { CartItem, Destination, SimulateRequest } from '../domain/cart.ts';
import { CONDITION_TYPES, type Condition, type ConditionType, SCOPES } from '../domain/condition.ts';
import type { LocalMoment } from './local-calendar.ts';

/** Where the compared value comes from. */
export const SOURCE = {
  itemText: 0,
  itemTags: 1,
  itemNumber: 2,
  orderNumber: 3,
  /** Sum over the shippable items of the method's group. */
  groupSum: 4,
  requestText: 5,
  postalCode: 6,
  customerTags: 7,
} as const;
export type Source = (typeof SOURCE)[keyof typeof SOURCE];

/**
 * Where each condition type finds its value among those of its source. The first three numbers of an item have sums, whose
 * fields in the order have the same numbers.
 */
export const FIELD = {
  product_tag: 0,
  product_sku: 0,
  product_vendor: 1,
  product_title: 2,
  product_id: 3,
  product_variant_id: 4,
  product_group: 5,
  product_weight: 0,
  product_price: 1,
  product_quantity: 2,
  product_longest_side: 3,
  product_girth: 4,
  cart_weight: 0,
  cart_total: 1,
  cart_quantity: 2,
  cart_unique_items: 3,
  day_of_week: 4,
  time_of_day: 5,
  date: 6,
  order_total: 7,
  cart_currency: 0,
  cart_locale: 1,
  destination_country: 2,
  destination_state: 3,
  destination_city: 4,
  destination_name: 5,
  destination_company: 6,
  destination_phone: 7,
  destination_address: 8,
  destination_subzone: 9,
  customer_id: 10,
  customer_tag: 0,
  destination_postal_code: 0,
} as const satisfies Record<ConditionType, number>;

/** The source of the values of a condition type; of sums see `placeOf`. */
export function sourceOf(type: ConditionType): Source {
  const { subject, kind } = CONDITION_TYPES[type];
  const isItem = subject === 'item';
  if (kind === 'postal') return SOURCE.postalCode;
  if (kind === 'tags') return isItem ? SOURCE.itemTags : SOURCE.customerTags;
  if (kind === 'text') return isItem ? SOURCE.itemText : SOURCE.requestText;
  return isItem ? SOURCE.itemNumber : SOURCE.orderNumber;
}

/** Returns source and field of the condition's value; a scope `sum_of_*` reads a sum. */
export function placeOf(condition: Condition): readonly [Source, number] {
  const source = sourceOf(condition.conditionType);
  const field = FIELD[condition.conditionType];
  if (source !== SOURCE.itemNumber) return [source, field];
  const scope = SCOPES[condition.scope];
  if (scope.quantifier !== 'sum') return [source, field];
  return [scope.items === 'order' ? SOURCE.orderNumber : SOURCE.groupSum, field];
}

/** The facts of a cart from which values are read. */
interface ReadFacts {
  readonly request: SimulateRequest;
  readonly shop: { readonly settings: { readonly currency: string } };
  readonly weightGrams: number;
  readonly totalCents: number;
  readonly quantity: number;
  readonly orderTotalCents: number;
  readonly subzoneId: string;
  moment(): LocalMoment;
}

/** An id or name as text; "" for a missing value. */
export const textOf = (value: string | number | null | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** `field` of a text of an item; `groupId` is that of the item's group. */
export function itemText(item: CartItem, groupId: string, field: number): string {
  if (field === FIELD.product_group) return groupId;
  if (field === FIELD.product_sku) return textOf(item.sku);
  if (field === FIELD.product_vendor) return textOf(item.vendor);
  if (field === FIELD.product_title) return textOf(item.name);
  if (field === FIELD.product_id) return textOf(item.productId);
  return textOf(item.variantId);
}

/** `field` of a number of an item. */
export function itemNumber(item: CartItem, field: number): number {
  if (field === FIELD.product_weight) return item.grams;
  if (field === FIELD.product_price) return item.price;
  if (field === FIELD.product_quantity) return item.quantity;
  const { length, width, height } = item;
  const longest = Math.max(length ?? 0, width ?? 0, height ?? 0);
  if (field === FIELD.product_longest_side) return longest;
  // The girth: the longest side + 2 x the other two (contract section 11.4).
  return 2 * ((length ?? 0) + (width ?? 0) + (height ?? 0)) - longest;
}

/** `field` of a number of the order. */
export function orderNumber(facts: ReadFacts, field: number): number {
  if (field === FIELD.cart_weight) return facts.weightGrams;
  if (field === FIELD.cart_total) return facts.totalCents;
  if (field === FIELD.cart_quantity) return facts.quantity;
  if (field === FIELD.cart_unique_items) return facts.request.items.length;
  if (field === FIELD.order_total) return facts.orderTotalCents;
  if (field === FIELD.day_of_week) return facts.moment().weekday;
  if (field === FIELD.time_of_day) return facts.moment().minutes;
  return facts.moment().date;
}

/** `field` of a text of the request. */
export function requestText({ request, shop, subzoneId }: ReadFacts, field: number): string {
  const { destination, currency, locale, customer } = request;
  if (field === FIELD.cart_currency) return currency ?? shop.settings.currency;
  if (field === FIELD.cart_locale) return locale ?? '';
  if (field === FIELD.customer_id) return textOf(customer?.id);
  if (field === FIELD.destination_country) return destination.country;
  if (field === FIELD.destination_state) return destination.province ?? '';
  if (field === FIELD.destination_city) return destination.city ?? '';
  if (field === FIELD.destination_name) return destination.name ?? '';
  if (field === FIELD.destination_company) return destination.company ?? '';
  if (field === FIELD.destination_phone) return destination.phone ?? '';
  if (field === FIELD.destination_address) return addressText(destination);
  return subzoneId;
}

/** The non-blank lines of an address, trimmed and joined by one space; a single line stays unchanged. */
function addressText({ address1, address2, address3 }: Destination): string {
  const second = address2 ?? '';
  const third = address3 ?? '';
  // Most addresses have one line: return early.
  if (second === '' && third === '') return address1 ?? '';
  return [address1 ?? '', second, third]
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}
