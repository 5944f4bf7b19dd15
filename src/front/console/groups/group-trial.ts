/** Which product group an item falls into, by the look-up of the service, with the groups as they are typed. */
import { GroupIndex, type GroupQuery } from '../../../engine/compile/group-index.ts';
import { FIELD } from '../../../engine/domain/condition.ts';
import {
  GROUP_MATCHER_FIELDS,
  type GroupMatcherField,
  type ProductGroup,
} from '../../../engine/domain/product-group.ts';
import { comparable } from '../../../engine/domain/text.ts';

/** The texts of an item by the list that they are looked up in. */
export type TriedItem = Readonly<Partial<Record<GroupMatcherField, readonly string[]>>>;

export interface FoundGroup {
  /** Its place in the list; -1 where there is no default group. */
  readonly at: number;
  /** The list that decides; null where no group lists the item, so that the default group has it. */
  readonly by: GroupMatcherField | null;
}

const FIELD_OF: Readonly<Record<Exclude<GroupMatcherField, 'tags'>, number>> = {
  variantIds: FIELD.product_variant_id,
  productIds: FIELD.product_id,
  skus: FIELD.product_sku,
  vendors: FIELD.product_vendor,
};

function queryOf(item: TriedItem): GroupQuery {
  const textOf = (field: GroupMatcherField): string => comparable(item[field]?.[0] ?? '');
  const texts = new Map(
    Object.entries(FIELD_OF).map(([name, field]) => [field, textOf(name as GroupMatcherField)]),
  );
  return { text: (field) => texts.get(field) ?? '', tags: () => (item.tags ?? []).map(comparable) };
}

export function groupTrial(groups: readonly ProductGroup[]): (item: TriedItem) => FoundGroup {
  // Without a default group, to tell an item that is listed by it from one that no group lists.
  const index = new GroupIndex(groups.map((group) => ({ ...group, isDefault: false })));
  const fallback = groups.findIndex(({ isDefault }) => isDefault);
  return (item) => {
    for (const by of GROUP_MATCHER_FIELDS) {
      const at = index.groupOf(queryOf({ [by]: item[by] ?? [] }));
      if (at >= 0) return { at, by };
    }
    return { at: fallback, by: null };
  };
}

export interface LostEntry {
  readonly field: GroupMatcherField;
  readonly text: string;
  /** Place of the group that an item with this entry falls into. */
  readonly to: number;
}

/** Entries of a group that an earlier group lists too, so that they decide nothing. */
export function lostEntries(groups: readonly ProductGroup[], at: number): readonly LostEntry[] {
  const find = groupTrial(groups);
  return GROUP_MATCHER_FIELDS.flatMap((field) =>
    (groups[at]?.[field] ?? []).flatMap((text) => {
      if (field === 'skus' && text.trim().endsWith('*')) return [];
      const { at: to } = find({ [field]: [text] });
      return to === at ? [] : [{ field, text, to }];
    }),
  );
}
