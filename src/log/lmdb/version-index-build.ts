/**
 * The index of versions made from the records: for a log of a program that did not keep it yet. A log that has
 * an index is not looked at twice; one without any version is walked at each opening and stays as it is.
 *
 * Cost: one pass over all records, in one transaction, once.
 */
import { DamagedLogError } from '../event-log.ts';
import { decodeRecord } from '../record-codec.ts';
import { parseRecordKey } from './log-keys.ts';
import { applyChanges, type Change, type LogTables } from './log-tables.ts';
import { VersionIndexChanges } from './version-index.ts';

export function buildMissingVersionIndex(tables: LogTables): void {
  if (!isMissing(tables)) return;
  tables.root.transactionSync(() => {
    // Another process may have been first.
    if (isMissing(tables)) buildVersionIndex(tables);
  });
}

/** Goes on to the end of the range: a cursor that is left on the way keeps its snapshot, and no page of it is free. */
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
      // Whoever reads the record is told; the versions of other records are as good as before.
      if (!(error instanceof DamagedLogError)) throw error;
    }
  }
}
