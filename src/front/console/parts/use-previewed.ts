/**
 * A write that does what a preview showed. When another editor saved something after the preview, the service refuses the
 * write, and the preview is read again.
 */
import { useState } from 'preact/hooks';
import type { CallOutcome } from '../../client/call-outcome.ts';
import { useApp } from '../app-state.ts';
import type { Writes } from '../guarded-calls.ts';
import { type Answer, useAnswer } from './use-answer.ts';
import { useWrite, type Write } from './use-write.ts';

export interface Previewed<T> {
  readonly answer: Answer<T>;
  /** The version that the preview is for; null while it is read. */
  readonly shown: string | null;
  /** The version that the refused write was for; "" before the first refusal. */
  readonly refused: string;
  readonly write: Pick<Write, 'isBusy' | 'failure'>;
  /** Writes for the version that is shown; null when that is refused, or would go elsewhere than the page says. */
  readonly run: <R>(content: unknown, call: (writes: Writes) => Promise<CallOutcome<R>>) => Promise<R | null>;
}

/** `ask` reads the preview. */
export function usePreviewed<T>(
  ask: (signal: AbortSignal) => Promise<CallOutcome<T>>,
  inputs: readonly unknown[],
): Previewed<T> {
  const app = useApp();
  const [attempt, setAttempt] = useState(0);
  const [refused, setRefused] = useState('');
  const write = useWrite();
  const answer = useAnswer(ask, [...inputs, attempt]);
  const shown = answer.isLoading ? null : answer.versionId;
  const run: Previewed<T>['run'] = async (content, call) => {
    if (!(await app.isDestinationShown())) return null;
    const done = await write.run(content, call, shown);
    if (done === null) {
      setRefused(shown ?? '');
      setAttempt(attempt + 1);
    }
    return done;
  };
  return { answer, shown, refused, write, run };
}
