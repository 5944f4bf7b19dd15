/**
 * Keys of the tables: shop id, a zero byte, then a part that distinguishes the entries of the shop. Ids contain no zero
 * byte, so the entries of a shop are one range of a table, and the ranges of two shops never overlap.
 */
import { hash } from 'node:crypto';
import { cutBuffer } from '../cut-buffer.ts';
import { HASH_BYTES, readUint64, writeUint64 } from '../record-codec.ts';

const NUMBER_BYTES = 8;

/** Shop and number of a record or checkpoint. */
export interface RecordPlace {
  readonly shopId: string;
  readonly sequenceNumber: number;
}

/** Shop id, zero byte, and `tailBytes` bytes that the caller fills in. */
function shopPrefix(shopId: string, tailBytes: number): Buffer {
  const key = cutBuffer(shopId.length + 1 + tailBytes);
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

/** Key of an entry of a shop under an id: the digest of an API key, the number of a version. */
export function ownedIdKey(shopId: string, id: string): Buffer {
  const key = shopPrefix(shopId, id.length);
  key.write(id, shopId.length + 1, 'latin1');
  return key;
}

/** Key in the table of key ids. */
export const keyIdKey = ownedIdKey;

/** Key in the table of version ids. */
export const versionIdKey = ownedIdKey;

/**
 * Key of the answer that record `sequenceNumber` holds for an idempotency key. The idempotency key is hashed, because a
 * client may send any length and any bytes. One-shot, as in `hashRecord`: a hash object takes twice as long.
 */
export function answerKey(shopId: string, idempotencyKey: string, sequenceNumber: number): Buffer {
  const key = shopPrefix(shopId, HASH_BYTES + NUMBER_BYTES);
  key.write(hash('sha256', idempotencyKey, 'binary'), shopId.length + 1, 'latin1');
  writeUint64(key, sequenceNumber, key.length - NUMBER_BYTES);
  return key;
}
