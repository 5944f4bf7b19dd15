/** The service behind the page: its calls with the key of the reader, and the texts of failed calls. */
import type { CallFailure } from '../client/call-outcome.ts';
import type { Schemas } from '../client/call-table.ts';
import { CALLER_DEFAULTS, callsOf, DEADLINE_MS } from '../client/caller.ts';
import { browserSender } from './browser-sender.ts';
import { type GuardedCalls, guardedCalls } from './guarded-calls.ts';
import { newKey } from './new-key.ts';

/** Ends early when the signal is aborted. */
export const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });

/** What comes before the path of each route: everything before `/console` in the address. */
export const basePath = (): string => location.pathname.replace(/\/console\/?$/, '');

/** The calls of the service; `key` is sent with each. */
export const callsWith = (key: string): GuardedCalls => {
  const waits = {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    random: () => Math.random(),
    sleep,
  };
  // The explanation of a large shop may take longer than a checkout waits for rates.
  const deadlineMs = DEADLINE_MS;
  const options = {
    ...CALLER_DEFAULTS,
    deadlineMs,
    sender: browserSender,
    basePath: basePath(),
    key,
    waits,
    newKey,
  };
  return guardedCalls(callsOf(options));
};

export type CurrentKey = Schemas['CurrentKey'];
export type Shop = Schemas['ShopRecord'];

const later = (retryAfterMs: number | null): string =>
  `Try again ${retryAfterMs === null ? 'in a moment' : `in ${Math.ceil(retryAfterMs / 1_000)} s`}.`;

/** What happened, and what the reader can do. */
export function failureText({ code, message, retryAfterMs, mayHaveHappened }: CallFailure): string {
  const uncertain = mayHaveHappened
    ? ' It may have been saved: saving again repeats the same request and cannot do it twice.'
    : '';
  switch (code) {
    case 'CONNECTION_LOST':
    case 'UNREACHABLE':
    case 'DEADLINE_EXCEEDED':
      return `The service did not answer.${uncertain || ' Try again in a moment.'} Nothing that you typed is lost.`;
    case 'RATE_LIMITED':
      return `The shop is busy (${message}). ${later(retryAfterMs)} Nothing that you typed is lost.`;
    case 'UNAVAILABLE':
      return `The service cannot do this for the moment (${message}).${uncertain || ` ${later(retryAfterMs)}`} Nothing that you typed is lost.`;
    case 'UNAUTHORIZED':
      return 'The key is no longer accepted. Sign in again; nothing that you typed is lost.';
    case 'FORBIDDEN':
      return `This key may not do that: ${message}`;
    case 'PLAN_LIMIT_EXCEEDED':
      return `The plan of the shop is full: ${message}`;
    default:
      return `${message}${uncertain}`;
  }
}

/**
 * The errors of a refusal by JSON path, as in `/items/0/quantity must be ...`; those without a path are at "". Several
 * errors of one path are separate lines.
 */
export function fieldErrors(failure: CallFailure | null): ReadonlyMap<string, string> {
  const errors = new Map<string, string>();
  if (failure?.code !== 'VALIDATION_ERROR') return errors;
  for (const line of failure.message.split(/; (?=\/)/)) {
    const [, path = '', text = line] = /^(\/\S+) (.*)$/s.exec(line) ?? [];
    const earlier = errors.get(path);
    errors.set(path, earlier === undefined ? text : `${earlier}\n${text}`);
  }
  return errors;
}
