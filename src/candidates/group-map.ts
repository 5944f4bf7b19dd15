/**
 * Group map: which product groups an item can belong to, and by which single field. An item with one field belongs to
 * the first group that lists this field, so a group can be filled exactly when an item with one of its entries alone
 * belongs to it (contract section 5.1).
 */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { CartItem } from '../domain/cart.ts';
import type { Condition, ConditionType } from '../domain/condition.ts';
import { GROUP_MATCHER_FIELDS, type GroupMatcherField, type ProductGroup } from '../domain/product-group.ts';
import { comparable } from '../domain/text.ts';
import { ItemFacts } from '../evaluate/cart-facts.ts';
import { groupedBy, valueAt } from '../runtime/map-entries.ts';
import { type Requirement, requirementOf } from './requirement.ts';

/** Fields of an item that put it into a group. */
export type GroupKey = Partial<Pick<CartItem, 'variantId' | 'productId' | 'sku' | 'vendor' | 'properties'>>;

/** Maximum number of keys stored per group, as alternatives when conditions require other fields. */
const KEYS_MAX = 8;

const KEY_OF: { readonly [K in GroupMatcherField]: (text: string) => GroupKey } = {
  variantIds: (variantId) => ({ variantId }),
  productIds: (productId) => ({ productId }),
  skus: (sku) => ({ sku }),
  tags: (tag) => ({ properties: { tag } }),
  vendors: (vendor) => ({ vendor }),
};

/** Endings tried after a SKU prefix. The last are characters that no real SKU has. */
const SKU_TAILS = ['1', '-1', 'x', '\u2300', '\ue000'];

interface GroupFacts {
  readonly group: ProductGroup;
  readonly comparableId: string;
  /** False only when no item can belong to the group. */
  readonly canBeFilled: boolean;
  readonly keys: readonly GroupKey[];
}

export class GroupMap {
  readonly all: readonly GroupFacts[];
  /** Indexes of the groups that an item can belong to. */
  readonly fillable: readonly number[];
  readonly membership: GroupMembership;
  /** Id in comparable form -> the groups with this id that can be filled. */
  readonly #byComparableId: ReadonlyMap<string, readonly number[]>;
  /** Prefix of SKUs -> the first group that lists it. */
  readonly #firstByPrefix = new Map<string, number>();
  readonly #shop: CompiledShop;

  constructor(shop: CompiledShop) {
    const { productGroups } = shop.config;
    this.#shop = shop;
    this.membership = new GroupMembership(productGroups);
    for (const [index, { skus }] of productGroups.entries()) {
      for (const sku of skus.map(comparable)) {
        const prefix = sku.slice(0, -1);
        if (sku.endsWith('*') && !this.#firstByPrefix.has(prefix)) this.#firstByPrefix.set(prefix, index);
      }
    }
    this.all = productGroups.map((group, index) => this.#factsOf(group, index));
    this.fillable = [...this.all.keys()].filter((index) => this.all[index]?.canBeFilled);
    this.#byComparableId = groupedBy(this.fillable, (index) => this.all[index]?.comparableId ?? '');
  }

  /** Index in list order, or -1. */
  indexOf(groupId: string): number {
    return this.#shop.groups.indexOf(groupId);
  }

  /** Returns the facts of a group that can be filled; undefined for any other group. */
  fillableWithId(groupId: string): GroupFacts | undefined {
    const facts = this.all[this.indexOf(groupId)];
    return facts?.canBeFilled ? facts : undefined;
  }

  /** Returns the groups with these ids (in comparable form) that can be filled. */
  fillableNamed(comparableIds: readonly string[]): readonly number[] {
    return comparableIds.flatMap((id) => this.#byComparableId.get(id) ?? []).sort((a, b) => a - b);
  }

  /** Index of the group that the item belongs to. */
  groupOf(item: CartItem): number {
    return this.#shop.groups.groupOf(new ItemFacts(item));
  }

  #factsOf(group: ProductGroup, index: number): GroupFacts {
    const keys: GroupKey[] = [];
    let mayBeFilled = false;
    const add = (key: GroupKey): boolean => {
      const isOwn = this.groupOf({ quantity: 1, grams: 0, price: 0, ...key }) === index;
      if (isOwn) keys.push(key);
      return isOwn;
    };
    if (group.isDefault) add({});
    for (const field of GROUP_MATCHER_FIELDS) {
      for (const text of group[field].map((entry) => entry.trim())) {
        if (keys.length >= KEYS_MAX) break;
        if (field !== 'skus' || !text.endsWith('*')) {
          if (text !== '') add(KEY_OF[field](text));
          continue;
        }
        const prefix = text.slice(0, -1);
        // Every tail belongs to another group. A longer tail may still work, unless an earlier group takes the prefix.
        const isFound = SKU_TAILS.some((tail) => add({ sku: prefix + tail }));
        mayBeFilled ||= !isFound && !this.#isTaken(comparable(prefix), index);
      }
    }
    const canBeFilled = keys.length > 0 || mayBeFilled;
    return { group, comparableId: comparable(group.id), canBeFilled, keys };
  }

  /** True when an earlier group takes every SKU with this prefix, because its own prefix is equal or shorter. */
  #isTaken(prefix: string, index: number): boolean {
    for (let length = 0; length <= prefix.length; length++) {
      if ((this.#firstByPrefix.get(prefix.slice(0, length)) ?? index) < index) return true;
    }
    return false;
  }
}

/** With more entries in one list than this, every item counts as possible for the group. */
const ENTRIES_MAX = 2_000;

const TYPE_OF: { readonly [K in GroupMatcherField]: ConditionType } = {
  variantIds: 'product_variant_id',
  productIds: 'product_id',
  skus: 'product_sku',
  tags: 'product_tag',
  vendors: 'product_vendor',
};

/** Alternative sets of requirements; an item of the group satisfies at least one set. null = unknown. */
type Routes = readonly (readonly Requirement[])[] | null;

/**
 * The requirements on the texts of an item that belongs to a group. Either the group lists one of the texts and no
 * group lists a text of a stronger kind, or it is the default group and no group lists any (contract section 5.1). The
 * order of groups that list an item by the same kind is ignored, so "cannot belong" is proved and "can belong" is not.
 */
class GroupMembership {
  readonly #groups: readonly ProductGroup[];
  readonly #routes = new Map<number, Routes>();
  /** By field: the text is in a list of some group; null when no condition can express this. */
  readonly #listed = new Map<GroupMatcherField, Requirement | null>();

  constructor(groups: readonly ProductGroup[]) {
    this.#groups = groups;
  }

  routesTo(index: number): Routes {
    return valueAt(this.#routes, index, () => this.#findRoutes(index));
  }

  #findRoutes(index: number): Routes {
    const group = this.#groups[index];
    if (group === undefined) return null;
    const routes: Requirement[][] = group.isDefault ? [this.#unlisted(GROUP_MATCHER_FIELDS)] : [];
    for (const [strength, field] of GROUP_MATCHER_FIELDS.entries()) {
      if (group[field].length === 0) continue;
      const listed = group[field].length > ENTRIES_MAX ? null : listOf([group], field);
      if (listed === null) return null;
      routes.push([listed, ...this.#unlisted(GROUP_MATCHER_FIELDS.slice(0, strength))]);
    }
    return routes;
  }

  /** Returns the requirements that no group lists any of these texts of the item. */
  #unlisted(fields: readonly GroupMatcherField[]): Requirement[] {
    return fields
      .filter((field) => this.#groups.some((group) => group[field].length > 0))
      .flatMap((field) => valueAt(this.#listed, field, () => listOf(this.#groups, field))?.opposite() ?? []);
  }
}

/** Returns "the text is in this list of one of the groups"; null when a condition would parse an entry differently. */
function listOf(groups: readonly ProductGroup[], field: GroupMatcherField): Requirement | null {
  const entries = groups.flatMap((group) => group[field].map(comparable)).filter((entry) => entry !== '');
  // A `*` is a wildcard in SKUs only.
  const isOdd = (entry: string) => entry.includes('\\') || (field !== 'skus' && entry.endsWith('*'));
  if (entries.length === 0 || entries.some(isOdd)) return null;
  const value = entries.map((entry) => entry.replaceAll(',', '\\,')).join();
  const condition: Condition = {
    conditionType: TYPE_OF[field],
    operator: 'equals',
    value,
    scope: 'any_product_in_group',
  };
  return requirementOf(condition);
}
