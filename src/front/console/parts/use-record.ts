/**
 * A record while it is edited. The draft is kept while the console is open, also while the reader is on another page.
 * Before a write the record is read again and compared with what the draft began with: a change of another editor is merged
 * into the draft and shown before anything is saved. `If-Match` guards the moment between the reading and the write, in a
 * changeset as in the live configuration.
 */
import { useRef, useState } from 'react';
import type { CallFailure, CallOutcome } from '../../client/call-outcome.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import type { Writes } from '../guarded-calls.ts';
import { newKey } from '../new-key.ts';
import { fieldErrors } from '../service.ts';
import { capitalized } from '../words.ts';
import { type ChecksAfter, watchChecks } from './checks-sentence.ts';
import { isRecordList, isSame, mergedDraft, type Path, withIds, withTheirs } from './merged-draft.ts';
import { NOTHING, type RecordKind, writesOf } from './record-kind.ts';
import { useAnswer } from './use-answer.ts';
import { misdirected, TRIES_MAX, useLeft, useUndo, useWrite } from './use-write.ts';

/** Stands for the id of a record that is not saved yet. */
export const NEW = 'new';

/** What another editor saved while the draft was typed. */
export interface ForeignChange<D> {
  readonly from: D;
  readonly to: D;
  /** What both changed; the draft has what was typed. */
  readonly contested: readonly Path[];
}

interface Editing<D> {
  /** What the service had when the draft was last compared with it. */
  readonly base: D;
  readonly draft: D;
  readonly foreign: ForeignChange<D> | null;
}

export type RecordEditing<D extends object> = ReturnType<typeof useRecord<D>>;

/** The tag with which the record was compared, for `If-Match`; null for a new record, and for one that no version describes. */
interface Compared {
  readonly seen: string | null;
}

/** The part of a draft that a path leads into: a record of a list, or a field. */
function partAt(draft: object | null, path: string): unknown {
  const [, field = '', id] = path.split('/');
  const value = (draft as Readonly<Record<string, unknown>> | null)?.[field];
  return isRecordList(value) ? value.find((each) => each.id === id) : value;
}

const begun = <D>(fields: D): Editing<D> => ({ base: fields, draft: fields, foreign: null });

/**
 * `blank` are the fields that a new record begins with; `told` says what the message about a save adds. The part that calls
 * this must have the id as its key.
 */
export function useRecord<D extends object>(
  kind: RecordKind<D>,
  openId: string,
  blank: D,
  told: (before: D | null, after: D) => string = () => '',
) {
  const app = useApp();
  const { calls } = useSignedIn();
  const undoTo = useUndo();
  /** Becomes the id that the service gives to a new record; the editor stays. */
  const record = useRef(openId);
  const id = record.current;
  const isNew = id === NEW;
  const draftName = (of = record.current): string => `${kind.page} ${of}`;
  const write = useWrite(draftName());
  const isLeft = useLeft();
  const [isKept, setKept] = useState(() => app.drafts.has(draftName()));
  const state = useRef<Editing<D> | null>(
    (app.drafts.get(draftName()) as Editing<D> | undefined) ?? (isNew ? begun(blank) : null),
  );
  const [, redraw] = useState<unknown>(null);
  const [isGone, setGone] = useState(false);
  const [readFailure, setReadFailure] = useState<CallFailure | null>(null);
  const [prefix, setPrefix] = useState('');
  const [isBusy, setBusy] = useState(false);
  const busy = useRef(false);
  /** Where the page said that writes go when the task began. */
  const destination = useRef(app.destination);
  const isSaveAsked = useRef(false);
  /** The draft of which the last write was sent. */
  const sent = useRef<D | null>(null);

  const put = (editing: Editing<D>): void => {
    state.current = editing;
    if (isSame(editing.base, editing.draft)) app.drafts.delete(draftName());
    else app.drafts.set(draftName(), editing);
    redraw(editing);
  };

  /** The reader may have left this editor, and typed on in another one of the record. */
  const latest = <T>(own: T): T =>
    (isLeft.current ? (app.drafts.get(draftName()) as T | undefined) : undefined) ?? own;

  /** Merges what the service has now into the draft; true when the reader must see that first. */
  const take = (theirs: D, isAsked: boolean): boolean => {
    const last = state.current;
    if (last === null) put(begun(theirs));
    if (last === null || isSame(last.base, theirs)) return false;
    const { draft, contested, isNews } = mergedDraft(last.base, last.draft, theirs);
    const isShown = isNews && (isAsked || !isSame(last.base, last.draft));
    const foreign = isShown ? { from: last.base, to: theirs, contested } : last.foreign;
    put({ base: theirs, draft, foreign });
    return isShown;
  };

  const { failure } = useAnswer(
    async (signal) => {
      // While this editor writes, the answer of the write tells what the record is, or that it is deleted.
      if (isNew || busy.current) return NOTHING;
      const outcome = await kind.read(calls, id, { signal });
      // What is read between the writes of a save is older than what they leave.
      if (signal.aborted || busy.current) return outcome;
      setGone(!outcome.ok && outcome.code === 'NOT_FOUND');
      if (outcome.ok) {
        setReadFailure(null);
        take(outcome.value, false);
      }
      return outcome;
    },
    [id],
  );

  /** The form turned out to be old, so what stands beside it is too, and is read again. */
  const readBeside = (): void => {
    write.forget();
    app.writes.value++;
  };

  /** Reads the record again; null when nothing may be written yet, which the page then explains. */
  const compared = async (): Promise<Compared | null> => {
    // There is no record yet that another editor could have changed.
    if (record.current === NEW) return { seen: null };
    const outcome = app.seen(await kind.read(calls, record.current, {}));
    setReadFailure(outcome.ok ? null : outcome);
    setGone(!outcome.ok && outcome.code === 'NOT_FOUND');
    if (!outcome.ok) return null;
    const { value, entityTag } = outcome;
    const wrong = misdirected(entityTag, destination.current);
    if (wrong !== null) {
      await app.readChangeset();
      write.forget();
      app.refuse(wrong.message);
      return null;
    }
    if (!take(value, true)) return { seen: entityTag };
    readBeside();
    return null;
  };

  /** Sends a write for what was just compared; null when nothing may be written yet. */
  const guarded = async <T>(
    content: unknown,
    call: (writes: Writes) => Promise<CallOutcome<T>>,
    known: Compared | null = null,
    prefix = '',
  ): Promise<CallOutcome<T> | null> => {
    setPrefix(prefix);
    let looked = known ?? (await compared());
    for (let tries = 0; looked !== null; tries++) {
      const { seen }: Compared = looked;
      sent.current = state.current?.draft ?? null;
      const isSetting = seen === null && record.current !== NEW;
      const outcome = await write.send(content, call, seen, isSetting ? undefined : destination.current);
      if (outcome.ok || outcome.code !== 'CONFLICT' || tries === TRIES_MAX) return outcome;
      looked = await compared();
      // The record and the tag are the same: the write itself is refused.
      if (looked?.seen === seen) return outcome;
    }
    return null;
  };

  /** Null when another task runs: a button was pressed twice. */
  async function whileBusy<T>(task: () => Promise<T>): Promise<T | null> {
    if (busy.current) return null;
    busy.current = true;
    destination.current = app.destination;
    setBusy(true);
    try {
      return await task();
    } finally {
      busy.current = false;
      setBusy(false);
    }
  }

  /** True when all is saved. A refusal is said here where the editor, which would have said why, is gone. */
  const save = async (done?: string): Promise<boolean> => {
    const isSaved = await written(done);
    if (isSaved || !isLeft.current || state.current === null) return isSaved;
    const name = kind.titleOf(state.current.draft) || `the new ${kind.noun}`;
    app.refuse(`Not saved: ${name}. Your edit is kept: open it and save again`);
    return false;
  };

  /** One write after the other. The reader can go on typing meanwhile. */
  const written = async (done = 'Saved'): Promise<boolean> => {
    if (state.current === null) return false;
    if (!isNew && writesOf(kind, state.current.base, state.current.draft).length === 0) {
      app.say('There is nothing to save: nothing was changed');
      return true;
    }
    const { view } = app;
    const [checks, read] = await Promise.all([watchChecks(calls, view), compared()]);
    if (read === null) return false;
    const { seen } = read;
    let now: Compared | null = read;
    const before = isNew ? null : state.current.base;
    let { base, draft }: { readonly base: D | null; readonly draft: D } = state.current;
    if (isNew) base = null;
    // By a write whose answer was lost.
    const isDone = kind.next(base, draft) === null;
    if (isDone) readBeside();
    const batch = writesOf(kind, base, draft).length > 1 ? { batchId: newKey() } : {};
    for (let step = kind.next(base, draft); step !== null; step = kind.next(base, draft)) {
      const { content, send, take: taken } = step;
      const outcome: CallOutcome<unknown> | null = await guarded(
        content,
        (writes) => send(writes, record.current, batch),
        now,
        step.prefix,
      );
      if (outcome === null || !outcome.ok) return false;
      const { saved, draft: written, id: given, ids = [] } = taken(outcome.value);
      const { draft: last } = latest(state.current);
      if (base === null && given !== undefined) {
        app.drafts.delete(draftName());
        record.current = given;
        // Another editor of it, which was opened meanwhile, gives way to one of the record.
        if (!isLeft.current) app.created = given;
        app.setOf(kind.page, NEW, { open: given, like: '' });
      }
      const typed = mergedDraft(withIds(draft, ids), withIds(last, ids), written).draft;
      put({ base: saved, draft: typed, foreign: null });
      [base, draft] = [saved, written];
      // No answer to a write has the tag of a draft.
      now = view === 'live' ? { seen: outcome.versionId } : null;
    }
    setKept(false);
    const after = draft;
    // It began between the reading and the write.
    const meanwhile =
      view === 'live' && app.view === 'staged'
        ? 'A draft was opened meanwhile: it may have gone to that'
        : '';
    const what =
      done === 'Saved'
        ? [`Saved ${kind.titleOf(after)}`, told(before, after), meanwhile]
        : [`${done}: ${kind.titleOf(after)} is as it was before`, meanwhile];
    const undo = async (): Promise<void> => {
      const tried = await (before === null
        ? remove('Taken back: deleted')
        : whileBusy(() => takeBack(before, after)));
      if (tried === null) app.refuse('Not taken back: another save is running', undo);
    };
    const said = what.filter((text) => text !== '').join('. ');
    report(said, seen, checks, isDone || done !== 'Saved' ? undefined : undo);
    return true;
  };

  /** A save that is asked for while another task runs follows a save that was done, with what was typed meanwhile. */
  const saveAll = async (): Promise<void> => {
    isSaveAsked.current = true;
    let isSaved: boolean | null = true;
    while (isSaved === true && isSaveAsked.current) {
      isSaved = await whileBusy(() => {
        isSaveAsked.current = false;
        return save();
      });
      const last = state.current;
      if (last === null || isSame(last.base, last.draft)) isSaveAsked.current = false;
    }
  };

  /** What was typed since the save stays. */
  const takeBack = async (before: D, written: D): Promise<boolean> => {
    const last = state.current;
    if (last === null) return false;
    put({ ...last, draft: mergedDraft(written, last.draft, before).draft });
    return save('Taken back');
  };

  /** Says what was done, and what that did to the checks once it is known. */
  const report = (done: string, seen: string | null, checksAfter: ChecksAfter, undo?: () => void): void =>
    // What no version describes, such as a setting, changes no price.
    app.say(done, undo, seen === null && !isNew ? undefined : checksAfter(seen));

  const remove = (done = 'Deleted'): Promise<boolean | null> =>
    whileBusy(async () => {
      const [checks, known] = await Promise.all([watchChecks(calls, app.view), compared()]);
      if (known === null) return false;
      const { seen } = known;
      const removed = await guarded(
        'remove',
        async (writes) => (await kind.remove?.(writes, record.current, {})) ?? NOTHING,
        known,
      );
      if (removed?.ok !== true) return false;
      app.drafts.delete(draftName());
      // The title of the editor is older where it made the record.
      const gone = (state.current !== null && kind.titleOf(state.current.base)) || title;
      // A draft has no version to go back to; to discard it is on its own page.
      const before = app.view === 'live' ? seen : null;
      report(`${done} ${gone}`, seen, checks, undoTo(before, removed.versionId, `${gone} is back`));
      app.setOf(kind.page, record.current, { open: '' });
      return true;
    });

  const editing = state.current;
  const title =
    (editing !== null && kind.titleOf(editing.base)) || (isNew ? `New ${kind.noun}` : capitalized(kind.noun));
  // What was corrected since is judged anew by the next save.
  const errors = [...fieldErrors(write.failure)]
    .map(([path, text]) => [prefix + path, text] as const)
    .filter(([path]) => isSame(partAt(sent.current, path), partAt(editing?.draft ?? null, path)));
  return {
    noun: kind.noun,
    title,
    isNew,
    /** null until the record is read. */
    draft: editing?.draft ?? null,
    isDirty: editing !== null && !isSame(editing.base, editing.draft),
    /** The draft is from before this editor was opened. */
    isKept: isKept && editing !== null && !isSame(editing.base, editing.draft),
    isBusy,
    foreign: editing?.foreign ?? null,
    /** Another editor deleted it. */
    isGone,
    /** Why the record could not be read. */
    failure: readFailure ?? (editing === null ? failure : null),
    /** Why the last write was refused; `prefix` stands before the paths that it names, not before those of `errors`. */
    refusal: write.failure,
    prefix,
    errors: new Map(errors),
    forget: write.forget,
    set: (fields: Partial<D>): void => {
      const last = state.current;
      if (last !== null) put({ ...last, draft: { ...last.draft, ...fields } });
    },
    takeTheirs: (path: Path): void => {
      const last = state.current;
      if (last?.foreign == null) return;
      const contested = last.foreign.contested.filter((other) => other !== path);
      const draft = withTheirs(last.draft, last.base, path);
      put({ ...last, draft, foreign: { ...last.foreign, contested } });
    },
    discard: (): void => {
      if (state.current !== null) put(begun(state.current.base));
      setKept(false);
      write.forget();
    },
    save: saveAll,
    /** Makes the writes of a save with these calls, and does nothing with their outcomes. */
    rehearse: async (recording: Writes): Promise<void> => {
      if (editing === null) return;
      const writes = writesOf(kind, isNew ? null : editing.base, editing.draft);
      const batch = writes.length > 1 ? { batchId: newKey() } : {};
      for (const { send } of writes) await send(recording, id, batch);
    },
    rehearseMove: async (recording: Writes, position: number) => kind.move?.(recording, id, position, {}),
    rehearseRemove: async (recording: Writes) => kind.remove?.(recording, id, {}),
    /** To this 0-based place of its list. */
    move: (position: number, way: 'up' | 'down') =>
      whileBusy(async () => {
        const moved = await guarded(
          { position },
          async (writes) => (await kind.move?.(writes, id, position, {})) ?? NOTHING,
        );
        if (moved?.ok) app.say(`Moved ${title} ${way}`);
      }),
    /** True when it is deleted. */
    remove: () => remove(),
    /** Turns the draft of a deleted record into one of a new record. */
    keepAsNew: (): void => {
      if (state.current === null) return;
      if (app.drafts.has(draftName(NEW))) {
        app.refuse(`Save or discard the new ${kind.noun} first`);
        return;
      }
      app.drafts.set(draftName(NEW), { base: blank, draft: state.current.draft, foreign: null });
      app.drafts.delete(draftName());
      app.set({ open: NEW });
    },
  };
}
