/**
 * The one way to write. Each write carries an `Idempotency-Key`, the same as long as its outcome is unknown and what is
 * written stays the same, so that it happens once however often it is sent; and `If-Match` with the version that the reader
 * saw. A write of what no version describes, such as a key, names the version that is live when it is sent.
 */
import { useRef, useState } from 'preact/hooks';
import type { CallFailure, CallOutcome } from '../../client/call-outcome.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import type { Reads, Writes } from '../guarded-calls.ts';
import { newKey } from '../new-key.ts';

type WriteCall<T> = (writes: Writes) => Promise<CallOutcome<T>>;

/** Repetitions of a write while other editors save between the reading and the write. */
export const TRIES_MAX = 5;

export interface Write {
  readonly isBusy: boolean;
  readonly failure: CallFailure | null;
  readonly forget: () => void;
  /**
   * `content` is what is written, to know the same write again; `seen` the version that the reader saw. The value, or null
   * when it was refused, or when the same write is still running: a button was pressed twice.
   */
  readonly run: <T>(content: unknown, call: WriteCall<T>, seen?: string | null) => Promise<T | null>;
  /** The same with the whole outcome. */
  readonly send: <T>(content: unknown, call: WriteCall<T>, seen?: string | null) => Promise<CallOutcome<T>>;
}

export function useWrite(): Write {
  const app = useApp();
  const { calls, writesWith } = useSignedIn();
  const [isBusy, setBusy] = useState(false);
  const running = useRef<string | null>(null);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const uncertain = useRef<{ readonly content: string; readonly idempotencyKey: string } | null>(null);
  const send: Write['send'] = async (content, call, seen = null) => {
    const text = JSON.stringify([content, seen]);
    const isAgain = uncertain.current?.content === text;
    const idempotencyKey = (isAgain && uncertain.current?.idempotencyKey) || newKey();
    const sendFor = (ifMatch: string, mayHaveHappened: boolean) =>
      call(writesWith({ ifMatch, idempotencyKey, mayHaveHappened }));
    setBusy(true);
    const sent = seen === null ? sendForCurrent(calls, sendFor, isAgain) : sendFor(seen, isAgain);
    const outcome = app.seen(await sent);
    setBusy(false);
    setFailure(outcome.ok ? null : outcome);
    uncertain.current = !outcome.ok && outcome.mayHaveHappened ? { content: text, idempotencyKey } : null;
    if (outcome.ok) {
      app.writes.value++;
      await app.readChangeset();
    }
    return outcome;
  };
  const run: Write['run'] = async (content, call, seen) => {
    const text = JSON.stringify(content);
    if (running.current === text) return null;
    running.current = text;
    const outcome = await send(content, call, seen);
    if (running.current === text) running.current = null;
    return outcome.ok ? outcome.value : null;
  };
  return { isBusy, failure, forget: () => setFailure(null), run, send };
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
