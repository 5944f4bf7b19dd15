/** Product groups as the editor of records handles them. */
import type { GroupMatcherField } from '../../domain/product-group.ts';
import { recordKind } from '../parts/record-kind.ts';

export interface GroupDraft extends Readonly<Record<GroupMatcherField, readonly string[]>> {
  readonly name: string;
  readonly isDefault: boolean;
}

export const BLANK_GROUP: GroupDraft = {
  name: '',
  isDefault: false,
  variantIds: [],
  productIds: [],
  skus: [],
  tags: [],
  vendors: [],
};

export const GROUP_KIND = recordKind<GroupDraft>({
  page: 'groups',
  noun: 'product group',
  read: (calls, id, options) => calls.getGroup(id, options),
  create: (calls, draft, options) => calls.createGroup(draft, options),
  update: (calls, id, changed, options) => calls.updateGroup(id, changed, options),
  remove: (calls, id, options) => calls.deleteGroup(id, options),
});
