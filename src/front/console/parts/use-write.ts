/**
 * The one way to write. Each write carries an `Idempotency-Key`, the same as long as its outcome is unknown and what is
 * written stays the same, so that it happens once however often it is sent; and `If-Match` with the version that the reader
 * saw. A write of what no version describes, such as a key, names the version that is live when it is sent.
 */
import { useEffect, useRef, useState } from 'react';
import type { CallFailure, CallOutcome } from '../../client/call-outcome.ts';
import { type UncertainWrites, useApp, useSignedIn } from '../app-state.ts';
import type { Reads, Writes } from '../guarded-calls.ts';
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

export type Write = ReturnType<typeof useWrite>;

/** `seen` is the version that the reader saw. */
export function useWrite(name = '') {
  const { calls, writesWith } = useSignedIn();
  const { run, send, ...state } = useOnce(name);
  const guarded =
    <T>(call: WriteCall<T>, seen: string | null): OnceCall<T> =>
    (idempotencyKey, isAgain) => {
      const sendFor: SendFor<T> = (ifMatch, mayHaveHappened) =>
        call(writesWith({ ifMatch, idempotencyKey, mayHaveHappened }));
      return seen === null ? sendForCurrent(calls, sendFor, isAgain) : sendFor(seen, isAgain);
    };
  return {
    ...state,
    run: <T>(content: unknown, call: WriteCall<T>, seen: string | null = null) =>
      run([content, seen], guarded(call, seen)),
    send: <T>(content: unknown, call: WriteCall<T>, seen: string | null = null) =>
      send([content, seen], guarded(call, seen)),
  };
}

type SendFor<T> = (ifMatch: string, mayHaveHappened: boolean) => Promise<CallOutcome<T>>;

/** Sends for the version that is live, and again while another one becomes live in between; `isAgain`: it may be done. */
async function sendForCurrent<T>(
  calls: Reads,
  sendFor: SendFor<T>,
  isAgain: boolean,
): Promise<CallOutcome<T>> {
  let refused: CallFailure | null = null;
  let before = '';
  for (let tries = 0; ; tries++) {
    const read = await calls.listVersions({ query: { limit: 1, includeBatched: true } });
    const mayHaveHappened = refused?.mayHaveHappened ?? isAgain;
    if (!read.ok) return { ...read, mayHaveHappened };
    const current = read.value.versions[0]?.id ?? '';
    // The version is the same: the write itself is refused.
    if (refused !== null && (current === before || tries > TRIES_MAX)) return refused;
    const outcome = await sendFor(current, mayHaveHappened);
    if (outcome.ok || outcome.code !== 'CONFLICT') return outcome;
    [refused, before] = [outcome, current];
  }
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
