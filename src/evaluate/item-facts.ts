/** Item facts: one item of a cart in the form that predicates and product groups compare (contract section 5.1). */
import type { GroupQuery } from '../compile/group-index.ts';
import {
  ANY_BEGINNING,
  ITEM_NUMBER,
  ITEM_TEXT,
  mayPass,
  type Predicate,
  SOURCE,
} from '../compile/predicate.ts';
import { type CartItem, splitTags } from '../domain/cart.ts';
import { comparable } from '../domain/text.ts';

type IdText = string | number | null | undefined;

/** An id or name as text; "" for a missing value. */
export const textOf = (value: IdText): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

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

/** Millimetres; a side that is not given counts as 0. */
const longestSideOf = ({ length, width, height }: CartItem): number =>
  Math.max(length ?? 0, width ?? 0, height ?? 0);

/** Millimetres: the longest side + 2 x the other two (contract section 11). */
function girthOf(item: CartItem): number {
  const all = (item.length ?? 0) + (item.width ?? 0) + (item.height ?? 0);
  return 2 * all - longestSideOf(item);
}

/** The facts of one item. Texts are converted to comparable form on first use. */
export class ItemFacts implements GroupQuery {
  readonly #item: CartItem;
  #texts: (string | undefined)[] | null = null;
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
    // One call converts the whole list to lower case.
    this.#tags ??= splitTags((this.#item.properties?.tag ?? '').toLowerCase());
    return this.#tags;
  }

  /** `field` of `ITEM_TEXT`. */
  text(field: number): string {
    this.#texts ??= [undefined, undefined, undefined, undefined, undefined];
    let text = this.#texts[field];
    if (text === undefined) {
      text = comparable(this.#rawText(field));
      this.#texts[field] = text;
    }
    return text;
  }

  /**
   * False only when neither the text nor any tag can pass the positive operator. Measured: most texts fail, and
   * checking the first character takes a fifth of the time of converting the text.
   */
  mayPass(predicate: Predicate): boolean {
    if (predicate.beginnings === ANY_BEGINNING) return true;
    if (predicate.source === SOURCE.itemText) return mayPass(predicate, this.#rawText(predicate.field));
    const text = this.#item.properties?.tag;
    return typeof text === 'string' && mayTagPass(predicate, text);
  }

  #rawText(field: number): string {
    const item = this.#item;
    switch (field) {
      case ITEM_TEXT.group:
        return this.groupId;
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
    switch (field) {
      case ITEM_NUMBER.weight:
        return this.#item.grams;
      case ITEM_NUMBER.price:
        return this.#item.price;
      case ITEM_NUMBER.quantity:
        return this.#item.quantity;
      case ITEM_NUMBER.longestSide:
        return longestSideOf(this.#item);
      default:
        return girthOf(this.#item);
    }
  }
}
