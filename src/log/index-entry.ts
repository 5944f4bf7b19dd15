/**
 * The stored form of index entries: magic "RWI", format version (1 byte), CRC-32 over magic, key and
 * content (4 bytes), content. The key is in the checksum, so an entry found under another key is noticed.
 * New content takes a new version byte; every version that was ever written stays readable.
 */
import { crc32 } from 'node:zlib';
import { PERMISSIONS } from '../domain/api-key.ts';
import { isId } from '../domain/id.ts';
import type { Version } from '../domain/version.ts';
import type { KeyHolder, VersionEntry } from './event-log.ts';
import { HASH_BYTES, readUint64, writeUint64 } from './record-codec.ts';

const MAGIC_AND_VERSION = Buffer.from('RWI\x01', 'latin1');
const CRC_AT = 4;
const CONTENT_AT = 8;

const MAGIC_CRC = crc32(MAGIC_AND_VERSION);

const crcOf = (key: Buffer, content: Buffer): number => crc32(content, crc32(key, MAGIC_CRC));

/** An entry with room for `contentBytes` from `CONTENT_AT` on; it lacks the checksum. */
function newEntry(contentBytes: number): Buffer {
  const entry = Buffer.allocUnsafe(CONTENT_AT + contentBytes);
  entry.set(MAGIC_AND_VERSION);
  return entry;
}

/** The entry with its checksum, once the content is in it. */
function sealed(key: Buffer, entry: Buffer): Buffer {
  entry.writeUInt32BE(crcOf(key, entry.subarray(CONTENT_AT)), CRC_AT);
  return entry;
}

function seal(key: Buffer, content: Buffer): Buffer {
  const entry = newEntry(content.length);
  entry.set(content, CONTENT_AT);
  return sealed(key, entry);
}

function sealUtf8(key: Buffer, content: string): Buffer {
  const entry = newEntry(Buffer.byteLength(content));
  entry.write(content, CONTENT_AT);
  return sealed(key, entry);
}

/** The content of an entry found under `key`, or null when it is damaged. */
function unseal(key: Buffer, entry: Buffer): Buffer | null {
  if (entry.length < CONTENT_AT || entry.compare(MAGIC_AND_VERSION, 0, CRC_AT, 0, CRC_AT) !== 0) return null;
  const content = entry.subarray(CONTENT_AT);
  return entry.readUInt32BE(CRC_AT) === crcOf(key, content) ? content : null;
}

/** Where a shop's log ends, or what it had before its first record. */
export interface ShopHead {
  readonly sequenceNumber: number;
  /** Hash of that record. */
  readonly hash: Buffer;
}

export function sealHead(key: Buffer, head: ShopHead): Buffer {
  const content = Buffer.allocUnsafe(8 + HASH_BYTES);
  writeUint64(content, head.sequenceNumber, 0);
  head.hash.copy(content, 8);
  return seal(key, content);
}

export function unsealHead(key: Buffer, entry: Buffer): ShopHead | null {
  const content = unseal(key, entry);
  if (content?.length !== 8 + HASH_BYTES) return null;
  return { sequenceNumber: readUint64(content, 0), hash: content.subarray(8) };
}

export const sealHolder = (key: Buffer, holder: KeyHolder): Buffer =>
  sealUtf8(key, JSON.stringify([holder.shopId, holder.keyId, holder.permission]));

export function unsealHolder(key: Buffer, entry: Buffer): KeyHolder | null {
  const content = unseal(key, entry);
  if (content === null) return null;
  const [shopId, keyId, permission] = JSON.parse(content.toString()) as unknown[];
  const held = PERMISSIONS.find((name) => name === permission);
  if (typeof shopId !== 'string' || typeof keyId !== 'string' || held === undefined) return null;
  return isId(shopId) ? { shopId, keyId, permission: held } : null;
}

export const sealText = (key: Buffer, text: string): Buffer => sealUtf8(key, text);

export const unsealText = (key: Buffer, entry: Buffer): string | null =>
  unseal(key, entry)?.toString() ?? null;

export const sealDigest = (key: Buffer, digest: Buffer): Buffer => seal(key, digest);

export function unsealDigest(key: Buffer, entry: Buffer): Buffer | null {
  const content = unseal(key, entry);
  return content?.length === HASH_BYTES ? content : null;
}

/** A count: a version number, or a moment in milliseconds since the epoch. */
export function sealCount(key: Buffer, count: number): Buffer {
  const entry = newEntry(8);
  writeUint64(entry, count, CONTENT_AT);
  return sealed(key, entry);
}

export function unsealCount(key: Buffer, entry: Buffer): number | null {
  const content = unseal(key, entry);
  return content?.length === 8 ? readUint64(content, 0) : null;
}

export const sealTime = sealCount;
export const unsealTime = unsealCount;

/** `text` is the version's JSON. */
export const sealVersion = (
  key: Buffer,
  { version, sequenceNumber, batchRun }: VersionEntry,
  text: string = JSON.stringify(version),
): Buffer => sealUtf8(key, `[${sequenceNumber},${batchRun},${text}]`);

export function unsealVersion(key: Buffer, entry: Buffer): VersionEntry | null {
  const content = unseal(key, entry);
  if (content === null) return null;
  const [sequenceNumber, batchRun, version] = JSON.parse(content.toString()) as [number, number, Version];
  return { version, sequenceNumber, batchRun };
}
