/**
 * One write of a form at a time. A write whose outcome is unknown is repeated under the same `Idempotency-Key`, as long as
 * what is written stays the same, so that it happens once however often it is sent.
 */
import { useRef, useState } from 'preact/hooks';
import type { CallFailure, CallOutcome } from '../../client/call-outcome.ts';
import { useApp } from '../app-state.ts';
import { newKey } from '../new-key.ts';

interface WriteOptions {
  readonly idempotencyKey?: string;
}

type WriteCall<T> = (options: WriteOptions) => Promise<CallOutcome<T>>;

export interface Write {
  readonly isBusy: boolean;
  readonly failure: CallFailure | null;
  readonly forget: () => void;
  /** `content` is what is written, to know the same write again. The value, or null when it was refused. */
  readonly run: <T>(content: unknown, call: WriteCall<T>) => Promise<T | null>;
  /** The same with the whole outcome. */
  readonly send: <T>(content: unknown, call: WriteCall<T>) => Promise<CallOutcome<T>>;
}

export function useWrite(): Write {
  const app = useApp();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const uncertain = useRef<{ readonly content: string; readonly idempotencyKey: string } | null>(null);
  const send: Write['send'] = async (content, call) => {
    const text = JSON.stringify(content);
    const last = uncertain.current;
    const idempotencyKey = last?.content === text ? last.idempotencyKey : newKey();
    setBusy(true);
    const outcome = app.seen(await call({ idempotencyKey }));
    setBusy(false);
    setFailure(outcome.ok ? null : outcome);
    uncertain.current = !outcome.ok && outcome.mayHaveHappened ? { content: text, idempotencyKey } : null;
    if (outcome.ok) {
      app.writes.value++;
      await app.readChangeset();
    }
    return outcome;
  };
  const run: Write['run'] = async (content, call) => {
    const outcome = await send(content, call);
    return outcome.ok ? outcome.value : null;
  };
  return { isBusy, failure, forget: () => setFailure(null), run, send };
}
