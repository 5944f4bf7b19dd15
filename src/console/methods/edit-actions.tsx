/** What can be done with an edit and its method: save, discard, move, copy, delete. */
import { useState } from 'preact/hooks';
import { useApp } from '../app-state.ts';
import { CopyAsCurl } from '../parts/copy-as-curl.tsx';
import { NEW } from '../parts/use-record.ts';
import { editName, type MethodDraft } from './method-draft.ts';
import { ID_TO_COME, type MethodSave, rehearseSave } from './use-save-method.ts';

/** Places in the shop of the methods before and after one of the same zone and group. */
export interface Neighbours {
  readonly before: number | null;
  readonly after: number | null;
}

interface EditActionsProps {
  readonly base: MethodDraft | null;
  readonly draft: MethodDraft;
  readonly isChanged: boolean;
  readonly saving: MethodSave;
  readonly neighbours: Neighbours;
  readonly onDiscard: () => void;
}

export function EditActions({ base, draft, isChanged, saving, neighbours, onDiscard }: EditActionsProps) {
  const app = useApp();
  const [isAsked, setAsked] = useState(false);
  const { changeset } = app;
  const remove = async (saved: MethodDraft): Promise<void> => {
    setAsked(false);
    if (!(await saving.remove(saved))) return;
    app.drafts.delete(editName(saved.id ?? ''));
    app.message.value = `Deleted ${saved.name}`;
    app.set({ open: '' });
  };
  const move = async (saved: MethodDraft, position: number, way: string): Promise<void> => {
    if (await saving.move(saved, position)) app.message.value = `Moved ${saved.name} ${way}`;
  };
  const { before, after } = neighbours;
  return (
    <div class="row between wrap actions">
      <div class="row wrap">
        <button type="submit" class="primary" aria-busy={saving.isBusy}>
          {base === null ? 'Create the method' : changeset.value === null ? 'Save' : 'Save to the changeset'}
        </button>
        {isChanged ? (
          <>
            <button type="button" onClick={onDiscard}>
              Discard changes
            </button>
            <CopyAsCurl
              run={(calls) => rehearseSave(calls, { base, draft })}
              comment={
                draft.id === null && draft.rules.length > 0
                  ? `Put the id of the new method, from the first answer, in place of ${ID_TO_COME}`
                  : null
              }
            />
          </>
        ) : null}
        <span class="quiet">{isChanged ? 'Not saved' : base === null ? '' : 'All saved'}</span>
      </div>
      {base === null ? null : isAsked ? (
        <div class="row wrap">
          <button type="button" class="danger" onClick={() => remove(base)}>
            Delete {base.name}
            {base.rules.length === 0
              ? ''
              : ` and its ${base.rules.length === 1 ? 'rule' : `${base.rules.length} rules`}`}
          </button>
          <button type="button" onClick={() => setAsked(false)}>
            Keep it
          </button>
        </div>
      ) : (
        <div class="row wrap">
          {before === null ? null : (
            <button type="button" onClick={() => move(base, before, 'up')}>
              Move up
            </button>
          )}
          {after === null ? null : (
            <button type="button" onClick={() => move(base, after, 'down')}>
              Move down
            </button>
          )}
          <button type="button" onClick={() => app.set({ open: NEW, like: base.id ?? '' }, false)}>
            Copy
          </button>
          <button type="button" onClick={() => setAsked(true)}>
            Delete…
          </button>
        </div>
      )}
    </div>
  );
}
