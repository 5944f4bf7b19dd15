/** Product groups: which items of a cart are priced together. */
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { pathLabel, uncapitalized } from '../labels.ts';
import { CheckField, TextField } from '../parts/field.tsx';
import { ParsedField } from '../parts/parsed-field.tsx';
import { neighboursAt, RecordEditor } from '../parts/record-editor.tsx';
import { RecordPage } from '../parts/record-list.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useRecord } from '../parts/use-record.ts';
import { BLANK_GROUP, GROUP_KIND } from './group-kind.ts';

type Group = Schemas['GroupRecord'];

const FIELDS = ['variantIds', 'productIds', 'skus', 'tags', 'vendors'] as const;

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
      editor={(id) => <GroupEditor id={id} groups={groups} />}
    />
  );
}

function GroupEditor({ id, groups }: { readonly id: string; readonly groups: readonly Group[] }) {
  const editing = useRecord(GROUP_KIND, id, BLANK_GROUP);
  const at = groups.findIndex((group) => group.id === id);
  return (
    <RecordEditor editing={editing} neighbours={neighboursAt(at, [...groups.keys()])}>
      {(draft) => (
        <>
          <TextField path="/name" value={draft.name} onValue={(name) => editing.set({ name })} />
          {groups[at]?.isDefault ? (
            <p class="quiet">
              This is the default group: it takes the items that no group lists. To change that, make another
              group the default.
            </p>
          ) : (
            <CheckField
              label={`${pathLabel('/isDefault')}: takes the items that no group lists`}
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
