/**
 * A record while it is edited. The draft is kept while the console is open, also when the reader looks at something else
 * meanwhile. Before a write the record is read again and compared with what the draft began with: `If-Match` guards the
 * moment between, and a change that another editor made is merged into the draft and shown before anything is saved.
 */
import { useRef, useState } from 'preact/hooks';
import type { CallFailure, CallOutcome } from '../../client/call-outcome.ts';
import type { CallOptions, Calls } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { changedFields, isSame, mergedDraft } from './merged-draft.ts';
import { useAnswer } from './use-answer.ts';
import { useWrite, type Write } from './use-write.ts';

/** Stands for the id of a record that is not saved yet. */
export const NEW = 'new';

/** Other editors can save between every reading and the write after it, but not for long. */
const TRIES_MAX = 5;

/** `D`: the fields that are edited, by the names that the API has for them. */
export interface RecordKind<D extends object> {
  /** The name of its page. */
  readonly page: string;
  /** `zone`, as sentences name it. */
  readonly noun: string;
  readonly read: (calls: Calls, id: string, options: CallOptions) => Promise<CallOutcome<D>>;
  readonly create: (calls: Calls, draft: D, options: CallOptions) => Promise<CallOutcome<SavedRecord<D>>>;
  readonly update: (
    calls: Calls,
    id: string,
    changed: Partial<D> & { readonly position?: number },
    options: CallOptions,
  ) => Promise<CallOutcome<SavedRecord<D>>>;
  readonly remove: (calls: Calls, id: string, options: CallOptions) => Promise<CallOutcome<unknown>>;
}

export interface SavedRecord<D> {
  readonly id: string;
  readonly fields: D;
}

/** The outcome with another value. */
export const mapped = <T, U>(outcome: CallOutcome<T>, map: (value: T) => U): CallOutcome<U> =>
  outcome.ok ? { ...outcome, value: map(outcome.value) } : outcome;

/** What another editor saved while the draft was typed. */
export interface ForeignChange<D> {
  readonly from: D;
  readonly to: D;
  /** Fields that both changed; the draft has what was typed. */
  readonly contested: readonly (keyof D & string)[];
}

interface Editing<D> {
  /** What the service had when the draft was last compared with it. */
  readonly base: D;
  readonly draft: D;
  readonly foreign: ForeignChange<D> | null;
}

export interface RecordEditing<D> {
  readonly id: string;
  readonly isNew: boolean;
  /** null until the record is read. */
  readonly draft: D | null;
  readonly isDirty: boolean;
  readonly foreign: ForeignChange<D> | null;
  /** The record was deleted by another editor. */
  readonly isGone: boolean;
  /** Why the record could not be read. */
  readonly failure: CallFailure | null;
  readonly write: Write;
  readonly set: (fields: Partial<D>) => void;
  readonly takeTheirs: (field: keyof D & string) => void;
  readonly discard: () => void;
  readonly save: () => Promise<void>;
  /** Makes the write of a save with these calls, and does nothing with its outcome. */
  readonly rehearse: (calls: Calls) => Promise<unknown>;
  /** Moves the record to this 0-based place of its list. */
  readonly move: (position: number) => Promise<void>;
  /** True when it is deleted. */
  readonly remove: () => Promise<boolean>;
  /** Turns the draft of a deleted record into one of a new record. */
  readonly keepAsNew: () => void;
}

const begun = <D>(fields: D): Editing<D> => ({ base: fields, draft: fields, foreign: null });

/** `blank` are the fields that a new record begins with. The part that calls this must have the id as its key. */
export function useRecord<D extends object>(kind: RecordKind<D>, id: string, blank: D): RecordEditing<D> {
  const app = useApp();
  const { calls } = useSignedIn();
  const write = useWrite();
  const isNew = id === NEW;
  const draftName = (of: string): string => `${kind.page} ${of}`;
  const state = useRef<Editing<D> | null>(
    (app.drafts.get(draftName(id)) as Editing<D> | undefined) ?? (isNew ? begun(blank) : null),
  );
  const [, redraw] = useState<unknown>(null);
  const [isGone, setGone] = useState(false);
  /** The version that a write of unknown outcome was sent for: its repetition must be the same request. */
  const unknown = useRef<{ readonly content: string; readonly ifMatch: string } | null>(null);

  const put = (editing: Editing<D>): void => {
    state.current = editing;
    if (isSame(editing.base, editing.draft)) app.drafts.delete(draftName(id));
    else app.drafts.set(draftName(id), editing);
    redraw(editing);
  };

  /** Takes what the service has now; true when it differs from what the draft began with. */
  const take = (theirs: D, isAsked: boolean): boolean => {
    const last = state.current;
    if (last !== null && isSame(last.base, theirs)) return false;
    const merged =
      last === null ? { draft: theirs, contested: [] } : mergedDraft(last.base, last.draft, theirs);
    const isShown =
      last !== null && (isAsked || !isSame(last.base, last.draft)) && !isSame(last.draft, theirs);
    put({
      base: theirs,
      draft: merged.draft,
      foreign: isShown ? { from: last.base, to: theirs, contested: merged.contested } : null,
    });
    return isShown;
  };

  const { failure } = useAnswer(
    async (signal) => {
      if (isNew) return NOTHING;
      const outcome = await kind.read(calls, id, { signal });
      if (signal.aborted) return outcome;
      if (outcome.ok) take(outcome.value, false);
      else setGone(outcome.code === 'NOT_FOUND');
      return outcome;
    },
    [id],
  );
  const [readFailure, setReadFailure] = useState<CallFailure | null>(null);

  /** Reads the record again: the version to write for, or null when it cannot be written now. */
  const compared = async (): Promise<string | null> => {
    const outcome = app.seen(await kind.read(calls, id, {}));
    setReadFailure(outcome.ok ? null : outcome);
    if (!outcome.ok) {
      setGone(outcome.code === 'NOT_FOUND');
      return null;
    }
    if (!take(outcome.value, true)) return outcome.versionId;
    write.forget();
    return null;
  };

  /** Sends a write for the version that was just compared; the value, or null when it was not done. */
  const guarded = async <T>(
    content: object,
    call: (options: CallOptions) => Promise<CallOutcome<T>>,
  ): Promise<T | null> => {
    const text = JSON.stringify(content);
    let ifMatch = unknown.current?.content === text ? unknown.current.ifMatch : await compared();
    for (let tries = 0; ifMatch !== null && tries < TRIES_MAX; tries++) {
      const sentFor: string = ifMatch;
      const outcome = await write.send(content, (options) => call({ ...options, ifMatch: sentFor }));
      unknown.current = !outcome.ok && outcome.mayHaveHappened ? { content: text, ifMatch: sentFor } : null;
      if (outcome.ok) return outcome.value;
      if (outcome.code !== 'CONFLICT') return null;
      ifMatch = await compared();
      // The record and the version are the same: the write itself is refused.
      if (ifMatch === sentFor) return null;
    }
    return null;
  };

  const forgetDraft = (): void => {
    app.drafts.delete(draftName(id));
  };

  /** What is left to edit after `sent` was saved: a reader can go on typing while a write is under way. */
  const typedSince = (sent: D, savedFields: D): Editing<D> => {
    const now = state.current?.draft ?? sent;
    if (isSame(sent, now)) return begun(savedFields);
    return { ...begun(savedFields), draft: mergedDraft(sent, now, savedFields).draft };
  };

  const save = async (): Promise<void> => {
    const editing = state.current;
    if (editing === null) return;
    const { base, draft } = editing;
    if (isNew) {
      const created = await write.send({ draft }, (options) => kind.create(calls, draft, options));
      if (!created.ok) return;
      const { id: createdId, fields } = created.value;
      const typed = typedSince(draft, fields);
      forgetDraft();
      if (typed.draft !== fields) app.drafts.set(draftName(createdId), typed);
      app.message.value = `Saved the new ${kind.noun}`;
      app.set({ open: createdId });
      return;
    }
    const changed = changedFields(base, draft);
    if (Object.keys(changed).length === 0) {
      app.message.value = 'There is nothing to save: nothing was changed';
      return;
    }
    const saved = await guarded({ id, changed }, (options) => kind.update(calls, id, changed, options));
    if (saved === null) return;
    put(typedSince(draft, saved.fields));
    app.message.value = `Saved the ${kind.noun}`;
  };

  const editing = state.current;
  return {
    id,
    isNew,
    draft: editing?.draft ?? null,
    isDirty: editing !== null && !isSame(editing.base, editing.draft),
    foreign: editing?.foreign ?? null,
    isGone,
    failure: readFailure ?? (editing === null ? failure : null),
    write,
    set: (fields) => {
      const last = state.current;
      if (last !== null) put({ ...last, draft: { ...last.draft, ...fields } });
    },
    takeTheirs: (field) => {
      const last = state.current;
      if (last?.foreign == null) return;
      const contested = last.foreign.contested.filter((other) => other !== field);
      const draft = { ...last.draft, [field]: last.base[field] };
      put({ ...last, draft, foreign: { ...last.foreign, contested } });
    },
    discard: () => {
      if (state.current !== null) put(begun(state.current.base));
      write.forget();
    },
    save,
    rehearse: async (recording) => {
      if (editing === null) return;
      const { base, draft } = editing;
      if (isNew) await kind.create(recording, draft, {});
      else await kind.update(recording, id, changedFields(base, draft), {});
    },
    move: async (position) => {
      const moved = await guarded({ id, position }, (options) =>
        kind.update(calls, id, { position } as { position: number } & Partial<D>, options),
      );
      if (moved !== null) app.message.value = `Moved the ${kind.noun} to place ${position + 1}`;
    },
    remove: async () => {
      const removed = await guarded({ removed: id }, (options) => kind.remove(calls, id, options));
      if (removed === null) return false;
      forgetDraft();
      app.message.value = `Deleted the ${kind.noun}`;
      app.set({ open: '' });
      return true;
    },
    keepAsNew: () => {
      if (state.current === null) return;
      app.drafts.set(draftName(NEW), { base: blank, draft: state.current.draft, foreign: null });
      forgetDraft();
      app.set({ open: NEW });
    },
  };
}

/** A new record has nothing to read. */
const NOTHING: CallOutcome<null> = {
  ok: true,
  value: null,
  status: 200,
  versionId: null,
  requestId: null,
  attempts: 0,
};
