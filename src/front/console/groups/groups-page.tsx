/** Product groups: which items of a cart are priced together. */
import { lazy, Suspense, useMemo } from 'react';
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { dayText } from '../english.ts';
import { pathLabel, uncapitalized } from '../labels.ts';
import { BoundDelete } from '../parts/bound-delete.tsx';
import { CheckField, TextField } from '../parts/field.tsx';
import { Loading } from '../parts/notice.tsx';
import { DeleteDialog } from '../parts/record-editor.tsx';
import { recordKind } from '../parts/record-kind.ts';
import { RecordPage } from '../parts/record-list.tsx';
import { AT_MARKS, AT_SPACES, TextsField } from '../parts/texts-field.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { counted, countedBy } from '../words.ts';

/** With the look-up of the service, which no other page needs. */
const TrialPanel = lazy(async () => ({ default: (await import('./trial-panel.tsx')).TrialPanel }));

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

/** Methods of a group, and carts with an item of it. */
function figuresOf(methods: readonly Schemas['MethodRecord'][] | null, coverage: Schemas['Coverage'] | null) {
  const bound = countedBy(methods ?? [], ({ productGroupId }) => productGroupId);
  const carts = new Map(coverage?.groups.map(({ productGroupId, count }) => [productGroupId, count]));
  return ({ id }: Group): readonly string[] => [
    methods === null ? '' : counted(bound.get(id) ?? 0, 'method'),
    coverage === null ? '' : counted(carts.get(id) ?? 0, 'cart'),
  ];
}

export function GroupsPage() {
  const { calls } = useSignedIn();
  const answer = useAnswer((signal) => calls.listGroups({ signal }), []);
  const methods = useAnswer((signal) => calls.listMethods({ signal }), []);
  const coverage = useAnswer((signal) => calls.getCoverage({ signal }), []);
  const groups = answer.value?.groups ?? [];
  const figures = useMemo(
    () => figuresOf(methods.value?.methods ?? null, coverage.value),
    [methods.value, coverage.value],
  );
  const since = coverage.value?.since;
  return (
    <RecordPage
      kind={KIND}
      blank={BLANK}
      title="Product groups"
      description="Which items are priced together: a method prices the items of one group."
      answer={answer}
      records={groups}
      detailOf={detailOf}
      badgeOf={({ isDefault }) => (isDefault ? <span className="badge">default</span> : null)}
      figuresOf={figures}
      empty="The shop has no product group: the first one takes all items."
      summary={
        since === undefined ? null : (
          <p className="quiet">Carts with an item of the group are counted since {dayText(since)}.</p>
        )
      }
      deletion={({ editing, at }, onClose) =>
        groups[at]?.isDefault ? (
          <DeleteDialog editing={editing} goesAlong={undefined} onClose={onClose} />
        ) : (
          <BoundDelete id={groups[at]?.id ?? ''} page="groups" editing={editing} onClose={onClose} />
        )
      }
      below={({ draft, editing, at }) => {
        const own = { ...draft, id: groups[at]?.id ?? '' };
        const others = draft.isDefault ? groups.map((group) => ({ ...group, isDefault: false })) : groups;
        return (
          <Suspense fallback={<Loading what="a trial of items" failure={null} />}>
            <TrialPanel
              groups={at < 0 ? [...others, own] : others.with(at, { ...own, position: at })}
              at={at < 0 ? others.length : at}
              onAdd={(field, texts) => editing.set({ [field]: [...new Set([...draft[field], ...texts])] })}
            />
          </Suspense>
        );
      }}
    >
      {({ field, at }) => (
        <>
          <TextField {...field('name')} />
          {groups[at]?.isDefault ? (
            <p className="quiet">
              This is the default group: it takes the items that no group lists. To change that, make another
              group the default.
            </p>
          ) : (
            <CheckField
              {...field('isDefault')}
              label={`${pathLabel('/isDefault')}: takes the items that no group lists`}
            />
          )}
          <p className="hint">
            An item belongs to the group that lists its variant id, else its product id, else its SKU, else a
            tag of it, else its vendor. Commas, semicolons or lines between entries; a SKU may end in *.
          </p>
          <div className="columns">
            {FIELDS.map((name) => (
              <TextsField
                key={name}
                {...field(name)}
                separators={name.endsWith('Ids') ? AT_SPACES : AT_MARKS}
              />
            ))}
          </div>
        </>
      )}
    </RecordPage>
  );
}
