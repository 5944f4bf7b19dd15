/**
 * From a failure to the answer that tells it: the one place that knows status, envelope and the headers that
 * go with them (contract sections 1 and 2). What went wrong inside is never told, only logged.
 */
import { FAILURE_STATUS, type Failure, failure } from '../domain/failure.ts';
import type { Answer } from './output.ts';

const RETRY_AFTER_SECONDS_DEFAULT = 1;

export function failureAnswer(refused: Failure): Omit<Answer, 'headers' | 'body'> & {
  readonly headers: (readonly [string, string])[];
  readonly body: Uint8Array;
} {
  const { code, message } = refused;
  const headers: (readonly [string, string])[] = [];
  if (code === 'RATE_LIMITED') {
    headers.push(['Retry-After', String(refused.retryAfterSeconds ?? RETRY_AFTER_SECONDS_DEFAULT)]);
  }
  if (code === 'UNAUTHORIZED') headers.push(['WWW-Authenticate', 'Bearer']);
  return {
    status: FAILURE_STATUS[code],
    type: 'json',
    headers,
    body: Buffer.from(JSON.stringify({ error: { code, message } })),
  };
}

export const NO_KEY = failure('UNAUTHORIZED', 'an API key is needed: Authorization: Bearer <key>');
export const BAD_KEY = failure('UNAUTHORIZED', 'the API key is not valid');
export const NO_ROUTE = failure('NOT_FOUND', 'there is nothing at this path for this verb');
export const INTERNAL = failure('INTERNAL_ERROR', 'internal error');

/**
 * What a client is told about something thrown: nothing, but that its shop's log is damaged, which somebody
 * has to repair. The log says so with an error of this name and a record number.
 */
export function thrownFailure(cause: unknown): Failure {
  const { name, sequenceNumber } = (cause ?? {}) as {
    readonly name?: unknown;
    readonly sequenceNumber?: unknown;
  };
  if (name !== 'DamagedLogError' || typeof sequenceNumber !== 'number') return INTERNAL;
  return failure(
    'INTERNAL_ERROR',
    `the stored configuration of this shop is damaged at record ${sequenceNumber}`,
  );
}
