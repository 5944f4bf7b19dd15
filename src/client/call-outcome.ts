/**
 * How a call can end: with an answer, with one of the eight refusals of the API, or without either. A
 * failure is a value; the client throws only when it is used wrongly.
 */
import type { FailureCode } from '../domain/failure.ts';

/** The ways in which a call can end without an answer of the API. */
export const NETWORK_FAILURES = {
  UNREACHABLE: 'no connection could be made: nothing was sent',
  CONNECTION_LOST: 'the connection ended before the answer did',
  DEADLINE_EXCEEDED: 'the time for the call was over',
  ABORTED: 'the caller gave up, or the client is closed',
  UNEXPECTED_ANSWER: 'what came back is no answer of this API',
} as const;
export type NetworkFailureCode = keyof typeof NETWORK_FAILURES;

export interface CallSuccess<T> {
  readonly ok: true;
  readonly value: T;
  readonly status: number;
  /** The version that answered (`X-Config-Version`), where the route names one. */
  readonly versionId: string | null;
  readonly requestId: string | null;
  /** Requests that were sent, 1 or more. */
  readonly attempts: number;
}

export interface CallFailure {
  readonly ok: false;
  readonly code: FailureCode | NetworkFailureCode;
  /** One sentence; that of the API where it gave one. */
  readonly message: string;
  /** null when nothing came back. */
  readonly status: number | null;
  /** When a repetition can succeed, as far as the server said. */
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
  readonly attempts: number;
  /**
   * Of a write: true when an attempt was sent and its outcome is not known. A later refusal turns it to false only when it
   * rests on the look-up of the `Idempotency-Key`.
   */
  readonly mayHaveHappened: boolean;
}

export type CallOutcome<T> = CallSuccess<T> | CallFailure;
