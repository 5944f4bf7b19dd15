/** From a planned write and the headers that guard it to what the shop is asked. */
import { createHash, type Hash, randomBytes } from 'node:crypto';
import { SECRET_OF_ANOTHER_KEY } from '../actor/write-group.ts';
import type { Failure, FailureCode } from '../domain/failure.ts';
import { deriveKey, NONCE_BYTES, openText, sealText, TAG_BYTES } from '../secrets/sealing.ts';
import type { ShopAccess, WriteRequest } from '../shop/shop-access.ts';
import type { Admitted } from './admission.ts';
import type { WriteAnswer } from './answer.ts';
import { type Headers, NO_HEADERS } from './output.ts';
import type { RequestHead } from './request-head.ts';
import { IDEMPOTENCY_HEADER, type WriteGuards } from './write-headers.ts';

/** What makes two requests the same request: verb, path, query and body, byte for byte. */
export const digestRequest = (head: RequestHead, body: Uint8Array): string =>
  endDigest(beginDigest(head).update(body));

/** The same for a body that comes in parts, which are added in between. */
export const beginDigest = (head: RequestHead): Hash =>
  createHash('sha256').update(`${head.verb} ${head.path}?${head.query}\n`);
export const endDigest = (hash: Hash): string => hash.digest('base64url');

/** `requestDigest` is needed where the client gave an idempotency key. */
export function writeRequest(
  plan: WriteAnswer,
  { route, grant, guards }: Admitted,
  shop: ShopAccess,
  requestDigest: string | null,
): WriteRequest {
  const { idempotencyKey, ifMatch, batchId } = guards;
  const { secret } = grant;
  return {
    command: plan.command,
    keyId: grant.keyId,
    batchId,
    ifMatch: ifMatch === null ? null : wantedVersion(ifMatch, shop),
    idempotency:
      idempotencyKey === null || requestDigest === null
        ? null
        : {
            key: idempotencyKey,
            requestDigest,
            ...(plan.isSecret
              ? {
                  seal: (body: string) => sealAnswer(secret, body),
                  open: (stored: string) => openAnswer(secret, stored),
                }
              : {}),
          },
    render: (result, state) => ({
      status: route.success.status,
      body: JSON.stringify(plan.render(result, state)),
    }),
  };
}

/**
 * The one version to ask for out of a list: the current one if it is listed. Should another listed one
 * become current before the write is decided, the write is refused, which a client has to expect anyway.
 */
function wantedVersion(listed: readonly string[], { history, state }: ShopAccess): string {
  const ids = listed.map((reference) => history.idOf(reference));
  const current = state.version.id;
  return ids.includes(current) ? current : (ids[0] ?? '');
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
 * A refusal that rests on the look-up of the idempotency key repeats the key, so that a client whose earlier attempt was
 * lost knows that nothing was done.
 */
export function refusalHeaders(refused: Failure, { idempotencyKey }: WriteGuards): Headers {
  const isUndone = AFTER_LOOK_UP.has(refused.code) && refused !== SECRET_OF_ANOTHER_KEY;
  return isUndone && idempotencyKey !== null ? [[IDEMPOTENCY_HEADER, idempotencyKey]] : NO_HEADERS;
}

/** The sealed text names its form, so that the form can change. */
const FORM = 's1.';
const SALT_BYTES = 16;
const PURPOSE = 'ratewright sealed answer';
/** The key already belongs to one caller. */
const NO_OWNER = '';

/**
 * The text to store instead of an answer that holds a secret, so that a repeated request can get it again and nobody else
 * can read it from the data folder: under a key that is derived from the caller's own API key, of which only a digest is
 * stored. A different text each time.
 */
export function sealAnswer(callerSecret: string, body: string): string {
  const salt = randomBytes(SALT_BYTES);
  const { nonce, tag, bytes } = sealText(deriveKey(callerSecret, salt, PURPOSE), body, NO_OWNER);
  return FORM + Buffer.concat([salt, nonce, tag, bytes]).toString('base64url');
}

/** The body that was sealed; null when it was sealed by another caller or is not intact. */
export function openAnswer(callerSecret: string, stored: string): string | null {
  if (!stored.startsWith(FORM)) return null;
  const all = Buffer.from(stored.slice(FORM.length), 'base64url');
  const tagAt = SALT_BYTES + NONCE_BYTES;
  const bytesAt = tagAt + TAG_BYTES;
  if (all.length < bytesAt) return null;
  const key = deriveKey(callerSecret, all.subarray(0, SALT_BYTES), PURPOSE);
  const nonce = all.subarray(SALT_BYTES, tagAt);
  return openText(key, { nonce, tag: all.subarray(tagAt, bytesAt), bytes: all.subarray(bytesAt) }, NO_OWNER);
}
