/** Encrypts stored answers that hold a secret, such as that of a new API key, for the caller. */
import { randomBytes } from 'node:crypto';
import { deriveKey, NONCE_BYTES, openText, sealText, TAG_BYTES } from '../../base/secrets/sealing.ts';

/** Format of a sealed text; a new format gets a new prefix. */
const FORM = 's1.';
const SALT_BYTES = 16;
const PURPOSE = 'ratewright sealed answer';
/** The encryption key already depends on the caller. */
const NO_OWNER = '';

/**
 * The text to store instead of an answer that holds a secret. The encryption key is derived from the API key of the
 * caller, of which only a digest is stored: a repeated request gets the answer again, and nobody can read it from the data
 * folder. Different each time.
 */
export function sealAnswer(callerSecret: string, body: string): string {
  const salt = randomBytes(SALT_BYTES);
  const { nonce, tag, bytes } = sealText(deriveKey(callerSecret, salt, PURPOSE), body, NO_OWNER);
  return FORM + Buffer.concat([salt, nonce, tag, bytes]).toString('base64url');
}

/** Returns the body; null when it was sealed by another caller or changed. */
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
