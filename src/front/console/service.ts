/** The service behind the page: its calls with the key of the reader, and the texts of failed calls. */

import type { CallFailure } from '../client/call-outcome.ts';
import type { OperatorCalls, Schemas } from '../client/call-table.ts';
import {
  CALLER_DEFAULTS,
  type CallerOptions,
  callsOf,
  DEADLINE_MS,
  operatorCallsOf,
} from '../client/caller.ts';
import { browserSender } from './browser-sender.ts';
import { type GuardedCalls, guardedCalls } from './guarded-calls.ts';
import { newKey } from './new-key.ts';
import { type Patience, patientCalls } from './patient-calls.ts';
import { refusalText } from './refusal-words.ts';
import { sharedReads } from './shared-reads.ts';
import { capitalized } from './words.ts';

/** Ends early when the signal is aborted. */
export const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });

/** What comes before the path of each route: everything before `/console` in the address. */
export const basePath = (): string => location.pathname.replace(/\/console\/?$/, '');

/** What comes before the path of each route where an operator names the shop. */
export const operatedPath = (shopId: string): string => `/operator/shops/${encodeURIComponent(shopId)}`;

/** The calls of a shop; `key` is sent with each. `shopPath` is "" where the key names the shop. */
export function callsWith(key: string, shopPath: string, onWait: Patience['onWait']): GuardedCalls {
  return guardedCalls(patientCalls(callsOf({ ...callerWith(key), shopPath }), { sleep, onWait }));
}

/** What the console does with the key of the operator, beside the calls of a shop. */
export const operatorCallsWith = (key: string): OperatorCalls => operatorCallsOf(callerWith(key));

function callerWith(key: string): CallerOptions {
  const waits = {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    random: () => Math.random(),
    sleep,
  };
  // The explanation of a large shop may take longer than a checkout waits for rates.
  const deadlineMs = DEADLINE_MS;
  return {
    ...CALLER_DEFAULTS,
    deadlineMs,
    sender: sharedReads(browserSender),
    basePath: basePath(),
    key,
    waits,
    newKey,
  };
}

export type CurrentKey = Schemas['CurrentKey'];
export type Shop = Schemas['ShopRecord'];
export type OperatedShop = Schemas['OperatedShop'];

const inSeconds = (ms: number): string => `in ${Math.ceil(ms / 1_000)} s`;

const later = (retryAfterMs: number | null): string =>
  `Try again ${retryAfterMs === null ? 'in a moment' : inSeconds(retryAfterMs)}.`;

/** A refusal with what the console calls things in place of what the API does. */
const inWords = (message: string): string =>
  message
    .replace(/(?:staging )?changeset/g, 'draft')
    .replace('promote', 'publish')
    .replace('POST /api/staging enters one', 'open one first');

/** Without when to try again, which the sentence after it says. */
const busyText = (message: string): string =>
  `The shop is busy (${message.replace(/: try again in \d+ s$/, '')}).`;

/** Why the page waits for what it reads and writes. */
export const waitText = ({ message, retryAfterMs }: CallFailure): string =>
  `${busyText(message)} The page goes on by itself${retryAfterMs === null ? '' : ` ${inSeconds(retryAfterMs)}`}; nothing that you typed is lost.`;

/** What happened, and what the reader can do. */
export function failureText({ code, retryAfterMs, mayHaveHappened, ...failure }: CallFailure): string {
  const message = inWords(failure.message);
  const uncertain = mayHaveHappened
    ? ' It may have been saved: saving again repeats the same request and cannot do it twice.'
    : '';
  switch (code) {
    case 'CONNECTION_LOST':
    case 'UNREACHABLE':
    case 'DEADLINE_EXCEEDED':
      return `The service did not answer.${uncertain || ' Try again in a moment.'} Nothing that you typed is lost.`;
    case 'RATE_LIMITED':
      return `${busyText(message)} ${later(retryAfterMs)} Nothing that you typed is lost.`;
    case 'UNAVAILABLE':
      return `The service cannot do this for the moment (${message}).${uncertain || ` ${later(retryAfterMs)}`} Nothing that you typed is lost.`;
    case 'UNAUTHORIZED':
      return 'The key is no longer accepted. Sign in again; nothing that you typed is lost.';
    case 'FORBIDDEN':
      return `This key may not do that: ${message}`;
    case 'PLAN_LIMIT_EXCEEDED':
      return `The plan of the shop is full: ${message}`;
    default:
      return `${capitalized(message)}${uncertain}`;
  }
}

/**
 * The errors of a refusal by JSON path, in words of people, as in `/items/0/quantity must be ...`; those without a path
 * are at "". Several errors of one path are separate lines.
 */
export function fieldErrors(failure: CallFailure | null): ReadonlyMap<string, string> {
  const errors = new Map<string, string>();
  if (failure?.code !== 'VALIDATION_ERROR') return errors;
  for (const line of failure.message.split(/; (?=\/)/)) {
    const [, path = '', said = line] = /^(\/\S+) (.*)$/s.exec(line) ?? [];
    const text = path === '' ? said : refusalText(said);
    const earlier = errors.get(path);
    errors.set(path, earlier === undefined ? text : `${earlier}\n${text}`);
  }
  return errors;
}
