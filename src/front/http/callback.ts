/**
 * Callbacks of shop systems. A signature over the raw body authenticates the sender; it is made with a secret that the
 * shop in the path shares with it. An unknown shop, a shop without a secret and a wrong signature get the same answer,
 * 401, so that a caller cannot tell them apart.
 *
 * The checkout waits for the answer. After the time budget, the request is refused and the checkout shows its backup
 * rates.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Failure, failure, type Outcome, success } from '../../engine/domain/failure.ts';
import { isId } from '../../engine/domain/id.ts';
import { UnknownShopError } from '../../shop/actor/shop-directory.ts';
import type { ShopAccess, ShopDirectory } from '../../shop/reader/shop-access.ts';
import { readQuery } from './admission.ts';
import type { ValueAnswer } from './answer.ts';
import { findBodyHeadDefect, parseJsonBody } from './body/json-body.ts';
import { receiveBody } from './body/request-bodies.ts';
import { markAge } from './config-age.ts';
import type { HttpDependencies, HttpSettings } from './dependencies.ts';
import type { Exchange } from './exchange.ts';
import { NO_HEADERS } from './output.ts';
import type { OverloadGate } from './overload-gate.ts';
import type { CallbackRoute } from './route.ts';
import { simulationsOf, type Throttle } from './throttle.ts';

const NO_SIGNATURE = failure(
  'UNAUTHORIZED',
  'a signature of this shop is needed: the base64 of an HMAC-SHA256 over the body',
);
const BAD_SIGNATURE = failure('UNAUTHORIZED', 'the signature is not valid for this shop');

const UNREADABLE_SECRET = failure(
  'INTERNAL_ERROR',
  'the signature cannot be checked: the secret of this shop cannot be opened',
);

const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/]{43}=$/;

export interface CallbackHost {
  readonly dependencies: HttpDependencies;
  readonly settings: Pick<HttpSettings, 'bodyBytesMax' | 'carrierBudgetMs'>;
  readonly gate: OverloadGate;
  readonly throttle: Throttle;
}

interface Received {
  readonly exchange: Exchange;
  readonly route: CallbackRoute;
  readonly bytes: Buffer;
  /** Time on the monotonic clock at which the body was complete. */
  readonly bodyAtMs: number;
}

/** Presence of a signature and a valid id (401), query (400), head of the body (400); then the body and the shop. */
export function admitCallback(
  host: CallbackHost,
  exchange: Exchange,
  route: CallbackRoute,
  shopId: string,
): Failure | null {
  const { dependencies, settings } = host;
  const { shops, clock } = dependencies;
  const { head } = exchange;
  if (head.signature === '') return NO_SIGNATURE;
  if (!isId(shopId)) return BAD_SIGNATURE;
  const query = readQuery(head.query, route);
  if (!query.ok) return query;
  const defect = findBodyHeadDefect(head, settings.bodyBytesMax);
  if (defect !== null) return defect;
  const whole = (bytes: Buffer): void => {
    const received = { exchange, route, bytes, bodyAtMs: clock.monotonicMs() };
    const shop = shops.loaded(shopId);
    if (shop !== undefined) handle(host, received, shop, received.bodyAtMs);
    else {
      const kept = { ...received, bytes: Buffer.from(bytes) };
      exchange.resume('load', loadNamed(shops, shopId), (loaded) => {
        if (loaded === null) exchange.refuse(BAD_SIGNATURE);
        else handle(host, kept, loaded, clock.monotonicMs());
      });
    }
  };
  // Without bounds on its structure, which are checked after the signature: no other sender learns about them.
  receiveBody(exchange, settings.bodyBytesMax, { whole, isBounded: false });
  return null;
}

/** Secret (500), signature (401), overload and rate (429), body (400), handler. */
function handle(host: CallbackHost, received: Received, shop: ShopAccess, nowMs: number): void {
  const { exchange, route, bytes, bodyAtMs } = received;
  const { dependencies, settings, gate, throttle } = host;
  const { freshness } = dependencies;
  const { metrics, logger } = dependencies;
  exchange.caller = { shopId: shop.shopId, keyId: null };
  const secret = secretOf(route, shop, dependencies);
  if (secret === 'unreadable') {
    metrics.values.callbacks_refused++;
    logger.error('callback.secret_unreadable', exchange.logFields(UNREADABLE_SECRET));
    exchange.refuse(UNREADABLE_SECRET);
    return;
  }
  if (secret === null || !isSigned(bytes, secret.text, exchange.head.signature)) {
    metrics.values.callbacks_unsigned++;
    // Without the version: a sender that cannot sign learns nothing about the shop.
    exchange.refuse(BAD_SIGNATURE);
    return;
  }
  const refused =
    gate.refuse(shop.shopId, nowMs) ??
    throttle.count(exchange, simulationsOf(shop.shopId), shop) ??
    (freshness === undefined ? null : markAge(exchange, freshness(shop.shopId)));
  if (refused !== null) {
    exchange.refuse(refused, shop.state.version.id);
    return;
  }
  const send = (answer: Outcome<ValueAnswer>): void => {
    const text = textInTime(answer, bodyAtMs, settings.carrierBudgetMs, dependencies);
    const versionId = shop.state.version.id;
    if (!text.ok) exchange.refuse(text, versionId);
    else {
      const body = Buffer.from(text.value);
      exchange.send({ status: 200, type: 'json', body, versionId, headers: NO_HEADERS });
    }
  };
  send(answerOf(route, shop, bytes, dependencies));
}

function answerOf(
  route: CallbackRoute,
  shop: ShopAccess,
  bytes: Buffer,
  dependencies: HttpDependencies,
): Outcome<ValueAnswer> {
  const parsed = parseJsonBody(bytes);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  const { check, defectsShown } = route.body;
  if (!check.check(value)) return check.failure(value, defectsShown);
  return route.handle(shop, value, dependencies);
}

/** The JSON text of an answer, or the refusal later than `budgetMs` after the body; counts the outcome. */
function textInTime(
  answer: Outcome<ValueAnswer>,
  bodyAtMs: number,
  budgetMs: number,
  { clock, metrics: { values } }: HttpDependencies,
): Outcome<string> {
  const made = answer.ok ? answer.value.read() : answer;
  const text = made.ok ? success(JSON.stringify(made.value)) : made;
  if (clock.monotonicMs() - bodyAtMs > budgetMs) {
    values.callbacks_late++;
    // After a 404 Shopify shows the backup rates; it documents no other status.
    return failure('NOT_FOUND', `there are no rates within ${budgetMs} ms: show the backup rates`);
  }
  if (text.ok) values.callbacks_answered++;
  else values.callbacks_refused++;
  return text;
}

/** The opened secret of this shop; null when it has none. */
function secretOf(
  route: CallbackRoute,
  { shopId, state }: ShopAccess,
  { secrets }: HttpDependencies,
): { readonly text: string } | 'unreadable' | null {
  const sealed = route.sealedSecretOf(state);
  if (sealed === undefined) return null;
  const text = secrets.open(sealed, shopId);
  return text === null ? 'unreadable' : { text };
}

/** True when the signature is valid for the body and the secret. Compares in constant time. */
function isSigned(bytes: Buffer, secret: string, signature: string): boolean {
  if (!BASE64_OF_32_BYTES.test(signature)) return false;
  const made = createHmac('sha256', secret).update(bytes).digest();
  return timingSafeEqual(made, Buffer.from(signature, 'base64'));
}

/** The shop of a callback; null when it does not exist, which is answered like a bad signature. */
async function loadNamed(shops: ShopDirectory, shopId: string): Promise<ShopAccess | null> {
  try {
    return await shops.load(shopId);
  } catch (error) {
    if (error instanceof UnknownShopError) return null;
    throw error;
  }
}
