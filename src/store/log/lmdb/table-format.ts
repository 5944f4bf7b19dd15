/**
 * The keys of the tables, and the stored form of index entries. Records and checkpoints have the form of `record-codec.ts`.
 *
 * A key is the shop id, a zero byte, then a part that distinguishes the entries of the shop. Ids contain no zero byte, so the
 * entries of a shop are one range of a table, and the ranges of two shops never overlap.
 *
 * An entry is the magic "RWI", a format version (1 byte), the CRC-32 over magic, key and content (4 bytes), and the content.
 * The checksum covers the key, so an entry under a wrong key is detected. New content needs a new version byte; every version
 * that was ever written stays readable. All entries have version 1.
 */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { isId } from '../../../engine/domain/id.ts';
import { PERMISSIONS } from '../../../engine/domain/permission.ts';
import type { Version } from '../../../engine/domain/version.ts';
import type { RecordHead } from '../authority.ts';
import type { KeyHolder, VersionEntry } from '../event-log.ts';
import { HASH_BYTES, NO_PREVIOUS_HASH, readUint64, writeUint64 } from '../record-codec.ts';

const NUMBER_BYTES = 8;

/** Shop and number of a record or checkpoint. */
export interface RecordPlace {
  readonly shopId: string;
  readonly sequenceNumber: number;
}

/** Shop id, zero byte, and `tailBytes` bytes that the caller fills in. */
function shopPrefix(shopId: string, tailBytes: number): Buffer {
  const key = Buffer.allocUnsafe(shopId.length + 1 + tailBytes);
  key[key.write(shopId, 'latin1')] = 0;
  return key;
}

/** Key of a shop in the table of shops. */
export const shopKey = (shopId: string): Buffer => Buffer.from(shopId, 'latin1');

/** The range of all keys of a shop in a table; the end is excluded. */
export const keysOf = (shopId: string): { readonly start: Buffer; readonly end: Buffer } => ({
  start: Buffer.from(`${shopId}\0`, 'latin1'),
  end: Buffer.from(`${shopId}\u0001`, 'latin1'),
});

/** Key of a record or a checkpoint; the keys of a shop sort by sequence number. */
export function recordKey(shopId: string, sequenceNumber: number): Buffer {
  const key = shopPrefix(shopId, NUMBER_BYTES);
  writeUint64(key, sequenceNumber, key.length - NUMBER_BYTES);
  return key;
}

/** The shop and number of a key that has `between` bytes before its number; null for an invalid key. */
function parsePlace(key: Buffer, between: number): RecordPlace | null {
  const at = key.length - NUMBER_BYTES;
  const end = at - between;
  if (end < 2 || key[end - 1] !== 0) return null;
  return { shopId: key.toString('latin1', 0, end - 1), sequenceNumber: readUint64(key, at) };
}

export const parseRecordKey = (key: Buffer): RecordPlace | null => parsePlace(key, 0);
export const parseAnswerKey = (key: Buffer): RecordPlace | null => parsePlace(key, HASH_BYTES);

/** Key of a version in the table of versions; the keys of a shop sort by version number. */
export const versionKey = recordKey;

/** Key in the tables of key ids and of version ids. */
export function ownedIdKey(shopId: string, id: string): Buffer {
  const key = shopPrefix(shopId, id.length);
  key.write(id, shopId.length + 1, 'latin1');
  return key;
}

/**
 * Key of the answer that record `sequenceNumber` holds for an idempotency key. The idempotency key is hashed, because a
 * client may send any length and any bytes.
 */
export function answerKey(shopId: string, idempotencyKey: string, sequenceNumber: number): Buffer {
  const key = shopPrefix(shopId, HASH_BYTES + NUMBER_BYTES);
  key.write(hash('sha256', idempotencyKey, 'binary'), shopId.length + 1, 'latin1');
  writeUint64(key, sequenceNumber, key.length - NUMBER_BYTES);
  return key;
}

/** A value of a table of indexes; undefined when the table has none under the key. */
type StoredEntry = Buffer | undefined;

const MAGIC = Buffer.from('RWI\u0001', 'latin1');
const CRC_AT = 4;
const CONTENT_AT = 8;

const crcOf = (key: Buffer, content: Buffer): number => crc32(content, crc32(key, crc32(MAGIC)));

function seal(key: Buffer, content: Buffer): Buffer {
  const entry = Buffer.allocUnsafe(CONTENT_AT + content.length);
  entry.set(MAGIC);
  entry.writeUInt32BE(crcOf(key, content), CRC_AT);
  entry.set(content, CONTENT_AT);
  return entry;
}

/** Returns the content of an entry found under `key`; null when it is damaged or there is none. */
function unseal(key: Buffer, entry: StoredEntry): Buffer | null {
  if (entry === undefined || entry.length < CONTENT_AT || !entry.subarray(0, CRC_AT).equals(MAGIC))
    return null;
  const content = entry.subarray(CONTENT_AT);
  return entry.readUInt32BE(CRC_AT) === crcOf(key, content) ? content : null;
}

export const sealText = (key: Buffer, text: string): Buffer => seal(key, Buffer.from(text));

const HEAD_BYTES = NUMBER_BYTES + HASH_BYTES;

function headBytes({ sequenceNumber, hash }: RecordHead): Buffer {
  const content = Buffer.allocUnsafe(HEAD_BYTES);
  writeUint64(content, sequenceNumber, 0);
  hash.copy(content, NUMBER_BYTES);
  return content;
}

const headOf = (content: Buffer): RecordHead => ({
  sequenceNumber: readUint64(content, 0),
  hash: content.subarray(NUMBER_BYTES, HEAD_BYTES),
});

export const sealHead = (key: Buffer, head: RecordHead): Buffer => seal(key, headBytes(head));

export function unsealHead(key: Buffer, entry: StoredEntry): RecordHead | null {
  const content = unseal(key, entry);
  return content?.length === HEAD_BYTES ? headOf(content) : null;
}

/**
 * The beginning of a log from which nothing was removed. The beginning of another one is the last record that was removed, so
 * that the chain continues from its hash.
 */
export const NO_RECORD: RecordHead = { sequenceNumber: 0, hash: NO_PREVIOUS_HASH };

/** The hash of the last removed record; null for an earlier one, undefined for a record that was not removed. */
export function hashInBeginning({ sequenceNumber, hash }: RecordHead, of: number): Buffer | null | undefined {
  if (of === sequenceNumber) return hash;
  return of < sequenceNumber ? null : undefined;
}

export const sealHolder = (key: Buffer, holder: KeyHolder): Buffer =>
  sealText(key, JSON.stringify([holder.shopId, holder.keyId, holder.permission]));

export function unsealHolder(key: Buffer, entry: StoredEntry): KeyHolder | null {
  const content = unseal(key, entry);
  if (content === null) return null;
  const [shopId, keyId, permission] = JSON.parse(content.toString()) as unknown[];
  const known = PERMISSIONS.find((name) => name === permission);
  if (typeof shopId !== 'string' || typeof keyId !== 'string' || known === undefined) return null;
  return isId(shopId) ? { shopId, keyId, permission: known } : null;
}

export const unsealText = (key: Buffer, entry: StoredEntry): string | null =>
  unseal(key, entry)?.toString() ?? null;

export const sealDigest = (key: Buffer, digest: Buffer): Buffer => seal(key, digest);

export function unsealDigest(key: Buffer, entry: StoredEntry): Buffer | null {
  const content = unseal(key, entry);
  return content?.length === HASH_BYTES ? content : null;
}

/** The number of a version, or a time in milliseconds since the epoch. */
export function sealNumber(key: Buffer, number: number): Buffer {
  const content = Buffer.allocUnsafe(NUMBER_BYTES);
  writeUint64(content, number, 0);
  return seal(key, content);
}

export function unsealNumber(key: Buffer, entry: StoredEntry): number | null {
  const content = unseal(key, entry);
  return content?.length === NUMBER_BYTES ? readUint64(content, 0) : null;
}

/** `json` is the JSON of the version. */
export const sealVersion = (
  key: Buffer,
  { version, sequenceNumber, batchRun }: VersionEntry,
  json = JSON.stringify(version),
): Buffer => sealText(key, `[${sequenceNumber},${batchRun},${json}]`);

export function unsealVersion(key: Buffer, entry: StoredEntry): VersionEntry | null {
  const content = unseal(key, entry);
  if (content === null) return null;
  const [sequenceNumber, batchRun, version] = JSON.parse(content.toString()) as [number, number, Version];
  return { version, sequenceNumber, batchRun };
}
