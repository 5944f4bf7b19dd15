/** What another editor did to the changeset since the reader saw it. */
import type { CallFailure } from '../../client/call-outcome.ts';
import type { Schemas } from '../../client/call-table.ts';
import { Difference, entryText } from '../parts/difference.tsx';
import { isSame } from '../parts/merged-draft.ts';
import { Notice } from '../parts/notice.tsx';

type Comparison = Schemas['Comparison'];
type Entry = Comparison['added'][number];

/** Instead of an answer to a write that was not sent, because the changeset is another than the reader saw. */
export const CHANGED_MEANWHILE: CallFailure = {
  ok: false,
  code: 'CONFLICT',
  message: 'the changeset was changed meanwhile',
  status: null,
  retryAfterMs: null,
  requestId: null,
  attempts: 1,
  mayHaveHappened: false,
};

export interface ForeignEdits {
  /** Entries that were other ones, or none. */
  readonly made: Comparison;
  /** Entries that are gone: the records are as they are live. */
  readonly undone: readonly Entry[];
}

const keyOf = ({ kind, id }: Entry): string => `${kind} ${id}`;
const entriesOf = ({ added, modified, removed }: Comparison): readonly Entry[] => [
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
      modified: newOnes(shown.modified, now.modified),
      removed: newOnes(shown.removed, now.removed),
    },
    undone: entriesOf(shown).filter((entry) => !left.has(keyOf(entry))),
  };
}

export const ForeignEditsNotice = ({ edits: { made, undone } }: { readonly edits: ForeignEdits }) => (
  <Notice kind="warning">
    <div class="stack" role="alert">
      <h2>Another editor changed the changeset meanwhile</h2>
      <p>It is neither promoted nor discarded. This is new:</p>
      {entriesOf(made).length === 0 ? null : <Difference difference={made} />}
      {undone.length === 0 ? null : <p>As it is live again: {undone.map(entryText).join(', ')}.</p>}
      <p>Below is all that it changes now.</p>
    </div>
  </Notice>
);
