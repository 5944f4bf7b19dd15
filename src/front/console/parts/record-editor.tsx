/**
 * The frame of an editor: the fields of one record, what another editor did to it, and the ways to save, undo, move and
 * delete. Refusals of the API stand at the field of their path, and what names no field above the buttons.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useApp, useSignedIn } from '../app-state.ts';
import { fieldText } from '../labels.ts';
import { CopyAsCurl } from './copy-as-curl.tsx';
import { DetailHeading } from './detail-heading.tsx';
import { Dialog } from './dialog.tsx';
import { Values } from './difference.tsx';
import { differentValues, recordLabels } from './different-values.ts';
import { FieldErrors, firstUnreadable } from './field.tsx';
import type { ListedRecord, Path } from './merged-draft.ts';
import { FailureNotice, Loading, Notice } from './notice.tsx';
import { referredKinds } from './referred-records.ts';
import type { ForeignChange, RecordEditing } from './use-record.ts';
import { useRecordNames } from './use-record-names.ts';

interface Move {
  readonly way: 'up' | 'down';
  readonly sign: string;
  /** The place in its list, from 0. */
  readonly to: number;
}

/** Where a record is in its list, and where it can move. */
export interface ListPlace {
  readonly moves: readonly Move[];
  /** `2 of 5` */
  readonly text: string;
}

/** `places` are those of the records that are listed together; `at` is the index of the record among them, or -1. */
export function listPlace(at: number, places: readonly number[]): ListPlace | null {
  if (at < 0) return null;
  const moves = [
    { way: 'up', sign: '↑', to: places[at - 1] } as const,
    { way: 'down', sign: '↓', to: places[at + 1] } as const,
  ].filter((move) => move.to !== undefined);
  return { moves: moves as readonly Move[], text: `${at + 1} of ${places.length}` };
}

/** The parts are shown once the record is read. */
interface RecordEditorProps<D extends object> {
  readonly editing: RecordEditing<D>;
  /** null where the record is not in the list. */
  readonly place: ListPlace | null;
  /** What else can be done with the record. */
  readonly actions?: ComponentChildren;
  /** The fields. */
  readonly children: ComponentChildren;
  /** Above the form: a part of the record that is a form of its own. */
  readonly above?: ComponentChildren;
  /** Below the form, such as fields of a form of their own. */
  readonly below?: ComponentChildren;
  /** Beside the form and what is above and below it. */
  readonly beside?: ComponentChildren;
  /** Errors that were found before a save, by path. */
  readonly errors?: ReadonlyMap<string, string>;
  /** What is deleted together with the record, such as `its 2 rules`. */
  readonly goesAlong?: string;
  /** Above the commands of a save. */
  readonly comment?: string | null;
}

export function RecordEditor<D extends object>(props: RecordEditorProps<D>) {
  const { editing, place, actions, children, above, below, beside, errors = [], goesAlong, comment } = props;
  const [isDeleting, setDeleting] = useState(false);
  const { changeset } = useApp();
  const { mayWrite } = useSignedIn();
  const { draft, noun, title, isNew } = editing;
  const saveText = changeset.value === null ? 'Save' : 'Save to the changeset';
  return (
    <FieldErrors.Provider value={new Map([...errors, ...editing.errors])}>
      <section class="panel stack" aria-label={title}>
        <DetailHeading title={title} />
        {draft !== null ? null : editing.isGone ? (
          <Notice kind="bad">There is no such {noun}. It may have been deleted.</Notice>
        ) : (
          <Loading what={`the ${noun}`} failure={editing.failure} />
        )}
        {draft === null ? null : (
          <>
            {above}
            <EditForm
              editing={editing}
              mayWrite={mayWrite}
              isAsking={isDeleting}
              saveText={isNew ? `Create the ${noun}` : saveText}
              comment={comment ?? null}
              buttons={
                <>
                  {actions}
                  {isNew || place === null ? null : <MoveButtons {...{ editing, place }} />}
                  {isNew ? null : (
                    <button type="button" class="last" onClick={() => setDeleting(true)}>
                      Delete…
                    </button>
                  )}
                </>
              }
            >
              {children}
            </EditForm>
            {mayWrite ? null : <div class="row wrap">{actions}</div>}
            {below}
            {isDeleting ? (
              <DeleteDialog {...{ editing, goesAlong }} onClose={() => setDeleting(false)} />
            ) : null}
          </>
        )}
      </section>
      {draft === null ? null : beside}
    </FieldErrors.Provider>
  );
}

interface EditFormProps<D extends object> {
  readonly editing: RecordEditing<D>;
  readonly mayWrite: boolean;
  readonly saveText: string;
  /** A dialog shows why a write was refused. */
  readonly isAsking?: boolean;
  readonly comment?: string | null;
  /** Beside those of saving and undoing. */
  readonly buttons?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The fields of a draft with what became of it, and the buttons that save and undo it. */
export function EditForm<D extends object>(props: EditFormProps<D>) {
  const { editing, mayWrite, saveText, isAsking = false, comment = null, buttons, children } = props;
  const app = useApp();
  const form = useRef<HTMLFormElement>(null);
  const notices = useRef<HTMLDivElement>(null);
  const { noun, title, isDirty, isNew, isBusy, isGone, foreign, refusal, prefix } = editing;
  useEffect(() => {
    if (isAsking || (refusal === null && foreign === null && !isGone)) return;
    // The refused field or the notice may be out of sight in a long form.
    const field = form.current?.parentElement?.querySelector<HTMLElement>('[aria-invalid=true]');
    (field ?? notices.current)?.focus();
  }, [refusal, foreign, isGone]);
  const submit = (event: Event): void => {
    event.preventDefault();
    // The form holds not all fields: what is above and below it must be readable as well.
    const around = form.current?.closest('section') ?? form.current;
    const unreadable = around === null ? null : firstUnreadable(around);
    const fold = unreadable?.closest('details');
    if (fold) fold.open = true;
    unreadable?.focus();
    if (unreadable !== null) app.message.value = 'Not saved: this field cannot be read';
    else if (mayWrite) void editing.save();
  };
  return (
    <form class="stack in-order" aria-label={title} ref={form} noValidate onSubmit={submit}>
      {editing.isKept ? (
        <Notice kind="info">This is an edit that you did not save before. Nothing of it is saved yet.</Notice>
      ) : null}
      {mayWrite ? null : <p class="quiet">This key may read this {noun}, not change it.</p>}
      <fieldset class="stack whole" disabled={!mayWrite}>
        {children}
      </fieldset>
      <div class="stack save-state" ref={notices} tabIndex={-1}>
        {isGone ? (
          <Notice kind="warning">
            <p>Another editor deleted this {noun}. What you typed is kept.</p>
            <button type="button" onClick={editing.keepAsNew}>
              Make a new {noun} of it
            </button>
          </Notice>
        ) : (
          <FailureNotice failure={editing.failure} />
        )}
        {foreign === null ? null : <ForeignNotice editing={editing} foreign={foreign} />}
        {isAsking ? null : <FailureNotice failure={refusal} prefix={prefix} />}
      </div>
      {mayWrite ? (
        <div class="row wrap record-buttons">
          <button type="submit" class="primary" aria-busy={isBusy}>
            {saveText}
          </button>
          {isDirty ? (
            <>
              <button type="button" onClick={editing.discard}>
                Discard changes
              </button>
              <CopyAsCurl run={editing.rehearse} comment={comment} />
            </>
          ) : null}
          <span class="quiet">{isDirty ? 'Not saved' : isNew ? '' : 'All saved'}</span>
          {buttons}
        </div>
      ) : null}
    </form>
  );
}

interface MoveButtonsProps<D extends object> {
  readonly editing: RecordEditing<D>;
  readonly place: ListPlace;
}

const MoveButtons = <D extends object>({ editing, place: { moves, text } }: MoveButtonsProps<D>) => (
  <>
    {moves.map(({ way, sign, to }) => (
      <button
        key={way}
        type="button"
        aria-label={`Move ${way}`}
        title={`Move ${way}`}
        onClick={() => editing.move(to, way)}
      >
        {sign}
      </button>
    ))}
    <span class="quiet">{text}</span>
    {moves.length === 0 ? null : (
      <details>
        <summary>Move as curl</summary>
        <div class="row wrap">
          {moves.map(({ way, to }) => (
            <CopyAsCurl
              key={way}
              label={`Move ${way}, as curl`}
              run={(calls) => editing.rehearseMove(calls, to)}
            />
          ))}
        </div>
      </details>
    )}
  </>
);

interface ForeignNoticeProps<D extends object> {
  readonly editing: RecordEditing<D>;
  readonly foreign: ForeignChange<D>;
}

/** The path with the name of a record in place of its id. */
function namedPath([field = '', id, ...rest]: Path, from: object, to: object): Path {
  if (id === undefined) return [field];
  const [before = [], now = []] = [from, to].map(
    (draft) => (draft as Record<string, readonly ListedRecord[] | undefined>)[field],
  );
  return [field, `“${recordLabels(before, now).get(id) ?? id}”`, ...rest];
}

const NONE_KNOWN = {};

function ForeignNotice<D extends object>({ editing, foreign }: ForeignNoticeProps<D>) {
  const { from, to, contested } = foreign;
  const values = useMemo(() => differentValues(from, to), [from, to]);
  const names = useRecordNames(referredKinds(values), NONE_KNOWN);
  return (
    <Notice kind="warning">
      <div class="stack" role="alert">
        <p>
          <strong>Another editor saved this {editing.noun} meanwhile. Yours is not saved yet</strong>, and
          what you typed is still here. They changed:
        </p>
        <Values {...{ values, names }} />
        {contested.map((path) => (
          <p key={path.join('/')} class="row wrap">
            You both changed {fieldText(namedPath(path, from, to))}: the form has yours.
            <button type="button" onClick={() => editing.takeTheirs(path)}>
              Take theirs
            </button>
          </p>
        ))}
        <p>
          {contested.length === 0
            ? 'The form now holds theirs and yours. Saving keeps both.'
            : 'Saving puts yours in place of theirs there; the rest of theirs stays.'}
        </p>
      </div>
    </Notice>
  );
}

interface DeleteDialogProps<D extends object> {
  readonly editing: RecordEditing<D>;
  readonly goesAlong: string | undefined;
  readonly onClose: () => void;
}

function DeleteDialog<D extends object>({ editing, goesAlong, onClose }: DeleteDialogProps<D>) {
  const { noun, title, foreign, failure, refusal, isBusy } = editing;
  const close = (): void => {
    editing.forget();
    onClose();
  };
  const remove = async (): Promise<void> => {
    if (await editing.remove()) onClose();
  };
  return (
    <Dialog title={`Delete ${title}?`} onClose={close}>
      <div class="stack">
        <p>
          The {noun}
          {goesAlong ? ` and ${goesAlong}` : ''} will be gone; the history keeps them, so that a rollback can
          bring them back.
        </p>
        {foreign === null ? null : (
          <Notice kind="warning">
            Another editor saved it meanwhile, and it was not deleted. Look again.
          </Notice>
        )}
        <FailureNotice failure={failure} />
        <FailureNotice failure={refusal} />
        <div class="row wrap">
          <button type="button" class="danger" aria-busy={isBusy} onClick={remove}>
            Delete the {noun}
          </button>
          <CopyAsCurl run={editing.rehearseRemove} />
          <button type="button" onClick={close}>
            Keep it
          </button>
        </div>
      </div>
    </Dialog>
  );
}
