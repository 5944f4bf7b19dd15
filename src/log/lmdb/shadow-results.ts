/** The table of shadow results: one entry per shop whose changeset has any, beside the chain of its records. */
import { DamagedLogError } from '../event-log.ts';
import { sealText, unsealText } from './index-entry.ts';
import { shopKey } from './log-keys.ts';
import type { Change, LogTables } from './log-tables.ts';

export function shadowResultsChange(tables: LogTables, shopId: string, text: string | null): Change {
  const key = shopKey(shopId);
  return { table: tables.shadowResults, key, value: text === null ? null : sealText(key, text) };
}

/** Throws `DamagedLogError`. */
export function readShadowResults(tables: LogTables, shopId: string): string | null {
  const key = shopKey(shopId);
  const entry = tables.fresh(tables.shadowResults).get(key);
  if (entry === undefined) return null;
  const text = unsealText(key, entry);
  if (text === null) throw new DamagedLogError(shopId, 0, 'the results of its changeset are damaged');
  return text;
}
