/**
 * The headers by which a client guards a write (contract section 1): `If-Match`, `Idempotency-Key` and
 * `X-Batch-Id`. A malformed one is refused rather than ignored, because ignoring it would lift the guard.
 */
import { invalid, type Outcome, success } from '../domain/failure.ts';
import { parseTags, versionOfTag } from './entity-tag.ts';
import type { RequestHead } from './request-head.ts';

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;
/** Maximum length of batch ids and request ids. */
export const TOKEN_LENGTH_MAX = 64;

const IDEMPOTENCY_KEY = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_LENGTH_MAX}}$`);
const TOKEN = new RegExp(`^[A-Za-z0-9_-]{1,${TOKEN_LENGTH_MAX}}$`);

export interface WriteGuards {
  /** Version ids of which one must be current; null = any. */
  readonly ifMatch: readonly string[] | null;
  readonly idempotencyKey: string | null;
  readonly batchId: string | null;
}

export const NO_GUARDS: WriteGuards = { ifMatch: null, idempotencyKey: null, batchId: null };

/** True for what may be echoed as `X-Request-Id`. */
export const isRequestId = (text: string): boolean => TOKEN.test(text);

export function readWriteGuards(head: RequestHead): Outcome<WriteGuards> {
  const { idempotencyKey, batchId } = head;
  if (head.ifMatch === null && idempotencyKey === null && batchId === null) return success(NO_GUARDS);
  const listed = head.ifMatch === null ? 'any' : parseTags(head.ifMatch);
  if (listed === null) {
    return invalid('header If-Match must be "<version id>", a comma-separated list of them, or *');
  }
  if (idempotencyKey !== null && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
    return invalid(
      `header ${IDEMPOTENCY_HEADER} must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters`,
    );
  }
  if (batchId !== null && !TOKEN.test(batchId)) {
    return invalid(`header X-Batch-Id must be 1 to ${TOKEN_LENGTH_MAX} characters of A-Z, a-z, 0-9, _ and -`);
  }
  const ifMatch = listed === 'any' ? null : listed.map(versionOfTag);
  return success({ ifMatch, idempotencyKey, batchId });
}
