/**
 * Index of versions: number -> the version, its record and its run in a batch; and id -> number, for ids that do not
 * end with the number. The append writes it in the same transaction. A list of versions is read without reading
 * records.
 */
import { isId } from '../../domain/id-pattern.ts';
import type { Version } from '../../domain/version.ts';
import { namesItsNumber, numberInVersionId } from '../../domain/version-id.ts';
import { DamagedLogError, type NewRecord, type VersionEntry } from '../event-log.ts';
import { EVENT_TEXT } from '../event-text.ts';
import { decodeRecord, storedVersion } from '../record-codec.ts';
import { sealCount, sealVersion, unsealCount, unsealVersion } from './index-entry.ts';
import { isRemoved, readBeginning } from './log-beginning.ts';
import { keysOf, parseRecordKey, versionIdKey, versionKey } from './log-keys.ts';
import { applyChanges, type Change, type LogTables } from './log-tables.ts';

/** The version that a record makes, or null. */
export const versionOf = ({ event }: NewRecord): Version | null =>
  'version' in event ? event.version : null;

/** Length of the batch run of a version, given the version before it. */
export function batchRunOf({ batchId }: Version, before: VersionEntry | null): number {
  if (batchId === null) return 0;
  return before?.version.batchId === batchId ? before.batchRun + 1 : 1;
}

/** Collects the changes of the index for the events of one append. */
export class VersionIndexChanges {
  readonly #tables: LogTables;
  readonly #shopId: string;
  #last: VersionEntry | null = null;

  constructor(tables: LogTables, shopId: string) {
    this.#tables = tables;
    this.#shopId = shopId;
  }

  /**
   * Reads the tables as of the start of the append; the append takes effect only if they are unchanged then. `stored`
   * is the stored form of the record, or null.
   */
  addTo(changes: Change[], record: NewRecord, sequenceNumber: number, stored: Buffer | null): void {
    const version = versionOf(record);
    if (version === null) return;
    const { versions, versionIds } = this.#tables;
    const entry = { version, sequenceNumber, batchRun: batchRunOf(version, this.#before(version)) };
    this.#last = entry;
    const key = versionKey(this.#shopId, version.number);
    const text = record[EVENT_TEXT];
    const known = text !== undefined && stored !== null ? storedVersion(stored, this.#shopId, text) : null;
    const value = sealVersion(key, entry, known ?? text?.version ?? undefined);
    changes.push({ table: versions, key, value });
    if (namesItsNumber(version)) return;
    const idKey = versionIdKey(this.#shopId, version.id);
    changes.push({ table: versionIds, key: idKey, value: sealCount(idKey, version.number) });
  }

  /** The version before this one; null outside of a batch, where it is not needed. */
  #before({ number, batchId }: Version): VersionEntry | null {
    if (batchId === null || this.#last !== null) return this.#last;
    return readVersion(this.#tables, this.#shopId, number - 1);
  }
}

const isGone = (tables: LogTables, shopId: string, { sequenceNumber }: VersionEntry): boolean =>
  isRemoved(readBeginning(tables, shopId), sequenceNumber);

/** Returns the entry of a version, even if its record was removed and the entry will be removed. */
export function readVersion(tables: LogTables, shopId: string, number: number): VersionEntry | null {
  const key = versionKey(shopId, number);
  const stored = tables.fresh(tables.versions).get(key);
  if (stored === undefined) return null;
  const entry = unsealVersion(key, stored);
  if (entry?.version.number !== number) {
    throw new DamagedLogError(shopId, 0, `the entry of version ${number} is damaged`);
  }
  return entry;
}

/** As `EventLog.versionAt`. This and the functions below throw `DamagedLogError`. */
export function versionEntryAt(tables: LogTables, shopId: string, number: number): VersionEntry | null {
  if (!Number.isSafeInteger(number) || number < 1) return null;
  const entry = readVersion(tables, shopId, number);
  return entry === null || isGone(tables, shopId, entry) ? null : entry;
}

export function findVersionEntry(tables: LogTables, shopId: string, versionId: string): VersionEntry | null {
  if (!isId(versionId)) return null;
  const named = versionEntryAt(tables, shopId, numberInVersionId(versionId) ?? 0);
  if (named?.version.id === versionId) return named;
  const idKey = versionIdKey(shopId, versionId);
  const stored = tables.fresh(tables.versionIds).get(idKey);
  if (stored === undefined) return null;
  const number = unsealCount(idKey, stored);
  const entry = number === null ? null : versionEntryAt(tables, shopId, number);
  if (number === null || (entry !== null && entry.version.id !== versionId)) {
    throw new DamagedLogError(shopId, 0, `the entry of version ${versionId} is damaged`);
  }
  return entry;
}

export function oldestVersionEntry(tables: LogTables, shopId: string): VersionEntry | null {
  for (const { key, value } of tables.fresh(tables.versions).getRange(keysOf(shopId))) {
    const entry = unsealVersion(key, value);
    if (entry === null) throw new DamagedLogError(shopId, 0, 'the entry of its oldest version is damaged');
    if (!isGone(tables, shopId, entry)) return entry;
  }
  return null;
}

/**
 * Builds the index from the records, for a log written by a program that did not have it: one pass over all records in
 * one transaction. A log without any version is read at each opening.
 */
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
