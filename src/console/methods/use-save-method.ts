/**
 * Saves an edit of a method and its rules: one write after the other in one batch, each only if nothing came between. Reads
 * the method first: what others saved elsewhere in the shop is no conflict, what they saved in this method stops the save
 * and joins the draft, where nothing that was typed is replaced.
 */
import { useState } from 'preact/hooks';
import type { CallFailure, CallOutcome } from '../../client/call-outcome.ts';
import type { CallOptions, Calls } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import { isSame } from '../parts/merged-draft.ts';
import { useWrite } from '../parts/use-write.ts';
import { newKey } from '../service.ts';
import {
  afterWrite,
  draftOf,
  type Edit,
  type Merged,
  type Method,
  type MethodDraft,
  type MethodWrite,
  mergeDraft,
  type Rule,
  type RuleDraft,
  writesOf,
} from './method-draft.ts';

/** Times that a save begins again because something else of the shop was saved at the same moment. */
const TRIES_MAX = 4;

export interface Conflict extends Pick<Merged, 'clashes'> {
  /** What the edit began with, and what is saved now. */
  readonly from: MethodDraft;
  readonly to: MethodDraft;
}

export interface Problem {
  readonly failure: CallFailure;
  /** Before the paths that the failure names. */
  readonly prefix: string;
}

/** The edit afterwards; `isDone` when all of it is saved. */
export interface Saved {
  readonly edit: Edit;
  readonly isDone: boolean;
}

export interface MethodSave {
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  readonly conflict: Conflict | null;
  /** True when the method was deleted meanwhile: saving makes it again. */
  readonly isGone: boolean;
  readonly forget: () => void;
  readonly save: (edit: Edit) => Promise<Saved>;
  /** True when it is deleted. */
  readonly remove: (base: MethodDraft) => Promise<boolean>;
  /** True when it has this place among the methods of the shop. */
  readonly move: (base: MethodDraft, position: number) => Promise<boolean>;
}

/** What every write of a save carries; the version follows from write to write. */
interface Guards {
  readonly ifMatch?: string;
  readonly batchId?: string;
}

type Sent = readonly [outcome: CallOutcome<unknown>, draft: MethodDraft];

function sendWrite(
  calls: Calls,
  methodId: string,
  write: MethodWrite,
  options: CallOptions,
): Promise<CallOutcome<unknown>> {
  switch (write.kind) {
    case 'createMethod':
      return calls.createMethod(write.body, options);
    case 'updateMethod':
      return calls.updateMethod(methodId, write.body, options);
    case 'deleteRule':
      return calls.deleteRule(write.id, options);
    case 'updateRule':
      return calls.updateRule(write.id, write.body, options);
    case 'createRule':
      return calls.createRule({ ...write.body, methodId }, options);
  }
}

/** Stands for the id of a method that is not saved yet. */
export const ID_TO_COME = 'METHOD_ID';

/** Makes the writes of a save with these calls, and does nothing with their outcomes. */
export async function rehearseSave(calls: Calls, { base, draft }: Edit): Promise<void> {
  const writes = writesOf(base, draft);
  const options = writes.length > 1 ? { batchId: newKey() } : {};
  for (const write of writes) await sendWrite(calls, draft.id ?? ID_TO_COME, write, options);
}

export function useSaveMethod(onCreated: (id: string) => void): MethodSave {
  const app = useApp();
  const { calls } = useSignedIn();
  const write = useWrite();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [isGone, setGone] = useState(false);
  const forget = (): void => {
    setProblem(null);
    setConflict(null);
    setGone(false);
  };

  const send = <T>(
    content: unknown,
    guards: Guards,
    call: (options: Guards & { readonly idempotencyKey?: string }) => Promise<CallOutcome<T>>,
  ): Promise<CallOutcome<T>> => write.send(content, (options) => call({ ...guards, ...options }));

  async function sendStep(step: MethodWrite, draft: MethodDraft, guards: Guards): Promise<Sent> {
    const methodId = draft.id ?? '';
    const outcome = await send([methodId, step], guards, (options) =>
      sendWrite(calls, methodId, step, options),
    );
    if (!outcome.ok) return [outcome, draft];
    const { method, rule } = outcome.value as { readonly method?: Method; readonly rule?: Rule };
    if (step.kind === 'createMethod' && method !== undefined) {
      const { id, serviceCode } = method;
      onCreated(id);
      return [outcome, { ...draft, id, serviceCode }];
    }
    if (step.kind !== 'createRule' || rule === undefined) return [outcome, draft];
    const named = (each: RuleDraft): RuleDraft =>
      each.key === step.key ? { ...each, id: rule.id, key: rule.id } : each;
    return [outcome, { ...draft, rules: draft.rules.map(named) }];
  }

  /** `refused`: the version under which a write was refused before, to see whether the version was the reason. */
  async function attempt(
    { base, draft }: Edit,
    tries: number,
    refused?: CallFailure,
    at?: string,
  ): Promise<Saved> {
    let guards: Guards = {};
    if (base !== null && base.id !== null) {
      const read = app.seen(await calls.getMethod(base.id));
      if (!read.ok) {
        if (read.code === 'NOT_FOUND') setGone(true);
        else setProblem({ failure: read, prefix: '' });
        return {
          edit: read.code === 'NOT_FOUND' ? { base: null, draft: unsaved(draft) } : { base, draft },
          isDone: false,
        };
      }
      if (refused !== undefined && (read.versionId === at || tries === 0)) {
        setProblem({ failure: refused, prefix: '' });
        return { edit: { base, draft }, isDone: false };
      }
      const theirs = draftOf(read.value.method);
      const merged = mergeDraft(base, theirs, draft);
      if (merged.isNews) {
        setConflict({ from: base, to: theirs, clashes: merged.clashes });
        return { edit: { base: theirs, draft: merged.draft }, isDone: false };
      }
      [base, draft] = [theirs, merged.draft];
      if (read.versionId !== null) guards = { ifMatch: read.versionId };
    }
    const steps = writesOf(base, draft);
    if (steps.length > 1) guards = { ...guards, batchId: newKey() };
    for (const step of steps) {
      const [outcome, next] = await sendStep(step, draft, guards);
      if (!outcome.ok) {
        if (outcome.code === 'CONFLICT' && guards.ifMatch !== undefined) {
          return attempt({ base, draft }, tries - 1, outcome, guards.ifMatch);
        }
        setProblem({ failure: outcome, prefix: 'key' in step ? `/rules/${step.key}` : '' });
        return { edit: { base, draft }, isDone: false };
      }
      draft = next;
      base = afterWrite(base ?? draft, draft, step);
      if (outcome.versionId !== null) guards = { ...guards, ifMatch: outcome.versionId };
    }
    const read = await calls.getMethod(draft.id ?? '');
    const saved = read.ok ? draftOf(read.value.method) : draft;
    return { edit: { base: saved, draft: saved }, isDone: true };
  }

  /** One write about the method as it was shown; false when another editor saved it meanwhile. */
  async function writeAlone(
    base: MethodDraft,
    content: object,
    call: (id: string, options: CallOptions) => Promise<CallOutcome<unknown>>,
    tries = TRIES_MAX,
    refused?: CallFailure,
    at?: string,
  ): Promise<boolean> {
    const id = base.id ?? '';
    const read = app.seen(await calls.getMethod(id));
    if (!read.ok) {
      if (read.code === 'NOT_FOUND') setGone(true);
      else setProblem({ failure: read, prefix: '' });
      return false;
    }
    const theirs = draftOf(read.value.method);
    if (!isSame(base, theirs)) {
      setConflict({ from: base, to: theirs, clashes: [] });
      return false;
    }
    if (refused !== undefined && (read.versionId === at || tries === 0)) {
      setProblem({ failure: refused, prefix: '' });
      return false;
    }
    const guards = read.versionId === null ? {} : { ifMatch: read.versionId };
    const outcome = await send({ id, ...content }, guards, (options) => call(id, options));
    if (outcome.ok) return true;
    if (outcome.code === 'CONFLICT')
      return writeAlone(base, content, call, tries - 1, outcome, guards.ifMatch);
    setProblem({ failure: outcome, prefix: '' });
    return false;
  }

  async function whileBusy<T>(task: () => Promise<T>): Promise<T> {
    forget();
    setBusy(true);
    try {
      return await task();
    } finally {
      setBusy(false);
    }
  }

  return {
    isBusy,
    problem,
    conflict,
    isGone,
    forget,
    save: (edit) => whileBusy(() => attempt(edit, TRIES_MAX)),
    remove: (base) => whileBusy(() => writeAlone(base, { action: 'delete' }, calls.deleteMethod)),
    move: (base, position) =>
      whileBusy(() =>
        writeAlone(base, { position }, (id, options) => calls.updateMethod(id, { position }, options)),
      ),
  };
}

/** The same as a method that is new. */
const unsaved = (draft: MethodDraft): MethodDraft => ({
  ...draft,
  id: null,
  rules: draft.rules.map((rule) => ({ ...rule, id: null })),
});
