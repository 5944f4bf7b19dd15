/** One attempt of a call: the request, the result, and the effect it may have had. Used on every platform. */
import { FAILURE_STATUS, type FailureCode } from '../../engine/domain/failure.ts';
import type { NetworkFailureCode } from './call-outcome.ts';

export interface PreparedRequest {
  readonly verb: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export type Attempt =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
    }
  | {
      readonly kind: 'failed';
      readonly code: NetworkFailureCode;
      readonly message: string;
      /** False when the request never had a connection, so nothing was sent. */
      readonly isSent: boolean;
    };

export interface RequestSender {
  /** `timeMs` is the remaining time of the call. Rejects only with `TypeError`, for a header that HTTP cannot carry. */
  send(prepared: PreparedRequest, timeMs: number, signal: AbortSignal | undefined): Promise<Attempt>;
  /** Waits for pending requests; later ones fail. */
  close(): Promise<void>;
}

/**
 * What an attempt of a write may have done, derived from its answer. Only errors in the API's format count; the answer of
 * a proxy proves nothing.
 * - `none`: this attempt did nothing. Earlier attempts are as uncertain as before.
 * - `settled`: no attempt has done anything. The refusal repeats the `Idempotency-Key` of the write, which the server
 *   does only when it takes all writes of the shop itself and has found no earlier one under that key.
 * - `unknown`: this attempt may have been carried out.
 */
export type AttemptEffect = 'none' | 'settled' | 'unknown';

/** The effect of an attempt that did not end with an answer of the route; `idempotencyKey` is the key it sent. */
export function effectOfAttempt(attempt: Attempt, idempotencyKey: string | undefined): AttemptEffect {
  if (attempt.kind === 'failed') return attempt.isSent ? 'unknown' : 'none';
  const error = apiErrorOf(attempt);
  if (error === null || error.code === 'INTERNAL_ERROR') return 'unknown';
  const decidedUnder = attempt.headers['idempotency-key'];
  return decidedUnder !== undefined && decidedUnder === idempotencyKey ? 'settled' : 'none';
}

/** The error in an answer; null when it does not have the API's format or its status differs. */
export function apiErrorOf(
  attempt: Attempt,
): { readonly code: FailureCode; readonly message: string } | null {
  if (attempt.kind === 'failed') return null;
  const body = (parseJson(attempt.text) ?? {}) as {
    readonly error?: { readonly code?: unknown; readonly message?: unknown } | null;
  };
  const { code, message } = body.error ?? {};
  if (typeof code !== 'string' || !Object.hasOwn(FAILURE_STATUS, code)) return null;
  if (FAILURE_STATUS[code as FailureCode] !== attempt.status) return null;
  return { code: code as FailureCode, message: String(message) };
}

/** Returns undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
