/** What another editor did to the changeset since the reader saw it. */
import type { Schemas } from '../../client/call-table.ts';
import { isSame } from '../parts/merged-draft.ts';

type Comparison = Schemas['Comparison'];
type Entry = Comparison['added'][number];
type Modified = Comparison['modified'][number];
type Change = Modified['changes'][number];

export interface ForeignEdits {
  /** From what the reader saw to what it is now. */
  readonly made: Comparison;
  /** Entries that are gone: their records are again as in the live configuration. */
  readonly undone: readonly Entry[];
}

const keyOf = ({ kind, id }: Entry): string => `${kind} ${id}`;
export const entriesOf = ({ added, modified, removed }: Comparison): readonly Entry[] => [
  ...added,
  ...modified,
  ...removed,
];

export function foreignEdits(shown: Comparison, now: Comparison): ForeignEdits {
  const newOnes = <E extends Entry>(before: readonly E[], after: readonly E[]): E[] => {
    const known = new Map(before.map((entry) => [keyOf(entry), entry]));
    return after.filter((entry) => !isSame(known.get(keyOf(entry)), entry));
  };
  const left = new Set(entriesOf(now).map(keyOf));
  return {
    made: {
      added: newOnes(shown.added, now.added),
      modified: newOnes(shown.modified, now.modified).map((entry) => {
        const before = shown.modified.find((each) => keyOf(each) === keyOf(entry));
        return { ...entry, changes: furtherChanges(before?.changes ?? [], entry.changes) };
      }),
      removed: newOnes(shown.removed, now.removed),
    },
    undone: entriesOf(shown).filter((entry) => !left.has(keyOf(entry))),
  };
}

/** Each field from the value that was staged before; a field that no longer differs goes back to the live value. */
function furtherChanges(shown: readonly Change[], now: readonly Change[]): Change[] {
  const changed = now.map((change) => {
    const before = shown.find(({ field }) => field === change.field);
    return before === undefined ? change : { ...change, from: before.to };
  });
  const back = shown.filter(({ field }) => now.every((change) => change.field !== field));
  return [...changed, ...back.map(({ field, from, to }) => ({ field, from: to, to: from }))].filter(
    ({ from, to }) => !isSame(from, to),
  );
}
