/** A replacement of several records that is previewed, then made as one version, and can be taken back. */

import { useState } from 'react';
import type { CallOutcome } from '../../client/call-outcome.ts';
import type { Schemas } from '../../client/call-table.ts';
import { useApp, useSignedIn } from '../app-state.ts';
import type { Writes } from '../guarded-calls.ts';
import { NOTHING } from './record-kind.ts';
import { useAnswer } from './use-answer.ts';
import { useUndo, useWrite } from './use-write.ts';

/** Milliseconds that the whole configuration of a large shop may take. */
export const LARGE_MS = 120_000;

type Config = Schemas['ConfigSnapshot'];

interface Made {
  /** The records after it, of the kinds that it changes; null where there is nothing to replace. */
  readonly data: Schemas['ConfigData'] | null;
}

type Reviewed<M extends Made> = M & {
  readonly before: Config;
  /** null without data. */
  readonly preview: Schemas['PreviewAnswer'] | null;
};

/** `make` is null while what is wanted is not known; it is made of the configuration as it is now. */
export function useReplacement<M extends Made>(
  make: ((config: Config) => M) | null,
  inputs: readonly unknown[],
  delayMs = 0,
) {
  const app = useApp();
  const { calls } = useSignedIn();
  const undoTo = useUndo();
  const ask = async (signal: AbortSignal): Promise<CallOutcome<Reviewed<M> | null>> => {
    if (make === null) return NOTHING;
    const read = await calls.getConfig({ signal, deadlineMs: LARGE_MS });
    if (!read.ok) return read;
    const made = { ...make(read.value), before: read.value };
    if (made.data === null) return { ...read, value: { ...made, preview: null } };
    const body = { action: 'preview', data: made.data } as const;
    const preview = await calls.replaceConfig(body, { signal, deadlineMs: LARGE_MS });
    if (!preview.ok) return preview;
    // Another editor saved something between both reads.
    if (preview.versionId !== read.versionId) return ask(signal);
    return { ...read, value: { ...made, preview: preview.value } };
  };
  const { answer, shown, refused, write, run } = usePreviewed(ask, [...inputs, app.view], delayMs);
  /** Makes what was previewed, and calls `onDone` with what takes it back, except in a draft. */
  const execute = async (taken: string, onDone: (undo: (() => void) | undefined) => void): Promise<void> => {
    const { data = null } = answer.value ?? {};
    if (data === null) return;
    const body = { action: 'execute', data } as const;
    const done = await run(body, (writes) => writes.replaceConfig(body, { deadlineMs: LARGE_MS }));
    if (done !== null) onDone(undoTo(shown, ('version' in done && done.version?.id) || null, taken));
  };
  return { answer, shown, refused, write, execute };
}

/** `ask` reads the preview, after `delayMs` without further changes of `inputs`. */
export function usePreviewed<T>(
  ask: (signal: AbortSignal) => Promise<CallOutcome<T>>,
  inputs: readonly unknown[],
  delayMs = 0,
) {
  const app = useApp();
  const [attempt, setAttempt] = useState(0);
  /** The tag that the refused write was for; "" before the first refusal. */
  const [refused, setRefused] = useState('');
  const write = useWrite();
  const answer = useAnswer(ask, [...inputs, attempt], delayMs);
  /** The tag, or the version, that the preview is for; null while it is read. */
  const shown = answer.isLoading ? null : (answer.entityTag ?? answer.versionId);
  /** Writes for what is shown; null when that is refused, or would go elsewhere than the page says. */
  const run = async <R>(content: unknown, call: (writes: Writes) => Promise<CallOutcome<R>>) => {
    const done = await write.run(content, call, shown, app.destination);
    if (done === null) {
      setRefused(shown ?? '');
      setAttempt(attempt + 1);
    }
    return done;
  };
  return { answer, shown, refused, write, run };
}
