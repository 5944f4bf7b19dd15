/** The product group that an item falls into, for a form that says so while it is filled. */
import type { Schemas } from '../../client/call-table.ts';
import { groupTrial } from '../groups/group-trial.ts';
import { type CartItem, tagsOf } from './cart.ts';

/** The id of the group of each item; "" where the shop has no default group. */
export function groupsOfItems(
  items: readonly CartItem[],
  groups: readonly Schemas['ProductGroup'][],
): readonly string[] {
  const find = groupTrial(groups);
  return items.map((item) => {
    const { at } = find({
      variantIds: [String(item.variantId ?? '')],
      productIds: [String(item.productId ?? '')],
      skus: [String(item.sku ?? '')],
      tags: tagsOf(item),
      vendors: [String(item.vendor ?? '')],
    });
    return groups[at]?.id ?? '';
  });
}
