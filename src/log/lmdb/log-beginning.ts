/**
 * Where a shop's log begins: behind the last record that was removed, of which number and hash are kept, so
 * that the chain goes on. While nothing was removed that is the record 0 that no shop has.
 *
 * In front of the beginning one version may be kept, the one that is in force there, when others than versions were
 * written after it: its record, and the checkpoint before it, whose hash ties the two together.
 */
import { DamagedLogError } from '../event-log.ts';
import { NO_PREVIOUS_HASH } from '../record-codec.ts';
import { type LogBeginning, unsealBeginning } from './index-entry.ts';
import { shopKey } from './log-keys.ts';
import type { LogTables } from './log-tables.ts';

/** What stands before the first record of a whole log. */
export const NO_RECORD: LogBeginning = { sequenceNumber: 0, hash: NO_PREVIOUS_HASH, kept: null };

/** What the log of a shop begins behind. Throws `DamagedLogError`. */
export function readBeginning(tables: LogTables, shopId: string): LogBeginning {
  const key = shopKey(shopId);
  const entry = tables.beginnings.get(key);
  if (entry === undefined) return NO_RECORD;
  const beginning = unsealBeginning(key, entry);
  if (beginning === null) throw new DamagedLogError(shopId, 0, 'the entry of its beginning is damaged');
  return beginning;
}

/** Number of the record of the version that is kept in front of the beginning; null when none is. */
export const keptRecordOf = ({ kept }: LogBeginning): number | null =>
  kept === null ? null : kept.sequenceNumber + 1;

/** The record cannot be read any more. */
export const isRemoved = (beginning: LogBeginning, sequenceNumber: number): boolean =>
  sequenceNumber <= beginning.sequenceNumber && sequenceNumber !== keptRecordOf(beginning);

/**
 * Hash of a record as the beginning holds it: of the last one that was removed, or of the one before a kept version.
 * Undefined for any other, null for one that was removed without a trace.
 */
export function notedHash(
  { sequenceNumber, hash, kept }: LogBeginning,
  of: number,
): Buffer | null | undefined {
  if (of === sequenceNumber) return hash;
  if (of === kept?.sequenceNumber) return kept.hash;
  return of < sequenceNumber ? null : undefined;
}
