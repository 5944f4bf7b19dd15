/**
 * The outcomes of a call: an answer, one of the nine errors of the API, or a failure without either. A failure is a
 * value; the client throws only when it is used incorrectly.
 */
import type { FailureCode } from '../../engine/domain/failure.ts';

/** The failures without an answer of the API. */
export type NetworkFailureCode =
  /** No connection could be made: nothing was sent. */
  | 'UNREACHABLE'
  /** The connection ended before the answer did. */
  | 'CONNECTION_LOST'
  /** The time for the call was over. */
  | 'DEADLINE_EXCEEDED'
  /** The caller gave up, or the client is closed. */
  | 'ABORTED'
  /** The answer is not one of this API, or too long. */
  | 'UNEXPECTED_ANSWER';

export interface CallSuccess<T> {
  readonly ok: true;
  readonly value: T;
  readonly status: number;
  /** The version of the configuration that answered (`X-Config-Version`); null when the route names none. */
  readonly versionId: string | null;
  /** What a read of the configuration showed (`ETag`), for `ifMatch`; null of other answers. */
  readonly entityTag: string | null;
  readonly requestId: string | null;
  /** Of a simulation: paths of the fields that the server does not know and ignored (`X-Unknown-Fields`). */
  readonly unknownFields: readonly string[];
  /** Number of attempts, 1 or more. */
  readonly attempts: number;
}

export interface CallFailure {
  readonly ok: false;
  readonly code: FailureCode | NetworkFailureCode;
  /** One sentence; the message of the API if there is one. */
  readonly message: string;
  /** Null without an answer. */
  readonly status: number | null;
  /** Time until a repetition can succeed, if the server named it. */
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
  readonly attempts: number;
  /**
   * For a write: true when an attempt was sent and its outcome is unknown. A later refusal resets it only if the server
   * repeats the `Idempotency-Key`, which none of several nodes does.
   */
  readonly mayHaveHappened: boolean;
}

export type CallOutcome<T> = CallSuccess<T> | CallFailure;
