/**
 * A record while it is edited. The draft is kept while the console is open, also while the reader is on another page.
 * Before a write the record is read again and compared with what the draft began with: a change of another editor is merged
 * into the draft and shown before anything is saved. `If-Match` guards the moment between the reading and the write.
 */
import { useRef, useState } from 'preact/hooks';
import type { CallFailure, CallOutcome } from '../../client/call-outcome.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import type { Writes } from '../guarded-calls.ts';
import { newKey } from '../new-key.ts';
import { parsePlace } from '../place.ts';
import { fieldErrors } from '../service.ts';
import { capitalized } from '../words.ts';
import { isSame, mergedDraft, type Path, withIds, withTheirs } from './merged-draft.ts';
import { NOTHING, type RecordKind, writesOf } from './record-kind.ts';
import { useAnswer } from './use-answer.ts';
import { TRIES_MAX, useWrite } from './use-write.ts';

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

export interface RecordEditing<D> {
  readonly noun: string;
  readonly title: string;
  readonly isNew: boolean;
  /** null until the record is read. */
  readonly draft: D | null;
  readonly isDirty: boolean;
  /** The draft is from before this editor was opened. */
  readonly isKept: boolean;
  readonly isBusy: boolean;
  readonly foreign: ForeignChange<D> | null;
  /** The record was deleted by another editor. */
  readonly isGone: boolean;
  /** Why the record could not be read. */
  readonly failure: CallFailure | null;
  /** Why the last write was refused. */
  readonly refusal: CallFailure | null;
  /** Stands before the paths that the refusal names. */
  readonly prefix: string;
  /** The errors of the refusal by the paths of the draft. */
  readonly errors: ReadonlyMap<string, string>;
  readonly forget: () => void;
  readonly set: (fields: Partial<D>) => void;
  readonly takeTheirs: (path: Path) => void;
  readonly discard: () => void;
  readonly save: () => Promise<unknown>;
  /** Makes the writes of a save with these calls, and does nothing with their outcomes. */
  readonly rehearse: (calls: Writes) => Promise<void>;
  /** Like `rehearse`, for a move and for the deletion. */
  readonly rehearseMove: (calls: Writes, position: number) => Promise<unknown>;
  readonly rehearseRemove: (calls: Writes) => Promise<unknown>;
  /** Moves the record to this 0-based place of its list; `way` is for the message. */
  readonly move: (position: number, way: 'up' | 'down') => Promise<unknown>;
  /** True when it is deleted. */
  readonly remove: () => Promise<boolean | null>;
  /** Turns the draft of a deleted record into one of a new record. */
  readonly keepAsNew: () => void;
}

/** The version in which the record was compared, for `If-Match`; null for a record that no version describes. */
interface Compared {
  readonly seen: string | null;
}

const begun = <D>(fields: D): Editing<D> => ({ base: fields, draft: fields, foreign: null });

/** `blank` are the fields that a new record begins with. The part that calls this must have the id as its key. */
export function useRecord<D extends object>(kind: RecordKind<D>, openId: string, blank: D): RecordEditing<D> {
  const app = useApp();
  const { calls } = useSignedIn();
  const write = useWrite();
  /** Becomes the id that the service gives to a new record; the editor stays. */
  const record = useRef(openId);
  const id = record.current;
  const isNew = id === NEW;
  const draftName = (of = record.current): string => `${kind.page} ${of}`;
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

  const put = (editing: Editing<D>): void => {
    state.current = editing;
    if (isSame(editing.base, editing.draft)) app.drafts.delete(draftName());
    else app.drafts.set(draftName(), editing);
    redraw(editing);
  };

  /** Changes the link where it still leads to this record: the reader may have gone elsewhere while it was written. */
  const show = (id: string, parameters: Readonly<Record<string, string>>): void => {
    const { page, parameters: given } = parsePlace(location.hash);
    if (page === kind.page && given['open'] === id) app.set(parameters);
  };

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
      if (outcome.ok) take(outcome.value, false);
      return outcome;
    },
    [id],
  );

  /** Reads the record again; null when nothing may be written yet, which the page then explains. */
  const compared = async (): Promise<Compared | null> => {
    const outcome = app.seen(await kind.read(calls, record.current, {}));
    setReadFailure(outcome.ok ? null : outcome);
    setGone(!outcome.ok && outcome.code === 'NOT_FOUND');
    if (!outcome.ok || (outcome.versionId !== null && !(await app.isDestinationShown()))) return null;
    if (!take(outcome.value, true)) return { seen: outcome.versionId };
    write.forget();
    return null;
  };

  /** Sends a write for the version that was just compared; null when nothing may be written yet. */
  const guarded = async <T>(
    content: unknown,
    call: (writes: Writes) => Promise<CallOutcome<T>>,
    known: Compared | null = null,
    prefix = '',
  ): Promise<CallOutcome<T> | null> => {
    setPrefix(prefix);
    let state = known ?? (await compared());
    for (let tries = 0; state !== null; tries++) {
      const { seen }: Compared = state;
      const outcome = await write.send(content, call, seen);
      if (outcome.ok || outcome.code !== 'CONFLICT' || tries === TRIES_MAX) return outcome;
      // There is no record yet that another editor could have changed.
      if (record.current === NEW) return outcome;
      state = await compared();
      // The record and the version are the same: the write itself is refused.
      if (state?.seen === seen) return outcome;
    }
    return null;
  };

  /** Null when another task runs: a button was pressed twice. */
  async function whileBusy<T>(task: () => Promise<T>): Promise<T | null> {
    if (busy.current) return null;
    busy.current = true;
    setBusy(true);
    try {
      return await task();
    } finally {
      busy.current = false;
      setBusy(false);
    }
  }

  /** One write after the other. The reader can go on typing meanwhile. */
  const save = async (): Promise<void> => {
    if (state.current === null) return;
    if (!isNew && writesOf(kind, state.current.base, state.current.draft).length === 0) {
      app.message.value = 'There is nothing to save: nothing was changed';
      return;
    }
    const known = async () => ((await app.isDestinationShown()) ? { seen: null } : null);
    let now: Compared | null = await (isNew ? known() : compared());
    if (now === null) return;
    let { base, draft }: { readonly base: D | null; readonly draft: D } = state.current;
    if (isNew) base = null;
    const batch = writesOf(kind, base, draft).length > 1 ? { batchId: newKey() } : {};
    for (let step = kind.next(base, draft); step !== null; step = kind.next(base, draft)) {
      const { content, send, take: taken } = step;
      const outcome: CallOutcome<unknown> | null = await guarded(
        content,
        (writes) => send(writes, record.current, batch),
        now,
        step.prefix,
      );
      if (outcome === null || !outcome.ok) return;
      const { saved, draft: written, id: given, ids = [] } = taken(outcome.value);
      if (base === null && given !== undefined) {
        app.drafts.delete(draftName());
        record.current = given;
        app.created = given;
        show(NEW, { open: given, like: '' });
      }
      const typed = mergedDraft(withIds(draft, ids), withIds(state.current.draft, ids), written).draft;
      put({ base: saved, draft: typed, foreign: null });
      [base, draft, now] = [saved, written, { seen: outcome.versionId }];
    }
    setKept(false);
    app.message.value = `Saved ${kind.titleOf(draft)}`;
  };

  const editing = state.current;
  const title =
    (editing !== null && kind.titleOf(editing.base)) || (isNew ? `New ${kind.noun}` : capitalized(kind.noun));
  const errors = [...fieldErrors(write.failure)].map(([path, text]) => [prefix + path, text] as const);
  return {
    noun: kind.noun,
    title,
    isNew,
    draft: editing?.draft ?? null,
    isDirty: editing !== null && !isSame(editing.base, editing.draft),
    isKept,
    isBusy,
    foreign: editing?.foreign ?? null,
    isGone,
    failure: readFailure ?? (editing === null ? failure : null),
    refusal: write.failure,
    prefix,
    errors: new Map(errors),
    forget: write.forget,
    set: (fields) => {
      const last = state.current;
      if (last !== null) put({ ...last, draft: { ...last.draft, ...fields } });
    },
    takeTheirs: (path) => {
      const last = state.current;
      if (last?.foreign == null) return;
      const contested = last.foreign.contested.filter((other) => other !== path);
      const draft = withTheirs(last.draft, last.base, path);
      put({ ...last, draft, foreign: { ...last.foreign, contested } });
    },
    discard: () => {
      if (state.current !== null) put(begun(state.current.base));
      setKept(false);
      write.forget();
    },
    save: () => whileBusy(save),
    rehearse: async (recording) => {
      if (editing === null) return;
      const writes = writesOf(kind, isNew ? null : editing.base, editing.draft);
      const batch = writes.length > 1 ? { batchId: newKey() } : {};
      for (const { send } of writes) await send(recording, id, batch);
    },
    rehearseMove: async (recording, position) => kind.move?.(recording, id, position, {}),
    rehearseRemove: async (recording) => kind.remove?.(recording, id, {}),
    move: (position, way) =>
      whileBusy(async () => {
        const moved = await guarded(
          { position },
          async (writes) => (await kind.move?.(writes, id, position, {})) ?? NOTHING,
        );
        if (moved?.ok) app.message.value = `Moved ${title} ${way}`;
      }),
    remove: () =>
      whileBusy(async () => {
        const removed = await guarded(
          'remove',
          async (writes) => (await kind.remove?.(writes, id, {})) ?? NOTHING,
        );
        if (removed?.ok !== true) return false;
        app.drafts.delete(draftName());
        app.message.value = `Deleted ${title}`;
        show(id, { open: '' });
        return true;
      }),
    keepAsNew: () => {
      if (state.current === null) return;
      if (app.drafts.has(draftName(NEW))) {
        app.message.value = `Save or discard the new ${kind.noun} first`;
        return;
      }
      app.drafts.set(draftName(NEW), { base: blank, draft: state.current.draft, foreign: null });
      app.drafts.delete(draftName());
      app.set({ open: NEW });
    },
  };
}
