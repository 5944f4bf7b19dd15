/**
 * Executes a call: prepares the request, sends it, and repeats it where the policy allows. Independent of the
 * platform: the functions that send, wait and make keys are passed in, so the client for Node and the console share
 * it.
 */

import { CALLS, OPERATOR_CALLS } from './api-types.ts';
import {
  type Attempt,
  apiErrorOf,
  effectOfAttempt,
  type PreparedRequest,
  parseJson,
  type RequestSender,
} from './attempt.ts';
import type { CallFailure, CallOutcome, CallSuccess } from './call-outcome.ts';
import { type CallOptions, type CallRow, type Calls, ID_SEGMENT, type OperatorCalls } from './call-table.ts';
import {
  BOOLEAN,
  checkOptions,
  milliseconds,
  OBJECT,
  type OptionKinds,
  TEXT,
  TEXT_OR_NULL,
} from './given-options.ts';
import { isPassing, parseRetryAfter, type RetryLimits, retryDelayMs } from './retry-policy.ts';

export interface Waits {
  /** Milliseconds since the epoch, for the date of a `Retry-After`; the clock may be set at any time. */
  readonly nowMs: () => number;
  /** Milliseconds since an arbitrary start, for deadlines; never goes back. */
  readonly monotonicMs: () => number;
  readonly random: () => number;
  /** Waits before a call is repeated, which failed like this. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined, failed: CallFailure) => Promise<unknown>;
}

/** Of a simulation, for which a checkout waits, of a check or a copy of a whole log, and of any other call. */
export const SIMULATION_DEADLINE_MS = 2_000;
const LONG_DEADLINE_MS = 3_600_000;
export const DEADLINE_MS = 10_000;

export const CALLER_DEFAULTS = {
  retriesMax: 3,
  backoffMs: 100,
  backoffMsMax: 2_000,
} as const;

export interface CallerOptions extends RetryLimits {
  readonly sender: RequestSender;
  /** Prefix of the path of each route: "", or a path that begins with a slash and does not end with one. */
  readonly basePath: string;
  /** Comes before the path of each route of a shop, where an operator names the shop; "" where the key does. */
  readonly shopPath?: string;
  readonly key?: string | undefined;
  /** Time limit of a call including repetitions; by default `SIMULATION_DEADLINE_MS` or `DEADLINE_MS`. */
  readonly deadlineMs?: number | undefined;
  readonly waits: Waits;
  /** Makes the `Idempotency-Key` of a write. */
  readonly newKey: () => string;
}

/** The methods of the client, one for each row of `CALLS`. */
export const callsOf = (options: CallerOptions): Calls => methodsOf(options, CALLS) as Calls;

/** Those of operators, one for each row of `OPERATOR_CALLS`. */
export const operatorCallsOf = (options: CallerOptions): OperatorCalls =>
  methodsOf(options, OPERATOR_CALLS) as OperatorCalls;

function methodsOf(options: CallerOptions, rows: Readonly<Record<string, CallRow>>): object {
  const methods = Object.entries(rows).map(([name, row]) => [
    name,
    (...args: readonly unknown[]) => call(options, row, args),
  ]);
  return Object.fromEntries(methods);
}

async function call(
  caller: CallerOptions,
  row: CallRow,
  args: readonly unknown[],
): Promise<CallOutcome<unknown>> {
  const { sender, waits } = caller;
  const rest = [...args];
  const id = row.path.includes(ID_SEGMENT) ? String(rest.shift()) : null;
  const body = row.hasBody ? rest.shift() : undefined;
  const options = (rest.shift() ?? {}) as AnyOptions;
  checkOptions('a call', CALL_OPTIONS, options);
  const prepared = prepare(caller, row, { id, body, options });
  const isRepeatable = !row.isWrite || prepared.headers['idempotency-key'] !== undefined;
  const deadlineMs = options.deadlineMs ?? caller.deadlineMs ?? defaultDeadlineMs(row);
  const endMs = waits.monotonicMs() + deadlineMs;
  let mayHaveHappened = options.mayHaveHappened ?? false;
  for (let attempts = 1; ; attempts++) {
    const timeMs = Math.max(1, endMs - waits.monotonicMs());
    const attempt = await sender.send(prepared, timeMs, options.signal);
    const answer = answerOf(row, attempt);
    if (answer !== null) return { ...answer, attempts };
    const effect = row.isWrite ? effectOfAttempt(attempt, prepared.headers['idempotency-key']) : 'none';
    if (effect !== 'none') mayHaveHappened = effect === 'unknown';
    const failed = { ...failureOf(attempt, waits.nowMs), attempts, mayHaveHappened };
    if (attempts > caller.retriesMax || !isPassingAttempt(attempt)) return failed;
    if (!isRepeatable && effect === 'unknown') return failed;
    const delayMs = retryDelayMs(caller, attempts - 1, failed.retryAfterMs, waits.random());
    if (waits.monotonicMs() + delayMs >= endMs) return failed;
    await waits.sleep(delayMs, options.signal, failed).catch(() => {});
  }
}

const CALL_OPTIONS = {
  query: OBJECT,
  deadlineMs: milliseconds(1),
  signal: OBJECT,
  requestId: TEXT,
  traceparent: TEXT,
  simulationSource: TEXT,
  ifMatch: TEXT,
  batchId: TEXT,
  idempotencyKey: TEXT_OR_NULL,
  mayHaveHappened: BOOLEAN,
} as const satisfies { readonly [K in keyof Required<CallOptions>]: OptionKinds[string] };

function defaultDeadlineMs({ isSimulation, isLong }: CallRow): number {
  if (isLong) return LONG_DEADLINE_MS;
  return isSimulation ? SIMULATION_DEADLINE_MS : DEADLINE_MS;
}

interface Arguments {
  readonly id: string | null;
  readonly body: unknown;
  readonly options: AnyOptions;
}

function prepare(
  { basePath, shopPath = '', key, newKey }: CallerOptions,
  row: CallRow,
  { id, body, options }: Arguments,
): PreparedRequest {
  const path = id === null ? row.path : row.path.replace(ID_SEGMENT, encodeURIComponent(id));
  const { query = {}, ifMatch, batchId, requestId, traceparent, simulationSource } = options;
  const writeKey = () => (options.idempotencyKey === undefined ? newKey() : options.idempotencyKey);
  return {
    verb: row.verb,
    path: `${basePath}${row.path.startsWith('/api/') ? shopPath : ''}${path}${queryText(query)}`,
    headers: withoutUndefined({
      authorization: key === undefined ? undefined : `Bearer ${key}`,
      'content-type': row.hasBody ? 'application/json' : undefined,
      'idempotency-key': row.isWrite ? (writeKey() ?? undefined) : undefined,
      'if-match': ifMatch === undefined ? undefined : `"${ifMatch}"`,
      'x-batch-id': batchId,
      'x-request-id': requestId,
      traceparent,
      'x-simulation-source': simulationSource,
    }),
    body: row.hasBody ? textOf(body) : null,
  };
}

function textOf(body: unknown): string {
  const text: string | undefined = JSON.stringify(body);
  if (text === undefined)
    throw new TypeError(`the body of a call must be a value of JSON, not ${typeof body}`);
  return text;
}

function failureOf(
  attempt: Attempt,
  nowMs: Waits['nowMs'],
): Omit<CallFailure, 'attempts' | 'mayHaveHappened'> {
  if (attempt.kind === 'failed') {
    const { code, message } = attempt;
    return { ok: false, code, message, status: null, retryAfterMs: null, requestId: null };
  }
  const { status, headers } = attempt;
  const unexpected = `status ${status} without an error of this API`;
  return {
    ok: false,
    ...(apiErrorOf(attempt) ?? { code: 'UNEXPECTED_ANSWER' as const, message: unexpected }),
    status,
    retryAfterMs: parseRetryAfter(headers['retry-after'], nowMs()),
    requestId: headers['x-request-id'] ?? null,
  };
}

type AnyOptions = CallOptions<Readonly<Record<string, string | number | boolean | undefined>>>;

/** Removes fields with the value undefined, so that they do not replace defaults. */
export const withoutUndefined = <T extends object>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]: Exclude<T[K], undefined>;
  };

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
  const unknownFields = headers['x-unknown-fields']?.split(',') ?? [];
  const requestId = headers['x-request-id'] ?? null;
  return { ok: true, value, status, versionId, entityTag: tagIn(headers['etag']), requestId, unknownFields };
}

/** Without quotes, as `ifMatch` takes it; a proxy may have marked it as weak. */
const tagIn = (header = ''): string | null => /"(.+)"/.exec(header)?.[1] ?? null;

const isPassingAttempt = (attempt: Attempt): boolean =>
  attempt.kind === 'answered'
    ? isPassing(attempt.status)
    : attempt.code === 'UNREACHABLE' || attempt.code === 'CONNECTION_LOST';
