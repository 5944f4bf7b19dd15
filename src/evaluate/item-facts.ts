/** Item facts: one item of a cart in the form that predicates and product groups compare. */
import type { GroupQuery } from '../compile/group-index.ts';
import { ITEM_NUMBER, ITEM_TEXT } from '../compile/predicate.ts';
import type { CartItem } from '../domain/cart.ts';
import { comparable } from '../domain/text.ts';

type IdText = string | number | null | undefined;

/** Text of an id or name; "" when there is none. */
export const textOf = (value: IdText): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

const NO_TAGS: readonly string[] = [];

/**
 * The tags in comparable form. Folded together and cut apart by hand, because `split` alone costs more than
 * all of this.
 */
function tagsOf(item: CartItem): readonly string[] {
  const text = item.properties?.tag;
  if (typeof text !== 'string' || text === '') return NO_TAGS;
  const folded = text.toLowerCase();
  let tags: string[] | null = null;
  for (let start = 0; start <= folded.length; ) {
    const comma = folded.indexOf(',', start);
    const end = comma < 0 ? folded.length : comma;
    const tag = folded.slice(start, end).trim();
    if (tag !== '') {
      if (tags === null) tags = [tag];
      else tags.push(tag);
    }
    start = end + 1;
  }
  return tags ?? NO_TAGS;
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
