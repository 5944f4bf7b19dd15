/**
 * Executes a call: prepares the request, sends it, and repeats it where the policy allows. Independent of the
 * platform: the functions that send, wait and make keys are passed in, so the client for Node and the console share
 * it.
 */

import type { Attempt, PreparedRequest, RequestSender } from './attempt.ts';
import { apiErrorOf, effectOfAttempt, parseJson } from './attempt-effect.ts';
import type { CallFailure, CallOutcome, CallSuccess } from './call-outcome.ts';
import { CALLS, type CallOptions, type CallRow, type Calls, ID_SEGMENT } from './call-table.ts';
import { isPassing, parseRetryAfter, type RetryLimits, retryDelayMs } from './retry-policy.ts';

export interface Waits {
  /** Milliseconds since the epoch, for the date of a `Retry-After`; the clock may be set at any time. */
  readonly nowMs: () => number;
  /** Milliseconds since an arbitrary start, for deadlines; never goes back. */
  readonly monotonicMs: () => number;
  readonly random: () => number;
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;
}

export const CALLER_DEFAULTS = {
  deadlineMs: 10_000,
  retriesMax: 3,
  backoffMs: 100,
  backoffMsMax: 2_000,
} as const;

export interface CallerOptions extends RetryLimits {
  readonly sender: RequestSender;
  /** Prefix of the path of each route: "", or a path that begins with a slash and does not end with one. */
  readonly basePath: string;
  readonly key?: string | undefined;
  /** Time limit of a call including repetitions. */
  readonly deadlineMs: number;
  readonly waits: Waits;
  /** Makes the `Idempotency-Key` of a write. */
  readonly newKey: () => string;
}

/** The methods of the client, one for each row of `CALLS`. */
export function callsOf(caller: Caller): Calls {
  const methods = Object.entries<CallRow>(CALLS).map(([name, row]) => [
    name,
    (...args: readonly unknown[]) => caller.call(row, args),
  ]);
  return Object.fromEntries(methods) as Calls;
}

export class Caller {
  readonly #sender: RequestSender;
  readonly #basePath: string;
  readonly #key: string | undefined;
  readonly #deadlineMs: number;
  readonly #limits: RetryLimits;
  readonly #waits: Waits;
  readonly #newKey: () => string;

  constructor(options: CallerOptions) {
    this.#sender = options.sender;
    this.#basePath = options.basePath;
    this.#key = options.key;
    this.#deadlineMs = options.deadlineMs;
    this.#limits = options;
    this.#waits = options.waits;
    this.#newKey = options.newKey;
  }

  async call(row: CallRow, args: readonly unknown[]): Promise<CallOutcome<unknown>> {
    const rest = [...args];
    const id = row.path.endsWith(ID_SEGMENT) ? String(rest.shift()) : null;
    const body = row.hasBody ? rest.shift() : undefined;
    const options = (rest.shift() ?? {}) as AnyOptions;
    const prepared = this.#prepare(row, id, body, options);
    const isRepeatable = !row.isWrite || prepared.headers['idempotency-key'] !== undefined;
    const endMs = this.#waits.monotonicMs() + (options.deadlineMs ?? this.#deadlineMs);
    let mayHaveHappened = false;
    for (let attempts = 1; ; attempts++) {
      const timeMs = Math.max(1, endMs - this.#waits.monotonicMs());
      const attempt = await this.#sender.send(prepared, timeMs, options.signal);
      const answer = answerOf(row, attempt);
      if (answer !== null) return { ...answer, attempts };
      const effect = row.isWrite ? effectOfAttempt(attempt, prepared.headers['idempotency-key']) : 'none';
      if (effect !== 'none') mayHaveHappened = effect === 'unknown';
      const failed = { ...this.#failureOf(attempt), attempts, mayHaveHappened };
      if (attempts > this.#limits.retriesMax || !isPassingAttempt(attempt)) return failed;
      if (!isRepeatable && effect === 'unknown') return failed;
      const delayMs = retryDelayMs(this.#limits, attempts - 1, failed.retryAfterMs, this.#waits.random());
      if (this.#waits.monotonicMs() + delayMs >= endMs) return failed;
      await this.#waits.sleep(delayMs, options.signal).catch(() => {});
    }
  }

  #prepare(row: CallRow, id: string | null, body: unknown, options: AnyOptions): PreparedRequest {
    const path = id === null ? row.path : row.path.replace(ID_SEGMENT, encodeURIComponent(id));
    const query = queryText(options.query ?? {});
    const { ifMatch, batchId, requestId } = options;
    const idempotencyKey = row.isWrite
      ? options.idempotencyKey === undefined
        ? this.#newKey()
        : options.idempotencyKey
      : null;
    return {
      verb: row.verb,
      path: `${this.#basePath}${path}${query}`,
      headers: {
        ...(this.#key === undefined ? {} : { authorization: `Bearer ${this.#key}` }),
        ...(row.hasBody ? { 'content-type': 'application/json' } : {}),
        ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
        ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
        ...(batchId === undefined ? {} : { 'x-batch-id': batchId }),
        ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
      },
      body: row.hasBody ? JSON.stringify(body) : null,
    };
  }

  #failureOf(attempt: Attempt): Omit<CallFailure, 'attempts' | 'mayHaveHappened'> {
    if (attempt.kind === 'failed') {
      const { code, message } = attempt;
      return { ok: false, code, message, status: null, retryAfterMs: null, requestId: null };
    }
    const { status, headers } = attempt;
    const unexpected = {
      code: 'UNEXPECTED_ANSWER',
      message: `status ${status} without an error of this API`,
    } as const;
    return {
      ok: false,
      ...(apiErrorOf(attempt) ?? unexpected),
      status,
      retryAfterMs: parseRetryAfter(headers['retry-after'], this.#waits.nowMs()),
      requestId: headers['x-request-id'] ?? null,
    };
  }
}

/** The options of any call. */
type AnyOptions = CallOptions<Readonly<Record<string, string | number | boolean | undefined>>>;

/** Removes fields with the value undefined, so that they do not replace defaults. */
export const withoutUndefined = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;

/** The query string with its question mark; "" without parameters. */
function queryText(query: NonNullable<AnyOptions['query']>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(withoutUndefined(query))) parameters.set(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters}`;
}

/** The answer of the route; null for an error and for anything that is not an answer of the route. */
function answerOf(row: CallRow, attempt: Attempt): Omit<CallSuccess<unknown>, 'attempts'> | null {
  if (attempt.kind === 'failed') return null;
  const { status, headers, text } = attempt;
  if ((status < 200 || status >= 300) && !row.otherStatuses.includes(status)) return null;
  const value = row.isText ? text : parseJson(text);
  if (value === undefined) return null;
  const versionId = headers['x-config-version'] ?? null;
  return { ok: true, value, status, versionId, requestId: headers['x-request-id'] ?? null };
}

const isPassingAttempt = (attempt: Attempt): boolean =>
  attempt.kind === 'answered'
    ? isPassing(attempt.status)
    : attempt.code === 'UNREACHABLE' || attempt.code === 'CONNECTION_LOST';
