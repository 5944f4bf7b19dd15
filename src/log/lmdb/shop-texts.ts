/** The tables of texts that are stored beside the records of a shop: one entry per shop and kind. */
import { DamagedLogError, type ShopTextKind } from '../event-log.ts';
import { sealText, unsealText } from './index-entry.ts';
import { shopKey } from './log-keys.ts';
import type { Change, LogTables } from './log-tables.ts';

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
