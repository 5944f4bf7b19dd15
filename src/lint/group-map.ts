/**
 * Group map: which product groups an item can belong to at all, and by which one field. An item with a
 * single field is put into the group that lists that field first, so a group can be filled exactly if one
 * of its entries does so alone (contract section 5.1).
 */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { CartItem } from '../domain/cart.ts';
import { GROUP_MATCHER_FIELDS, type GroupMatcherField, type ProductGroup } from '../domain/product-group.ts';
import { comparable } from '../domain/text.ts';
import { ItemFacts } from '../evaluate/item-facts.ts';
import { GroupMembership } from './group-membership.ts';

/** Fields of an item that put it into a group. */
export type GroupKey = Partial<Pick<CartItem, 'variantId' | 'productId' | 'sku' | 'vendor' | 'properties'>>;

/** Keys that are kept of a group: some to choose from when conditions ask for other fields. */
const KEYS_MAX = 8;

const KEY_OF: { readonly [K in GroupMatcherField]: (text: string) => GroupKey } = {
  variantIds: (variantId) => ({ variantId }),
  productIds: (productId) => ({ productId }),
  skus: (sku) => ({ sku }),
  tags: (tag) => ({ properties: { tag } }),
  vendors: (vendor) => ({ vendor }),
};

/** What follows the prefix of a SKU: the last are in no merchant's SKU. */
const SKU_TAILS = ['1', '-1', 'x', '\u2300', '\ue000'];

export interface GroupFacts {
  readonly group: ProductGroup;
  readonly comparableId: string;
  /** False only when no item can belong to it. */
  readonly canBeFilled: boolean;
  readonly keys: readonly GroupKey[];
}

export class GroupMap {
  readonly all: readonly GroupFacts[];
  /** Indexes of the groups that an item can belong to. */
  readonly fillable: readonly number[];
  readonly membership: GroupMembership;
  readonly #indexById: ReadonlyMap<string, number>;
  readonly #shop: CompiledShop;

  constructor(shop: CompiledShop) {
    const { productGroups } = shop.config;
    this.#shop = shop;
    this.membership = new GroupMembership(productGroups);
    this.#indexById = new Map(productGroups.map(({ id }, index) => [id, index]));
    this.all = productGroups.map((group, index) => this.#factsOf(group, index));
    this.fillable = [...this.all.keys()].filter((index) => this.all[index]?.canBeFilled);
  }

  /** Index in list order, or -1. */
  indexOf(groupId: string): number {
    return this.#indexById.get(groupId) ?? -1;
  }

  /** Index of the group that the item belongs to. */
  groupOf(item: CartItem): number {
    return this.#shop.groups.groupOf(new ItemFacts(item));
  }

  #factsOf(group: ProductGroup, index: number): GroupFacts {
    const keys: GroupKey[] = [];
    // Whether a tail leads to other entries was tried with all; if even the last did, nothing is certain.
    let isCertain = true;
    const isKey = (key: GroupKey) => this.groupOf({ quantity: 1, grams: 0, price: 0, ...key }) === index;
    const add = (key: GroupKey): boolean => {
      if (!isKey(key)) return false;
      keys.push(key);
      return true;
    };
    if (group.isDefault) add({});
    for (const field of GROUP_MATCHER_FIELDS) {
      for (const entry of group[field]) {
        if (keys.length >= KEYS_MAX) break;
        const text = entry.trim();
        if (field === 'skus' && text.endsWith('*')) {
          const prefix = text.slice(0, -1);
          const isFound = SKU_TAILS.some((tail) => add({ sku: prefix + tail }));
          if (!isFound && !this.#isTaken(comparable(prefix), index)) isCertain = false;
        } else if (text !== '') {
          add(KEY_OF[field](text));
        }
      }
    }
    return {
      group,
      comparableId: comparable(group.id),
      canBeFilled: keys.length > 0 || !isCertain,
      keys,
    };
  }

  /** True when an earlier group has a SKU prefix that this one begins with: it takes every such SKU. */
  #isTaken(prefix: string, index: number): boolean {
    return this.#shop.config.productGroups.slice(0, index).some(({ skus }) =>
      skus.some((entry) => {
        const text = comparable(entry);
        return text.endsWith('*') && prefix.startsWith(text.slice(0, -1));
      }),
    );
  }
}
