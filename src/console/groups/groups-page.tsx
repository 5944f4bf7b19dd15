/** Product groups: which items of a cart are priced together. */
import type { Schemas } from '../../client/call-table.ts';
import type { GroupMatcherField } from '../../domain/product-group.ts';
import { useSignedIn } from '../app-state.ts';
import { CheckField, TextField } from '../parts/field.tsx';
import { ParsedField } from '../parts/parsed-field.tsx';
import { RecordEditor } from '../parts/record-editor.tsx';
import { RecordPage } from '../parts/record-list.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useRecord } from '../parts/use-record.ts';
import { capitalized } from '../words.ts';
import { BLANK_GROUP, GROUP_KIND } from './group-kind.ts';

type Group = Schemas['GroupRecord'];

/** What an entry of each list is called. */
const MATCHERS: Readonly<Record<GroupMatcherField, readonly [one: string, several: string]>> = {
  variantIds: ['variant id', 'variant ids'],
  productIds: ['product id', 'product ids'],
  skus: ['SKU', 'SKUs'],
  tags: ['tag', 'tags'],
  vendors: ['vendor', 'vendors'],
};

const FIELDS = Object.keys(MATCHERS) as readonly GroupMatcherField[];

function detailOf(group: Group): string {
  const counts = FIELDS.filter((field) => group[field].length > 0).map((field) => {
    const [one, several] = MATCHERS[field];
    return group[field].length === 1 ? `1 ${one}` : `${group[field].length} ${several}`;
  });
  return counts.join(', ') || (group.isDefault ? 'All items that no other group lists' : 'No item');
}

export function GroupsPage() {
  const { calls } = useSignedIn();
  const answer = useAnswer((signal) => calls.listGroups({ signal }), []);
  const groups = answer.value?.groups ?? [];
  return (
    <RecordPage
      page="groups"
      noun="product group"
      title="Product groups"
      answer={answer}
      rows={groups.map((group) => ({
        id: group.id,
        name: group.name,
        detail: detailOf(group),
        badge: group.isDefault ? <span class="badge">default</span> : null,
      }))}
      empty="The shop has no product group."
      editor={(id) => <GroupEditor key={id} id={id} groups={groups} />}
    />
  );
}

function GroupEditor({ id, groups }: { readonly id: string; readonly groups: readonly Group[] }) {
  const editing = useRecord(GROUP_KIND, id, BLANK_GROUP);
  const at = groups.findIndex((group) => group.id === id);
  return (
    <RecordEditor
      editing={editing}
      noun="product group"
      title={groups[at]?.name ?? 'New product group'}
      place={at < 0 ? null : [at, groups.length]}
    >
      {(draft) => (
        <>
          <TextField label="Name" path="/name" value={draft.name} onValue={(name) => editing.set({ name })} />
          {groups[at]?.isDefault ? (
            <p class="quiet">
              This is the default group: it takes the items that no group lists. To change that, make another
              group the default.
            </p>
          ) : (
            <CheckField
              label="Default group: takes the items that no group lists"
              checked={draft.isDefault}
              onValue={(isDefault) => editing.set({ isDefault })}
            />
          )}
          <p class="hint">
            An item belongs to the group that lists its variant id, else its product id, else its SKU, else a
            tag of it, else its vendor. One entry on each line; a SKU may end in *.
          </p>
          <div class="columns">
            {FIELDS.map((field) => (
              <ParsedField
                key={field}
                label={capitalized(MATCHERS[field][1])}
                path={`/${field}`}
                lines={4}
                value={draft[field]}
                format={(list) => list.join('\n')}
                parse={entriesOf}
                onValue={(list) => editing.set({ [field]: list })}
              />
            ))}
          </div>
        </>
      )}
    </RecordEditor>
  );
}

const entriesOf = (text: string): readonly string[] =>
  text
    .split(/[\n\t]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
