/** Why the last save did not save all: what failed, or what another editor changed meanwhile. */
import { useEffect, useRef } from 'preact/hooks';
import { Difference } from '../parts/difference.tsx';
import { FailureNotice, Notice } from '../parts/notice.tsx';
import { comparisonOf } from './method-draft.ts';
import type { Conflict, MethodSave } from './use-save-method.ts';

export function SaveState({ saving: { problem, conflict, isGone } }: { readonly saving: MethodSave }) {
  const notices = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem === null && conflict === null && !isGone) return;
    // The reader may be anywhere in a long form: to the refused field, or to what is said here.
    const field = notices.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid=true]');
    (field ?? notices.current)?.focus();
  }, [problem, conflict, isGone]);
  return (
    <div class="stack save-state" ref={notices} tabIndex={-1}>
      <FailureNotice failure={problem?.failure ?? null} prefix={problem?.prefix} />
      {isGone ? (
        <Notice kind="warning">
          Somebody deleted this method meanwhile. What you typed is still here: saving makes it a new method.
        </Notice>
      ) : null}
      {conflict === null ? null : <ConflictNotice conflict={conflict} />}
    </div>
  );
}

function ConflictNotice({ conflict: { from, to, clashes } }: { readonly conflict: Conflict }) {
  return (
    <Notice kind="warning">
      <div class="stack" role="alert">
        <p>
          <strong>Somebody else saved this method while you edited it. Yours is not saved yet</strong>, and
          what you typed is still here. They changed:
        </p>
        <Difference difference={comparisonOf(from, to)} />
        <p>
          {clashes.length === 0
            ? 'The fields now hold theirs and yours. Saving keeps both.'
            : `You changed the same: ${clashes.join(', ')}. Saving puts yours in place of theirs; the rest of theirs stays.`}
        </p>
      </div>
    </Notice>
  );
}
