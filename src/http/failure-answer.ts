/**
 * Turns a failure into an answer: the only place that knows status, envelope and their headers (contract sections 1
 * and 2). Internal errors are logged and never shown to the client.
 */
import { FAILURE_STATUS, type Failure, failure } from '../domain/failure.ts';
import { AnswerHead, type Headers, type HttpAnswer, headText, NO_HEADERS } from './output.ts';

const RETRY_AFTER_SECONDS_DEFAULT = 1;

function headersOf({ code, retryAfterSeconds = RETRY_AFTER_SECONDS_DEFAULT }: Failure): Headers {
  if (code === 'RATE_LIMITED') return [['Retry-After', String(retryAfterSeconds)]];
  return code === 'UNAUTHORIZED' ? [['WWW-Authenticate', 'Bearer']] : NO_HEADERS;
}

/** A failure with a constant text, and its prepared answer: most answers under overload are of this kind. */
interface StandingFailure extends Failure {
  readonly answer: HttpAnswer;
}

export function standing(refused: Failure): StandingFailure {
  const answer = failureAnswer(refused);
  return { ...refused, answer: { ...answer, head: new AnswerHead(headText(answer.type, answer.headers)) } };
}

/** `versionId` is the version that the refusal is about, if it is about one. */
export function failureAnswer(
  refused: Failure | StandingFailure,
  versionId: string | null = null,
  headers = NO_HEADERS,
): HttpAnswer {
  if ('answer' in refused && versionId === null && headers === NO_HEADERS) return refused.answer;
  const { code, message } = refused;
  return {
    status: FAILURE_STATUS[code],
    type: 'json',
    versionId,
    headers: [...headersOf(refused), ...headers],
    body: Buffer.from(JSON.stringify({ error: { code, message } })),
  };
}

export const NO_KEY = failure('UNAUTHORIZED', 'an API key is needed: Authorization: Bearer <key>');
export const BAD_KEY = failure('UNAUTHORIZED', 'the API key is not valid');
export const NO_ROUTE = failure('NOT_FOUND', 'there is nothing at this path for this verb');
export const INTERNAL = failure('INTERNAL_ERROR', 'internal error');

/** What the answer needs is in the database, which cannot be reached. */
const UNREACHABLE = failure('RATE_LIMITED', 'the database cannot be reached: try again in a moment');

/**
 * What a client is told about something thrown: nothing, except that the database cannot be reached, or that its shop's
 * log is damaged, which an operator has to repair. The log says so with an error of this name and a record number.
 */
export function thrownFailure(cause: unknown): Failure {
  const { name, sequenceNumber } = (cause ?? {}) as {
    readonly name?: unknown;
    readonly sequenceNumber?: unknown;
  };
  if (name === 'AuthorityUnavailableError') return UNREACHABLE;
  if (name !== 'DamagedLogError' || typeof sequenceNumber !== 'number') return INTERNAL;
  return failure(
    'INTERNAL_ERROR',
    `the stored configuration of this shop is damaged at record ${sequenceNumber}`,
  );
}
