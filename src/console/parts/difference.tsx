/** What turns one configuration into another: each record, and of a changed record each value that differs. */
import type { ComponentChildren } from 'preact';
import type { Schemas } from '../../client/call-table.ts';
import { formatMoney } from '../amounts.ts';
import { useSignedIn } from '../app-state.ts';
import { differentValues } from './different-values.ts';

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

function valueText(path: string, value: unknown, currency: string): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  if (typeof value === 'number' && /(?:price|threshold)$/i.test(path)) return formatMoney(value, currency);
  return String(value);
}

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
            {KINDS[entry.kind]} <strong>{entry.name || entry.id}</strong>{' '}
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
export function Changes({ changes }: Pick<Comparison['modified'][number], 'changes'>) {
  const { currency } = useSignedIn().shop;
  const values = changes.flatMap(({ field, from, to }) => differentValues(field, from, to));
  return (
    <ul class="lines quiet">
      {values.map(([path, from, to]) => (
        <li key={path}>
          {path}: <del>{valueText(path, from, currency)}</del> <span aria-hidden="true">→</span>{' '}
          <ins>{valueText(path, to, currency)}</ins>
        </li>
      ))}
    </ul>
  );
}
