/**
 * Sealing of an answer that holds a secret, so that a repeated request can get it again and nobody else can
 * read it from the data folder: AES-256-GCM under a key that HKDF-SHA256 derives from the caller's own API
 * key, of which only a digest is stored. The text names its form, so that the form can change.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const FORM = 's1.';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'ratewright sealed answer';

const deriveKey = (secret: string, salt: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, salt, PURPOSE, KEY_BYTES));

/** The text to store instead of `body`; a different one each time. */
export function sealAnswer(callerSecret: string, body: string): string {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, deriveKey(callerSecret, salt), nonce);
  const sealed = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()]);
  return FORM + Buffer.concat([salt, nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The body that was sealed; null when it was sealed by another caller or is not intact. */
export function openAnswer(callerSecret: string, stored: string): string | null {
  if (!stored.startsWith(FORM)) return null;
  const bytes = Buffer.from(stored.slice(FORM.length), 'base64url');
  if (bytes.length < SALT_BYTES + NONCE_BYTES + TAG_BYTES) return null;
  const salt = bytes.subarray(0, SALT_BYTES);
  const nonce = bytes.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES);
  const tag = bytes.subarray(SALT_BYTES + NONCE_BYTES, SALT_BYTES + NONCE_BYTES + TAG_BYTES);
  const sealed = bytes.subarray(SALT_BYTES + NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, deriveKey(callerSecret, salt), nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
