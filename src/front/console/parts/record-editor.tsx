/**
 * The frame of an editor: the fields of one record, what another editor did to it, and the ways to save, undo, move and
 * delete. Refusals of the API stand at the field of their path, and what names no field above the buttons.
 */
import { Button, Menu } from '@mantine/core';
import IconArrowDown from '@tabler/icons-react/icons/IconArrowDown';
import IconArrowUp from '@tabler/icons-react/icons/IconArrowUp';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import {
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useApp, useSignedIn } from '../app-state.ts';
import { fieldText, uncapitalized } from '../labels.ts';
import { isolated } from '../words.ts';
import { CopyAsCurl } from './copy-as-curl.tsx';
import { Question } from './dialog.tsx';
import { Values } from './difference.tsx';
import { differentValues, recordLabels } from './different-values.ts';
import { FieldErrors } from './field.tsx';
import type { ListedRecord, Path } from './merged-draft.ts';
import { FailureNotice, Loading, Notice, showField } from './notice.tsx';
import { firstUnreadable, refusedText } from './number-field.tsx';
import { DetailHeading, MoreMenu } from './page.tsx';
import { referredKinds } from './referred-records.ts';
import { Unreadable, useUnreadable } from './unreadable.ts';
import type { ForeignChange, RecordEditing } from './use-record.ts';
import { useRecordNames } from './use-record-names.ts';

interface Move {
  readonly way: 'up' | 'down';
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
    { way: 'up', to: places[at - 1] } as const,
    { way: 'down', to: places[at + 1] } as const,
  ].filter((move) => move.to !== undefined);
  return { moves: moves as readonly Move[], text: `${at + 1} of ${places.length}` };
}

/** The parts are shown once the record is read. */
interface RecordEditorProps<D extends object> {
  readonly editing: RecordEditing<D>;
  /** null where the record is not in the list. */
  readonly place: ListPlace | null;
  /** What else can be done with the record: items of the menu at its heading. */
  readonly actions?: ReactNode;
  /** The fields. */
  readonly children: ReactNode;
  /** Above the form: a part of the record that is a form of its own. */
  readonly above?: ReactNode;
  /** Below the form, such as fields of a form of their own. */
  readonly below?: ReactNode;
  /** Beside the form and what is above and below it. */
  readonly beside?: ReactNode;
  /** Errors that were found before a save, by path. */
  readonly errors?: ReadonlyMap<string, string>;
  /** The dialog of a deletion, where another one than usual is needed. */
  readonly deletion?: ((onClose: () => void) => ReactNode) | undefined;
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
  const saveText = changeset.value === null ? 'Save' : 'Save to the draft';
  const items = [
    actions,
    mayWrite && !isNew && place !== null ? <MoveItems key="move" {...{ editing, place }} /> : null,
    mayWrite && editing.isDirty ? (
      <CopyAsCurl key="curl" isItem run={editing.rehearse} comment={comment ?? null} />
    ) : null,
    mayWrite && !isNew ? (
      <Menu.Item
        key="delete"
        color="red"
        leftSection={<IconTrash size={16} />}
        onClick={() => setDeleting(true)}
      >
        Delete…
      </Menu.Item>
    ) : null,
  ];
  const menu = items.every((item) => item == null) ? null : <MoreMenu>{items}</MoreMenu>;
  return (
    <FieldErrors.Provider value={new Map([...errors, ...editing.errors])}>
      <section className="panel stack" aria-label={title}>
        <DetailHeading title={title} menu={draft === null ? null : menu} />
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
            >
              {children}
            </EditForm>
            {below}
            {!isDeleting ? null : props.deletion === undefined ? (
              <DeleteDialog {...{ editing, goesAlong }} onClose={() => setDeleting(false)} />
            ) : (
              props.deletion(() => setDeleting(false))
            )}
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
  readonly children: ReactNode;
}

/** The fields of a draft with what became of it, and the buttons that save and undo it. */
export function EditForm<D extends object>(props: EditFormProps<D>) {
  const { editing, mayWrite, saveText, isAsking = false, children } = props;
  const app = useApp();
  const form = useRef<HTMLFormElement>(null);
  const notices = useRef<HTMLDivElement>(null);
  const around = useContext(Unreadable);
  const own = useUnreadable();
  const fields = useMemo(
    () => ({
      isAny: own.isAny,
      report: (field: string, isBad: boolean): void => {
        own.report(field, isBad);
        around.report(field, isBad);
      },
    }),
    [own, around.report],
  );
  const { noun, title, isDirty, isNew, isBusy, isGone, foreign, refusal, prefix } = editing;
  useEffect(() => {
    if (isAsking || (refusal === null && foreign === null && !isGone)) return;
    // The refused field or the notice may be out of sight in a long form.
    const field = form.current?.parentElement?.querySelector<HTMLElement>('[aria-invalid=true]');
    if (field != null) setTimeout(() => showField(field));
    else notices.current?.focus();
  }, [refusal, foreign, isGone]);
  const leave = useRef(() => {});
  /** What cannot be read is lost with the form: a draft holds values only. */
  leave.current = () => {
    const refused = form.current?.querySelectorAll<HTMLInputElement>('input:invalid') ?? [];
    const isLost = [...refused].some(({ validity, value }) => validity.customError && value.trim() !== '');
    if (isLost && !isBusy && app.signedIn.value !== null)
      app.refuse(`Not kept: what could not be read in ${title}`);
  };
  // While its fields are still there.
  useLayoutEffect(() => () => leave.current(), []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // The form holds not all fields: what is above and below it must be readable as well.
    const around = form.current?.closest('section') ?? form.current;
    const unreadable = around === null ? null : firstUnreadable(around);
    if (unreadable !== null) {
      showField(unreadable);
      app.refuse(refusedText('saved', unreadable));
    } else if (mayWrite) void editing.save();
  };
  return (
    <form className="stack in-order" aria-label={title} ref={form} noValidate onSubmit={submit}>
      {editing.isKept ? (
        <Notice kind="info">This is an edit that you did not save before. Nothing of it is saved yet.</Notice>
      ) : null}
      {mayWrite ? null : <p className="quiet">This key may read this {noun}, not change it.</p>}
      <fieldset className="stack whole" disabled={!mayWrite}>
        <Unreadable.Provider value={fields}>{children}</Unreadable.Provider>
      </fieldset>
      <div className="stack save-state" ref={notices} tabIndex={-1}>
        {isGone ? (
          <Notice kind="warning">
            <p>Another editor deleted this {noun}. What you typed is kept.</p>
            <Button onClick={editing.keepAsNew}>Make a new {noun} of it</Button>
          </Notice>
        ) : (
          <FailureNotice failure={editing.failure} />
        )}
        {foreign === null ? null : <ForeignNotice editing={editing} foreign={foreign} />}
        {isAsking ? null : <FailureNotice failure={refusal} prefix={prefix} />}
      </div>
      {/* It stays in view, and covers no field. */}
      {mayWrite ? (
        <div className="save-bar">
          <Button variant="filled" type="submit" aria-busy={isBusy}>
            {saveText}
          </Button>
          {isDirty ? <Button onClick={editing.discard}>Discard changes</Button> : null}
          <span className="quiet" role="status">
            {isDirty || own.isAny ? 'Not saved' : isNew ? '' : 'All saved'}
          </span>
        </div>
      ) : null}
    </form>
  );
}

interface MoveItemsProps<D extends object> {
  readonly editing: RecordEditing<D>;
  readonly place: ListPlace;
}

const ARROWS = { up: <IconArrowUp size={16} />, down: <IconArrowDown size={16} /> };

const MoveItems = <D extends object>({ editing, place: { moves, text } }: MoveItemsProps<D>) => (
  <>
    <Menu.Label>{text}</Menu.Label>
    {moves.map(({ way, to }) => (
      <Menu.Item key={way} leftSection={ARROWS[way]} onClick={() => editing.move(to, way)}>
        Move {way}
      </Menu.Item>
    ))}
    {moves.map(({ way, to }) => (
      <CopyAsCurl
        key={way}
        isItem
        label={`Move ${way}, as curl`}
        run={(calls) => editing.rehearseMove(calls, to)}
      />
    ))}
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
  const typed = editing.draft === null ? [] : differentValues(to, editing.draft);
  const names = useRecordNames(referredKinds([...values, ...typed]), NONE_KNOWN);
  /** What the form has at a contested path in place of theirs. */
  const ownValues = (path: Path) => {
    const named = namedPath(path, from, to);
    return typed.filter((value) => named.every((part, at) => value.path[at] === part));
  };
  return (
    <Notice kind="warning">
      <div className="stack" role="alert">
        <p>
          <strong>Another editor saved this {editing.noun} meanwhile. Yours is not saved yet</strong>, and
          what you typed is still here. They changed:
        </p>
        <Values {...{ values, names }} />
        {contested.map((path) => (
          <div key={path.join('/')}>
            <p className="row wrap">
              You both changed {uncapitalized(fieldText(namedPath(path, from, to)))}: the form has yours.
              <Button size="compact-sm" onClick={() => editing.takeTheirs(path)}>
                Take theirs
              </Button>
            </p>
            <p className="quiet">Theirs, and yours:</p>
            <Values values={ownValues(path)} names={names} />
          </div>
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

export function DeleteDialog<D extends object>({ editing, goesAlong, onClose }: DeleteDialogProps<D>) {
  const { noun, title, foreign, failure, refusal, isBusy } = editing;
  const close = (): void => {
    editing.forget();
    onClose();
  };
  const remove = async (): Promise<void> => {
    if (await editing.remove()) onClose();
  };
  return (
    <Question
      title={`Delete ${isolated(title)}?`}
      action={`Delete the ${noun}`}
      keep="Keep it"
      isBusy={isBusy}
      curl={editing.rehearseRemove}
      onAction={remove}
      onClose={close}
    >
      <p>
        The {noun}
        {goesAlong ? ` and ${goesAlong}` : ''} will be gone; the history keeps them, so that a rollback can
        bring them back.
      </p>
      {foreign === null ? null : (
        <Notice kind="warning">Another editor saved it meanwhile, and it was not deleted. Look again.</Notice>
      )}
      <FailureNotice failure={failure} />
      <FailureNotice failure={refusal} />
    </Question>
  );
}
