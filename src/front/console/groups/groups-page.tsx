/** Product groups: which items of a cart are priced together. */
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { pathLabel, uncapitalized } from '../labels.ts';
import { CheckField, TextField } from '../parts/field.tsx';
import { ParsedField } from '../parts/parsed-field.tsx';
import { recordKind } from '../parts/record-kind.ts';
import { RecordPage } from '../parts/record-list.tsx';
import { useAnswer } from '../parts/use-answer.ts';

type Group = Schemas['GroupRecord'];
type GroupDraft = Readonly<Omit<Group, 'id' | 'position'>>;

const FIELDS = ['variantIds', 'productIds', 'skus', 'tags', 'vendors'] as const;

const BLANK: GroupDraft = {
  name: '',
  isDefault: false,
  variantIds: [],
  productIds: [],
  skus: [],
  tags: [],
  vendors: [],
};

const KIND = recordKind<GroupDraft>({
  page: 'groups',
  noun: 'product group',
  read: (calls, id, options) => calls.getGroup(id, options),
  create: (calls, draft, options) => calls.createGroup(draft, options),
  update: (calls, id, changed, options) => calls.updateGroup(id, changed, options),
  remove: (calls, id, options) => calls.deleteGroup(id, options),
});

function detailOf(group: Group): string {
  const counts = FIELDS.filter((field) => group[field].length > 0).map((field) => {
    const several = uncapitalized(pathLabel(`/${field}`));
    return group[field].length === 1 ? `1 ${several.slice(0, -1)}` : `${group[field].length} ${several}`;
  });
  return counts.join(', ') || (group.isDefault ? 'All items that no other group lists' : 'No item');
}

export function GroupsPage() {
  const { calls } = useSignedIn();
  const answer = useAnswer((signal) => calls.listGroups({ signal }), []);
  const groups = answer.value?.groups ?? [];
  return (
    <RecordPage
      kind={KIND}
      blank={BLANK}
      title="Product groups"
      answer={answer}
      records={groups}
      detailOf={detailOf}
      badgeOf={({ isDefault }) => (isDefault ? <span class="badge">default</span> : null)}
      empty="The shop has no product group."
    >
      {({ field, at }) => (
        <>
          <TextField {...field('name')} />
          {groups[at]?.isDefault ? (
            <p class="quiet">
              This is the default group: it takes the items that no group lists. To change that, make another
              group the default.
            </p>
          ) : (
            <CheckField
              {...field('isDefault')}
              label={`${pathLabel('/isDefault')}: takes the items that no group lists`}
            />
          )}
          <p class="hint">
            An item belongs to the group that lists its variant id, else its product id, else its SKU, else a
            tag of it, else its vendor. One entry on each line; a SKU may end in *.
          </p>
          <div class="columns">
            {FIELDS.map((name) => (
              <ParsedField
                key={name}
                {...field(name)}
                lines={4}
                format={(list) => list.join('\n')}
                parse={entriesOf}
              />
            ))}
          </div>
        </>
      )}
    </RecordPage>
  );
}

const entriesOf = (text: string): string[] =>
  text
    .split(/[\n\t]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
