/** A request made ready for conditions: texts folded once, items in their groups, totals added up. */
import type { Item, ProductGroup, SimulateRequest } from './model.ts';

export const fold = (text: string): string => text.trim().toLowerCase();

const textOf = (value: string | number | null | undefined): string =>
  value === null || value === undefined ? '' : String(value);

export interface CartItem {
  readonly index: number;
  readonly raw: Item;
  readonly sku: string;
  readonly vendor: string;
  readonly title: string;
  readonly productId: string;
  readonly variantId: string;
  readonly tags: readonly string[];
  readonly group: ProductGroup;
  readonly groupId: string;
  readonly ships: boolean;
}

export interface Totals {
  readonly grams: number;
  readonly price: number;
  readonly quantity: number;
}

export interface CartGroup {
  readonly group: ProductGroup;
  readonly items: readonly CartItem[];
  readonly totals: Totals;
}

export interface Cart {
  readonly items: readonly CartItem[];
  /** Groups of shippable items, in list order. */
  readonly groups: readonly CartGroup[];
  readonly totals: Totals;
}

export function totalsOf(items: readonly CartItem[]): Totals {
  let grams = 0;
  let price = 0;
  let quantity = 0;
  for (const { raw } of items) {
    grams += raw.grams * raw.quantity;
    price += raw.price * raw.quantity;
    quantity += raw.quantity;
  }
  return { grams, price, quantity };
}

type ItemTexts = Pick<CartItem, 'sku' | 'vendor' | 'productId' | 'variantId' | 'tags'>;

/** Finds the group of an item: variant id, then product id, sku, tag, vendor, else the default. */
export class GroupFinder {
  readonly #groups: readonly ProductGroup[];
  readonly #variants: ReadonlyMap<string, number>;
  readonly #products: ReadonlyMap<string, number>;
  readonly #skus: ReadonlyMap<string, number>;
  readonly #skuPrefixes: readonly (readonly [string, number])[];
  readonly #tags: ReadonlyMap<string, number>;
  readonly #vendors: ReadonlyMap<string, number>;
  readonly #fallback: number;

  constructor(groups: readonly ProductGroup[]) {
    const index = (list: (group: ProductGroup) => readonly string[]): Map<string, number> => {
      const found = new Map<string, number>();
      groups.forEach((group, at) => {
        for (const text of list(group).map(fold)) if (!found.has(text)) found.set(text, at);
      });
      return found;
    };
    this.#groups = groups;
    this.#variants = index((group) => group.variantIds);
    this.#products = index((group) => group.productIds);
    this.#tags = index((group) => group.tags);
    this.#vendors = index((group) => group.vendors);
    const skus = index((group) => group.skus);
    this.#skuPrefixes = [...skus]
      .filter(([sku]) => sku.endsWith('*'))
      .map(([sku, at]) => [sku.slice(0, -1), at] as const);
    this.#skus = new Map([...skus].filter(([sku]) => !sku.endsWith('*')));
    this.#fallback = groups.findIndex((group) => group.isDefault);
  }

  find(item: ItemTexts): ProductGroup {
    const at =
      this.#variants.get(item.variantId) ??
      this.#products.get(item.productId) ??
      this.#bySku(item.sku) ??
      this.#byTag(item.tags) ??
      this.#vendors.get(item.vendor) ??
      this.#fallback;
    return this.#groups[at] as ProductGroup;
  }

  #bySku(sku: string): number | undefined {
    if (sku === '') return undefined;
    let first = this.#skus.get(sku);
    for (const [prefix, at] of this.#skuPrefixes) {
      if (sku.startsWith(prefix) && (first === undefined || at < first)) first = at;
    }
    return first;
  }

  #byTag(tags: readonly string[]): number | undefined {
    let first: number | undefined;
    for (const tag of tags) {
      const at = this.#tags.get(tag);
      if (at !== undefined && (first === undefined || at < first)) first = at;
    }
    return first;
  }
}

const tagsOf = ({ properties }: Item): readonly string[] =>
  textOf(properties?.tag)
    .split(',')
    .map(fold)
    .filter((tag) => tag !== '');

export function readCart(
  request: SimulateRequest,
  finder: GroupFinder,
  order: ReadonlyMap<ProductGroup, number>,
): Cart {
  const items = request.items.map((raw, index): CartItem => {
    const sku = fold(textOf(raw.sku));
    const vendor = fold(textOf(raw.vendor));
    const title = fold(textOf(raw.name));
    const productId = fold(textOf(raw.productId));
    const variantId = fold(textOf(raw.variantId));
    const tags = tagsOf(raw);
    const group = finder.find({ sku, vendor, productId, variantId, tags });
    return {
      index,
      raw,
      sku,
      vendor,
      title,
      productId,
      variantId,
      tags,
      group,
      groupId: fold(group.id),
      ships: raw.requiresShipping !== false,
    };
  });
  const byGroup = new Map<ProductGroup, CartItem[]>();
  for (const item of items) {
    if (!item.ships) continue;
    const siblings = byGroup.get(item.group);
    if (siblings === undefined) byGroup.set(item.group, [item]);
    else siblings.push(item);
  }
  const groups = [...byGroup]
    .sort(([a], [b]) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
    .map(([group, grouped]): CartGroup => ({ group, items: grouped, totals: totalsOf(grouped) }));
  return { items, groups, totals: totalsOf(items) };
}
