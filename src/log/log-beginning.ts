/**
 * Where a shop's log begins: behind the last record that was removed, of which number and hash are kept, so
 * that the chain goes on. While nothing was removed that is the record 0 that no shop has.
 */
import { DamagedLogError } from './event-log.ts';
import { type ShopHead, unsealHead } from './index-entry.ts';
import { shopKey } from './log-keys.ts';
import type { LogTables } from './log-tables.ts';
import { NO_PREVIOUS_HASH } from './record-codec.ts';

/** What stands before the first record of a whole log. */
export const NO_RECORD: ShopHead = { sequenceNumber: 0, hash: NO_PREVIOUS_HASH };

/** What the log of a shop begins behind. Throws `DamagedLogError`. */
export function readBeginning(tables: LogTables, shopId: string): ShopHead {
  const key = shopKey(shopId);
  const entry = tables.beginnings.get(key);
  if (entry === undefined) return NO_RECORD;
  const beginning = unsealHead(key, entry);
  if (beginning === null) throw new DamagedLogError(shopId, 0, 'the entry of its beginning is damaged');
  return beginning;
}
