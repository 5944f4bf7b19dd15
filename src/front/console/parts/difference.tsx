/** What turns one configuration into another: each record, and of a changed record each value that differs. */
import { type ComponentChildren, Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Schemas } from '../../client/call-table.ts';
import { useSignedIn } from '../app-state.ts';
import { fieldText } from '../labels.ts';
import { actionText } from '../words.ts';
import { type DifferentValue, differentValues } from './different-values.ts';
import {
  type Named,
  namedValue,
  type RecordNames,
  type ReferredKind,
  referredKinds,
  WAITING,
} from './referred-records.ts';
import { type KnownRecords, useRecordNames } from './use-record-names.ts';

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
  const prepared = useMemo(() => prepare(difference), [difference]);
  const names = useRecordNames(prepared.kinds, prepared.known);
  const listed = { names, prepared };
  if (added.length + modified.length + removed.length === 0) {
    return <p class="quiet">There is no difference.</p>;
  }
  return (
    <div class="stack">
      <EntryList title="Changed" entries={modified} {...listed} />
      <EntryList title="Added" entries={added} {...listed} />
      <EntryList title="Removed" entries={removed} {...listed} />
    </div>
  );
}

/** What a difference shows, except the names of records that it does not hold. */
interface Prepared {
  /** Each value that differs of the changed records that are shown. */
  readonly values: ReadonlyMap<Entry, readonly DifferentValue[]>;
  /** Kinds of records whose names must be read. */
  readonly kinds: readonly ReferredKind[];
  readonly known: KnownRecords;
  /** Texts that several entries have: their ids are shown. */
  readonly shared: ReadonlySet<string>;
}

/** The kind of the record that an entry of a kind is part of. */
const PARENTS: Readonly<Record<string, ReferredKind>> = { rule: 'methods', subzone: 'zones' };

function prepare({ added, modified, removed }: Comparison): Prepared {
  const lists = [modified, added, removed];
  const entries = lists.flat();
  const values = new Map(
    modified
      .slice(0, SHOWN_MAX)
      .map((entry) => [
        entry as Entry,
        entry.changes.flatMap(({ field, from, to }) => differentValues(from, to, [field])),
      ]),
  );
  const ofKinds = (...kinds: readonly Entry['kind'][]): Named =>
    entries.flatMap(({ kind, id, name }) =>
      id !== null && kinds.includes(kind) ? [[id, name] as const] : [],
    );
  const known = {
    zones: ofKinds('zone', 'subzone'),
    groups: ofKinds('productGroup'),
    methods: ofKinds('method'),
  };
  const parents = lists.flatMap((list) =>
    list.slice(0, SHOWN_MAX).flatMap(({ kind }) => PARENTS[kind] ?? []),
  );
  const kinds = [...new Set([...referredKinds([...values.values()].flat()), ...parents])].sort();
  const [once, shared] = [new Set<string>(), new Set<string>()];
  for (const text of entries.map(entryText)) (once.has(text) ? shared : once).add(text);
  return { values, kinds, known, shared };
}

/** The API names a rule without a name by its action: `adjust_add rule`. */
const nameOf = ({ kind, name, id }: Entry): string =>
  kind === 'rule'
    ? name.replace(/^([a-z_]+) rule$/, (_, action: string) => actionText(action))
    : name || id || '';

/** `Method Economy` */
export const entryText = (entry: Entry): string => `${KINDS[entry.kind]} ${nameOf(entry)}`;

interface EntryListProps {
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly prepared: Prepared;
  readonly names: RecordNames | null;
}

function EntryList({ title, entries, prepared: { values, shared }, names }: EntryListProps) {
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
            {KINDS[entry.kind]} <strong>{nameOf(entry)}</strong>
            {entry.parentId == null ? null : (
              <>
                {' '}
                of <RecordName id={entry.parentId} names={names} />
              </>
            )}{' '}
            {entry.kind === 'rule' || shared.has(entryText(entry)) ? (
              <code class="quiet">{entry.id}</code>
            ) : null}
            {values.has(entry) ? <Values values={values.get(entry) ?? []} names={names} /> : null}
          </li>
        ))}
      </ul>
      {more > 0 ? <p class="quiet">and {more} more</p> : null}
    </section>
  );
}

interface RecordNameProps {
  readonly id: string;
  readonly names: RecordNames | null;
}

const RecordName = ({ id, names }: RecordNameProps) => (
  <span title={id}>{names === null ? WAITING : (names.get(id) ?? id)}</span>
);

interface ValuesProps {
  readonly values: readonly DifferentValue[];
  readonly names: RecordNames | null;
}

export function Values({ values, names }: ValuesProps) {
  const { currency } = useSignedIn().shop;
  const text = (field: string, value: unknown): ComponentChildren => {
    const parts = Array.isArray(value) && value.length > 0 ? value : [Array.isArray(value) ? null : value];
    return parts.map((part, at) => {
      const { text, ids } = namedValue(field, part, currency, names);
      return (
        <Fragment key={at}>
          {at === 0 ? '' : ', '}
          {ids === undefined ? text : <span title={ids}>{text}</span>}
        </Fragment>
      );
    });
  };
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
