/**
 * The port to the durable log: one ordered, gapless sequence of records per shop (numbers 1, 2, ...). The
 * oldest ones may be removed; a shop's log then begins with a checkpoint and the record behind it.
 *
 * Promises every adapter keeps:
 * - `append` resolves with `appended` only when the records are on stable storage, and until then no
 *   reader of any process sees them; a group is appended whole or not at all.
 * - A writer whose expectation is out of date is refused and nothing is written.
 * - A damaged record is never returned: reading it throws `DamagedLogError`, which names shop and number.
 */
import type { Permission } from '../domain/permission.ts';
import type { ShopEvent } from '../domain/shop-event.ts';
import type { Version } from '../domain/version.ts';
import type { EVENT_TEXT, EventText } from './event-text.ts';

/** The answer to a write that carried an `Idempotency-Key`, kept with the write itself. */
export interface StoredAnswer {
  readonly idempotencyKey: string;
  /** Digest of verb, path and body of the request. */
  readonly requestDigest: string;
  readonly status: number;
  /** The body as it was sent, or sealed when it held a secret. */
  readonly body: string;
}

export interface NewRecord {
  /** Milliseconds since the epoch, from the clock of the writer. */
  readonly atMs: number;
  readonly event: ShopEvent;
  readonly answer?: StoredAnswer;
  /** The event's JSON, when the writer has made it. */
  readonly [EVENT_TEXT]?: EventText;
}

export interface LogRecord extends NewRecord {
  readonly sequenceNumber: number;
}

export type AppendResult =
  /**
   * `position` orders appends of all shops; a reader that has seen it sees the records. With `seenEverywhere` there are
   * further nodes, and the write may be acknowledged once that is resolved; it never rejects.
   */
  | { readonly kind: 'appended'; readonly position: number; readonly seenEverywhere?: Promise<void> }
  /** Somebody else appended first; `sequenceNumber` is the last one now. Nothing was written. */
  | { readonly kind: 'staleWriter'; readonly sequenceNumber: number }
  /** Nothing was written and it is known: the log takes no more writes. */
  | { readonly kind: 'unavailable'; readonly cause: Error }
  /** Nothing was written and it is known: the authority cannot be reached now, and the same may be tried again. */
  | { readonly kind: 'unreachable'; readonly cause: Error }
  /** The records may or may not be durable: only recovery can tell. */
  | { readonly kind: 'outcomeUnknown'; readonly cause: Error };

/** The data exceeds what a record or checkpoint can hold; nothing was stored. */
export class RecordTooLargeError extends RangeError {
  override readonly name = 'RecordTooLargeError';
  constructor(bytes: number) {
    super(`${bytes} bytes are more than a record can hold`);
  }
}

/** A state of a shop as of a record, so that recovery need not replay all history. */
export interface Checkpoint {
  readonly sequenceNumber: number;
  /** JSON text of the image. */
  readonly image: string;
}

export interface NewCheckpoint extends Omit<Checkpoint, 'image'> {
  /** JSON text of the image, whole or in parts that follow each other. */
  readonly image: string | readonly string[];
}

/** A checkpoint with its parsed JSON; `data` is undefined when the text was no JSON. */
export interface ReadImage extends Pick<Checkpoint, 'sequenceNumber'> {
  readonly data: unknown;
  /** Of the text, in bytes. */
  readonly length: number;
}

/** What the log knows of a version without reading its record. */
export interface VersionEntry {
  readonly version: Version;
  /** The record that made it. */
  readonly sequenceNumber: number;
  /** How many consecutive versions, this one the last, share its batch id; 0 without a batch id. */
  readonly batchRun: number;
}

export interface KeyHolder {
  readonly shopId: string;
  readonly keyId: string;
  readonly permission: Permission;
}

/** A log that knows how much there is to read before reading it. */
export interface SizedLog {
  /** Bytes of the records after `afterSequenceNumber` up to `upTo` as they are stored; stops counting behind `max`. */
  tailBytes(shopId: string, afterSequenceNumber: number, upTo: number, max: number): number;
}

export interface EventLog {
  /**
   * Appends `records` behind record `expectedSequenceNumber` (0 = the shop has none yet). Also keeps the
   * indexes that follow from the events: shops, versions, API keys by digest, stored answers by idempotency
   * key. Nothing is written when it rejects: with `RecordTooLargeError`, or another `RangeError` for a bug of the
   * caller: no records, or one that is none.
   */
  append(
    shopId: string,
    expectedSequenceNumber: number,
    records: readonly NewRecord[],
  ): Promise<AppendResult>;
  /**
   * Where there are further nodes: resolves once all of them show what this log has now, so that the stored answer of
   * an earlier write may be given again. Rejects when that cannot be known.
   */
  seenEverywhere?(): Promise<void>;
  /** Number of the last record; 0 when the shop does not exist. */
  lastSequenceNumber(shopId: string): number;
  /**
   * Records after `afterSequenceNumber` up to and including `upTo` (default: the last), in order. Of a log
   * whose first records were removed, only those behind the checkpoint that it begins with can be read.
   */
  read(shopId: string, afterSequenceNumber: number, upTo?: number): Iterable<LogRecord>;
  /** The same beside other work: a large record is read in steps, and others run in between. */
  readInSteps(shopId: string, afterSequenceNumber: number, upTo?: number): AsyncIterable<LogRecord>;
  /** Ids of all shops, sorted. */
  shopIds(): Iterable<string>;
  /** The newest undamaged checkpoint not after `atMost`, or null. */
  latestCheckpoint(shopId: string, atMost?: number): Checkpoint | null;
  /** The same beside other work, its text already read. */
  latestImage(shopId: string, atMost?: number): Promise<ReadImage | null>;
  writeCheckpoint(shopId: string, checkpoint: NewCheckpoint): Promise<void>;
  /** The version with this number or id, or null when there is none or its record was removed. */
  versionAt(shopId: string, number: number): VersionEntry | null;
  findVersion(shopId: string, versionId: string): VersionEntry | null;
  /** The first version whose record was not removed; null when the shop has none. */
  oldestVersion(shopId: string): VersionEntry | null;
  /**
   * Removes the records up to and including `upTo`, with all that the indexes and earlier checkpoints hold of
   * them; the checkpoint at `upTo` stays and is what the log begins with. Resolves with the number of records
   * removed. Cut short, it is completed by the next call. `RangeError` without a checkpoint there, or when
   * nothing would be left.
   *
   * With `keptVersion`, the number of the newest version up to there, that version stays as it is: its record,
   * and the checkpoint before it. `RangeError` without one, unless it is the shop's first record.
   */
  trim(shopId: string, upTo: number, keptVersion?: number): Promise<number>;
  /** Number of the last record that was removed, but for a version that was kept; 0 while none was. */
  removedUpTo(shopId: string): number;
  /** The holder of the key whose secret has this SHA-256 (32 bytes), or null when unknown or revoked. */
  findKey(secretSha256: Uint8Array): KeyHolder | null;
  /** The answer first given under this idempotency key, if it was given at or after `sinceMs`. */
  findAnswer(shopId: string, idempotencyKey: string, sinceMs: number): StoredAnswer | null;
  /** Forgets answers given before `beforeMs`; returns how many. */
  forgetAnswers(beforeMs: number): Promise<number>;
  /** Remembers when keys were last used (key id -> ms); best effort, not part of any promise. */
  writeKeyUse(uses: ReadonlyMap<string, number>): Promise<void>;
  readKeyUse(keyId: string): number | null;
  /**
   * Keeps a text about a shop in place of the earlier one; null removes it. It is not part of the history. The append
   * that ends a changeset removes its `shadowResults`.
   */
  writeShopText(kind: ShopTextKind, shopId: string, text: string | null): Promise<void>;
  /** The text that was kept last, or null. Throws `DamagedLogError`. */
  readShopText(kind: ShopTextKind, shopId: string): string | null;
  close(): Promise<void>;
}

/** Texts that are kept beside the records of a shop: the results of its changeset, and what its simulations used. */
export const SHOP_TEXT_KINDS = ['shadowResults', 'coverage'] as const;
export type ShopTextKind = (typeof SHOP_TEXT_KINDS)[number];

/** A record, checkpoint or index entry that differs from what was written. */
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

/** The files of a log cannot be opened as a log; the message is one line for an operator. */
export class UnusableDataFileError extends Error {
  override readonly name = 'UnusableDataFileError';
}
