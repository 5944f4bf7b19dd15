/**
 * Seals secrets of other systems that the service must read again: without the key, the log, checkpoints and backups
 * reveal nothing. A sealed text that was changed or moved to another owner does not open.
 *
 * The key is derived from a setting or, without one, from a file with random bytes beside the log, which only its owner
 * can read. The file is made with the first secret and read on first use. Nodes of a cluster share what they seal, so
 * their key is always the setting.
 *
 * A sealed probe lies beside the sealed secrets: in a file of the data folder, or in the database of a cluster. A process
 * whose key does not open it has another key than the one that sealed them.
 */
import { randomBytes } from 'node:crypto';
import { chownSync, linkSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFile, syncFolder, writeSynced } from '../runtime/synced-files.ts';
import { deriveKey, KEY_BYTES, NONCE_BYTES, openText, sealText, TAG_BYTES } from './sealing.ts';

const KEY_USE = 'ratewright sealed secrets, format 1';
export const KEY_FILE = 'secret.key';
const PROBE_FILE = 'secret.probe';
const FILE_TEXT = /^[0-9a-f]{64}$/;
/** The name under which a file is written. */
const DRAFT = 'secret.draft';
/** Format of a sealed text; a new format gets a new prefix. */
const PREFIX = 'v1.';
/** The text in a probe, and its owner, which is not the id of a shop. */
const PROBE = 'probe';
const PROBE_OWNER = 'probe of the key';

/** The process has another key than the one that sealed the stored secrets, or none; the message is one line. */
export class WrongSecretKeyError extends Error {
  override readonly name = 'WrongSecretKeyError';
}

export interface SecretBox {
  /**
   * Seals a secret of `owner`, and makes key and probe where they are missing. Throws when no key can be read or made,
   * and `WrongSecretKeyError`.
   */
  seal(secret: string, owner: string): string;
  /** Returns the secret; null when it was sealed with another key or for another owner, or was changed. */
  open(sealed: string, owner: string): string | null;
}

interface KeyOptions {
  /** The key as text, which may be the content of a key file; null to use the key file. */
  readonly keyText: string | null;
}

/** The box of a process that owns its data folder. Throws `WrongSecretKeyError` when the probe there does not open. */
export function openFolderBox({
  keyText,
  dataFolder,
}: KeyOptions & { readonly dataFolder: string }): SecretBox {
  const keyPath = join(dataFolder, KEY_FILE);
  const probePath = join(dataFolder, PROBE_FILE);
  let known = keyText === null ? null : keyOfText(keyText);
  const readKey = (): Key | null => {
    known ??= readKeyFile(keyPath);
    return known;
  };
  const prove = (key: Key): Key => {
    const probe = readText(probePath);
    if (probe === null) makeFile(probePath, newProbe(key));
    if (probe === null || opensProbe(key, probe)) return key;
    throw new WrongSecretKeyError(
      `${PROBE_FILE} in ${dataFolder} was sealed with another key: RATEWRIGHT_SECRET_KEY or, without it, ${KEY_FILE} must be the one that sealed the secrets`,
    );
  };
  // The first secret makes the probe: a start with another key must not, over secrets that it cannot open.
  if (readText(probePath) !== null) prove(readKey() ?? NO_KEY);
  return {
    seal: (secret, owner) => sealWith(prove(readKey() ?? makeKeyFile(keyPath)), secret, owner),
    open: (sealed, owner) => openWith(readKey() ?? NO_KEY, sealed, owner),
  };
}

/** The probe in a data folder; null without one. */
export const readProbe = (dataFolder: string): string | null => readText(join(dataFolder, PROBE_FILE));

/** Stores the probe in a data folder that has none. */
export function keepProbe(dataFolder: string, probe: string | null): void {
  if (probe !== null) makeFile(join(dataFolder, PROBE_FILE), probe);
}

/** The box of a node of a cluster, whose probe is in the database. */
export class SharedBox implements SecretBox {
  readonly #key: Key;
  /** For a cluster that has no probe yet; null without a key. */
  readonly probe: string | null;

  constructor({ keyText }: KeyOptions) {
    this.#key = keyText === null ? NO_KEY : keyOfText(keyText);
    this.probe = keyText === null ? null : newProbe(this.#key);
  }

  /** Throws `WrongSecretKeyError` when the probe of the cluster does not open. */
  admit(probe: string | null): void {
    if (probe === null || opensProbe(this.#key, probe)) return;
    throw new WrongSecretKeyError(
      'the secrets in the database were sealed with another key: RATEWRIGHT_SECRET_KEY must be the same on all nodes',
    );
  }

  seal(secret: string, owner: string): string {
    return sealWith(this.#key, secret, owner);
  }

  open(sealed: string, owner: string): string | null {
    return openWith(this.#key, sealed, owner);
  }
}

/** The key that seals, and those that open, the first of them the same. */
type Key = readonly Uint8Array[];

const NO_KEY: Key = [];

/** A text that may be the content of a key file: nodes of a cluster get the key of their first data folder as a setting. */
const keyOfText = (text: string): Key =>
  FILE_TEXT.test(text) ? [keyOf(text), keyOf(Buffer.from(text, 'hex'))] : [keyOf(text)];

function sealWith([key]: Key, secret: string, owner: string): string {
  if (key === undefined) throw new Error('RATEWRIGHT_SECRET_KEY is not set: all nodes need the same one');
  const { nonce, bytes, tag } = sealText(key, secret, owner);
  return PREFIX + Buffer.concat([nonce, bytes, tag]).toString('base64url');
}

function openWith(keys: Key, sealed: string, owner: string): string | null {
  if (!sealed.startsWith(PREFIX)) return null;
  const all = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
  const tagAt = all.length - TAG_BYTES;
  if (tagAt < NONCE_BYTES) return null;
  const nonce = all.subarray(0, NONCE_BYTES);
  const text = { nonce, bytes: all.subarray(NONCE_BYTES, tagAt), tag: all.subarray(tagAt) };
  for (const key of keys) {
    const opened = openText(key, text, owner);
    if (opened !== null) return opened;
  }
  return null;
}

const newProbe = (key: Key): string => sealWith(key, PROBE, PROBE_OWNER);
const opensProbe = (key: Key, probe: string): boolean => openWith(key, probe, PROBE_OWNER) === PROBE;

const keyOf = (material: string | Uint8Array): Uint8Array => deriveKey(material, new Uint8Array(0), KEY_USE);

/** Null without a file. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Null without a file. Throws when the file does not contain a key, because other content would be a weak key. */
function readKeyFile(path: string): Key | null {
  const text = readText(path);
  if (text === null) return null;
  if (!FILE_TEXT.test(text))
    throw new WrongSecretKeyError(`${KEY_FILE} in the data folder does not contain a key`);
  return [keyOf(Buffer.from(text, 'hex'))];
}

function makeKeyFile(path: string): Key {
  const bytes = randomBytes(KEY_BYTES);
  makeFile(path, bytes.toString('hex'));
  return [keyOf(bytes)];
}

function makeFile(path: string, text: string): void {
  const folder = dirname(path);
  const draft = join(folder, DRAFT);
  // Of a process that was killed here. It may be another name of the key, which must not be written over.
  rmSync(draft, { force: true });
  writeSynced(draft, `${text}\n`);
  giveToOwner(draft, folder);
  // Linked, not renamed: a key is never replaced.
  linkSync(draft, path);
  rmSync(draft);
  // The name must be on disk before anything that was sealed with the key is written.
  syncFolder(folder);
}

/** A command of root may make a file of a service that runs as another user, who must be able to read it. */
function giveToOwner(draft: string, folder: string): void {
  const { uid, gid } = statSync(folder);
  if (process.getuid?.() !== 0 || uid === 0) return;
  chownSync(draft, uid, gid);
  syncFile(draft);
}
