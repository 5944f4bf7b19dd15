/**
 * Builds the index of versions from the records, for a log written by a program that did not have this index. A log
 * without any version is read at each opening.
 *
 * Cost: one pass over all records in one transaction, once.
 */
import { DamagedLogError } from '../event-log.ts';
import { decodeRecord } from '../record-codec.ts';
import { parseRecordKey } from './log-keys.ts';
import { applyChanges, type Change, type LogTables } from './log-tables.ts';
import { VersionIndexChanges } from './version-index.ts';

export function buildMissingVersionIndex(tables: LogTables): void {
  if (!isMissing(tables)) return;
  tables.root.transactionSync(() => {
    // Another process may have built it meanwhile.
    if (isMissing(tables)) buildVersionIndex(tables);
  });
}

/**
 * Reads to the end of the range, because an unfinished cursor keeps its snapshot open and blocks the reuse of pages.
 */
const isEmpty = (table: LogTables['records']): boolean =>
  Array.from(table.getKeys({ limit: 1 })).length === 0;

const isMissing = (tables: LogTables): boolean => isEmpty(tables.versions) && !isEmpty(tables.records);

function buildVersionIndex(tables: LogTables): void {
  let shop = { shopId: '', changes: new VersionIndexChanges(tables, '') };
  for (const { key, value } of tables.records.getRange({})) {
    const place = parseRecordKey(key);
    if (place === null) continue;
    const { shopId, sequenceNumber } = place;
    if (shop.shopId !== shopId) shop = { shopId, changes: new VersionIndexChanges(tables, shopId) };
    try {
      const { record } = decodeRecord(value, shopId, sequenceNumber);
      const changes: Change[] = [];
      shop.changes.addTo(changes, record, sequenceNumber, null);
      applyChanges(changes);
    } catch (error) {
      // Readers of the damaged record get the error; the versions of other records are still indexed.
      if (!(error instanceof DamagedLogError)) throw error;
    }
  }
}
