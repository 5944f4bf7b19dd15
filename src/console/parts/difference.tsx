/** What turns one configuration into another: each record, and of a changed record each value that differs. */
import type { ComponentChildren } from 'preact';
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { fieldText } from '../labels.ts';
import { actionText, valueText } from '../words.ts';
import { type DifferentValue, differentValues } from './different-values.ts';

type Comparison = Schemas['Comparison'];
type Entry = Comparison['added'][number];

const KINDS = {
  zone: 'Zone',
  subzone: 'Subzone',
  productGroup: 'Product group',
  method: 'Method',
  rule: 'Rule',
  blendedRate: 'Blended rate',
  check: 'Check',
} as const;

/** Records of a list that are shown; a configuration can differ in thousands. */
const SHOWN_MAX = 200;

export function Difference({ difference }: { readonly difference: Comparison }) {
  const { added, modified, removed } = difference;
  if (added.length + modified.length + removed.length === 0) {
    return <p class="quiet">There is no difference.</p>;
  }
  return (
    <div class="stack">
      <EntryList title="Changed" entries={modified}>
        {(entry) => <Changes changes={entry.changes} />}
      </EntryList>
      <EntryList title="Added" entries={added} />
      <EntryList title="Removed" entries={removed} />
    </div>
  );
}

/** The API names a rule without a name by its action: `adjust_add rule`. */
const nameOf = ({ kind, name, id }: Entry): string =>
  kind === 'rule'
    ? name.replace(/^([a-z_]+) rule$/, (_, action: string) => actionText(action))
    : name || id || '';

/** `Method Economy` */
export const entryText = (entry: Entry): string => `${KINDS[entry.kind]} ${nameOf(entry)}`;

interface EntryListProps<E extends Entry> {
  readonly title: string;
  readonly entries: readonly E[];
  readonly children?: (entry: E) => ComponentChildren;
}

function EntryList<E extends Entry>({ title, entries, children }: EntryListProps<E>) {
  if (entries.length === 0) return null;
  const more = entries.length - SHOWN_MAX;
  return (
    <section>
      <h3>
        {title} <span class="count">{entries.length}</span>
      </h3>
      <ul class="lines">
        {entries.slice(0, SHOWN_MAX).map((entry) => (
          <li key={`${entry.kind} ${entry.id}`} class="entry">
            {KINDS[entry.kind]} <strong>{nameOf(entry)}</strong>{' '}
            {entry.kind === 'rule' ? <code class="quiet">{entry.id}</code> : null}
            {children?.(entry)}
          </li>
        ))}
      </ul>
      {more > 0 ? <p class="quiet">and {more} more</p> : null}
    </section>
  );
}

/** Each value of a record that differs. */
const Changes = ({ changes }: Pick<Comparison['modified'][number], 'changes'>) => (
  <Values values={changes.flatMap(({ field, from, to }) => differentValues(from, to, [field]))} />
);

export function Values({ values }: { readonly values: readonly DifferentValue[] }) {
  const { currency } = useSignedIn().shop;
  const text = (field: string, value: unknown): string =>
    Array.isArray(value) && value.length > 0
      ? value.map((each) => valueText(field, each, currency)).join(', ')
      : valueText(field, Array.isArray(value) ? null : value, currency);
  return (
    <ul class="lines quiet">
      {values.map(({ path, field, from, to }) => (
        <li key={path.join('/')}>
          {fieldText(path)}: <del>{text(field, from)}</del> <span aria-hidden="true">→</span>{' '}
          <ins>{text(field, to)}</ins>
        </li>
      ))}
    </ul>
  );
}
