/** Product groups as the editor of records handles them. */
import type { Schemas } from '../../client/call-table.ts';
import type { GroupMatcherField } from '../../domain/product-group.ts';
import { mapped, type RecordKind, type SavedRecord } from '../parts/use-record.ts';

type Group = Schemas['GroupRecord'];

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

const saved = ({ group }: { readonly group: Group }): SavedRecord<GroupDraft> => {
  const { id, position: _, ...fields } = group;
  return { id, fields };
};

export const GROUP_KIND: RecordKind<GroupDraft> = {
  page: 'groups',
  noun: 'product group',
  read: async (calls, id, options) => mapped(await calls.getGroup(id, options), (read) => saved(read).fields),
  create: async (calls, draft, options) => mapped(await calls.createGroup(draft, options), saved),
  update: async (calls, id, changed, options) => mapped(await calls.updateGroup(id, changed, options), saved),
  remove: (calls, id, options) => calls.deleteGroup(id, options),
};
