/**
 * Secrets of other systems that the service must be able to read again, sealed with AES-256-GCM: what is
 * stored, checkpointed or backed up gives nothing away without the key, and a sealed text that was changed,
 * or moved to another owner, does not open.
 *
 * The key is derived from a setting or, without one, from a random file beside the log, readable by its
 * owner only. It is made with the first secret and read when first needed.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_USE = 'ratewright sealed secrets, format 1';
const KEY_FILE = 'secret.key';
const KEY_FILE_MODE = 0o600;
/** Names the format of a sealed text; another one gets another prefix. */
const PREFIX = 'v1.';

export interface SecretBox {
  /** The sealed text of a secret of `owner`. Throws when no key can be read or made. */
  seal(secret: string, owner: string): string;
  /** The secret, or null when it was sealed with another key, for another owner, or was changed. */
  open(sealed: string, owner: string): string | null;
}

export interface SecretBoxOptions {
  /** The key as text, or null for the key file. */
  readonly keyText: string | null;
  readonly dataFolder: string;
}

export function createSecretBox({ keyText, dataFolder }: SecretBoxOptions): SecretBox {
  const path = join(dataFolder, KEY_FILE);
  let known: Buffer | null = keyText === null ? null : deriveKey(Buffer.from(keyText));
  const readKey = (): Buffer | null => {
    known ??= readKeyFile(path);
    return known;
  };
  return {
    seal(secret, owner) {
      const key = readKey() ?? makeKeyFile(path);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([
        nonce,
        cipher.update(secret, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return PREFIX + sealed.toString('base64url');
    },
    open(sealed, owner) {
      const key = readKey();
      if (key === null || !sealed.startsWith(PREFIX)) return null;
      const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const tagAt = bytes.length - TAG_BYTES;
      const opened = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(tagAt));
      try {
        return opened.update(bytes.subarray(NONCE_BYTES, tagAt), undefined, 'utf8') + opened.final('utf8');
      } catch {
        return null;
      }
    },
  };
}

const deriveKey = (material: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', material, Buffer.alloc(0), KEY_USE, KEY_BYTES));

/** null when there is no such file. A file that holds no key throws: it must not be taken for a weak one. */
function readKeyFile(path: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`${KEY_FILE} in the data folder holds no key`);
  return deriveKey(Buffer.from(text, 'hex'));
}

/** Makes the file unless another process has just made it; either way the key is the one on disk. */
function makeKeyFile(path: string): Buffer {
  const draft = `${path}.${process.pid}`;
  const file = openSync(draft, 'wx', KEY_FILE_MODE);
  try {
    writeSync(file, `${randomBytes(KEY_BYTES).toString('hex')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    // Linked, not renamed: a key that is there already stays, whatever was sealed with it.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  const key = readKeyFile(path);
  if (key === null) throw new Error(`${KEY_FILE} could not be made in the data folder`);
  return key;
}
