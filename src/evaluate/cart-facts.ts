/**
 * Cart facts: a simulate request in the form that predicates compare. Totals and groups are computed at
 * once; texts are brought into comparable form only when a condition first asks for them.
 */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { GroupQuery } from '../compile/group-index.ts';
import { asciiJson, joined } from '../compile/json-text.ts';
import type { LocalMoment } from '../compile/local-calendar.ts';
import { ITEM_NUMBER, ITEM_TEXT, ORDER_NUMBER, REQUEST_TEXT } from '../compile/predicate.ts';
import type { GroupTotals } from '../compile/rate-function.ts';
import type { CartItem, SimulateRequest } from '../domain/cart.ts';
import type { PostalForm } from '../domain/postal-code.ts';
import { comparable } from '../domain/text.ts';

/** Bits in one word of an item mask. */
export const MASK_BITS = 32;

/** One group that is in the cart. */
export interface CartGroup {
  /** Index of the group in list order. */
  readonly index: number;
  readonly totals: GroupTotals;
  /** Bit mask of its shippable items. */
  readonly mask: number[];
}

type IdText = string | number | null | undefined;

const textOf = (value: IdText): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

const NO_TAGS: readonly string[] = [];

function tagsOf(item: CartItem): readonly string[] {
  const text = item.properties?.tag;
  if (typeof text !== 'string' || text === '') return NO_TAGS;
  const tags: string[] = [];
  for (let start = 0; start <= text.length; ) {
    const comma = text.indexOf(',', start);
    const end = comma < 0 ? text.length : comma;
    const tag = comparable(text.slice(start, end));
    if (tag !== '') tags.push(tag);
    start = end + 1;
  }
  return tags;
}

/** The facts of one item; texts are made comparable when first asked for. */
export class ItemFacts implements GroupQuery {
  readonly #item: CartItem;
  readonly #texts: (string | undefined)[] = [undefined, undefined, undefined, undefined, undefined];
  #tags: readonly string[] | undefined;
  /** Index of the item's group in list order. */
  groupIndex = 0;
  /** Id of that group in comparable form. */
  groupId = '';

  constructor(item: CartItem) {
    this.#item = item;
  }

  variantId(): string {
    return this.text(ITEM_TEXT.variantId);
  }

  productId(): string {
    return this.text(ITEM_TEXT.productId);
  }

  sku(): string {
    return this.text(ITEM_TEXT.sku);
  }

  vendor(): string {
    return this.text(ITEM_TEXT.vendor);
  }

  tags(): readonly string[] {
    this.#tags ??= tagsOf(this.#item);
    return this.#tags;
  }

  /** `field` of `ITEM_TEXT`. */
  text(field: number): string {
    if (field === ITEM_TEXT.group) return this.groupId;
    let text = this.#texts[field];
    if (text === undefined) {
      text = comparable(this.#rawText(field));
      this.#texts[field] = text;
    }
    return text;
  }

  #rawText(field: number): string {
    const item = this.#item;
    switch (field) {
      case ITEM_TEXT.sku:
        return textOf(item.sku);
      case ITEM_TEXT.vendor:
        return textOf(item.vendor);
      case ITEM_TEXT.title:
        return textOf(item.name);
      case ITEM_TEXT.productId:
        return textOf(item.productId);
      default:
        return textOf(item.variantId);
    }
  }

  /** `field` of `ITEM_NUMBER`. */
  number(field: number): number {
    if (field === ITEM_NUMBER.weight) return this.#item.grams;
    return field === ITEM_NUMBER.price ? this.#item.price : this.#item.quantity;
  }
}

/** Words with no bit set. */
function emptyMask(words: number): number[] {
  const mask: number[] = [];
  for (let word = 0; word < words; word++) mask.push(0);
  return mask;
}

/** Words with the lowest `count` bits set. */
function fullMask(count: number): number[] {
  const mask: number[] = [];
  // `| 0`, because for 31 items the subtraction leaves 32 bits, and no masked word would equal it.
  for (let rest = count; rest > 0; rest -= MASK_BITS)
    mask.push(rest >= MASK_BITS ? -1 : ((1 << rest) - 1) | 0);
  return mask;
}

class Totals implements GroupTotals {
  weightGrams = 0;
  priceCents = 0;
  quantity = 0;
}

export class CartFacts {
  readonly request: SimulateRequest;
  readonly shop: CompiledShop;
  readonly nowMs: number;
  readonly items: readonly ItemFacts[];
  /** Words of a mask over all items. */
  readonly maskWords: number;
  /** Mask of all items. */
  readonly everyItem: readonly number[];
  /** The groups of the shippable items, in list order; empty when nothing ships. */
  readonly groups: CartGroup[] = [];
  readonly totalCents: number;
  readonly weightGrams: number;
  readonly quantity: number;
  /** True when a total of the order is beyond 2^53-1; the other facts are then not complete. */
  readonly isTooLarge: boolean;
  /** Set once the destination's zone is known. */
  postalCode = '';
  postalForm: PostalForm = 'plain';
  subzoneId = '';

  readonly #requestTexts: (string | undefined)[] = [];
  #itemsJson: Map<number, string> | null = null;

  constructor(shop: CompiledShop, request: SimulateRequest, nowMs: number) {
    this.shop = shop;
    this.request = request;
    this.nowMs = nowMs;
    const count = request.items.length;
    this.maskWords = (count + MASK_BITS - 1) >> 5;
    this.everyItem = fullMask(count);
    const items: ItemFacts[] = [];
    let totalCents = 0;
    let weightGrams = 0;
    let quantity = 0;
    for (let i = 0; i < count; i++) {
      const item = request.items[i] as CartItem;
      items.push(new ItemFacts(item));
      // Each product is at most 10^15, so a sum that passed 2^53-1 is seen before it can lose a unit.
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
    if (!this.isTooLarge) this.#groupItems();
  }

  /** Puts each item into its group; only shippable ones put their group into the cart. */
  #groupItems(): void {
    const { groups: index, comparableGroupIds } = this.shop;
    for (let i = 0; i < this.items.length; i++) {
      const facts = this.items[i] as ItemFacts;
      facts.groupIndex = index.groupOf(facts);
      facts.groupId = comparableGroupIds[facts.groupIndex] ?? '';
      const item = this.request.items[i] as CartItem;
      if (item.requiresShipping === false) continue;
      const group = this.#cartGroup(facts.groupIndex);
      group.totals.weightGrams += item.grams * item.quantity;
      group.totals.priceCents += item.price * item.quantity;
      group.totals.quantity += item.quantity;
      group.mask[i >> 5] = (group.mask[i >> 5] as number) | (1 << (i & 31));
    }
    if (this.groups.length > 1) this.groups.sort((a, b) => a.index - b.index);
  }

  #cartGroup(index: number): CartGroup & { readonly totals: Totals } {
    for (const group of this.groups) {
      if (group.index === index) return group as CartGroup & { readonly totals: Totals };
    }
    const group = { index, totals: new Totals(), mask: emptyMask(this.maskWords) };
    this.groups.push(group);
    return group;
  }

  /** `field` of `ORDER_NUMBER`. */
  orderNumber(field: number): number {
    switch (field) {
      case ORDER_NUMBER.weight:
        return this.weightGrams;
      case ORDER_NUMBER.total:
        return this.totalCents;
      case ORDER_NUMBER.quantity:
        return this.quantity;
      case ORDER_NUMBER.uniqueItems:
        return this.request.items.length;
      case ORDER_NUMBER.day:
        return this.#moment().weekday;
      case ORDER_NUMBER.time:
        return this.#moment().minutes;
      default:
        return this.#moment().date;
    }
  }

  #moment(): LocalMoment {
    return this.shop.calendar.at(this.nowMs);
  }

  /** A text of the request or its destination in comparable form; `field` of `REQUEST_TEXT`. */
  requestText(field: number): string {
    let text = this.#requestTexts[field];
    if (text === undefined) {
      text = comparable(this.#rawRequestText(field));
      this.#requestTexts[field] = text;
    }
    return text;
  }

  #rawRequestText(field: number): string {
    const { destination, currency, locale } = this.request;
    switch (field) {
      case REQUEST_TEXT.currency:
        return currency ?? '';
      case REQUEST_TEXT.locale:
        return locale ?? '';
      case REQUEST_TEXT.country:
        return destination.country;
      case REQUEST_TEXT.state:
        return destination.province ?? '';
      case REQUEST_TEXT.city:
        return destination.city ?? '';
      case REQUEST_TEXT.name:
        return destination.name ?? '';
      case REQUEST_TEXT.company:
        return destination.company ?? '';
      case REQUEST_TEXT.phone:
        return destination.phone ?? '';
      case REQUEST_TEXT.address:
        return [destination.address1, destination.address2, destination.address3]
          .map((line) => (line ?? '').trim())
          .filter((line) => line !== '')
          .join(' ');
      default:
        return this.subzoneId;
    }
  }

  /** `{"index":...,"name":...,"sku":...}` of each item in one word of a mask, comma-separated. */
  itemsJson(word: number, mask: number): string {
    // Rules of one shop tend to match the same items: a text is made once per request and set of items.
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
    const { name, sku } = this.request.items[index] as CartItem;
    return `{"index":${index},"name":${asciiJson(textOf(name))},"sku":${asciiJson(textOf(sku))}}`;
  }
}
