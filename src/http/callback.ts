/**
 * Callbacks of shop systems: who sent them is proved by a signature over the raw body, made with a secret
 * that the shop of the path shares with the sender. A shop that does not exist, one without a secret and a
 * signature that does not fit are told apart by nobody: 401, the same words.
 *
 * An answer that comes later than the budget is worth nothing to a checkout that waits, so it is a refusal,
 * upon which the checkout shows its backup rates.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { UnknownShopError } from '../actor/shop-directory.ts';
import { type Failure, failure, type Outcome, success } from '../domain/failure.ts';
import type { ShopState } from '../domain/shop-event.ts';
import type { ShopAccess } from '../shop/shop-access.ts';
import { parseJsonBody } from './body/json-body.ts';
import type { HttpDependencies } from './dependencies.ts';
import type { CallbackRoute } from './route.ts';

export const NO_SIGNATURE = failure(
  'UNAUTHORIZED',
  'a signature of this shop is needed: the base64 of an HMAC-SHA256 over the body',
);
export const BAD_SIGNATURE = failure('UNAUTHORIZED', 'the signature is not valid for this shop');

const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/]{43}=$/;

/** True when `signature` is the base64 of the HMAC-SHA256 of these bytes. Compares in constant time. */
export function isSignedWith(secret: string, bytes: Uint8Array, signature: string): boolean {
  if (!BASE64_OF_32_BYTES.test(signature)) return false;
  const made = createHmac('sha256', secret).update(bytes).digest();
  return timingSafeEqual(made, Buffer.from(signature, 'base64'));
}

/** What came in, once its body is complete. */
export interface Callback {
  readonly route: CallbackRoute;
  readonly shopId: string;
  readonly signature: string;
  /** The monotonic clock when the last byte of the body was there. */
  readonly completeAtMs: number;
}

/**
 * The answer of a shop in memory as JSON text: 401 before anything of the body is looked at. `throttle`
 * counts a genuine callback as the simulation that it is, and refuses one too many.
 */
export function answerCallback(
  callback: Callback,
  shop: ShopAccess,
  bytes: Buffer,
  dependencies: HttpDependencies,
  budgetMs: number,
  throttle: () => Failure | null,
): Outcome<string> | Promise<Outcome<string>> {
  const { values } = dependencies.metrics;
  if (!isGenuine(callback, shop.state, bytes, dependencies)) {
    values.callbacks_unsigned++;
    return BAD_SIGNATURE;
  }
  const limited = throttle();
  if (limited !== null) return limited;
  const answer = readAndAnswer(callback.route, shop, bytes, dependencies);
  return answer instanceof Promise
    ? answer.then((made) => inTime(callback, made, dependencies, budgetMs))
    : inTime(callback, answer, dependencies, budgetMs);
}

/** The answer, counted, unless it comes too late. */
function inTime(
  callback: Callback,
  answer: Outcome<string>,
  dependencies: HttpDependencies,
  budgetMs: number,
): Outcome<string> {
  const { values } = dependencies.metrics;
  if (dependencies.clock.monotonicMs() - callback.completeAtMs > budgetMs) {
    values.callbacks_late++;
    return tooLate(budgetMs);
  }
  if (answer.ok) values.callbacks_answered++;
  else values.callbacks_refused++;
  return answer;
}

function readAndAnswer(
  { body, answer }: CallbackRoute,
  shop: ShopAccess,
  bytes: Buffer,
  dependencies: HttpDependencies,
): Outcome<string> | Promise<Outcome<string>> {
  const parsed = parseJsonBody(bytes);
  if (!parsed.ok) return parsed;
  const { value } = parsed.value;
  if (!body.check.check(value)) return body.check.failure(value, body.defectsShown);
  const answered = answer(shop, value, dependencies);
  return answered instanceof Promise ? answered.then(textOf) : textOf(answered);
}

const textOf = (answered: Outcome<unknown>): Outcome<string> =>
  answered.ok ? success(JSON.stringify(answered.value)) : answered;

function isGenuine(
  { route, shopId, signature }: Callback,
  state: ShopState,
  bytes: Buffer,
  { secrets, logger }: HttpDependencies,
): boolean {
  const sealed = route.sealedSecretOf(state);
  if (sealed === undefined) return false;
  const secret = secrets.open(sealed, shopId);
  if (secret === null) {
    logger.error('callback.secret_unreadable', { shopId });
    return false;
  }
  return isSignedWith(secret, bytes, signature);
}

/** 404, because that is what Shopify names for "show the backup rates"; the eight codes have no 503. */
const tooLate = (budgetMs: number): Failure =>
  failure('NOT_FOUND', `there are no rates within ${budgetMs} ms: show the backup rates`);

/** What a shop that cannot be loaded answers, or undefined when that is no answer but a defect. */
export const refusalOfLoad = (cause: unknown): Failure | undefined =>
  cause instanceof UnknownShopError ? BAD_SIGNATURE : undefined;
