/**
 * The frame of an editor: the fields of one record, what another editor did to it, and the ways to save, undo and delete.
 * Refusals of the API stand at the field of their path, and what names no field above the buttons.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSignedIn } from '../app-state.ts';
import { fieldErrors } from '../service.ts';
import { CopyAsCurl } from './copy-as-curl.tsx';
import { DetailHeading } from './detail-heading.tsx';
import { Dialog } from './dialog.tsx';
import { Changes } from './difference.tsx';
import { FieldErrors } from './field.tsx';
import { fieldChanges } from './merged-draft.ts';
import { FailureNotice, Loading, Notice } from './notice.tsx';
import type { ForeignChange, RecordEditing } from './use-record.ts';

interface RecordEditorProps<D extends object> {
  readonly editing: RecordEditing<D>;
  readonly noun: string;
  readonly title: string;
  /** Where the record stands in its list, from 0, and how many there are; null where the order means nothing. */
  readonly place: readonly [position: number, count: number] | null;
  /** What else can be done with the record. */
  readonly actions?: ComponentChildren;
  /** The fields. */
  readonly children: (draft: D) => ComponentChildren;
  /** What is below the form, such as fields to try the draft with. */
  readonly below?: (draft: D) => ComponentChildren;
}

export function RecordEditor<D extends object>(props: RecordEditorProps<D>) {
  const { editing, noun, title, place, actions, children, below } = props;
  const section = useRef<HTMLElement>(null);
  const [isDeleting, setDeleting] = useState(false);
  const mayWrite = useSignedIn().key.permission !== 'read';
  const { draft, isDirty, isNew, write } = editing;
  const { failure } = write;
  useEffect(() => {
    if (failure !== null) section.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [failure]);
  const submit = (event: Event): void => {
    event.preventDefault();
    // The form holds not all fields: those below it refuse a text that names no value as well.
    const refused = section.current?.querySelector<HTMLInputElement>('input:invalid');
    if (refused) refused.reportValidity();
    else if (mayWrite && !write.isBusy) void editing.save();
  };
  return (
    <section ref={section} class="panel stack" aria-label={title}>
      <DetailHeading title={title} />
      {draft !== null ? null : editing.isGone ? (
        <Notice kind="bad">There is no such {noun}. It may have been deleted.</Notice>
      ) : editing.failure === null ? (
        <Loading what={`the ${noun}`} />
      ) : null}
      {draft === null ? (
        <FailureNotice failure={editing.failure} />
      ) : (
        <FieldErrors.Provider value={fieldErrors(failure)}>
          <form class="stack" aria-label={title} onSubmit={submit}>
            <fieldset class="stack" disabled={!mayWrite}>
              {children(draft)}
            </fieldset>
            {editing.isGone ? <GoneNotice editing={editing} noun={noun} /> : null}
            {editing.foreign === null ? null : <ForeignNotice editing={editing} foreign={editing.foreign} />}
            {editing.isGone ? null : <FailureNotice failure={editing.failure} />}
            {isDeleting ? null : <FailureNotice failure={failure} />}
            {mayWrite ? (
              <div class="row wrap record-buttons">
                <button type="submit" class="primary" aria-busy={write.isBusy}>
                  {isNew ? `Create the ${noun}` : 'Save'}
                </button>
                {isDirty ? (
                  <>
                    <button type="button" onClick={editing.discard}>
                      Undo what was typed
                    </button>
                    <CopyAsCurl run={editing.rehearse} />
                    <span class="badge warning">not saved</span>
                  </>
                ) : null}
                {actions}
                {place === null || isNew ? null : <MoveButtons editing={editing} place={place} />}
                {isNew ? null : (
                  <button type="button" class="last" onClick={() => setDeleting(true)}>
                    Delete…
                  </button>
                )}
              </div>
            ) : (
              <div class="row wrap">
                <p class="quiet">This key may read, not change.</p>
                {actions}
              </div>
            )}
          </form>
          {below?.(draft)}
          {isDeleting ? (
            <DeleteDialog editing={editing} noun={noun} title={title} onClose={() => setDeleting(false)} />
          ) : null}
        </FieldErrors.Provider>
      )}
    </section>
  );
}

interface MoveButtonsProps<D extends object> {
  readonly editing: RecordEditing<D>;
  readonly place: readonly [position: number, count: number];
}

function MoveButtons<D extends object>({ editing, place: [position, count] }: MoveButtonsProps<D>) {
  return (
    <>
      {position > 0 ? (
        <button type="button" onClick={() => editing.move(position - 1)}>
          Move up
        </button>
      ) : null}
      {position < count - 1 ? (
        <button type="button" onClick={() => editing.move(position + 1)}>
          Move down
        </button>
      ) : null}
      <span class="quiet">
        {position + 1} of {count}
      </span>
    </>
  );
}

interface ForeignNoticeProps<D extends object> {
  readonly editing: RecordEditing<D>;
  readonly foreign: ForeignChange<D>;
}

function ForeignNotice<D extends object>({ editing, foreign }: ForeignNoticeProps<D>) {
  const { from, to, contested } = foreign;
  return (
    <Notice kind="warning">
      <p>
        <strong>Another editor saved this record meanwhile.</strong> What you typed is kept and nothing of it
        is saved yet. They changed:
      </p>
      <Changes changes={fieldChanges(from, to)} />
      {contested.map((field) => (
        <p key={field} class="row wrap">
          You both changed {field}: the form has yours.
          <button type="button" onClick={() => editing.takeTheirs(field)}>
            Take theirs
          </button>
        </p>
      ))}
      <p>Save again to save the form as it is now.</p>
    </Notice>
  );
}

function GoneNotice<D extends object>({ editing, noun }: Pick<RecordEditorProps<D>, 'editing' | 'noun'>) {
  return (
    <Notice kind="warning">
      <p>Another editor deleted this {noun}. What you typed is kept.</p>
      <button type="button" onClick={editing.keepAsNew}>
        Make a new {noun} of it
      </button>
    </Notice>
  );
}

interface DeleteDialogProps<D extends object>
  extends Pick<RecordEditorProps<D>, 'editing' | 'noun' | 'title'> {
  readonly onClose: () => void;
}

function DeleteDialog<D extends object>({ editing, noun, title, onClose }: DeleteDialogProps<D>) {
  const { write } = editing;
  const close = (): void => {
    write.forget();
    onClose();
  };
  const remove = async (): Promise<void> => {
    if (await editing.remove()) onClose();
  };
  return (
    <Dialog title={`Delete ${title}?`} onClose={close}>
      <div class="stack">
        <p>The {noun} is gone after this; the history keeps it, so that a rollback can bring it back.</p>
        {editing.foreign === null ? null : (
          <Notice kind="warning">
            Another editor saved it meanwhile, and it was not deleted. Look again.
          </Notice>
        )}
        <FailureNotice failure={editing.failure} />
        <FailureNotice failure={write.failure} />
        <div class="row">
          <button type="button" class="danger" aria-busy={write.isBusy} onClick={remove}>
            Delete the {noun}
          </button>
          <button type="button" onClick={close}>
            Keep it
          </button>
        </div>
      </div>
    </Dialog>
  );
}
