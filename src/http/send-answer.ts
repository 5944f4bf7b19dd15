/** Answers with the headers that go with them: which version they are about, and the tag of what they show. */

import { SECRET_OF_ANOTHER_KEY } from '../actor/write-group.ts';
import type { Failure, FailureCode } from '../domain/failure.ts';
import type { WriteAnswer } from '../shop/shop-access.ts';
import type { HeavyAnswer } from '../worker/heavy-work.ts';
import { VERSION_HEADER } from './answer-head.ts';
import { type Exchange, type Headers, NO_HEADERS } from './exchange.ts';
import type { QueryValues } from './query-text.ts';
import type { PublicAnswer, ShopRoute, SimulateRoute } from './route.ts';
import { IDEMPOTENCY_HEADER } from './write-headers.ts';

export function sendPublic(exchange: Exchange, { status, type, body, headers = [] }: PublicAnswer): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  exchange.send({ status, type, body: bytes, headers });
}

/** The answer to a read; `headers` are those of its version. */
export function sendValue(exchange: Exchange, route: ShopRoute, body: Uint8Array, headers: Headers): void {
  exchange.send({ status: route.success.status, type: 'json', body, headers });
}

/** The answer to a write; a changed record, which most are, goes by the shortest way. */
export function sendWritten(
  exchange: Exchange,
  route: ShopRoute,
  { status, body, versionId }: WriteAnswer,
): void {
  const bytes = Buffer.from(body);
  if (status === 200 && route.isConfiguration) exchange.sendMade(bytes, versionId);
  else exchange.send({ status, type: 'json', body: bytes, headers: versionHeaders(route, versionId, null) });
}

/**
 * Refusals of a write that the shop decides after it has looked for an earlier write under the idempotency key; before
 * that it refuses with other codes (`WriteGroup`).
 */
const AFTER_LOOK_UP: ReadonlySet<FailureCode> = new Set([
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'CONFLICT',
  'PLAN_LIMIT_EXCEEDED',
]);

/**
 * Refuses what the shop did not write. A refusal that rests on the look-up of the idempotency key repeats the key, so that
 * a client whose earlier attempt was lost knows that nothing was done.
 */
export function refuseWrite(
  exchange: Exchange,
  route: ShopRoute,
  refused: Failure,
  versionId: string,
  idempotencyKey: string | null,
): void {
  const headers = versionHeaders(route, versionId, null);
  const isUndone = AFTER_LOOK_UP.has(refused.code) && refused !== SECRET_OF_ANOTHER_KEY;
  const isTold = isUndone && idempotencyKey !== null;
  exchange.refuse(refused, isTold ? [...headers, [IDEMPOTENCY_HEADER, idempotencyKey]] : headers);
}

/** What a worker thread made, as if it had been made here; `tag` is that of the shop when the thread was asked. */
export function sendHeavy(
  exchange: Exchange,
  route: ShopRoute | SimulateRoute,
  query: QueryValues,
  { outcome, versionId, isOfBody, isElsewhere }: HeavyAnswer,
  tag: string | null,
): void {
  // Made here after all, it is of a shop that may have moved on.
  const headers =
    route.kind === 'simulate'
      ? [[VERSION_HEADER, versionId] as const]
      : versionHeaders(route, versionId, isElsewhere ? tag : null);
  if (!outcome.ok) exchange.refuse(outcome, isOfBody ? NO_HEADERS : headers);
  else if (route.kind === 'simulate') exchange.sendMade(outcome.value, query['version'] ?? versionId);
  else sendValue(exchange, route, outcome.value, headers);
}

/** The version an answer is about, and the tag of a read. */
export function versionHeaders(route: ShopRoute, versionId: string, tag: string | null): Headers {
  if (!route.isConfiguration) return [];
  const version = [VERSION_HEADER, versionId] as const;
  return tag === null ? [version] : [version, ['ETag', `"${tag}"`]];
}

/** The client has what it asks for: what it has is described by `headers`. */
export const sendUnchanged = (exchange: Exchange, headers: Headers): void =>
  exchange.send({ status: 304, type: 'json', body: null, headers });
