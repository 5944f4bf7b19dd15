/**
 * Where a shop's log begins: after the last removed record, whose number and hash are kept so that the chain continues.
 * Before any removal that is record 0, which no shop has.
 *
 * One version may be kept before the beginning: the version in force there, when later records before the beginning were
 * no versions. Its record stays, and the checkpoint before it, whose hash links the two.
 */
import { DamagedLogError } from '../event-log.ts';
import { NO_PREVIOUS_HASH } from '../record-codec.ts';
import { type LogBeginning, unsealBeginning } from './index-entry.ts';
import { shopKey } from './log-keys.ts';
import type { LogTables } from './log-tables.ts';

/** The beginning of a log from which nothing was removed. */
export const NO_RECORD: LogBeginning = { sequenceNumber: 0, hash: NO_PREVIOUS_HASH, kept: null };

/** Where the log of a shop begins. Throws `DamagedLogError`. */
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
