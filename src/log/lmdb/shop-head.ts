/** Reads the last record of a shop from the table of shops. */
import { isId } from '../../domain/id-pattern.ts';
import { DamagedLogError } from '../event-log.ts';
import { isDeleted } from './delete-shop.ts';
import { type ShopHead, unsealHead } from './index-entry.ts';
import { recordKey, shopKey } from './log-keys.ts';
import type { LogTables } from './log-tables.ts';
import { readNamed } from './named-read.ts';

/** Returns null when the shop does not exist or was deleted. Throws `DamagedLogError`. */
export function readHead(tables: LogTables, shopId: string): ShopHead | null {
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
