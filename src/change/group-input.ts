/** A product group as a client writes it, checked and completed (contract section 3). */
import { GROUP_MATCHER_FIELDS, type ProductGroup } from '../domain/product-group.ts';
import { comparable } from '../domain/text.ts';
import type { GroupCreate } from '../wire/write-bodies.ts';
import type { Defects } from './defects.ts';

export type GroupInput = Omit<GroupCreate, 'id' | 'position'>;

/** `path` is that of the group: "" for a body of its own. The result counts only when no defect was added. */
export function readGroup(id: string, input: GroupInput, path: string, defects: Defects): ProductGroup {
  const {
    name,
    isDefault = false,
    variantIds = [],
    productIds = [],
    skus = [],
    tags = [],
    vendors = [],
  } = input;
  const group = { id, name, isDefault, variantIds, productIds, skus, tags, vendors };
  for (const field of GROUP_MATCHER_FIELDS) {
    for (const [index, text] of group[field].entries()) {
      if (comparable(text) === '') defects.add(`${path}/${field}/${index}`, 'must hold more than spaces');
    }
  }
  return group;
}
