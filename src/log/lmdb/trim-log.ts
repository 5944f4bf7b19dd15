/**
 * Removes the oldest records of a shop. The first transaction stores the new beginning of the log. From then on nothing
 * before it is read, so the records can be removed in as many transactions as needed. If the process dies in between,
 * only disk space is wasted.
 */
import type { VersionEntry } from '../event-log.ts';
import { type LogBeginning, sealBeginning, unsealVersion } from './index-entry.ts';
import { isRemoved, keptRecordOf, readBeginning } from './log-beginning.ts';
import { keysOf, recordKey, shopKey, versionIdKey } from './log-keys.ts';
import type { Change, Commit, Entry, LogTables, Table } from './log-tables.ts';

/** Maximum number of entries that one transaction removes. */
const REMOVED_AT_ONCE = 500;

/**
 * Removes the records up to and including `beginning`, which must have a usable checkpoint, or up to the current
 * beginning if that is later. A kept version stays, with the checkpoint before it. Resolves with the number of
 * removed records.
 */
export async function trimShop(
  log: WritableTables,
  shopId: string,
  beginning: LogBeginning,
): Promise<number> {
  const { tables, commit } = log;
  const key = shopKey(shopId);
  const known = readBeginning(tables.newSnapshot(), shopId);
  const ahead = beginning.sequenceNumber - known.sequenceNumber;
  // The same beginning may be set again without the version that it kept.
  const isNew = ahead > 0 || (ahead === 0 && known.kept !== null);
  const now = isNew ? beginning : known;
  if (isNew) await commit([{ table: tables.beginnings, key, value: sealBeginning(key, beginning) }]);
  const removalsOf = (entry: Entry) => versionRemovals(tables, shopId, entry, now);
  await removeRange(log, tables.versions, keysOf(shopId), removalsOf);
  const { sequenceNumber: upTo, kept } = now;
  const around = (stays: number | null | undefined, end: number) =>
    stays === null || stays === undefined
      ? [[0, end] as const]
      : [[0, stays] as const, [stays + 1, end] as const];
  for (const [from, to] of around(kept?.sequenceNumber, upTo)) {
    const range = { start: recordKey(shopId, from), end: recordKey(shopId, to) };
    await removeRange(log, tables.checkpoints, range);
  }
  let removed = 0;
  for (const [from, to] of around(keptRecordOf(now), upTo + 1)) {
    const range = { start: recordKey(shopId, from), end: recordKey(shopId, to) };
    removed += await removeRange(log, tables.records, range);
  }
  return removed;
}

/** The removals for an entry of the index of versions; empty when the entry stays. */
function versionRemovals(
  tables: LogTables,
  shopId: string,
  { key, value }: Entry,
  now: LogBeginning,
): Change[] {
  const entry: VersionEntry | null = unsealVersion(key, value);
  // A damaged entry stays, so that `ratewright verify` reports it.
  if (entry === null || !isRemoved(now, entry.sequenceNumber)) return [];
  return [
    { table: tables.versions, key, value: null },
    { table: tables.versionIds, key: versionIdKey(shopId, entry.version.id), value: null },
  ];
}

/** Tables, and what writes to them. */
export interface WritableTables {
  readonly tables: LogTables;
  readonly commit: Commit;
}

/**
 * Removes the entries of a range, whose end is excluded, in order, with a bounded number of entries per transaction. Stops
 * at the first entry for which `removalsOf` returns no change. Resolves with the number of removed entries.
 */
export async function removeRange(
  { tables, commit }: WritableTables,
  table: Table,
  { start, end }: ReturnType<typeof keysOf>,
  removalsOf: ((entry: Entry) => Change[]) | null = null,
): Promise<number> {
  let removed = 0;
  for (;;) {
    const changes: Change[] = [];
    const range = { start, end, limit: REMOVED_AT_ONCE };
    let entries = 0;
    if (removalsOf === null) {
      for (const key of tables.fresh(table).getKeys(range)) changes.push({ table, key, value: null });
      entries = changes.length;
    } else {
      for (const entry of tables.fresh(table).getRange(range)) {
        const removals = removalsOf(entry);
        if (removals.length === 0) break;
        changes.push(...removals);
        entries++;
      }
    }
    if (changes.length > 0) await commit(changes);
    removed += entries;
    if (entries < REMOVED_AT_ONCE) return removed;
  }
}
