/**
 * The beginning of a shop's log: the last removed record, whose number and hash are kept so that the chain continues.
 * Before any removal it is record 0, which no shop has.
 *
 * One version may be kept before the beginning: the version in force there, if the removed records after it made no
 * version. Its record and the checkpoint before it stay; the hash in the checkpoint links the two.
 */
import { DamagedLogError } from '../event-log.ts';
import { NO_PREVIOUS_HASH } from '../record-codec.ts';
import { type LogBeginning, unsealBeginning } from './index-entry.ts';
import { shopKey } from './log-keys.ts';
import type { LogTables } from './log-tables.ts';

/** The beginning of a log from which nothing was removed. */
export const NO_RECORD: LogBeginning = { sequenceNumber: 0, hash: NO_PREVIOUS_HASH, kept: null };

/** Reads the beginning of a shop's log. Throws `DamagedLogError`. */
export function readBeginning(tables: LogTables, shopId: string): LogBeginning {
  const key = shopKey(shopId);
  const entry = tables.beginnings.get(key);
  if (entry === undefined) return NO_RECORD;
  const beginning = unsealBeginning(key, entry);
  if (beginning === null) throw new DamagedLogError(shopId, 0, 'the entry of its beginning is damaged');
  return beginning;
}

/** Number of the record of the version kept before the beginning; null without one. */
export const keptRecordOf = ({ kept }: LogBeginning): number | null =>
  kept === null ? null : kept.sequenceNumber + 1;

/** True when the record was removed. */
export const isRemoved = (beginning: LogBeginning, sequenceNumber: number): boolean =>
  sequenceNumber <= beginning.sequenceNumber && sequenceNumber !== keptRecordOf(beginning);

/**
 * The hash of a record if the beginning holds it: of the last removed record, or of the record before a kept version.
 * Null for any other removed record, undefined for a record that was not removed.
 */
export function notedHash(
  { sequenceNumber, hash, kept }: LogBeginning,
  of: number,
): Buffer | null | undefined {
  if (of === sequenceNumber) return hash;
  if (of === kept?.sequenceNumber) return kept.hash;
  return of < sequenceNumber ? null : undefined;
}
