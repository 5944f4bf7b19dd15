/**
 * A read of a part of the page. It is sent again when its inputs change, after a write, and while the service cannot
 * answer. The last answer stays until the next.
 */
import { useEffect, useMemo, useState } from 'react';
import type { CallFailure, CallOutcome } from '../../client/call-outcome.ts';
import { isPassing } from '../../client/retry-policy.ts';
import { useApp } from '../app-state.ts';
import { sleep } from '../service.ts';

/** Milliseconds before a read that failed is asked again, where the service says nothing else. */
const ASK_AGAIN_MS = 2_000;

export interface Answer<T> {
  readonly value: T | null;
  readonly versionId: string | null;
  readonly entityTag: string | null;
  readonly failure: CallFailure | null;
  readonly isLoading: boolean;
  /** Asks once more, as after a failure. */
  readonly again?: () => void;
}

/** Neither the first answer nor a failure is there yet. */
export const isAwaited = ({ value, failure }: Pick<Answer<unknown>, 'value' | 'failure'>): boolean =>
  value === null && failure === null;

/**
 * Asks after `delayMs` without further changes of `inputs`. `ask` ends when its signal is aborted, and uses nothing that
 * changes without a change of `inputs`; null says that there is nothing to ask.
 */
export function useAnswer<T>(
  ask: (signal: AbortSignal) => Promise<CallOutcome<T | null>>,
  inputs: readonly unknown[],
  delayMs = 0,
): Answer<T> {
  const app = useApp();
  const [answer, setAnswer] = useState<Answer<T>>({
    value: null,
    versionId: null,
    entityTag: null,
    failure: null,
    isLoading: true,
  });
  const [repeats, setRepeats] = useState(0);
  useEffect(() => {
    const control = new AbortController();
    setAnswer((last) => ({ ...last, isLoading: true }));
    void (async () => {
      for (let waitMs: number | null = delayMs; waitMs !== null; ) {
        await sleep(waitMs, control.signal);
        if (control.signal.aborted) return;
        const outcome = app.seen(await ask(control.signal));
        if (control.signal.aborted) return;
        // The draft that was asked about may have ended: the page then is of what is live.
        if (!outcome.ok && outcome.code === 'CONFLICT' && app.view === 'staged') void app.readChangeset();
        setAnswer((last) =>
          outcome.ok
            ? { ...outcome, failure: null, isLoading: false }
            : { ...last, failure: outcome, isLoading: false },
        );
        waitMs = outcome.ok ? null : msToNextAsk(outcome);
      }
    })();
    return () => control.abort();
    // Other calls: the reader signed in again.
  }, [...inputs, repeats, app.writes.value, app.signedIn.value?.calls]);
  return useMemo(() => ({ ...answer, again: () => setRepeats((count) => count + 1) }), [answer]);
}

/** null when the service would refuse the same read again. */
function msToNextAsk({ status, retryAfterMs }: CallFailure): number | null {
  return status === null || isPassing(status) ? (retryAfterMs ?? ASK_AGAIN_MS) : null;
}
