/**
 * The header of a refused write that settles its earlier attempts. A client that lost the answer to an attempt sends the
 * write again under the same `Idempotency-Key`. The shop looks for an earlier write under the key before it refuses one, and
 * it decides its writes in the order in which they came. So a refusal that repeats the key says that no attempt that has
 * arrived was carried out, or will be.
 *
 * Of several nodes none can say that. The earlier attempt may wait at another one, in a mailbox or as a statement that is
 * under way to the database, for any time. It may still be accepted after the refusal, once a write of somebody else has
 * removed the reason for it; to look up the key in the newest state does not help. So they never repeat the key.
 */

import type { Failure, FailureCode } from '../../engine/domain/failure.ts';
import { SECRET_OF_ANOTHER_KEY } from '../../shop/actor/write-group.ts';
import { type Headers, NO_HEADERS } from './output.ts';
import { IDEMPOTENCY_HEADER } from './request-head.ts';

/** Codes with which a shop refuses a write only after it has looked for an earlier write under the idempotency key. */
const AFTER_LOOK_UP: ReadonlySet<FailureCode> = new Set([
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'CONFLICT',
  'PLAN_LIMIT_EXCEEDED',
]);

/** `hasOtherNodes`: other processes take writes of the same shops. */
export function refusalHeaders(
  refused: Failure,
  idempotencyKey: string | null,
  hasOtherNodes: boolean,
): Headers {
  if (hasOtherNodes || idempotencyKey === null) return NO_HEADERS;
  const isUndone = AFTER_LOOK_UP.has(refused.code) && refused !== SECRET_OF_ANOTHER_KEY;
  return isUndone ? [[IDEMPOTENCY_HEADER, idempotencyKey]] : NO_HEADERS;
}
