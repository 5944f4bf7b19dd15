/**
 * The stored form of index entries: magic "RWI", format version (1 byte), CRC-32 over magic, key and content (4
 * bytes), content. The checksum covers the key, so an entry under a wrong key is detected. New content needs a new
 * version byte; every version that was ever written stays readable. Version 2 is the beginning of a log that keeps a
 * shop version before it; all other entries have version 1.
 */
import { crc32 } from 'node:zlib';
import { isId } from '../../domain/id-pattern.ts';
import { PERMISSIONS } from '../../domain/permission.ts';
import type { Version } from '../../domain/version.ts';
import { cutBuffer } from '../cut-buffer.ts';
import type { KeyHolder, VersionEntry } from '../event-log.ts';
import { HASH_BYTES, readUint64, writeText, writeUint64 } from '../record-codec.ts';
import { crcOfRange } from './short-crc.ts';

const MAGIC_AND_VERSION = Buffer.from('RWI\x01', 'latin1');
const MAGIC_AND_VERSION_2 = Buffer.from('RWI\x02', 'latin1');
const CRC_AT = 4;
const CONTENT_AT = 8;

const CLOSING_BRACKET = 0x5d;

const MAGIC_CRC = crc32(MAGIC_AND_VERSION);

/** CRC-32 of magic, key and the content of a stored entry. */
const crcOf = (key: Buffer, entry: Buffer, magicCrc = MAGIC_CRC): number =>
  crcOfRange(entry, CONTENT_AT, entry.length, crcOfRange(key, 0, key.length, magicCrc));

/** Returns a new entry with space for `contentBytes` at `CONTENT_AT`; the checksum is not filled in. */
function newEntry(contentBytes: number): Buffer {
  const entry = cutBuffer(CONTENT_AT + contentBytes);
  entry.set(MAGIC_AND_VERSION);
  return entry;
}

/** Fills in the checksum. Call it after the content is written. */
function sealed(key: Buffer, entry: Buffer): Buffer {
  entry.writeUInt32BE(crcOf(key, entry), CRC_AT);
  return entry;
}

function seal(key: Buffer, content: Buffer): Buffer {
  const entry = newEntry(content.length);
  entry.set(content, CONTENT_AT);
  return sealed(key, entry);
}

function sealUtf8(key: Buffer, content: string): Buffer {
  const bytes = Buffer.byteLength(content);
  const entry = newEntry(bytes);
  writeText(entry, content, bytes, CONTENT_AT);
  return sealed(key, entry);
}

/** Returns the content of an entry found under `key`; null when it is damaged. */
function unseal(key: Buffer, entry: Buffer): Buffer | null {
  if (entry.length < CONTENT_AT || entry.compare(MAGIC_AND_VERSION, 0, CRC_AT, 0, CRC_AT) !== 0) return null;
  return entry.readUInt32BE(CRC_AT) === crcOf(key, entry) ? entry.subarray(CONTENT_AT) : null;
}

/** The end of a shop's log: its last record; number 0 before the first. */
export interface ShopHead {
  readonly sequenceNumber: number;
  /** Hash of that record. */
  readonly hash: Buffer;
}

const HEAD_BYTES = 8 + HASH_BYTES;

function headBytes({ sequenceNumber, hash }: ShopHead): Buffer {
  const content = Buffer.allocUnsafe(HEAD_BYTES);
  writeUint64(content, sequenceNumber, 0);
  hash.copy(content, 8);
  return content;
}

const headOf = (content: Buffer): ShopHead => ({
  sequenceNumber: readUint64(content, 0),
  hash: content.subarray(8, HEAD_BYTES),
});

export const sealHead = (key: Buffer, head: ShopHead): Buffer => seal(key, headBytes(head));

export function unsealHead(key: Buffer, entry: Buffer): ShopHead | null {
  const content = unseal(key, entry);
  return content?.length === HEAD_BYTES ? headOf(content) : null;
}

/** The beginning of a shop's log: the last record that was removed. */
export interface LogBeginning extends ShopHead {
  /**
   * The record before the record of a version that is kept before the beginning; null without a kept version. Number 0
   * means that the kept record is the first.
   */
  readonly kept: ShopHead | null;
}

export function sealBeginning(key: Buffer, beginning: LogBeginning): Buffer {
  const { kept } = beginning;
  if (kept === null) return sealHead(key, beginning);
  const content = Buffer.concat([headBytes(beginning), headBytes(kept)]);
  const entry = newEntry(content.length);
  MAGIC_AND_VERSION_2.copy(entry);
  entry.set(content, CONTENT_AT);
  entry.writeUInt32BE(crcOf(key, entry, crc32(MAGIC_AND_VERSION_2)), CRC_AT);
  return entry;
}

export function unsealBeginning(key: Buffer, entry: Buffer): LogBeginning | null {
  const head = unsealHead(key, entry);
  if (head !== null) return { ...head, kept: null };
  if (entry.length !== CONTENT_AT + 2 * HEAD_BYTES) return null;
  if (entry.compare(MAGIC_AND_VERSION_2, 0, CRC_AT, 0, CRC_AT) !== 0) return null;
  if (entry.readUInt32BE(CRC_AT) !== crcOf(key, entry, crc32(MAGIC_AND_VERSION_2))) return null;
  const content = entry.subarray(CONTENT_AT);
  return { ...headOf(content), kept: headOf(content.subarray(HEAD_BYTES)) };
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

/** `count` is a version number or a time in milliseconds since the epoch. */
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

/** `json` is the JSON of the version, as text or as ASCII bytes. */
export function sealVersion(
  key: Buffer,
  { version, sequenceNumber, batchRun }: VersionEntry,
  json: string | Buffer = JSON.stringify(version),
): Buffer {
  const before = `[${sequenceNumber},${batchRun},`;
  if (typeof json === 'string') return sealUtf8(key, `${before}${json}]`);
  const entry = newEntry(before.length + json.length + 1);
  entry.write(before, CONTENT_AT, 'latin1');
  entry.set(json, CONTENT_AT + before.length);
  entry[entry.length - 1] = CLOSING_BRACKET;
  return sealed(key, entry);
}

export function unsealVersion(key: Buffer, entry: Buffer): VersionEntry | null {
  const content = unseal(key, entry);
  if (content === null) return null;
  const [sequenceNumber, batchRun, version] = JSON.parse(content.toString()) as [number, number, Version];
  return { version, sequenceNumber, batchRun };
}
