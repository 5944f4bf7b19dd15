/**
 * The port to the durable log: one ordered, gapless sequence of records per shop (numbers 1, 2, ...). The oldest
 * records may be removed; the shop's log then begins with a checkpoint and the record after it.
 *
 * Promises every adapter keeps:
 * - `append` resolves with `appended` only when the records are on stable storage, and until then no
 *   reader of any process sees them; a group is appended whole or not at all.
 * - An append that expects an outdated sequence number is refused, and nothing is written.
 * - On a full disk every write is refused, with `diskFull` or `DiskFullError`. Nothing is written then, reads go on, and writes
 *   succeed again once there is room.
 * - A damaged record is never returned: reading it throws `DamagedLogError`, which names the shop and the number.
 */
import type { Permission } from '../../engine/domain/permission.ts';
import type { ShopEvent } from '../../engine/domain/shop-event.ts';
import type { Version } from '../../engine/domain/version.ts';

/** The answer to a write with an `Idempotency-Key`, stored in the record of the write. */
export interface StoredAnswer {
  readonly idempotencyKey: string;
  /** Digest of verb, path and body of the request. */
  readonly requestDigest: string;
  readonly status: number;
  /** The body as sent; sealed when it contains a secret. */
  readonly body: string;
}

/** The field of a record with its event text. A symbol, because `JSON.stringify` skips symbols. */
export const EVENT_TEXT: unique symbol = Symbol('event text');

/**
 * The JSON of an event, made right after the decision and passed along with its record: the record contains the event,
 * and the index of versions its version. Making both once, while the objects are in the processor's caches, saves a tenth
 * of the time of a write.
 */
export interface EventText {
  readonly event: string;
  /** JSON of the version that the event makes; null when it makes none. */
  readonly version: string | null;
}

export interface NewRecord {
  /** Milliseconds since the epoch, from the clock of the writer. */
  readonly atMs: number;
  readonly event: ShopEvent;
  readonly answer?: StoredAnswer;
  /** A random id of the append, in the first record of a group that several nodes may write; only its bytes matter. */
  readonly appendId?: string;
  readonly [EVENT_TEXT]?: EventText;
}

export interface LogRecord extends NewRecord {
  readonly sequenceNumber: number;
}

export type AppendResult =
  /** `seenEverywhere` is set when there are other nodes: acknowledge the write only after it resolves. It never rejects. */
  | { readonly kind: 'appended'; readonly seenEverywhere?: Promise<void> }
  /** Another writer appended first. Nothing was written. */
  | { readonly kind: 'staleWriter' }
  /** Nothing was written, because the disk is full. The caller may retry. */
  | { readonly kind: 'diskFull'; readonly cause: Error }
  /** Nothing was written, and the log accepts no more writes. */
  | { readonly kind: 'unavailable'; readonly cause: Error }
  /** Nothing was written, because the authority cannot be reached now. The caller may retry. */
  | { readonly kind: 'unreachable'; readonly cause: Error }
  /** The records may or may not be durable; only recovery can show which. */
  | { readonly kind: 'outcomeUnknown'; readonly cause: Error };

/** After losing so many races to other nodes in a row, a writer appends alone. With races only, one node lost 228 in a row. */
export const LOST_RACES_MAX = 2;

/** The data exceeds the maximum size of a record or checkpoint; nothing was stored. */
export class RecordTooLargeError extends RangeError {
  override readonly name = 'RecordTooLargeError';
  constructor(bytes: number) {
    super(`${bytes} bytes are more than a record can hold`);
  }
}

/** The state of a shop after a record, so that recovery need not replay the whole history. */
export interface Checkpoint {
  readonly sequenceNumber: number;
  /** JSON text of the image. */
  readonly image: string;
}

/** An entry of the index of versions; reading it does not read the record. */
export interface VersionEntry {
  readonly version: Version;
  /** The record that made the version. */
  readonly sequenceNumber: number;
  /** Number of consecutive versions with this batch id, up to and including this one; 0 without a batch id. */
  readonly batchRun: number;
}

/** The version that a record makes, or null. */
export const versionOf = ({ event }: NewRecord): Version | null =>
  'version' in event ? event.version : null;

/** Length of the batch run of a version, given the version before it. */
export function batchRunOf(
  { batchId }: Version,
  before: Pick<VersionEntry, 'version' | 'batchRun'> | null,
): number {
  if (batchId === null) return 0;
  return before?.version.batchId === batchId ? before.batchRun + 1 : 1;
}

export interface KeyHolder {
  readonly shopId: string;
  readonly keyId: string;
  readonly permission: Permission;
}

export interface EventLog {
  /**
   * Appends `records` after record `expectedSequenceNumber` (0: the shop has none yet). Also updates the indexes
   * derived from the events: shops, versions, the audit, API keys by digest, stored answers by idempotency key. When it
   * rejects, nothing was written. Rejects with `RecordTooLargeError`, or with another `RangeError` for a bug of the caller: an
   * empty list or an invalid record.
   */
  append(
    shopId: string,
    expectedSequenceNumber: number,
    records: readonly NewRecord[],
  ): Promise<AppendResult>;
  /**
   * Defined when there are other nodes. The turn of a writer that lost `LOST_RACES_MAX` races in a row: while no other
   * node can append to the shop, brings this log up to date, runs `decide`, and appends the records that it returns after
   * the last one; null when it returns none. Resolves and rejects like `append`, or rejects with what `decide` throws:
   * nothing was written then. `staleWriter` only when the turn took so long that it was lost.
   */
  appendAlone?(shopId: string, decide: () => Promise<readonly NewRecord[]>): Promise<AppendResult | null>;
  /**
   * Defined when there are other nodes. Resolves once all of them show the current records of this shop, so that the
   * stored answer of an earlier write may be sent again; null when there are none after all. Rejects when that cannot be
   * determined.
   */
  seenEverywhere?(shopId: string): Promise<void> | null;
  /** Number of the last record; 0 when the shop does not exist. */
  lastSequenceNumber(shopId: string): number;
  /**
   * Records after `afterSequenceNumber` up to and including `upTo` (default: the last), in order. In a log whose first
   * records were removed, only the records after its first checkpoint can be read. Other work may run between two of them.
   */
  read(shopId: string, afterSequenceNumber: number, upTo?: number): Iterable<LogRecord>;
  /** Ids of all shops, sorted. */
  shopIds(): Iterable<string>;
  /** The newest undamaged checkpoint at or before `atMost`, or null. */
  latestCheckpoint(shopId: string, atMost?: number): Checkpoint | null;
  writeCheckpoint(shopId: string, checkpoint: Checkpoint): Promise<void>;
  /** The version with this number; null when it does not exist or its record was removed. */
  versionAt(shopId: string, number: number): VersionEntry | null;
  /** The first version whose record was not removed; null when there is none. */
  oldestVersion(shopId: string): VersionEntry | null;
  /**
   * The last `most` records up to and including `upTo` that the audit tells of, newest first. Throws `DamagedLogError`.
   */
  readAudit(shopId: string, upTo: number, most: number): readonly LogRecord[];
  /**
   * Removes the records up to and including `upTo`, with their index entries and the earlier checkpoints. The log then
   * begins with the checkpoint at `upTo`. Resolves with the number of removed records. The next call completes an
   * interrupted one. Rejects with `RangeError` when there is no checkpoint at `upTo` or no record would be left.
   */
  trim(shopId: string, upTo: number): Promise<number>;
  /** Number of the last record that was removed; 0 while none was. */
  removedUpTo(shopId: string): number;
  /** The holder of the key whose secret has this SHA-256 (32 bytes); null when the key is unknown or revoked. */
  findKey(secretSha256: Uint8Array): KeyHolder | null;
  /** The first answer under this idempotency key at or after `sinceMs`, or null. */
  findAnswer(shopId: string, idempotencyKey: string, sinceMs: number): StoredAnswer | null;
  /** Forgets answers given before `beforeMs`. Resolves with the number of forgotten answers. */
  forgetAnswers(beforeMs: number): Promise<number>;
  /** Stores when keys were last used (key id -> milliseconds). Best effort. */
  writeKeyUse(uses: ReadonlyMap<string, number>): Promise<void>;
  readKeyUse(keyId: string): number | null;
  /**
   * Defined when there are other nodes. `readKeyUse` knows what they have written of these keys when the promise resolves.
   * Rejects with `AuthorityUnavailableError`.
   */
  refreshKeyUse?(keyIds: readonly string[]): Promise<void>;
  /**
   * Replaces a text about a shop; null removes it. The text is not part of the history. The append that ends a
   * changeset removes its `shadowResults`.
   */
  writeShopText(kind: ShopTextKind, shopId: string, text: string | null): Promise<void>;
  /** The stored text, or null. Throws `DamagedLogError`. */
  readShopText(kind: ShopTextKind, shopId: string): string | null;
  /**
   * Defined when there are other nodes. The texts of this kind that they keep about the shop, read after the call. Rejects
   * with `AuthorityUnavailableError`.
   */
  textsElsewhere?(kind: ShopTextKind, shopId: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Texts that are stored beside the records of a shop: results of its changeset, and the use of its records. */
export const SHOP_TEXT_KINDS = ['shadowResults', 'coverage'] as const;
export type ShopTextKind = (typeof SHOP_TEXT_KINDS)[number];

/** A record, checkpoint or index entry is not as it was written. */
export class DamagedLogError extends Error {
  override readonly name = 'DamagedLogError';
  readonly shopId: string;
  readonly sequenceNumber: number;
  readonly what: string;

  constructor(shopId: string, sequenceNumber: number, what: string) {
    super(`log of shop ${shopId}, record ${sequenceNumber}: ${what}`);
    this.shopId = shopId;
    this.sequenceNumber = sequenceNumber;
    this.what = what;
  }
}

/** Nothing was written, because the disk is full. The same write can succeed once there is room. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';
  constructor(message = 'the disk is full: nothing was stored') {
    super(message);
  }
}

/** The files cannot be opened as a log; the message is one line for an operator. */
export class UnusableDataFileError extends Error {
  override readonly name = 'UnusableDataFileError';
}
