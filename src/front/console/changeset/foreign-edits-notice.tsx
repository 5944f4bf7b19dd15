/** Says what another editor changed in the changeset while it was shown. */
import { Difference, entryText } from '../parts/difference.tsx';
import { Notice } from '../parts/notice.tsx';
import { entriesOf, type ForeignEdits } from './foreign-edits.ts';

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
