/** All that a log holds at one moment, in either kind of store: what `verify` checks and `move` copies. */
import type { Version } from '../../engine/domain/version.ts';
import type { ShopState, StoredCheckpoint, StoredRecord } from './authority.ts';
import type { KeyHolder } from './event-log.ts';

/** What an index says of one record or key, as text: that of the store compares with what follows from the records. */
export interface IndexEntry {
  /** Unique among the entries of a shop. */
  readonly name: string;
  readonly value: string;
  /** The record that the entry is about; 0 for a key. Null when damage hides it. */
  readonly sequenceNumber: number | null;
  /** For a version: its run in a batch; null where removed records may have a part of the run. */
  readonly batchRun?: number | null;
}

export interface ShopContent {
  readonly state: ShopState;
  /** What is wrong with the entries that name the shop; the state is a guess then. */
  readonly defects: readonly string[];
  /** In order: the one at the beginning of a trimmed log, and all later ones. */
  readonly checkpoints: AsyncIterable<StoredCheckpoint>;
  /** In order: all records that were not removed. May throw `DamagedLogError` where one is missing. */
  readonly records: AsyncIterable<StoredRecord>;
  /** Versions, the audit, answers and ids of keys; null in a store that keeps no such indexes. */
  readonly index: AsyncIterable<IndexEntry> | null;
}

export interface StoredKey {
  /** SHA-256 of the secret. */
  readonly digest: Buffer;
  /** Null when the entry is damaged. */
  readonly holder: KeyHolder | null;
}

export interface LogContent {
  /** Each shop once, deleted ones included. */
  shops(): AsyncIterable<ShopContent>;
  /** The index of API keys. */
  keys(): AsyncIterable<StoredKey>;
  /** Key id -> time of its last use in milliseconds, in portions. */
  keyUse(): AsyncIterable<ReadonlyMap<string, number>>;
  /** Answers given before this time may be missing from the index. */
  readonly answersSinceMs: number;
  /** What is wrong with entries that belong to no shop. */
  readonly defects: readonly string[];
  /** Whether a read failed with this error because the store cannot be reached, which is no damage. */
  isOutage(error: unknown): boolean;
}

export const versionEntry = (
  { number }: Pick<Version, 'number'>,
  version: Version | null,
  sequenceNumber: number | null,
  batchRun: number | null,
): IndexEntry => ({
  name: `version ${number}`,
  value: `${sequenceNumber} ${JSON.stringify(version)}`,
  sequenceNumber,
  batchRun,
});

/** `keyHash`: SHA-256 of the idempotency key in hex. */
export const answerEntry = (sequenceNumber: number, keyHash: string, atMs: number | null): IndexEntry => ({
  name: `answer ${keyHash} of record ${sequenceNumber}`,
  value: String(atMs),
  sequenceNumber,
});

export const auditEntry = (sequenceNumber: number, isWhole: boolean): IndexEntry => ({
  name: `audit of record ${sequenceNumber}`,
  value: String(isWhole),
  sequenceNumber,
});

export const keyIdEntry = (keyId: string, digest: string | null): IndexEntry => ({
  name: `key ${keyId}`,
  value: String(digest),
  sequenceNumber: 0,
});
