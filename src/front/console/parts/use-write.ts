/**
 * The one way to write. Each write carries an `Idempotency-Key`, the same as long as its outcome is unknown and what is
 * written stays the same, so that it happens once however often it is sent; and `If-Match` with the tag of what the reader
 * saw. A write of what was not there to be seen, such as a key, names what is current when it is sent.
 */
import { useEffect, useRef, useState } from 'react';
import { changesetOfTag } from '../../../engine/domain/view-tag.ts';
import type { CallFailure, CallOutcome } from '../../client/call-outcome.ts';
import { type UncertainWrites, useApp, useSignedIn } from '../app-state.ts';
import type { Writes } from '../guarded-calls.ts';
import { newKey } from '../new-key.ts';
import { failureText } from '../service.ts';

type WriteCall<T> = (writes: Writes) => Promise<CallOutcome<T>>;

/** Repetitions of a write while other editors save between the reading and the write. */
export const TRIES_MAX = 5;

/** A write under one `Idempotency-Key`; `isAgain`: it may be done already. */
type OnceCall<T> = (idempotencyKey: string, isAgain: boolean) => Promise<CallOutcome<T>>;

/** For a write of which no version is the state before. `name` stands for a record, whatever part of a page writes it. */
export function useOnce(name = '') {
  const app = useApp();
  const calls = app.signedIn.value?.calls;
  const [isBusy, setBusy] = useState(false);
  const running = useRef<string | null>(null);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const own = useRef<UncertainWrites>(new Map());
  const uncertain = name === '' ? own.current : app.uncertain;
  const isLeft = useLeft();
  // Another key was given.
  useEffect(() => setFailure((last) => (last?.code === 'UNAUTHORIZED' ? null : last)), [calls]);
  /** `content` is what is written, to know the same write again. */
  const send = async <T>(content: unknown, call: OnceCall<T>) => {
    const text = JSON.stringify(content);
    const before = uncertain.get(name);
    const isAgain = before?.content === text;
    const idempotencyKey = isAgain ? before.idempotencyKey : newKey();
    setBusy(true);
    const outcome = app.seen(await call(idempotencyKey, isAgain));
    setBusy(false);
    setFailure(outcome.ok ? null : outcome);
    if (!outcome.ok && outcome.mayHaveHappened) uncertain.set(name, { content: text, idempotencyKey });
    else uncertain.delete(name);
    if (outcome.ok) {
      app.writes.value++;
      await app.readChangeset();
    }
    return outcome;
  };
  /** The value, or null: it was refused, or the same write is still running, because a button was pressed twice. */
  const run = async <T>(content: unknown, call: OnceCall<T>): Promise<T | null> => {
    const text = JSON.stringify(content);
    if (running.current === text) return null;
    running.current = text;
    const outcome = await send(content, call);
    if (running.current === text) running.current = null;
    // Nothing on the page would say it.
    if (!outcome.ok && isLeft.current) app.refuse(leftText(outcome));
    return outcome.ok ? outcome.value : null;
  };
  return { isBusy, failure, forget: () => setFailure(null), run, send };
}

const leftText = (failure: CallFailure): string =>
  failure.mayHaveHappened
    ? 'The service did not answer: look whether it was done before you do it again'
    : `Not done. ${failureText(failure)}`;

/** True once the part is no longer shown. */
export function useLeft(): { readonly current: boolean } {
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  return isLeft;
}

/** The failure of a write that would go elsewhere by this tag than the page said (`AppState.destination`); null when it would not. */
export function misdirected(tag: string | null, destination?: string | null): CallFailure | null {
  if (tag === null || destination === undefined || changesetOfTag(tag) === destination) return null;
  const now = changesetOfTag(tag) === null ? 'the draft has ended' : 'a draft is open';
  const next = changesetOfTag(tag) === null ? 'is live' : 'goes to it';
  return { ...NOT_SENT, code: 'CONFLICT', message: `Nothing was saved: ${now}. What you save now ${next}` };
}

/** Of a write that is not sent, as after the reader has left the shop. */
const NOT_SENT: CallFailure = {
  ...{ ok: false, code: 'ABORTED', message: 'nothing was sent' },
  ...{ status: null, retryAfterMs: null, requestId: null, attempts: 0, mayHaveHappened: false },
};

/**
 * `seen`: the tag of what the reader saw; null for what was not there to be seen: it names what is current, and is sent again
 * when that has changed.
 * `destination`: where the page said that it goes; absent where a draft makes no difference.
 */
type Where = readonly [seen?: string | null, destination?: string | null];

export type Write = ReturnType<typeof useWrite>;

export function useWrite(name = '') {
  const app = useApp();
  const { calls, writesWith } = useSignedIn();
  const { run, send, ...state } = useOnce(name);
  const guarded =
    <T>(call: WriteCall<T>, [seen = null, destination]: Where): OnceCall<T> =>
    async (idempotencyKey, isAgain) => {
      // The tag of a draft is refused once that draft ends. A live version still passes when one was opened, which takes the write.
      const isOfDraft = seen !== null && changesetOfTag(seen) === (destination ?? '');
      let refused: CallFailure | null = null;
      for (let tries = 0, before = ''; ; tries++) {
        const mayHaveHappened: boolean = refused?.mayHaveHappened ?? isAgain;
        let ifMatch = seen ?? '';
        if (seen === null || (destination !== undefined && (!isOfDraft || refused !== null))) {
          // Where a draft makes no difference it is not read: its effects are work for a thread, which may be refused.
          const read = await (destination === undefined
            ? calls.listVersions({ query: { limit: 1 } })
            : app.readChangeset());
          if (!read?.ok) return { ...(read ?? NOT_SENT), mayHaveHappened };
          const wrong = misdirected(read.entityTag, destination);
          if (wrong !== null) return { ...wrong, mayHaveHappened };
          if (seen === null) ifMatch = read.entityTag ?? read.versionId ?? '';
        }
        // What it is for is the same: the write itself is refused.
        if (refused !== null && (ifMatch === before || tries > TRIES_MAX)) return refused;
        const outcome = await call(writesWith({ ifMatch, idempotencyKey, mayHaveHappened }));
        if (outcome.ok || outcome.code !== 'CONFLICT') return outcome;
        [refused, before] = [outcome, ifMatch];
      }
    };
  return {
    ...state,
    run: <T>(content: unknown, call: WriteCall<T>, ...where: Where) =>
      run([content, where[0]], guarded(call, where)),
    send: <T>(content: unknown, call: WriteCall<T>, ...where: Where) =>
      send([content, where[0]], guarded(call, where)),
  };
}

type Undo = () => Promise<void>;

/**
 * `before` is the version before the write, `made` the one that it made; without them, as in a draft, nothing can be taken
 * back. `done` is said afterwards.
 */
export function useUndo(): (before: string | null, made: string | null, done: string) => Undo | undefined {
  const app = useApp();
  const write = useWrite();
  return (before, made, done) => {
    if (before === null || made === null) return undefined;
    const body = { action: 'rollback', targetVersionId: before } as const;
    const undo = async (): Promise<void> => {
      const undone = await write.send(['undo', body], (writes) => writes.changeVersion(body), made);
      if (undone.ok) app.say(`Taken back: ${done}`);
      else if (undone.code === 'CONFLICT') {
        await app.readChangeset();
        app.refuse(
          app.view === 'live'
            ? 'Not taken back: others changed something since'
            : 'Not taken back: a draft is open. Publish or discard it first',
        );
      } else if (undone.mayHaveHappened)
        app.refuse('The service did not answer: it may be taken back. Once more cannot do it twice', undo);
      else app.refuse(`Not taken back. ${failureText(undone)}`, undo);
    };
    return undo;
  };
}
