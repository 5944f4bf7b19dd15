/**
 * A typed client of the Ratewright API: one method for each route, answers and failures as values.
 *
 * Connections are kept alive. A request is sent again only where that cannot do anything twice: reads,
 * simulations, and writes under an `Idempotency-Key`, which every write gets unless the caller declines;
 * and in any case when nothing had reached the server. Every call ends within its deadline.
 */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { FAILURE_STATUS, type FailureCode } from '../domain/failure.ts';
import type { CallFailure, CallOutcome } from './call-outcome.ts';
import {
  CALLS,
  type CallAnswers,
  type CallName,
  type CallOptions,
  type CallRow,
  type Calls,
  ID_SEGMENT,
} from './call-table.ts';
import {
  isPassing,
  parseRetryAfter,
  REFUSED_UNSEEN,
  type RetryLimits,
  retryDelayMs,
} from './retry-policy.ts';
import { type Attempt, type PreparedRequest, Transport } from './transport.ts';

export type { SimulateAnswer } from '../domain/answer.ts';
export type { SimulateRequest } from '../domain/cart.ts';
export type { CallFailure, CallOutcome, CallSuccess, NetworkFailureCode } from './call-outcome.ts';
export type { CallAnswers, CallName, CallOptions } from './call-table.ts';

export interface ClientOptions extends Partial<RetryLimits> {
  /** Base address of the service, such as `http://127.0.0.1:8080`; a path in it is put before each route. */
  readonly url: string;
  /** API key; without one only the routes that need none answer. */
  readonly key?: string;
  /** Milliseconds for a call, repetitions included (default 10,000). */
  readonly deadlineMs?: number;
  /** Connections at most (default 8). */
  readonly connections?: number;
  /** Bytes of one answer at most (default 64 MiB). */
  readonly answerBytesMax?: number;
  /** Clocks, chance and waiting, for tests. */
  readonly waits?: Waits;
}

export interface Waits {
  /** Since the epoch; may be set at any time. For the dates of a `Retry-After`. */
  readonly nowMs: () => number;
  /** Since whenever; never goes back. For deadlines. */
  readonly monotonicMs: () => number;
  readonly random: () => number;
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;
}

export const CLIENT_DEFAULTS = {
  deadlineMs: 10_000,
  connections: 8,
  answerBytesMax: 64 * 1024 * 1024,
  retriesMax: 3,
  backoffMs: 100,
  backoffMsMax: 2_000,
} as const;

const REAL_WAITS: Waits = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
};

export type RatewrightClient = Calls<{ readonly [K in CallName]: CallOutcome<CallAnswers[K]> }> & {
  /** Ends the connections once what is under way is answered. */
  close(): Promise<void>;
};

/** Throws `TypeError` when `url` is no http or https address. */
export function createClient(options: ClientOptions): RatewrightClient {
  const caller = new Caller(options);
  const methods = Object.entries<CallRow>(CALLS).map(([name, row]) => [
    name,
    (...args: readonly unknown[]) => caller.call(row, args),
  ]);
  return { ...Object.fromEntries(methods), close: () => caller.close() } as RatewrightClient;
}

class Caller {
  readonly #transport: Transport;
  readonly #basePath: string;
  readonly #key: string | undefined;
  readonly #deadlineMs: number;
  readonly #limits: RetryLimits;
  readonly #waits: Waits;

  constructor(options: ClientOptions) {
    const { protocol, origin, pathname } = new URL(options.url);
    if (protocol !== 'http:' && protocol !== 'https:') {
      throw new TypeError(`the address of the service must begin with http:// or https://`);
    }
    const settings = { ...CLIENT_DEFAULTS, ...withoutUndefined(options) };
    this.#transport = new Transport({ ...settings, origin });
    this.#basePath = pathname.replace(/\/+$/, '');
    this.#key = options.key;
    this.#deadlineMs = settings.deadlineMs;
    this.#limits = settings;
    this.#waits = options.waits ?? REAL_WAITS;
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async call(row: CallRow, args: readonly unknown[]): Promise<CallOutcome<unknown>> {
    const rest = [...args];
    const id = row.path.endsWith(ID_SEGMENT) ? String(rest.shift()) : null;
    const body = row.body === null ? undefined : rest.shift();
    const options = (rest.shift() ?? {}) as CallOptions<string>;
    const prepared = this.#prepare(row, id, body, options);
    const isRepeatable = !row.isWrite || prepared.headers['idempotency-key'] !== undefined;
    const endMs = this.#waits.monotonicMs() + (options.deadlineMs ?? this.#deadlineMs);
    let mayHaveHappened = false;
    for (let attempts = 1; ; attempts++) {
      const timeMs = Math.max(1, endMs - this.#waits.monotonicMs());
      // Of one that the caller gave up before it began, nothing is sent.
      const isGivenUp = options.signal?.aborted === true;
      const attempt = await this.#transport.send(prepared, timeMs, options.signal);
      const reached = isGivenUp ? 'nothing' : reachOf(attempt);
      if (reached === 'unknown') mayHaveHappened = row.isWrite;
      else if (reached === 'settled') mayHaveHappened = false;
      const outcome = this.#outcome(row, attempt, attempts, mayHaveHappened);
      if (outcome.ok || attempts > this.#limits.retriesMax) return outcome;
      if (!isPassingAttempt(attempt) || (!isRepeatable && reached === 'unknown')) return outcome;
      const delayMs = retryDelayMs(this.#limits, attempts - 1, outcome.retryAfterMs, this.#waits.random());
      if (this.#waits.monotonicMs() + delayMs >= endMs) return outcome;
      await this.#waits.sleep(delayMs, options.signal).catch(() => {});
    }
  }

  #prepare(row: CallRow, id: string | null, body: unknown, options: CallOptions<string>): PreparedRequest {
    const path = id === null ? row.path : row.path.replace(ID_SEGMENT, encodeURIComponent(id));
    const values = Object.entries(options.query ?? {}).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(values as [string, string][]).toString();
    const { ifMatch, batchId, requestId } = options;
    const idempotencyKey = row.isWrite
      ? options.idempotencyKey === undefined
        ? randomUUID()
        : options.idempotencyKey
      : null;
    return {
      verb: row.verb,
      path: `${this.#basePath}${path}${query === '' ? '' : `?${query}`}`,
      headers: {
        ...(this.#key === undefined ? {} : { authorization: `Bearer ${this.#key}` }),
        ...(row.body === null ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
        ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
        ...(batchId === undefined ? {} : { 'x-batch-id': batchId }),
        ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
      },
      body: row.body === null ? null : JSON.stringify(body),
    };
  }

  #outcome(row: CallRow, attempt: Attempt, attempts: number, mayHaveHappened: boolean): CallOutcome<unknown> {
    const failed = { ok: false, attempts, mayHaveHappened } as const;
    if (attempt.kind === 'failed') {
      const { code, message } = attempt;
      return { ...failed, code, message, status: null, retryAfterMs: null, requestId: null };
    }
    const { status, headers, text } = attempt;
    const requestId = headers['x-request-id'] ?? null;
    const isAnswer = (status >= 200 && status < 300) || row.otherStatuses.includes(status);
    const value = isAnswer && isText(row.answer) ? text : parseJson(text);
    if (isAnswer && value !== undefined) {
      const versionId = headers['x-config-version'] ?? null;
      return { ok: true, value, status, versionId, requestId, attempts };
    }
    const retryAfterMs = parseRetryAfter(headers['retry-after'], this.#waits.nowMs());
    return { ...failed, ...refusalOf(status, value), status, retryAfterMs, requestId };
  }
}

/** A caller whose own settings are optional hands them on as they are: undefined is as good as absent. */
const withoutUndefined = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;

/** What the server may have made of an attempt: nothing, everything that it ever will, or who knows. */
function reachOf(attempt: Attempt): 'nothing' | 'settled' | 'unknown' {
  if (attempt.kind === 'failed') return attempt.code === 'UNREACHABLE' ? 'nothing' : 'unknown';
  if (attempt.status === REFUSED_UNSEEN) return 'nothing';
  return attempt.status >= 500 ? 'unknown' : 'settled';
}

/** The one kind of answer that is no JSON. */
const isText = (schema: object): boolean => 'type' in schema && schema.type === 'string';

const isPassingAttempt = (attempt: Attempt): boolean =>
  attempt.kind === 'answered'
    ? isPassing(attempt.status)
    : attempt.code === 'UNREACHABLE' || attempt.code === 'CONNECTION_LOST';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error that an answer carries; one that is not of the API's shape comes from something in between. */
function refusalOf(status: number, body: unknown): Pick<CallFailure, 'code' | 'message'> {
  const { error } = (body ?? {}) as {
    readonly error?: { readonly code?: unknown; readonly message?: unknown };
  };
  if (typeof error?.code === 'string' && Object.hasOwn(FAILURE_STATUS, error.code)) {
    return { code: error.code as FailureCode, message: String(error.message) };
  }
  return { code: 'UNEXPECTED_ANSWER', message: `status ${status} without an error of this API` };
}
