/**
 * The stored form of records (format version 1), one by one and as a group of one append. All numbers are big-endian.
 *
 *   record      0  magic "RWR", format version (1 byte)
 *               4  CRC-32 of all other bytes
 *               8  sequence number (8 bytes)
 *              16  time in milliseconds since the epoch (8 bytes)
 *              24  SHA-256 of the previous record as it is stored (32 bytes); zeros before the first
 *              56  length of the shop id (1 byte), shop id (ASCII)
 *               .  JSON in UTF-8: {"event": ..., "answer"?: ..., "appendId"?: ...}
 *
 * Compatibility: the JSON may gain optional fields, which older records lack. Any other change needs a new version
 * byte.
 */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { extended } from '../../base/runtime/extended.ts';
import { isId } from '../../engine/domain/id.ts';
import type { ShopEvent } from '../../engine/domain/shop-event.ts';
import type { AppendGroup, HashedRecord, MadeKey, RecordHead, ShopMark } from './authority.ts';
import {
  DamagedLogError,
  EVENT_TEXT,
  type EventText,
  type LogRecord,
  type NewRecord,
  RecordTooLargeError,
} from './event-log.ts';

/** The constants of one stored form: record or checkpoint. */
export interface StoredKind {
  /** The beginning of the text of a defect. */
  readonly label: string;
  readonly magic: Buffer;
  readonly version: number;
  /** Offset of the shop id, which begins with its length. */
  readonly shopAt: number;
}

const VERSION_AT = 3;
export const CRC_AT = 4;
const AFTER_CRC = 8;
export const SEQUENCE_NUMBER_AT = 8;
const TIME_AT = 16;
const PREVIOUS_HASH_AT = 24;

const RECORD: StoredKind = {
  label: '',
  magic: Buffer.from('RWR'),
  version: 1,
  shopAt: 56,
};
/** The record format that is written, and the newest that can be read. */
export const RECORD_FORMAT = RECORD.version;

export const HASH_BYTES = 32;

/** The previous hash in the first record of a shop. */
export const NO_PREVIOUS_HASH: Buffer = Buffer.alloc(HASH_BYTES);

/** Maximum size of a record or checkpoint. A bulk write grows when missing fields of its records are filled. */
const STORED_BYTES_MAX = 256 * 1024 * 1024;

interface DecodedRecord {
  readonly record: LogRecord;
  readonly previousHash: Buffer;
}

/**
 * SHA-256 of a stored record, which the next record contains as its previous hash. The one-shot form with a
 * text as its result is the quickest for records of usual length.
 */
export const hashRecord = (stored: Uint8Array): Buffer =>
  Buffer.from(hash('sha256', stored, 'binary'), 'latin1');

/** Writes a non-negative safe integer as eight bytes. */
export function writeUint64(target: Buffer, value: number, at: number): void {
  target.writeUInt32BE(Math.floor(value / 2 ** 32), at);
  target.writeUInt32BE(value % 2 ** 32, at + 4);
}

/** Reads eight bytes as a number. A value above 2^53-1 is rounded and never equals a written number. */
export const readUint64 = (source: Buffer, at: number): number =>
  source.readUInt32BE(at) * 2 ** 32 + source.readUInt32BE(at + 4);

/** CRC-32 of everything but the CRC itself. */
export const crcOf = (stored: Buffer): number =>
  crc32(stored.subarray(AFTER_CRC), crc32(stored.subarray(0, CRC_AT)));

/** Returns a buffer with magic, version and shop id; the caller fills in the numbers, the content and the CRC. */
export function frame({ magic, version, shopAt }: StoredKind, shopId: string, contentBytes: number): Buffer {
  if (!isId(shopId)) throw new RangeError('a shop id has 1 to 64 characters of A-Z, a-z, 0-9, _ and -');
  const size = shopAt + 1 + shopId.length + contentBytes;
  if (size > STORED_BYTES_MAX) throw new RecordTooLargeError(size);
  const stored = Buffer.allocUnsafe(size);
  stored.set(magic);
  stored[VERSION_AT] = version;
  stored[shopAt] = shopId.length;
  stored.write(shopId, shopAt + 1, 'latin1');
  return stored;
}

export const requireCount = (value: number, what: string): void => {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${what} is no count: ${value}`);
};

/**
 * Encodes record `sequenceNumber` (1 or more) of a shop. Throws `RangeError` when a number or time is not a safe integer or
 * the shop id is invalid, and `RecordTooLargeError` above `STORED_BYTES_MAX`.
 */
export function encodeRecord(
  shopId: string,
  sequenceNumber: number,
  previousHash: Buffer,
  record: NewRecord,
): Buffer {
  requireCount(sequenceNumber, 'the sequence number');
  requireCount(record.atMs, 'the time');
  const text = textOf(record);
  const bytes = Buffer.byteLength(text);
  const stored = frame(RECORD, shopId, bytes);
  // Equal lengths mean ASCII, which is copied in half the time.
  stored.write(text, stored.length - bytes, bytes === text.length ? 'latin1' : 'utf8');
  writeUint64(stored, sequenceNumber, SEQUENCE_NUMBER_AT);
  writeUint64(stored, record.atMs, TIME_AT);
  stored.set(previousHash, PREVIOUS_HASH_AT);
  stored.writeUInt32BE(crcOf(stored), CRC_AT);
  return stored;
}

/** The JSON of a record. */
function textOf({ event, answer, appendId, [EVENT_TEXT]: known }: NewRecord): string {
  if (known === undefined) return JSON.stringify({ event, answer, appendId });
  if (answer === undefined && appendId === undefined) return `${EVENT_OPENS}${known.event}}`;
  // An object with at least one field: its brace makes way for the event.
  return `${EVENT_OPENS}${known.event},${JSON.stringify({ answer, appendId }).slice(1)}`;
}

const EVENT_OPENS = '{"event":';

export function eventTextOf(event: ShopEvent): EventText {
  if (!('version' in event)) return { event: JSON.stringify(event), version: null };
  const version = JSON.stringify(event.version);
  if (event.kind !== 'configChanged') return { event: JSON.stringify(event), version };
  const { kind, change } = event;
  return { event: `{"kind":"${kind}","change":${JSON.stringify(change)},"version":${version}}`, version };
}

/** Checks a stored form against its key in the store. Throws `DamagedLogError`. */
export function unframe(stored: Buffer, kind: StoredKind, shopId: string, sequenceNumber: number): Buffer {
  const { label, magic, shopAt } = kind;
  const damaged = (what: string) => new DamagedLogError(shopId, sequenceNumber, label + what);
  if (stored.length < shopAt + 1) throw damaged(`cut off after ${stored.length} bytes`);
  if (stored.compare(magic, 0, magic.length, 0, magic.length) !== 0) throw damaged('not a record at all');
  const version = stored[VERSION_AT] ?? 0;
  if (version !== kind.version) throw damaged(`unknown format version ${version}`);
  if (stored.readUInt32BE(CRC_AT) !== crcOf(stored)) throw damaged('its checksum does not match');
  const contentAt = shopAt + 1 + (stored[shopAt] ?? 0);
  const owner = stored.toString('latin1', shopAt + 1, contentAt);
  if (owner !== shopId) throw damaged('it belongs to another shop');
  const number = readUint64(stored, SEQUENCE_NUMBER_AT);
  if (number !== sequenceNumber) throw damaged(`it carries the number ${number}`);
  return stored.subarray(contentAt);
}

function payloadOf(bytes: Buffer): Pick<NewRecord, 'event' | 'answer'> | null {
  try {
    const payload: unknown = JSON.parse(bytes.toString());
    if (payload === null || typeof payload !== 'object' || !('event' in payload)) return null;
    return payload as Pick<NewRecord, 'event' | 'answer'>;
  } catch {
    return null;
  }
}

/** Decodes the stored record `sequenceNumber` of `shopId`. Throws `DamagedLogError`. */
export function decodeRecord(stored: Buffer, shopId: string, sequenceNumber: number): DecodedRecord {
  const payload = payloadOf(unframe(stored, RECORD, shopId, sequenceNumber));
  if (payload === null) throw new DamagedLogError(shopId, sequenceNumber, 'it holds no event');
  const { event, answer } = payload;
  const atMs = readUint64(stored, TIME_AT);
  const record = { sequenceNumber, atMs, event, ...(answer === undefined ? {} : { answer }) };
  return { record, previousHash: stored.subarray(PREVIOUS_HASH_AT, PREVIOUS_HASH_AT + HASH_BYTES) };
}

/** The head of a shop that has no record yet. */
export const NO_HEAD: RecordHead = { sequenceNumber: 0, hash: NO_PREVIOUS_HASH };

/** The head of a shop after the append of the group. Throws `RangeError` for an invalid group. */
export function headAfter({ expected, records }: AppendGroup): RecordHead {
  records.forEach(({ sequenceNumber }, index) => {
    if (sequenceNumber !== expected.sequenceNumber + index + 1) {
      throw new RangeError('records of a group follow each other from the expected head on');
    }
  });
  const last = records.at(-1);
  if (last === undefined) throw new RangeError('a group has at least one record');
  return { sequenceNumber: last.sequenceNumber, hash: last.hash };
}

/** The last record of a group. */
export const lastMark = ({ shopId, expected, records }: AppendGroup): ShopMark => ({
  shopId,
  sequenceNumber: expected.sequenceNumber + records.length,
});

/**
 * Encodes records that follow `previous`, and passes each on with its stored form. Returns the head after them. Throws as
 * `encodeRecord`.
 */
export function encodeRecords(
  shopId: string,
  previous: RecordHead,
  records: readonly NewRecord[],
  encoded: (record: NewRecord, stored: HashedRecord) => void,
): RecordHead {
  let { sequenceNumber, hash } = previous;
  for (const record of records) {
    sequenceNumber++;
    const stored = encodeRecord(shopId, sequenceNumber, hash, record);
    hash = hashRecord(stored);
    encoded(record, { sequenceNumber, hash, stored });
  }
  return { sequenceNumber, hash };
}

/**
 * The group that appends these records after `expected`. With `appendId`, which no other group has, no two groups have the
 * same bytes, so the record in its place shows whether a group was appended. Throws `RangeError` as `EventLog.append` does.
 */
export function encodeGroup(
  shopId: string,
  expected: RecordHead,
  records: readonly NewRecord[],
  appendId: string,
): AppendGroup {
  const hashed: HashedRecord[] = [];
  const marked = records.map((record, index) => (index === 0 ? extended(record, { appendId }) : record));
  encodeRecords(shopId, expected, marked, (_, stored) => hashed.push(stored));
  const group = {
    shopId,
    expected,
    records: hashed,
    ...keyChangesOf(records),
    endsChangeset: records.some(({ event }) => event.kind === 'stagingEnded'),
  };
  headAfter(group);
  return group;
}

/** The net changes of keys: a key that the group makes and revokes is not made. */
export function keyChangesOf(records: readonly NewRecord[]): Pick<AppendGroup, 'keysMade' | 'keysRevoked'> {
  const made = new Map<string, MadeKey>();
  const revoked = new Set<string>();
  for (const { event } of records) {
    if (event.kind === 'keyCreated') {
      const { id, permission, secretSha256 } = event.key;
      const digest = Buffer.from(secretSha256, 'hex');
      if (digest.length !== HASH_BYTES || !isId(id)) throw new RangeError('a key without a digest or an id');
      made.set(id, { digest, keyId: id, permission });
      // Replaces an earlier key with this id.
      revoked.add(id);
    } else if (event.kind === 'keyRevoked') {
      made.delete(event.keyId);
      revoked.add(event.keyId);
    }
  }
  return { keysMade: [...made.values()], keysRevoked: [...revoked] };
}
