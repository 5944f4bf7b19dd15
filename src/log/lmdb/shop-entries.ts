/** The entries of a shop: its last record in the table of shops, its deletion, and the texts beside its records. */
import { isId } from '../../domain/id-pattern.ts';
import { asError } from '../../runtime/thrown-error.ts';
import type { RecordHead } from '../authority.ts';
import { DamagedLogError, type ShopTextKind } from '../event-log.ts';
import { sealText, unsealHead, unsealText } from './index-entry.ts';
import { recordKey, shopKey } from './log-keys.ts';
import type { Change, LogTables } from './log-tables.ts';

/** True when the shop with this id was deleted. */
export const isDeleted = (tables: LogTables, shopId: string): boolean =>
  tables.deletedShops.get(shopKey(shopId)) !== undefined;

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
