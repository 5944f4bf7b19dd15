/**
 * The stored form of records (format version 1) and checkpoints (2). All numbers are big-endian.
 *
 *   record      0  magic "RWR", format version (1 byte)
 *               4  CRC-32 of all other bytes
 *               8  sequence number (8 bytes)
 *              16  time in milliseconds since the epoch (8 bytes)
 *              24  SHA-256 of the previous record as it is stored (32 bytes); zeros before the first
 *              56  length of the shop id (1 byte), shop id (ASCII)
 *               .  JSON in UTF-8: {"event": ..., "answer"?: ...}
 *
 *   checkpoint  0  magic "RWC", format version (1 byte)
 *               4  CRC-32 of all other bytes
 *               8  sequence number of the record that the image includes last (8 bytes)
 *              16  SHA-256 of that record as it is stored (32 bytes)
 *              48  length of the shop id (1 byte), shop id (ASCII)
 *               .  the image: JSON in UTF-8, deflated; as it is in version 1
 *
 * How it may change: the JSON may gain optional fields, which older records lack. Anything else takes a
 * new version byte, and every version that was ever written stays readable.
 */
import { createHash, hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { joinSteps, lengthOf } from '../bytes/joined-bytes.ts';
import { readJsonSteps } from '../bytes/json-reading.ts';
import { jsonSteps, shortJson } from '../bytes/json-steps.ts';
import { isId } from '../domain/id-pattern.ts';
import { finishSteps, NEVER, type ShouldYield, type WorkSteps } from '../pace/work-steps.ts';
import {
  type Checkpoint,
  DamagedLogError,
  type LogRecord,
  type NewRecord,
  RecordTooLargeError,
} from './event-log.ts';
import { EVENT_TEXT, type EventText } from './event-text.ts';
import { cutBuffer } from './lmdb/cut-buffer.ts';
import { unpackImage } from './packed-image.ts';

/** One kind of stored form. */
interface StoredKind {
  readonly magic: Buffer;
  /** The version that is written, and the first that is read. */
  readonly version: number;
  readonly firstVersion: number;
  /** Where the shop id begins, with its length. */
  readonly shopAt: number;
}

const VERSION_OF_PLAIN_IMAGES = 1;

const VERSION_AT = 3;
const CRC_AT = 4;
const AFTER_CRC = 8;
const SEQUENCE_NUMBER_AT = 8;
const TIME_AT = 16;
const PREVIOUS_HASH_AT = 24;
const CHECKPOINT_HASH_AT = 16;

const RECORD: StoredKind = { magic: Buffer.from('RWR'), version: 1, firstVersion: 1, shopAt: 56 };
const CHECKPOINT: StoredKind = {
  magic: Buffer.from('RWC'),
  version: 2,
  firstVersion: VERSION_OF_PLAIN_IMAGES,
  shopAt: 48,
};

export const HASH_BYTES = 32;

/** What stands in the first record of a shop where later ones have the hash of the one before. */
export const NO_PREVIOUS_HASH: Buffer = Buffer.alloc(HASH_BYTES);

/** The largest record or checkpoint that is written. A bulk write of 30 MB comes to more when its rules are bare. */
export const STORED_BYTES_MAX = 256 * 1024 * 1024;

export interface DecodedRecord {
  readonly record: LogRecord;
  readonly previousHash: Buffer;
}

export interface DecodedCheckpoint extends Checkpoint {
  /** Hash of the record that the checkpoint stands at. */
  readonly recordHash: Buffer;
}

/** What is hashed or copied at once: a tenth of a millisecond. */
const CHUNK_BYTES = 65_536;

function* chunksOf(stored: Uint8Array): Generator<Uint8Array, void, void> {
  for (let at = 0; at < stored.length; at += CHUNK_BYTES) yield stored.subarray(at, at + CHUNK_BYTES);
}

/** `hashRecord` in steps. */
export function* hashSteps(stored: Uint8Array, shouldYield: ShouldYield): WorkSteps<Buffer> {
  if (stored.length <= CHUNK_BYTES) {
    if (shouldYield()) yield;
    return hashRecord(stored);
  }
  const whole = createHash('sha256');
  for (const chunk of chunksOf(stored)) {
    whole.update(chunk);
    if (shouldYield()) yield;
  }
  return whole.digest();
}

/**
 * SHA-256 of a stored record; with it the next record names its predecessor. Measured on Node 20 with 700 bytes:
 * 0.7 us; a hash object takes 1.5, and a one-shot hash that makes the buffer itself 1.0.
 */
export const hashRecord = (stored: Uint8Array): Buffer =>
  Buffer.from(hash('sha256', stored, 'binary'), 'latin1');

/** A non-negative safe integer as eight bytes. */
export function writeUint64(target: Buffer, value: number, at: number): void {
  target.writeUInt32BE(Math.floor(value / 2 ** 32), at);
  target.writeUInt32BE(value % 2 ** 32, at + 4);
}

/** Writes text that takes `bytes` bytes of UTF-8. ASCII is told by its length, and copied in half the time. */
export function writeText(target: Buffer, text: string, bytes: number, at: number): void {
  target.write(text, at, bytes === text.length ? 'latin1' : 'utf8');
}

/** Eight bytes as a number; beyond 2^53-1 it is rounded and never equals a number that was written. */
export const readUint64 = (source: Buffer, at: number): number =>
  source.readUInt32BE(at) * 2 ** 32 + source.readUInt32BE(at + 4);

/** CRC-32 of everything but the CRC itself. */
const crcOf = (stored: Buffer, head: StoredHead): number => crc32(stored.subarray(AFTER_CRC), head.crc);

function* crcSteps(stored: Buffer, shouldYield: ShouldYield): WorkSteps<number> {
  let crc = crc32(stored.subarray(0, CRC_AT));
  for (const chunk of chunksOf(stored.subarray(AFTER_CRC))) {
    crc = crc32(chunk, crc);
    if (shouldYield()) yield;
  }
  return crc;
}

/** What stands before the content, still without its numbers: the same for all that a shop stores of a kind. */
interface StoredHead {
  readonly shopId: string;
  readonly bytes: Uint8Array;
  /** CRC-32 of what stands before the CRC. */
  readonly crc: number;
}

/** The head that was used last, by kind. Measured: to copy it takes a sixth of the time that making it takes. */
const heads = new Map<StoredKind, StoredHead>();

function headOf(kind: StoredKind, shopId: string): StoredHead {
  const known = heads.get(kind);
  if (known?.shopId === shopId) return known;
  if (!isId(shopId)) throw new RangeError('a shop id has 1 to 64 characters of A-Z, a-z, 0-9, _ and -');
  const { magic, version, shopAt } = kind;
  const bytes = Buffer.alloc(shopAt + 1 + shopId.length);
  magic.copy(bytes);
  bytes[VERSION_AT] = version;
  bytes[shopAt] = shopId.length;
  bytes.write(shopId, shopAt + 1, 'latin1');
  const head = { shopId, bytes, crc: crc32(bytes.subarray(0, CRC_AT)) };
  heads.set(kind, head);
  return head;
}

/** The stored form with magic, version and shop filled in and the content and the CRC still missing. */
function frame({ bytes }: StoredHead, contentBytes: number): Buffer {
  const size = bytes.length + contentBytes;
  if (size > STORED_BYTES_MAX) throw new RecordTooLargeError(size);
  const stored = cutBuffer(size);
  stored.set(bytes);
  return stored;
}

const requireCount = (value: number, what: string): void => {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${what} is no count: ${value}`);
};

/**
 * The stored form of record `sequenceNumber` (1 or more) of a shop, at once, when it is short; null for any other.
 * `RangeError` for what no record can hold: a number or time that is no safe integer, an id that is none, and
 * `RecordTooLargeError` for more than `STORED_BYTES_MAX`. Measured: one of 700 bytes takes a third of the time that
 * steps and parts take.
 */
export function encodeShortRecord(
  shopId: string,
  sequenceNumber: number,
  previousHash: Buffer,
  record: NewRecord,
): Buffer | null {
  requireCount(sequenceNumber, 'the sequence number');
  requireCount(record.atMs, 'the time');
  const text = shortText(record);
  if (text === null) return null;
  const bytes = Buffer.byteLength(text);
  const head = headOf(RECORD, shopId);
  const stored = frame(head, bytes);
  writeText(stored, text, bytes, head.bytes.length);
  writePlace(stored, { sequenceNumber, atMs: record.atMs, previousHash });
  stored.writeUInt32BE(crcOf(stored, head), CRC_AT);
  return stored;
}

/** The same for a record for which `encodeShortRecord` gave null. */
export function* encodeLongRecordSteps(
  shopId: string,
  sequenceNumber: number,
  previousHash: Buffer,
  record: NewRecord,
  shouldYield: ShouldYield,
): WorkSteps<Buffer> {
  const parts = yield* jsonSteps({ event: record.event, answer: record.answer }, shouldYield);
  let bytes = 0;
  for (const part of parts) {
    bytes += Buffer.byteLength(part);
    if (shouldYield()) yield;
  }
  const head = headOf(RECORD, shopId);
  const stored = frame(head, bytes);
  let at = head.bytes.length;
  for (const part of parts) {
    at += stored.write(part, at);
    if (shouldYield()) yield;
  }
  writePlace(stored, { sequenceNumber, atMs: record.atMs, previousHash });
  stored.writeUInt32BE(yield* crcSteps(stored, shouldYield), CRC_AT);
  return stored;
}

/** The JSON of a record when it is short, or null. */
function shortText({ event, answer, [EVENT_TEXT]: known }: NewRecord): string | null {
  if (known === undefined) return shortJson({ event, answer });
  if (answer === undefined) return `${EVENT_OPENS}${known.event}}`;
  const answerText = shortJson(answer);
  return answerText === null ? null : `${EVENT_OPENS}${known.event},"answer":${answerText}}`;
}

const EVENT_OPENS = '{"event":';

/**
 * The JSON of the version in a record that was stored with this text: its last bytes but for brackets. Null when they
 * cannot be told from its characters alone. Measured: to copy them takes a third of the time of writing them again.
 */
export function storedVersion(stored: Buffer, shopId: string, { event, version }: EventText): Buffer | null {
  if (version === null) return null;
  const bytes = RECORD.shopAt + 1 + shopId.length + EVENT_OPENS.length + event.length + 1;
  // With an answer or characters of several bytes there are more.
  return stored.length === bytes ? stored.subarray(bytes - 2 - version.length, bytes - 2) : null;
}

interface PlaceInChain extends Pick<LogRecord, 'sequenceNumber' | 'atMs'> {
  readonly previousHash: Buffer;
}

function writePlace(stored: Buffer, { sequenceNumber, atMs, previousHash }: PlaceInChain): void {
  writeUint64(stored, sequenceNumber, SEQUENCE_NUMBER_AT);
  writeUint64(stored, atMs, TIME_AT);
  stored.set(previousHash, PREVIOUS_HASH_AT);
}

/** The stored form of any record, at once. */
export function encodeRecord(
  shopId: string,
  sequenceNumber: number,
  previousHash: Buffer,
  record: NewRecord,
): Buffer {
  const short = encodeShortRecord(shopId, sequenceNumber, previousHash, record);
  return short ?? finishSteps(encodeLongRecordSteps(shopId, sequenceNumber, previousHash, record, NEVER));
}

/**
 * The stored form of a checkpoint with a packed image in parts, at the record with this hash. `RangeError` as for a
 * record. `packedImage` is empty afterwards.
 */
export function* encodeCheckpointSteps(
  shopId: string,
  sequenceNumber: number,
  packedImage: Buffer[],
  recordHash: Buffer,
  shouldYield: ShouldYield,
): WorkSteps<Buffer> {
  requireCount(sequenceNumber, 'the sequence number');
  const head = headOf(CHECKPOINT, shopId);
  const stored = frame(head, lengthOf(packedImage));
  yield* joinSteps(packedImage, stored.subarray(head.bytes.length), shouldYield);
  writeUint64(stored, sequenceNumber, SEQUENCE_NUMBER_AT);
  recordHash.copy(stored, CHECKPOINT_HASH_AT, 0, HASH_BYTES);
  stored.writeUInt32BE(yield* crcSteps(stored, shouldYield), CRC_AT);
  return stored;
}

/** Checks a stored form against where it was found and returns what it holds; says what is wrong else. */
function* unframeSteps(
  stored: Buffer,
  kind: StoredKind,
  shopId: string,
  sequenceNumber: number,
  shouldYield: ShouldYield,
): WorkSteps<{ readonly version: number; readonly content: Buffer } | { readonly defect: string }> {
  const { magic, shopAt } = kind;
  if (stored.length < shopAt + 1) return { defect: `cut off after ${stored.length} bytes` };
  if (stored.compare(magic, 0, magic.length, 0, magic.length) !== 0) return { defect: 'not a record at all' };
  const version = stored[VERSION_AT] ?? 0;
  const isKnown = version >= kind.firstVersion && version <= kind.version;
  if (!isKnown) return { defect: `unknown format version ${version}` };
  if (stored.readUInt32BE(CRC_AT) !== (yield* crcSteps(stored, shouldYield))) {
    return { defect: 'its checksum does not match' };
  }
  const contentAt = shopAt + 1 + (stored[shopAt] ?? 0);
  const owner = stored.toString('latin1', shopAt + 1, contentAt);
  if (owner !== shopId) return { defect: 'it belongs to another shop' };
  const number = readUint64(stored, SEQUENCE_NUMBER_AT);
  if (number !== sequenceNumber) return { defect: `it carries the number ${number}` };
  return { version, content: stored.subarray(contentAt) };
}

function* payloadSteps(
  bytes: Buffer,
  shouldYield: ShouldYield,
): WorkSteps<Pick<NewRecord, 'event' | 'answer'> | null> {
  try {
    const payload = yield* readJsonSteps(bytes, shouldYield);
    if (payload === null || typeof payload !== 'object' || !('event' in payload)) return null;
    return payload as Pick<NewRecord, 'event' | 'answer'>;
  } catch {
    return null;
  }
}

/** Reads a stored record that was found as `sequenceNumber` of `shopId`. Throws `DamagedLogError`. */
export function* decodeRecordSteps(
  stored: Buffer,
  shopId: string,
  sequenceNumber: number,
  shouldYield: ShouldYield,
): WorkSteps<DecodedRecord> {
  const found = yield* unframeSteps(stored, RECORD, shopId, sequenceNumber, shouldYield);
  if ('defect' in found) throw new DamagedLogError(shopId, sequenceNumber, found.defect);
  const payload = yield* payloadSteps(found.content, shouldYield);
  if (payload === null) throw new DamagedLogError(shopId, sequenceNumber, 'it holds no event');
  const { event, answer } = payload;
  const atMs = readUint64(stored, TIME_AT);
  const record = { sequenceNumber, atMs, event, ...(answer === undefined ? {} : { answer }) };
  return { record, previousHash: stored.subarray(PREVIOUS_HASH_AT, PREVIOUS_HASH_AT + HASH_BYTES) };
}

/** The same at once. */
export const decodeRecord = (stored: Buffer, shopId: string, sequenceNumber: number): DecodedRecord =>
  finishSteps(decodeRecordSteps(stored, shopId, sequenceNumber, NEVER));

/** A checkpoint whose image is still as it is stored. */
export interface OpenedCheckpoint extends Pick<DecodedCheckpoint, 'sequenceNumber' | 'recordHash'> {
  readonly content: Buffer;
  /** `content` is to be inflated. */
  readonly isPacked: boolean;
}

/** Opens a stored checkpoint that was found at `sequenceNumber` of `shopId`. Throws `DamagedLogError`. */
export function* openCheckpointSteps(
  stored: Buffer,
  shopId: string,
  sequenceNumber: number,
  shouldYield: ShouldYield,
): WorkSteps<OpenedCheckpoint> {
  const found = yield* unframeSteps(stored, CHECKPOINT, shopId, sequenceNumber, shouldYield);
  if ('defect' in found) throw new DamagedLogError(shopId, sequenceNumber, `checkpoint: ${found.defect}`);
  const recordHash = stored.subarray(CHECKPOINT_HASH_AT, CHECKPOINT_HASH_AT + HASH_BYTES);
  const { version, content } = found;
  return { sequenceNumber, recordHash, content, isPacked: version !== VERSION_OF_PLAIN_IMAGES };
}

/** Reads a stored checkpoint, image and all, at once. Throws `DamagedLogError`. */
export function decodeCheckpoint(stored: Buffer, shopId: string, sequenceNumber: number): DecodedCheckpoint {
  const opened = finishSteps(openCheckpointSteps(stored, shopId, sequenceNumber, NEVER));
  const { content, isPacked, recordHash } = opened;
  if (!isPacked) return { sequenceNumber, image: content.toString('utf8'), recordHash };
  try {
    return { sequenceNumber, image: unpackImage(content), recordHash };
  } catch {
    throw new DamagedLogError(shopId, sequenceNumber, 'checkpoint: its image cannot be unpacked');
  }
}
