/**
 * The products by which an item belongs to a product group. An item with one field belongs to the first group that lists
 * this field, so a group can be filled exactly when an item with one of its entries alone belongs to it (contract
 * section 5.1).
 */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import { GROUP_MATCHER_FIELDS, type GroupMatcherField, type ProductGroup } from '../domain/product-group.ts';
import { ItemFacts } from '../evaluate/cart-facts.ts';
import { type ProductKey, plainItem } from './draft-cart.ts';

/** Products of one group. */
const KEYS_MAX = 8;

const KEY_OF: { readonly [K in GroupMatcherField]: (text: string) => ProductKey } = {
  variantIds: (variantId) => ({ variantId }),
  productIds: (productId) => ({ productId }),
  skus: (sku) => ({ sku }),
  tags: (tag) => ({ tag }),
  vendors: (vendor) => ({ vendor }),
};

/** Endings of a SKU with a listed beginning. The last are characters that no real SKU has. */
const SKU_TAILS = ['1', '-1', 'x', '\u2300', '\ue000'];

/** The products that a group lists; any product for the default group. */
export function* listedProducts(group: ProductGroup): Generator<ProductKey> {
  if (group.isDefault) yield {};
  for (const field of GROUP_MATCHER_FIELDS) {
    for (const text of group[field].map((entry) => entry.trim())) {
      if (text === '') continue;
      if (field !== 'skus' || !text.endsWith('*')) yield KEY_OF[field](text);
      else yield* SKU_TAILS.map((tail) => ({ sku: text.slice(0, -1) + tail }));
    }
  }
}

export interface GroupKeys {
  readonly group: ProductGroup;
  /** Products that belong to the group; none when no item can. */
  readonly keys: readonly ProductKey[];
}

export function groupKeysOf(shop: CompiledShop): readonly GroupKeys[] {
  return shop.config.productGroups.map((group, index) => {
    const keys: ProductKey[] = [];
    for (const key of listedProducts(group)) {
      if (keys.length === KEYS_MAX) break;
      if (shop.groups.groupOf(new ItemFacts(plainItem(key))) === index) keys.push(key);
    }
    return { group, keys };
  });
}
