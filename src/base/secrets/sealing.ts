/**
 * Encrypts stored texts ("sealing"): AES-256-GCM with keys derived by HKDF-SHA256. The caller defines how the parts
 * of a sealed text are stored, so that each stored form can change independently.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

interface SealedText {
  readonly nonce: Uint8Array;
  readonly bytes: Uint8Array;
  readonly tag: Uint8Array;
}

/** Derives a key for a single purpose, named by `use`. */
export const deriveKey = (material: string | Uint8Array, salt: Uint8Array, use: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', material, salt, use, KEY_BYTES));

/** Different each time. It opens only with the same `owner`, which is not stored in it. */
export function sealText(key: Uint8Array, text: string, owner: string): SealedText {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
  const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return { nonce, bytes, tag: cipher.getAuthTag() };
}

/** Returns the text; null when it was sealed with another key or for another owner, or was changed. */
export function openText(key: Uint8Array, { nonce, bytes, tag }: SealedText, owner: string): string | null {
  try {
    const opened = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(owner))
      .setAuthTag(tag);
    return Buffer.concat([opened.update(bytes), opened.final()]).toString('utf8');
  } catch {
    return null;
  }
}
