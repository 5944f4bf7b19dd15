/**
 * Makes the answer of a failure: its status, envelope and headers (contract sections 1 and 2). Internal errors are logged
 * and never shown to the client.
 */
import {
  DISK_FULL,
  FAILURE_STATUS,
  type Failure,
  failure,
  notFound,
  unavailable,
} from '../../engine/domain/failure.ts';
import { UNREACHABLE } from '../../shop/reader/other-nodes.ts';
import { AnswerHead, type Headers, type HttpAnswer, headText, NO_HEADERS } from './output.ts';

const RETRY_AFTER_SECONDS_DEFAULT = 1;

function headersOf({ code, retryAfterSeconds = RETRY_AFTER_SECONDS_DEFAULT }: Failure): Headers {
  if (code === 'RATE_LIMITED' || code === 'UNAVAILABLE') {
    return [['Retry-After', String(retryAfterSeconds)]];
  }
  return code === 'UNAUTHORIZED' ? [['WWW-Authenticate', 'Bearer']] : NO_HEADERS;
}

/** A failure whose answer is prepared: under overload, most answers are of this kind. */
interface StandingFailure extends Failure {
  readonly answer: HttpAnswer;
}

export function standing(refused: Failure): StandingFailure {
  const answer = failureAnswer(refused);
  return { ...refused, answer: { ...answer, head: new AnswerHead(headText(answer.type, answer.headers)) } };
}

/** `versionId` is the version that led to the refusal, if any. */
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
export const NO_OPERATOR_KEY = failure(
  'UNAUTHORIZED',
  'the key of operators is needed: Authorization: Bearer <RATEWRIGHT_OPERATOR_KEY>',
);
export const BAD_OPERATOR_KEY = failure('UNAUTHORIZED', 'the key of operators is not valid');
export const BAD_KEY = failure('UNAUTHORIZED', 'the API key is not valid');
export const NO_ROUTE = failure('NOT_FOUND', 'there is nothing at this path for this verb');
const INTERNAL = failure('INTERNAL_ERROR', 'internal error');
export const STARTING = unavailable('the server is starting: try again in a moment');
export const STOPPING = unavailable('the server is stopping: try again in a moment');

/**
 * The failure that a client sees after an error was thrown. It has no details, except that the database cannot be
 * reached, that the disk is full, that the shop of the key was deleted or the one that an operator names does not exist, or that its log is damaged at a record, which an operator must repair.
 */
export function thrownFailure(cause: unknown, operatedShopId: string | null = null): Failure {
  const { name, code, shopId, sequenceNumber } = (cause ?? {}) as {
    readonly name?: unknown;
    readonly code?: unknown;
    readonly shopId?: unknown;
    readonly sequenceNumber?: unknown;
  };
  if (name === 'AuthorityUnavailableError') return UNREACHABLE;
  // The second is that of a file beside the log, such as the key of sealed secrets.
  if (name === 'DiskFullError' || code === 'ENOSPC') return DISK_FULL;
  // The shop was deleted after its key was found.
  if (name === 'UnknownShopError')
    return operatedShopId === null ? BAD_KEY : notFound('shop', operatedShopId);
  if (name !== 'DamagedLogError' || typeof sequenceNumber !== 'number') return INTERNAL;
  const which = operatedShopId === null ? 'this shop' : `shop ${shopId}`;
  return failure(
    'INTERNAL_ERROR',
    `the stored configuration of ${which} is damaged at record ${sequenceNumber}`,
  );
}
