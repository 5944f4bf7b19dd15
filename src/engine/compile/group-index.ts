/** Group index: the product group of an item, found by hash look-ups (contract section 5.1). */
import { valueAt } from '../../base/runtime/map-entries.ts';
import { FIELD } from '../domain/condition.ts';
import { GROUP_MATCHER_FIELDS, type GroupMatcherField, type ProductGroup } from '../domain/product-group.ts';
import { comparable } from '../domain/text.ts';

/** Product groups by their index in list order. */
export interface GroupNumbers {
  /** Index of the group with this id, or -1. */
  indexOf(groupId: string): number;
}

const NO_GROUP = -1;

/** The texts of an item in comparable form, "" when missing. Read only if a group lists texts of that kind. */
export interface GroupQuery {
  /** The text with this number in `FIELD`. */
  text(field: number): string;
  tags(): readonly string[];
}

interface PrefixTable {
  readonly length: number;
  readonly groups: ReadonlyMap<string, number>;
}

type ExactTables = { readonly [K in GroupMatcherField]: Map<string, number> };

/**
 * Finds the product group of an item. The strongest kind that lists the item decides: variant id, product id, sku, tag,
 * vendor; within a kind the first group in list order; else the default group (contract section 5.1).
 */
export class GroupIndex implements GroupNumbers {
  readonly #exact = Object.fromEntries(
    GROUP_MATCHER_FIELDS.map((field) => [field, new Map<string, number>()]),
  ) as unknown as ExactTables;
  /** SKU prefixes by length; length 0 matches every SKU that is not empty. */
  readonly #skuPrefixes: readonly PrefixTable[];
  readonly #listsSkus: boolean;
  readonly #defaultGroup: number;
  readonly #indexById: ReadonlyMap<string, number>;

  constructor(groups: readonly ProductGroup[]) {
    this.#defaultGroup = groups.findIndex((group) => group.isDefault);
    this.#indexById = new Map(groups.map((group, index) => [group.id, index]));
    const exact = this.#exact;
    const prefixes = new Map<number, Map<string, number>>();
    for (const [index, group] of groups.entries()) {
      for (const field of GROUP_MATCHER_FIELDS) {
        for (const matcher of group[field]) {
          const text = comparable(matcher);
          if (field === 'skus' && text.endsWith('*')) {
            const table = valueAt(prefixes, text.length - 1, () => new Map<string, number>());
            valueAt(table, text.slice(0, -1), () => index);
          } else if (text !== '') {
            valueAt(exact[field], text, () => index);
          }
        }
      }
    }
    this.#skuPrefixes = Array.from(prefixes, ([length, table]) => ({ length, groups: table }));
    this.#listsSkus = exact.skus.size > 0 || prefixes.size > 0;
  }

  indexOf(groupId: string): number {
    return this.#indexById.get(groupId) ?? NO_GROUP;
  }

  /** Index of the group that the item belongs to. */
  groupOf(item: GroupQuery): number {
    const { variantIds, productIds, tags, vendors } = this.#exact;
    return (
      (variantIds.size === 0 ? undefined : variantIds.get(item.text(FIELD.product_variant_id))) ??
      (productIds.size === 0 ? undefined : productIds.get(item.text(FIELD.product_id))) ??
      (this.#listsSkus ? this.#bySku(item.text(FIELD.product_sku)) : undefined) ??
      (tags.size === 0 ? undefined : firstByTag(tags, item.tags())) ??
      (vendors.size === 0 ? undefined : vendors.get(item.text(FIELD.product_vendor))) ??
      this.#defaultGroup
    );
  }

  #bySku(sku: string): number | undefined {
    if (sku === '') return undefined;
    let first = this.#exact.skus.get(sku);
    for (const { length, groups } of this.#skuPrefixes) {
      if (length > sku.length) continue;
      const group = groups.get(sku.slice(0, length));
      if (group !== undefined && (first === undefined || group < first)) first = group;
    }
    return first;
  }
}

function firstByTag(groups: ReadonlyMap<string, number>, tags: readonly string[]): number | undefined {
  let first: number | undefined;
  for (const tag of tags) {
    const group = groups.get(tag);
    if (group !== undefined && (first === undefined || group < first)) first = group;
  }
  return first;
}
