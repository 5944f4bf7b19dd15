/** Answers with the headers that go with them: which version they are about, and the tag to guard a later write with. */
import type { WriteAnswer } from '../actor/shop-access.ts';
import type { HeavyAnswer } from '../pool/heavy-work.ts';
import { VERSION_HEADER } from './answer-head.ts';
import { type Exchange, type Headers, NO_HEADERS } from './exchange.ts';
import type { QueryValues } from './query-text.ts';
import type { PublicAnswer, ShopRoute, SimulateRoute } from './route.ts';

export function sendPublic(exchange: Exchange, { status, type, body, headers = [] }: PublicAnswer): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  exchange.send({ status, type, body: bytes, headers });
}

export function sendValue(exchange: Exchange, route: ShopRoute, body: Uint8Array, versionId: string): void {
  const { status } = route.success;
  exchange.send({ status, type: 'json', body, headers: versionHeaders(route, versionId) });
}

/** The answer to a write; a changed record, which most are, goes by the shortest way. */
export function sendWritten(
  exchange: Exchange,
  route: ShopRoute,
  { status, body, versionId }: WriteAnswer,
): void {
  const bytes = Buffer.from(body);
  if (status === 200 && route.isConfiguration && !route.followsState) exchange.sendMade(bytes, versionId);
  else exchange.send({ status, type: 'json', body: bytes, headers: versionHeaders(route, versionId) });
}

/** What a worker thread made, as if it had been made here. */
export function sendHeavy(
  exchange: Exchange,
  route: ShopRoute | SimulateRoute,
  query: QueryValues,
  { outcome, versionId, isOfBody }: HeavyAnswer,
): void {
  if (outcome.ok) {
    if (route.kind === 'simulate') exchange.sendMade(outcome.value, query['version'] ?? versionId);
    else sendValue(exchange, route, outcome.value, versionId);
    return;
  }
  const ofVersion =
    route.kind === 'simulate' ? [[VERSION_HEADER, versionId] as const] : versionHeaders(route, versionId);
  exchange.refuse(outcome, isOfBody ? NO_HEADERS : ofVersion);
}

/** The version an answer is about, and for a read the tag to guard a later write with. */
export function versionHeaders(route: ShopRoute, versionId: string): Headers {
  if (!route.isConfiguration) return [];
  const version = [VERSION_HEADER, versionId] as const;
  return route.followsState ? [version, ['ETag', `"${versionId}"`]] : [version];
}
