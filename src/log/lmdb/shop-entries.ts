/**
 * The entries of a shop beside its records: the last record, the beginning of its log, its deletion, and its texts.
 *
 * The beginning is the last removed record, whose number and hash are kept so that the chain continues. Before any removal it
 * is record 0, which no shop has. One version may be kept before the beginning: the version in force there, if the removed
 * records after it made no version. Its record and the checkpoint before it stay; the hash in the checkpoint links the two.
 */
import { isId } from '../../domain/id.ts';
import { asError } from '../../runtime/thrown-error.ts';
import type { RecordHead } from '../authority.ts';
import { DamagedLogError, type ShopTextKind } from '../event-log.ts';
import { NO_PREVIOUS_HASH } from '../record-codec.ts';
import type { Change, LogTables } from './log-tables.ts';
import {
  type LogBeginning,
  recordKey,
  sealText,
  shopKey,
  unsealBeginning,
  unsealHead,
  unsealText,
} from './table-format.ts';

/** Returns the result of `read`. What LMDB throws becomes a `DamagedLogError` with the record. */
export function readNamed<T>(shopId: string, sequenceNumber: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new DamagedLogError(shopId, sequenceNumber, `it cannot be read: ${asError(error).message}`);
  }
}

/** Returns null when the shop does not exist or was deleted. Throws `DamagedLogError`. */
export function readHead(tables: LogTables, shopId: string): RecordHead | null {
  if (!isId(shopId)) return null;
  const key = shopKey(shopId);
  const entry = readNamed(shopId, 0, () => tables.fresh(tables.shops).get(key));
  if (entry === undefined) {
    if (isDeleted(tables, shopId)) return null;
    const isTrimmed = tables.beginnings.get(key) !== undefined;
    const first = readNamed(shopId, 1, () => tables.records.get(recordKey(shopId, 1)));
    if (first === undefined && !isTrimmed) return null;
    throw new DamagedLogError(shopId, 1, 'the shop is missing from the table of shops');
  }
  const head = unsealHead(key, entry);
  if (head === null) throw new DamagedLogError(shopId, 0, 'its entry in the table of shops is damaged');
  return head;
}

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

/** True when the shop with this id was deleted. */
export const isDeleted = (tables: LogTables, shopId: string): boolean =>
  tables.deletedShops.get(shopKey(shopId)) !== undefined;

/**
 * Runs `write` in one transaction on condition that the shop was not deleted. Resolves with false when it was
 * deleted, or when a condition of `write` itself was not met; nothing was written then.
 */
export async function unlessDeleted(
  { deletedShops }: LogTables,
  shopId: string,
  write: () => unknown,
): Promise<boolean> {
  let inner: unknown;
  const outer = deletedShops.ifNoExists(shopKey(shopId), () => {
    inner = write();
  });
  // Waits for both, because a rejection of the second would otherwise be unhandled.
  const [isThere, isApplied] = await Promise.all([outer, inner]);
  return isThere && isApplied !== false;
}

export function shopTextChange(
  tables: LogTables,
  kind: ShopTextKind,
  shopId: string,
  text: string | null,
): Change {
  const key = shopKey(shopId);
  return { table: tables[kind], key, value: text === null ? null : sealText(key, text) };
}

/** Throws `DamagedLogError`. */
export function readShopText(tables: LogTables, kind: ShopTextKind, shopId: string): string | null {
  const key = shopKey(shopId);
  const entry = tables.fresh(tables[kind]).get(key);
  if (entry === undefined) return null;
  const text = unsealText(key, entry);
  if (text === null) throw new DamagedLogError(shopId, 0, `its ${kind} are damaged`);
  return text;
}
