/**
 * A typed client of the Ratewright API: one method for each route; answers and failures are values.
 *
 * Connections are kept alive. A request is repeated only if that cannot execute anything twice: reads, simulations,
 * and writes with an `Idempotency-Key`, which every write gets unless the caller declines; and any request that was
 * not sent. Every call ends within its deadline.
 */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Calls, Schemas } from './call-table.ts';
import { CALLER_DEFAULTS, callsOf, type Waits, withoutUndefined } from './caller.ts';
import {
  checkOptions,
  count,
  HTTP_ADDRESS,
  KEY,
  milliseconds,
  OBJECT,
  type OptionKinds,
} from './given-options.ts';
import type { RetryLimits } from './retry-policy.ts';
import { Transport } from './transport.ts';

export type { CallFailure, CallOutcome, CallSuccess, NetworkFailureCode } from './call-outcome.ts';
export type { CallAnswers, CallName, CallOptions, Schemas } from './call-table.ts';
export type { Waits } from './caller.ts';
export type SimulateRequest = Schemas['SimulateRequest'];
export type SimulateAnswer = Schemas['SimulateAnswer'];

export interface ClientOptions extends Partial<RetryLimits> {
  /** Base address of the service, such as `http://127.0.0.1:8080`; a path in it becomes the prefix of each route. */
  readonly url: string;
  /** API key; without a key only routes that need none can be called. */
  readonly key?: string;
  /** Time limit of every call including repetitions (default: 2,000 for simulate and simulateBatch, 10,000 for the others). */
  readonly deadlineMs?: number;
  /** Maximum number of connections (default 8). */
  readonly connections?: number;
  /** Maximum bytes of one answer (default 64 MiB). */
  readonly answerBytesMax?: number;
  /** Clocks, random numbers and waiting; tests replace them. */
  readonly waits?: Waits;
}

const CLIENT_DEFAULTS = {
  ...CALLER_DEFAULTS,
  connections: 8,
  answerBytesMax: 64 * 1024 * 1024,
} as const;

const REAL_WAITS: Waits = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
};

export type RatewrightClient = Calls & {
  /** Closes the connections after pending calls are answered. */
  close(): Promise<void>;
};

const CLIENT_OPTIONS = {
  url: HTTP_ADDRESS,
  key: KEY,
  deadlineMs: milliseconds(1),
  connections: count(1),
  answerBytesMax: count(1),
  retriesMax: count(0),
  backoffMs: milliseconds(0),
  backoffMsMax: milliseconds(0),
  waits: OBJECT,
} as const satisfies { readonly [K in keyof Required<ClientOptions>]: OptionKinds[string] };

/** Throws `TypeError` for an unknown or malformed option, or when `url` is not an http or https address. */
export function createClient(options: ClientOptions): RatewrightClient {
  checkOptions('createClient', CLIENT_OPTIONS, options);
  const { origin, pathname } = new URL(options.url);
  const settings = { ...CLIENT_DEFAULTS, ...withoutUndefined(options) };
  const sender = new Transport({ ...settings, origin });
  const calls = callsOf({
    ...settings,
    sender,
    basePath: pathname.replace(/\/+$/, ''),
    waits: options.waits ?? REAL_WAITS,
    newKey: randomUUID,
  });
  return { ...calls, close: () => sender.close() };
}
