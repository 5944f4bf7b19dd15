/**
 * Group index: finds the product group of an item by hash look-ups, so the time does not grow with the groups.
 * The strongest kind that lists the item decides: variant id, product id, sku, tag, vendor; within a kind
 * the first group in list order; else the default group (contract section 5.1).
 */
import { GROUP_MATCHER_FIELDS, type GroupMatcherField, type ProductGroup } from '../domain/product-group.ts';
import { comparable } from '../domain/text.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { ITEM_TEXT } from './predicate.ts';

const NO_GROUP = -1;

/** The texts of an item in comparable form, "" when missing. Read only if a group lists texts of that kind. */
export interface GroupQuery {
  /** `field` of `ITEM_TEXT`. */
  text(field: number): string;
  tags(): readonly string[];
}

interface PrefixTable {
  readonly length: number;
  readonly groups: ReadonlyMap<string, number>;
}

type ExactTables = { readonly [K in GroupMatcherField]: Map<string, number> };

export class GroupIndex {
  readonly count: number;
  readonly #exact: ExactTables;
  /** SKU prefixes by length; length 0 matches every SKU that is not empty. */
  readonly #skuPrefixes: readonly PrefixTable[];
  readonly #listsSkus: boolean;
  readonly #defaultGroup: number;
  readonly #indexById: ReadonlyMap<string, number>;

  constructor(groups: readonly ProductGroup[], exact: ExactTables, prefixes: readonly PrefixTable[]) {
    this.count = groups.length;
    this.#defaultGroup = groups.findIndex((group) => group.isDefault);
    this.#indexById = new Map(groups.map((group, index) => [group.id, index]));
    this.#exact = exact;
    this.#skuPrefixes = prefixes;
    this.#listsSkus = exact.skus.size > 0 || prefixes.length > 0;
  }

  /** Index of a group in list order, or -1. */
  indexOf(groupId: string): number {
    return this.#indexById.get(groupId) ?? NO_GROUP;
  }

  /** Index of the group that the item belongs to. */
  groupOf(item: GroupQuery): number {
    const { variantIds, productIds, tags, vendors } = this.#exact;
    return (
      (variantIds.size === 0 ? undefined : variantIds.get(item.text(ITEM_TEXT.variantId))) ??
      (productIds.size === 0 ? undefined : productIds.get(item.text(ITEM_TEXT.productId))) ??
      (this.#listsSkus ? this.#bySku(item.text(ITEM_TEXT.sku)) : undefined) ??
      (tags.size === 0 ? undefined : firstByTag(tags, item.tags())) ??
      (vendors.size === 0 ? undefined : vendors.get(item.text(ITEM_TEXT.vendor))) ??
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

/** Makes the index of a list of groups. */
export function* groupIndexSteps(
  groups: readonly ProductGroup[],
  shouldYield: ShouldYield,
): WorkSteps<GroupIndex> {
  const exact = Object.fromEntries(
    GROUP_MATCHER_FIELDS.map((field) => [field, new Map<string, number>()]),
  ) as unknown as ExactTables;
  const prefixes = new Map<number, Map<string, number>>();
  for (const [index, group] of groups.entries()) {
    for (const field of GROUP_MATCHER_FIELDS) {
      for (const matcher of group[field]) {
        const text = comparable(matcher);
        if (field === 'skus' && text.endsWith('*')) {
          const prefix = text.slice(0, -1);
          const table = prefixes.get(prefix.length) ?? new Map<string, number>();
          if (!table.has(prefix)) table.set(prefix, index);
          prefixes.set(prefix.length, table);
        } else if (text !== '' && !exact[field].has(text)) {
          exact[field].set(text, index);
        }
        if (shouldYield()) yield;
      }
    }
  }
  const tables = [...prefixes].map(([length, table]) => ({ length, groups: table }));
  return new GroupIndex(groups, exact, tables);
}
