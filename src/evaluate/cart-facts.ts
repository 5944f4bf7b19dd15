/**
 * Cart facts: a simulate request in the form that predicates compare. Totals and groups are computed at
 * once; texts are brought into comparable form only when a condition first asks for them.
 */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { GroupQuery } from '../compile/group-index.ts';
import { asciiJson } from '../compile/json-text.ts';
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
  readonly mask: Int32Array;
}

type IdText = string | number | null | undefined;

const textOf = (value: IdText): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

const NO_TAGS: readonly string[] = [];

function tagsOf(item: CartItem): readonly string[] {
  const text = item.properties?.tag;
  if (typeof text !== 'string' || text === '') return NO_TAGS;
  return text
    .split(',')
    .map(comparable)
    .filter((tag) => tag !== '');
}

export class CartFacts {
  readonly request: SimulateRequest;
  readonly shop: CompiledShop;
  readonly nowMs: number;
  /** Words of a mask over all items. */
  readonly maskWords: number;
  /** Mask of all items. */
  readonly everyItem: Int32Array;
  /** The groups of the shippable items, in list order; empty when nothing ships. */
  readonly groups: readonly CartGroup[];
  readonly totalCents: number;
  readonly weightGrams: number;
  readonly quantity: number;
  /** True when a total of the order is beyond 2^53-1; the other facts are then not complete. */
  readonly isTooLarge: boolean;
  /** Set once the destination's zone is known. */
  postalCode = '';
  postalForm: PostalForm = 'plain';
  subzoneId = '';

  readonly #groupOfItem: number[] = [];
  readonly #itemTexts: (string | undefined)[] = [];
  readonly #itemTags: (readonly string[] | undefined)[] = [];
  readonly #requestTexts: (string | undefined)[] = [];
  readonly #itemJson: (string | undefined)[] = [];

  constructor(shop: CompiledShop, request: SimulateRequest, nowMs: number) {
    this.shop = shop;
    this.request = request;
    this.nowMs = nowMs;
    const { items } = request;
    this.maskWords = Math.ceil(items.length / MASK_BITS);
    this.everyItem = new Int32Array(this.maskWords);
    let totalCents = 0;
    let weightGrams = 0;
    let quantity = 0;
    for (let i = 0; i < items.length; i++) {
      const item = items[i] as CartItem;
      // Each product is at most 10^15, so a sum that passed 2^53-1 is seen before it can lose a unit.
      totalCents += item.price * item.quantity;
      weightGrams += item.grams * item.quantity;
      quantity += item.quantity;
      this.everyItem[i >> 5] = (this.everyItem[i >> 5] as number) | (1 << (i & 31));
      if (totalCents > Number.MAX_SAFE_INTEGER || weightGrams > Number.MAX_SAFE_INTEGER) break;
    }
    this.totalCents = totalCents;
    this.weightGrams = weightGrams;
    this.quantity = quantity;
    this.isTooLarge = totalCents > Number.MAX_SAFE_INTEGER || weightGrams > Number.MAX_SAFE_INTEGER;
    this.groups = this.isTooLarge ? [] : this.#groupItems();
  }

  #groupItems(): readonly CartGroup[] {
    const { items } = this.request;
    const byIndex = new Map<
      number,
      { weightGrams: number; priceCents: number; quantity: number; mask: Int32Array }
    >();
    for (let i = 0; i < items.length; i++) {
      const item = items[i] as CartItem;
      if (item.requiresShipping === false) continue;
      const group = this.#groupIndexOf(i);
      let totals = byIndex.get(group);
      if (totals === undefined) {
        totals = { weightGrams: 0, priceCents: 0, quantity: 0, mask: new Int32Array(this.maskWords) };
        byIndex.set(group, totals);
      }
      totals.weightGrams += item.grams * item.quantity;
      totals.priceCents += item.price * item.quantity;
      totals.quantity += item.quantity;
      totals.mask[i >> 5] = (totals.mask[i >> 5] as number) | (1 << (i & 31));
    }
    const groups: CartGroup[] = [];
    for (const [index, totals] of byIndex) groups.push({ index, totals, mask: totals.mask });
    return groups.length > 1 ? groups.sort((a, b) => a.index - b.index) : groups;
  }

  #groupIndexOf(item: number): number {
    let group = this.#groupOfItem[item];
    if (group === undefined) {
      const query: GroupQuery = {
        variantId: this.itemText(item, ITEM_TEXT.variantId),
        productId: this.itemText(item, ITEM_TEXT.productId),
        sku: this.itemText(item, ITEM_TEXT.sku),
        tags: this.itemTags(item),
        vendor: this.itemText(item, ITEM_TEXT.vendor),
      };
      group = this.shop.groups.groupOf(query);
      this.#groupOfItem[item] = group;
    }
    return group;
  }

  /** A text of an item in comparable form; `field` of `ITEM_TEXT`. */
  itemText(item: number, field: number): string {
    const slot = item * 6 + field;
    let text = this.#itemTexts[slot];
    if (text === undefined) {
      text = comparable(this.#rawItemText(item, field));
      this.#itemTexts[slot] = text;
    }
    return text;
  }

  #rawItemText(index: number, field: number): string {
    const item = this.request.items[index] as CartItem;
    switch (field) {
      case ITEM_TEXT.sku:
        return textOf(item.sku);
      case ITEM_TEXT.vendor:
        return textOf(item.vendor);
      case ITEM_TEXT.title:
        return textOf(item.name);
      case ITEM_TEXT.productId:
        return textOf(item.productId);
      case ITEM_TEXT.variantId:
        return textOf(item.variantId);
      default:
        return this.shop.groupIds[this.#groupIndexOf(index)] ?? '';
    }
  }

  /** The tags of an item in comparable form; empty ones dropped. */
  itemTags(item: number): readonly string[] {
    let tags = this.#itemTags[item];
    if (tags === undefined) {
      tags = tagsOf(this.request.items[item] as CartItem);
      this.#itemTags[item] = tags;
    }
    return tags;
  }

  /** `field` of `ITEM_NUMBER`. */
  itemNumber(index: number, field: number): number {
    const item = this.request.items[index] as CartItem;
    if (field === ITEM_NUMBER.weight) return item.grams;
    return field === ITEM_NUMBER.price ? item.price : item.quantity;
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
          .filter((line) => line !== undefined && line !== null && line !== '')
          .join(' ');
      default:
        return this.subzoneId;
    }
  }

  /** `{"index":...,"name":...,"sku":...}` of an item, made once per request. */
  itemJson(index: number): string {
    let json = this.#itemJson[index];
    if (json === undefined) {
      const item = this.request.items[index] as CartItem;
      json = `{"index":${index},"name":${asciiJson(textOf(item.name))},"sku":${asciiJson(textOf(item.sku))}}`;
      this.#itemJson[index] = json;
    }
    return json;
  }
}
