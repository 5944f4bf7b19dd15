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

/** What stands before the wildcard of a SKU; null without one. */
const prefixOf = (sku: string): string | null => (sku.endsWith('*') ? sku.slice(0, -1) : null);

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
  /** Id in comparable form -> the groups whose id it is. */
  readonly #byComparableId = new Map<string, number[]>();
  /** Prefix of SKUs -> the first group that lists it. */
  readonly #firstByPrefix = new Map<string, number>();
  readonly #shop: CompiledShop;

  constructor(shop: CompiledShop) {
    const { productGroups } = shop.config;
    this.#shop = shop;
    this.membership = new GroupMembership(productGroups);
    this.#indexById = new Map(productGroups.map(({ id }, index) => [id, index]));
    for (const [index, { skus }] of productGroups.entries()) {
      for (const entry of skus) {
        const prefix = prefixOf(comparable(entry));
        if (prefix !== null && !this.#firstByPrefix.has(prefix)) this.#firstByPrefix.set(prefix, index);
      }
    }
    this.all = productGroups.map((group, index) => this.#factsOf(group, index));
    for (const [index, { comparableId }] of this.all.entries()) {
      const named = this.#byComparableId.get(comparableId);
      if (named === undefined) this.#byComparableId.set(comparableId, [index]);
      else named.push(index);
    }
    this.fillable = [...this.all.keys()].filter((index) => this.all[index]?.canBeFilled);
  }

  /** Index in list order, or -1. */
  indexOf(groupId: string): number {
    return this.#indexById.get(groupId) ?? -1;
  }

  /** Those that an item can belong to of the groups with these ids, which are in comparable form. */
  fillableNamed(comparableIds: readonly string[]): readonly number[] {
    return comparableIds
      .flatMap((id) => this.#byComparableId.get(id) ?? [])
      .filter((index) => this.all[index]?.canBeFilled)
      .sort((a, b) => a - b);
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
        const prefix = field === 'skus' ? prefixOf(text) : null;
        if (prefix !== null) {
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
    for (let length = 0; length <= prefix.length; length++) {
      if ((this.#firstByPrefix.get(prefix.slice(0, length)) ?? index) < index) return true;
    }
    return false;
  }
}
