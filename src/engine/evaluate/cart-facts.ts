/**
 * Cart facts: a simulate request and each of its items in the form that predicates and product groups compare (contract
 * section 5.1), and how the value of each condition type is read. The constructor computes totals and groups. A text is
 * converted to comparable form when it is first needed. Each value is read by its name, which is faster than by a table.
 */

import { asciiJson, joined } from '../../base/bytes/answer-text.ts';
import type { FreeFrom } from '../compile/compiled-method.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { Place } from '../compile/compiled-zone.ts';
import type { LocalMoment } from '../compile/local-calendar.ts';
import { ANY_BEGINNING, mayPass, type Predicate, SOURCE, sourceOf } from '../compile/predicate.ts';
import type { GroupTotals, SizedItem } from '../compile/rate-function.ts';
import { type CartItem, customerTagsOf, type Destination, type SimulateRequest } from '../domain/cart.ts';
import { CONDITION_TYPE_NAMES, FIELD } from '../domain/condition.ts';
import type { PostalForm } from '../domain/postal-code.ts';
import { comparable, splitTags } from '../domain/text.ts';

/** Bits in one word of an item mask. */
export const MASK_BITS = 32;

/** A group that has shippable items in the cart. */
export interface CartGroup {
  /** Index of the group in list order. */
  readonly index: number;
  readonly totals: GroupTotals;
  /** Bit mask of its shippable items. */
  readonly mask: number[];
}

const NO_TEXTS: readonly (string | undefined)[] = CONDITION_TYPE_NAMES.filter(
  (type) => sourceOf(type) === SOURCE.requestText,
).map(() => undefined);

/** Words with the lowest `count` bits set. */
function fullMask(count: number): number[] {
  const mask: number[] = [];
  // `| 0`: for 31 items the subtraction exceeds 32 bits, and the result would equal no masked word.
  for (let rest = count; rest > 0; rest -= MASK_BITS)
    mask.push(rest >= MASK_BITS ? -1 : ((1 << rest) - 1) | 0);
  return mask;
}

class Totals implements GroupTotals {
  weightGrams = 0;
  priceCents = 0;
  quantity = 0;
  sized: SizedItem[] | null = null;

  add(item: SizedItem): void {
    if (this.sized === null) this.sized = [item];
    else this.sized.push(item);
  }
}

/** Cubic millimetres of one piece; 0 when a side is not given. */
const volumeOf = ({ length, width, height }: CartItem): number =>
  length && width && height ? length * width * height : 0;

interface OpenGroup extends CartGroup {
  readonly totals: Totals;
}

function groupIn(groups: readonly OpenGroup[], index: number): OpenGroup | undefined {
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i] as OpenGroup;
    if (group.index === index) return group;
  }
  return undefined;
}

export class CartFacts {
  readonly request: SimulateRequest;
  readonly shop: CompiledShop;
  readonly nowMs: number;
  readonly items: readonly ItemFacts[];
  /** Number of words of an item mask. */
  readonly maskWords: number;
  /** Mask of all items. */
  readonly everyItem: readonly number[];
  /** The groups of the shippable items, in list order; empty when nothing ships. */
  readonly groups: readonly CartGroup[];
  readonly totalCents: number;
  readonly weightGrams: number;
  readonly quantity: number;
  /** True when a total of the order exceeds 2^53-1; then the other facts are incomplete. */
  readonly isTooLarge: boolean;
  /** Canonical, "" outside all zones. */
  readonly postalCode: string;
  readonly postalForm: PostalForm;
  /** "" when the destination is in no subzone. */
  readonly subzoneId: string;

  /** Texts of matched items in a cart of many items, by a key of the tests; null until the first is made. */
  manyItems: Map<number, string> | null = null;

  #requestTexts: (string | undefined)[] | null = null;
  #customerTags: readonly string[] | undefined;
  #itemsJson: Map<number, string> | null = null;

  /** `place` is that of the destination; null outside all zones. */
  constructor(shop: CompiledShop, request: SimulateRequest, nowMs: number, place: Place | null) {
    this.postalCode = place?.postalCode ?? '';
    this.postalForm = place?.form ?? 'plain';
    this.subzoneId = place?.plan.subzoneId ?? '';
    this.shop = shop;
    this.request = request;
    this.nowMs = nowMs;
    const count = request.items.length;
    this.maskWords = (count + MASK_BITS - 1) >> 5;
    this.everyItem = fullMask(count);
    const items = new Array<ItemFacts>(count);
    let totalCents = 0;
    let weightGrams = 0;
    let quantity = 0;
    for (let i = 0; i < count; i++) {
      const item = request.items[i] as CartItem;
      items[i] = new ItemFacts(item);
      // Each product is at most 10^15, so a sum beyond 2^53-1 is detected before it can lose a unit.
      totalCents += item.price * item.quantity;
      weightGrams += item.grams * item.quantity;
      quantity += item.quantity;
      if (totalCents > Number.MAX_SAFE_INTEGER || weightGrams > Number.MAX_SAFE_INTEGER) break;
    }
    this.items = items;
    this.totalCents = totalCents;
    this.weightGrams = weightGrams;
    this.quantity = quantity;
    this.isTooLarge = totalCents > Number.MAX_SAFE_INTEGER || weightGrams > Number.MAX_SAFE_INTEGER;
    this.groups = this.isTooLarge ? [] : this.#groupItems();
  }

  /** Finds the group of each item. Returns the groups that have shippable items. */
  #groupItems(): readonly CartGroup[] {
    const { groups: index, comparableGroupIds } = this.shop;
    let groups: OpenGroup[] | null = null;
    for (let i = 0; i < this.items.length; i++) {
      const facts = this.items[i] as ItemFacts;
      facts.groupIndex = index.groupOf(facts);
      facts.groupId = comparableGroupIds[facts.groupIndex] as string;
      const item = this.request.items[i] as CartItem;
      if (item.requiresShipping === false) continue;
      let group: OpenGroup | undefined = groups === null ? undefined : groupIn(groups, facts.groupIndex);
      if (group === undefined) {
        group = {
          index: facts.groupIndex,
          totals: new Totals(),
          mask: this.everyItem.map(() => 0),
        };
        if (groups === null) groups = [group];
        else groups.push(group);
      }
      group.totals.weightGrams += item.grams * item.quantity;
      group.totals.priceCents += item.price * item.quantity;
      group.totals.quantity += item.quantity;
      const volume = volumeOf(item);
      if (volume > 0) group.totals.add({ volume, grams: item.grams, quantity: item.quantity });
      group.mask[i >> 5] = (group.mask[i >> 5] as number) | (1 << (i & 31));
    }
    if (groups === null) return [];
    return groups.length === 1 ? groups : groups.sort((a, b) => a.index - b.index);
  }

  /** The total of the order after discounts; the cart total when the request does not give it (contract section 11.2). */
  get orderTotalCents(): number {
    return this.request.orderTotals?.totalPrice ?? this.totalCents;
  }

  /** True when the free-shipping threshold of a method or blended rate is reached. */
  isFree({ freeThreshold, isFreeByOrderTotal }: FreeFrom): boolean {
    return (isFreeByOrderTotal ? this.orderTotalCents : this.totalCents) >= freeThreshold;
  }

  /** The customer's tags in comparable form. */
  customerTags(): readonly string[] {
    this.#customerTags ??= customerTagsOf(this.request.customer).map(comparable);
    return this.#customerTags;
  }

  /** The local time of the shop. */
  moment(): LocalMoment {
    return this.shop.calendar.at(this.nowMs);
  }

  /** Returns a text of the request or its destination in comparable form; `field` as for `requestText`. */
  requestText(field: number): string {
    this.#requestTexts ??= NO_TEXTS.slice();
    let text = this.#requestTexts[field];
    if (text === undefined) {
      text = comparable(requestText(this, field));
      this.#requestTexts[field] = text;
    }
    return text;
  }

  /** False only when the text cannot pass the positive operator; see `ItemFacts.mayPass`. */
  mayPass(predicate: Predicate): boolean {
    return predicate.beginnings === ANY_BEGINNING || mayPass(predicate, requestText(this, predicate.field));
  }

  /** `{"index":...,"name":...,"sku":...}` of each item in one word of a mask, comma-separated. */
  itemsJson(word: number, mask: number): string {
    // Rules of one shop tend to match the same items.
    const key = word * 0x1_0000_0000 + (mask >>> 0);
    this.#itemsJson ??= new Map();
    let json = this.#itemsJson.get(key);
    if (json === undefined) {
      json = '';
      for (let rest = mask; rest !== 0; rest &= rest - 1) {
        json += (json === '' ? '' : ',') + this.#itemJson(word * MASK_BITS + 31 - Math.clz32(rest & -rest));
      }
      json = joined(json);
      this.#itemsJson.set(key, json);
    }
    return json;
  }

  #itemJson(index: number): string {
    const facts = this.items[index] as ItemFacts;
    facts.json ??= itemJson(this.request.items[index] as CartItem, index);
    return facts.json;
  }
}

const itemJson = ({ name, sku }: CartItem, index: number): string =>
  `{"index":${index},"name":${asciiJson(textOf(name))},"sku":${asciiJson(textOf(sku))}}`;

/** False only when no tag of the text can pass; see `mayPass`. */
function mayTagPass(predicate: Predicate, text: string): boolean {
  for (let start = 0; start < text.length; ) {
    if (mayPass(predicate, text, start)) return true;
    const comma = text.indexOf(',', start);
    if (comma < 0) return false;
    start = comma + 1;
  }
  return false;
}

/** The facts of one item. */
export class ItemFacts {
  readonly item: CartItem;
  #texts: (string | undefined)[] | null = null;
  #tags: readonly string[] | undefined;
  /** Index of the item's group in list order. */
  groupIndex = 0;
  /** Id of that group in comparable form. */
  groupId = '';
  /** The item in the trace of a rule that matched it; null until then. */
  json: string | null = null;

  constructor(item: CartItem) {
    this.item = item;
  }

  tags(): readonly string[] {
    // One call converts the whole list.
    this.#tags ??= splitTags(comparable(this.item.properties?.tag ?? ''));
    return this.#tags;
  }

  /** A text of the item in comparable form; `field` as for `itemText`. */
  text(field: number): string {
    this.#texts ??= [undefined, undefined, undefined, undefined, undefined];
    let text = this.#texts[field];
    if (text === undefined) {
      text = comparable(itemText(this.item, this.groupId, field));
      this.#texts[field] = text;
    }
    return text;
  }

  /**
   * False only when neither the text nor any tag can pass the positive operator. Most texts fail by their first
   * character, before they are converted.
   */
  mayPass(predicate: Predicate): boolean {
    if (predicate.beginnings === ANY_BEGINNING) return true;
    if (predicate.source === SOURCE.itemText)
      return mayPass(predicate, itemText(this.item, this.groupId, predicate.field));
    const text = this.item.properties?.tag;
    return typeof text === 'string' && mayTagPass(predicate, text);
  }
}

/** An id or name as text; "" for a missing value. */
const textOf = (value: string | number | null | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** The text of an item with this number in `FIELD`; `groupId` is that of the item's group. */
function itemText(item: CartItem, groupId: string, field: number): string {
  if (field === FIELD.product_group) return groupId;
  if (field === FIELD.product_sku) return textOf(item.sku);
  if (field === FIELD.product_vendor) return textOf(item.vendor);
  if (field === FIELD.product_title) return textOf(item.name);
  if (field === FIELD.product_id) return textOf(item.productId);
  return textOf(item.variantId);
}

/** The number of an item with this number in `FIELD`. */
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

/** The number of the order or the clock with this number in `FIELD`. */
export function orderNumber(facts: CartFacts, field: number): number {
  if (field === FIELD.cart_weight) return facts.weightGrams;
  if (field === FIELD.cart_total) return facts.totalCents;
  if (field === FIELD.cart_quantity) return facts.quantity;
  if (field === FIELD.cart_unique_items) return facts.request.items.length;
  if (field === FIELD.order_total) return facts.orderTotalCents;
  if (field === FIELD.day_of_week) return facts.moment().weekday;
  if (field === FIELD.time_of_day) return facts.moment().minutes;
  return facts.moment().date;
}

/** The text of the request with this number in `FIELD`. */
function requestText({ request, shop, subzoneId }: CartFacts, field: number): string {
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
