/**
 * Seals secrets of other systems that the service must read again: without the key, the log, checkpoints and backups
 * reveal nothing. A sealed text that was changed or moved to another owner does not open.
 *
 * The key is derived from a setting or, without one, from a file with random bytes beside the log, which only its owner
 * can read. The file is made with the first secret and read on first use.
 */
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, linkSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFile, syncFolder, writeSynced } from '../runtime/synced-files.ts';
import { deriveKey, KEY_BYTES, NONCE_BYTES, openText, sealText, TAG_BYTES } from './sealing.ts';

const KEY_USE = 'ratewright sealed secrets, format 1';
export const KEY_FILE = 'secret.key';
const FILE_TEXT = /^[0-9a-f]{64}$/;
/** Prefix of the temporary name under which a key file is written. */
const DRAFT_PREFIX = `${KEY_FILE}.draft-`;
/** Format of a sealed text; a new format gets a new prefix. */
const PREFIX = 'v1.';

export interface SecretBox {
  /** Seals a secret of `owner`. Throws when no key can be read or made. */
  seal(secret: string, owner: string): string;
  /** Returns the secret; null when it was sealed with another key or for another owner, or was changed. */
  open(sealed: string, owner: string): string | null;
}

interface SecretBoxOptions {
  /** The key as text, which may be the content of a key file; null to use the key file. */
  readonly keyText: string | null;
  readonly dataFolder: string;
}

export function createSecretBox({ keyText, dataFolder }: SecretBoxOptions): SecretBox {
  const path = join(dataFolder, KEY_FILE);
  let known: Uint8Array | null = keyText === null ? null : keyOf(keyText);
  /**
   * The key of a key file with this content. Nodes of a cluster get the key of their first data folder as a setting.
   */
  const ofFile = keyText !== null && FILE_TEXT.test(keyText) ? keyOf(Buffer.from(keyText, 'hex')) : null;
  const readKey = (): Uint8Array | null => {
    known ??= readKeyFile(path);
    return known;
  };
  return {
    seal(secret, owner) {
      const key = readKey() ?? makeKeyFile(path);
      const { nonce, bytes, tag } = sealText(key, secret, owner);
      return PREFIX + Buffer.concat([nonce, bytes, tag]).toString('base64url');
    },
    open(sealed, owner) {
      const key = readKey();
      if (key === null || !sealed.startsWith(PREFIX)) return null;
      const all = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
      const tagAt = all.length - TAG_BYTES;
      if (tagAt < NONCE_BYTES) return null;
      const nonce = all.subarray(0, NONCE_BYTES);
      const text = { nonce, bytes: all.subarray(NONCE_BYTES, tagAt), tag: all.subarray(tagAt) };
      return openText(key, text, owner) ?? (ofFile === null ? null : openText(ofFile, text, owner));
    },
  };
}

const keyOf = (material: string | Uint8Array): Uint8Array => deriveKey(material, new Uint8Array(0), KEY_USE);

/** Null without a file. Throws when the file does not contain a key, because other content would be a weak key. */
function readKeyFile(path: string): Uint8Array | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (!FILE_TEXT.test(text)) throw new Error(`${KEY_FILE} in the data folder does not contain a key`);
  return keyOf(Buffer.from(text, 'hex'));
}

/** Makes the file unless another process made it meanwhile; returns the key on disk in both cases. */
function makeKeyFile(path: string): Uint8Array {
  const folder = dirname(path);
  const draft = join(folder, `${DRAFT_PREFIX}${randomBytes(8).toString('hex')}`);
  writeSynced(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`, 'wx');
  giveToOwner(draft, folder);
  try {
    // Linked, not renamed, because a rename would replace a key that another process has made and used.
    linkSync(draft, path);
  } catch (error) {
    // The process that made the file may have removed this draft.
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  // The name must be on disk before anything that was sealed with the key is written.
  syncFolder(folder);
  removeDrafts(folder);
  const key = readKeyFile(path);
  if (key === null) throw new Error(`${KEY_FILE} could not be made in the data folder`);
  return key;
}

/** A command of root may make the key of a service that runs as another user, who must be able to read it. */
function giveToOwner(draft: string, folder: string): void {
  const { uid, gid } = statSync(folder);
  if (process.getuid?.() !== 0 || uid === 0) return;
  chownSync(draft, uid, gid);
  syncFile(draft);
}

/** Removes files left by processes that were killed while making the key file. */
function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(DRAFT_PREFIX)) rmSync(join(folder, name), { force: true });
  }
}
