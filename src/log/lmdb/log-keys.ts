/**
 * Keys of the tables, ordered so that a range of a table is a range of a shop: shop id, a zero byte, then
 * what tells the shop's entries apart. Ids hold no zero byte, so no shop's range reaches into another's.
 */
import { hash } from 'node:crypto';
import { HASH_BYTES, readUint64, writeUint64 } from '../record-codec.ts';
import { cutBuffer } from './cut-buffer.ts';

const NUMBER_BYTES = 8;

/** Where a record or checkpoint stands. */
export interface RecordPlace {
  readonly shopId: string;
  readonly sequenceNumber: number;
}

/** Shop id, zero byte and room for `tailBytes` more, which the caller fills. */
function shopPrefix(shopId: string, tailBytes: number): Buffer {
  const key = cutBuffer(shopId.length + 1 + tailBytes);
  key[key.write(shopId, 'latin1')] = 0;
  return key;
}

/** Key of a shop in the table of shops. */
export const shopKey = (shopId: string): Buffer => Buffer.from(shopId, 'latin1');

/** Range of all keys of a shop in a table; the end is excluded. */
export const keysOf = (shopId: string): { readonly start: Buffer; readonly end: Buffer } => ({
  start: Buffer.from(`${shopId}\0`, 'latin1'),
  end: Buffer.from(`${shopId}\u0001`, 'latin1'),
});

/** Key of a record or a checkpoint: a shop's keys sort by sequence number. */
export function recordKey(shopId: string, sequenceNumber: number): Buffer {
  const key = shopPrefix(shopId, NUMBER_BYTES);
  writeUint64(key, sequenceNumber, key.length - NUMBER_BYTES);
  return key;
}

/** The place that a record key names, or null when it is none. */
export function parseRecordKey(key: Buffer): RecordPlace | null {
  const end = key.length - NUMBER_BYTES;
  if (end < 2 || key[end - 1] !== 0) return null;
  return { shopId: key.toString('latin1', 0, end - 1), sequenceNumber: readUint64(key, end) };
}

/** Key of a version in the table of versions: a shop's keys sort by version number. */
export const versionKey = (shopId: string, number: number): Buffer => recordKey(shopId, number);

/** Key of an entry that a shop has under an id: an API key's digest, a version's number. */
export function ownedIdKey(shopId: string, id: string): Buffer {
  const key = shopPrefix(shopId, id.length);
  key.write(id, shopId.length + 1, 'latin1');
  return key;
}

/** Key of an API key's digest in the table of key ids. */
export const keyIdKey = ownedIdKey;

/** Key of a version's number in the table of version ids. */
export const versionIdKey = ownedIdKey;

/**
 * Key of the answer that record `sequenceNumber` holds for an idempotency key. The idempotency key is
 * hashed: what a client sends can have any length and any byte. One-shot, as in `hashRecord`: a hash object takes twice
 * as long.
 */
export function answerKey(shopId: string, idempotencyKey: string, sequenceNumber: number): Buffer {
  const key = shopPrefix(shopId, HASH_BYTES + NUMBER_BYTES);
  key.write(hash('sha256', idempotencyKey, 'binary'), shopId.length + 1, 'latin1');
  writeUint64(key, sequenceNumber, key.length - NUMBER_BYTES);
  return key;
}

/** The place that an answer key names, or null when it is none. */
export function parseAnswerKey(key: Buffer): RecordPlace | null {
  const end = key.length - NUMBER_BYTES - HASH_BYTES;
  if (end < 2 || key[end - 1] !== 0) return null;
  const sequenceNumber = readUint64(key, key.length - NUMBER_BYTES);
  return { shopId: key.toString('latin1', 0, end - 1), sequenceNumber };
}
