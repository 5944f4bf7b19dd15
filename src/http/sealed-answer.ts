/** Stored answers that hold a secret, such as that of a new API key: encrypted for the caller that made the request. */
import { randomBytes } from 'node:crypto';
import { deriveKey, NONCE_BYTES, openText, sealText, TAG_BYTES } from '../secrets/sealing.ts';

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
