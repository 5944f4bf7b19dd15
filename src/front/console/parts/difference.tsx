/** What turns one configuration into another: each record, and of a changed record each value that differs, prices first. */
import { Fragment, type ReactNode, useMemo } from 'react';
import { useApp, useSignedIn } from '../app-state.ts';
import { fieldText } from '../labels.ts';
import { type Comparison, type Entry, entryText, KINDS, modifiedValues, nameOf } from './change-text.ts';
import type { DifferentValue } from './different-values.ts';
import {
  type Named,
  namedValue,
  type RecordNames,
  type ReferredKind,
  referredKinds,
  WAITING,
} from './referred-records.ts';
import { useMore } from './rows.tsx';
import { useRecordNames } from './use-record-names.ts';

/** Records of a list that are shown; a configuration can differ in thousands. */
const SHOWN_MAX = 200;

interface DifferenceProps {
  readonly difference: Comparison;
  /** Records of a list that are shown at first. */
  readonly step?: number;
}

export function Difference({ difference, step = SHOWN_MAX }: DifferenceProps) {
  const { added, modified, removed } = difference;
  const prepared = useMemo(() => prepare(difference), [difference]);
  const names = useRecordNames(prepared.kinds, prepared.known);
  const listed = { names, prepared, step };
  if (added.length + modified.length + removed.length === 0) {
    return <p className="quiet">There is no difference.</p>;
  }
  return (
    <div className="stack">
      <EntryList
        title="Changed"
        entries={[...prepared.values.keys(), ...modified.slice(SHOWN_MAX)]}
        {...listed}
      />
      <EntryList title="Added" entries={added} {...listed} />
      <EntryList title="Removed" entries={removed} {...listed} />
    </div>
  );
}

/** The kind of the record that an entry of a kind is part of. */
const PARENTS: Readonly<Record<string, ReferredKind>> = { rule: 'methods', subzone: 'zones' };

/**
 * What a difference shows, except the names of records that it does not hold: each value that differs of the changed records
 * that are shown, kinds of records whose names must be read, and texts that several entries have, whose ids are shown.
 */
function prepare(difference: Comparison) {
  const { added, modified, removed } = difference;
  const lists = [modified, added, removed];
  const entries = lists.flat();
  const values = new Map(modifiedValues(difference, SHOWN_MAX));
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

interface EntryListProps {
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly prepared: ReturnType<typeof prepare>;
  readonly names: RecordNames | null;
  readonly step: number;
}

function EntryList({ title, entries, prepared: { values, shared }, names, step }: EntryListProps) {
  const { isDeveloper } = useApp();
  const [rows, button] = useMore(entries.slice(0, SHOWN_MAX), step);
  if (entries.length === 0) return null;
  const more = entries.length - SHOWN_MAX;
  return (
    <section>
      <h3>
        {title} <span className="count">{entries.length}</span>
      </h3>
      <ul className="lines">
        {rows.map((entry) => (
          <li key={`${entry.kind} ${entry.id}`} className="entry">
            {KINDS[entry.kind]} <strong>{nameOf(entry)}</strong>
            {entry.parentId == null ? null : (
              <>
                {' '}
                of <RecordName id={entry.parentId} names={names} />
              </>
            )}{' '}
            {isDeveloper.value && (entry.kind === 'rule' || shared.has(entryText(entry))) ? (
              <code className="quiet">{entry.id}</code>
            ) : null}
            {values.has(entry) ? <Values values={values.get(entry) ?? []} names={names} /> : null}
          </li>
        ))}
      </ul>
      {button}
      {more > 0 && button === null ? <p className="quiet">and {more} more</p> : null}
    </section>
  );
}

const RecordName = ({ id, names }: { id: string; names: RecordNames | null }) => (
  <span title={id}>{names === null ? WAITING : (names.get(id) ?? id)}</span>
);

export function Values({ values, names }: { values: readonly DifferentValue[]; names: RecordNames | null }) {
  const { currency } = useSignedIn().shop;
  const text = (field: string, value: unknown): ReactNode => {
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
    <ul className="lines quiet">
      {values.map(({ path, field, from, to }) => (
        <li key={path.join('/')}>
          {fieldText(path)}: <del>{text(field, from)}</del> <span aria-hidden="true">→</span>{' '}
          <ins>{text(field, to)}</ins>
        </li>
      ))}
    </ul>
  );
}
