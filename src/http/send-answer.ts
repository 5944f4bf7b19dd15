/** Answers with the headers that go with them: which version they are about, and the tag to guard a later write with. */
import { type Exchange, type Headers, VERSION_HEADER } from './exchange.ts';
import type { PublicAnswer, ShopRoute } from './route.ts';

export function sendPublic(exchange: Exchange, { status, type, body, headers = [] }: PublicAnswer): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  exchange.send({ status, type, body: bytes, headers });
}

export function sendValue(exchange: Exchange, route: ShopRoute, body: Uint8Array, versionId: string): void {
  const { status } = route.success;
  exchange.send({ status, type: 'json', body, headers: versionHeaders(route, versionId) });
}

/** The version an answer is about, and for a read the tag to guard a later write with. */
export function versionHeaders(route: ShopRoute, versionId: string): Headers {
  if (!route.isConfiguration) return [];
  const version = [VERSION_HEADER, versionId] as const;
  return route.followsState ? [version, ['ETag', `"${versionId}"`]] : [version];
}
