/**
 * Removes data from a log: the oldest records of a shop, whole shops, old answers. The first transaction of a removal stores the
 * new beginning of the log, or the deletion of the shop, with the entries by which the shop and its keys are found. From then on
 * nothing before the beginning, or of the shop, is read or written, so the rest is removed in as many transactions as needed. If
 * the process dies in between, only disk space is wasted, which the next removal frees.
 */
import { isId } from '../../../engine/domain/id.ts';
import type { RecordHead } from '../authority.ts';
import { SHOP_TEXT_KINDS } from '../event-log.ts';
import type { Change, Commit, Entry, LogTables, Table } from './log-tables.ts';
import type { LogWriter } from './log-writer.ts';
import {
  keysOf,
  recordKey,
  sealHead,
  sealNumber,
  shopKey,
  unsealDigest,
  unsealHolder,
  unsealNumber,
  unsealVersion,
} from './table-format.ts';

/** Maximum number of entries that one transaction removes. */
const REMOVED_AT_ONCE = 500;

/**
 * Removes the records up to and including `beginning`, which must have a usable checkpoint, or up to the current
 * beginning if that is later. Resolves with the number of removed records.
 */
export async function trimShop(log: WritableTables, shopId: string, beginning: RecordHead): Promise<number> {
  const { tables, commit } = log;
  const key = shopKey(shopId);
  const known = tables.newSnapshot().beginning(shopId);
  const isNew = beginning.sequenceNumber > known.sequenceNumber;
  if (isNew) await commit([{ table: tables.beginnings, key, value: sealHead(key, beginning) }]);
  const upTo = (isNew ? beginning : known).sequenceNumber;
  // A damaged entry of a version stays, so that `ratewright verify` reports it.
  const isGone = ({ key, value }: Entry) => (unsealVersion(key, value)?.sequenceNumber ?? upTo + 1) <= upTo;
  await removeRange(log, tables.versions, keysOf(shopId), isGone);
  const removeBefore = (table: Table, end: number): Promise<number> =>
    removeRange(log, table, { start: recordKey(shopId, 0), end: recordKey(shopId, end) });
  await removeBefore(tables.checkpoints, upTo);
  await removeBefore(tables.audit, upTo + 1);
  return removeBefore(tables.records, upTo + 1);
}

interface WritableTables {
  readonly tables: LogTables;
  readonly commit: Commit;
}

/**
 * Removes the entries of a range, whose end is excluded, in order, with a bounded number of entries per transaction. Stops
 * at the first entry that is not `isGone`. Resolves with the number of removed entries.
 */
export async function removeRange(
  { tables, commit }: WritableTables,
  table: Table,
  { start, end }: ReturnType<typeof keysOf>,
  isGone: ((entry: Entry) => boolean) | null = null,
): Promise<number> {
  let removed = 0;
  for (;;) {
    const range = { start, end, limit: REMOVED_AT_ONCE };
    const keys = isGone === null ? Array.from(tables.fresh(table).getKeys(range)) : [];
    if (isGone !== null) {
      for (const entry of tables.fresh(table).getRange(range)) {
        if (!isGone(entry)) break;
        keys.push(entry.key);
      }
    }
    if (keys.length > 0) await commit(keys.map((key) => ({ table, key, value: null })));
    removed += keys.length;
    if (keys.length < REMOVED_AT_ONCE) return removed;
  }
}

export class ShopDeletions {
  readonly #log: WritableTables;
  readonly #writer: LogWriter;

  constructor(log: WritableTables, writer: LogWriter) {
    this.#log = log;
    this.#writer = writer;
  }

  wasDeleted(shopId: string): boolean {
    return isId(shopId) && this.#log.tables.newSnapshot().isDeleted(shopId);
  }

  /**
   * Deletes a shop and all its data permanently; its id is never used again. Resolves with false and deletes nothing
   * when the shop has a record after `lastSequenceNumber`. `removeRemains` completes an interrupted deletion.
   */
  async delete(shopId: string, lastSequenceNumber: number, atMs: number): Promise<boolean> {
    const changes = this.#deletionOf(shopId, atMs);
    const { records } = this.#log.tables;
    const nextKey = recordKey(shopId, lastSequenceNumber + 1);
    const isDeletedNow = await this.#writer.commitOrThrow(changes, (write) =>
      records.ifNoExists(nextKey, write),
    );
    if (isDeletedNow) await this.removeRemains();
    return isDeletedNow;
  }

  /** Removes the remaining data of all deleted shops. */
  async removeRemains(): Promise<void> {
    const { records, checkpoints, versions, audit, answers, deletedShops } = this.#log.tables;
    for (const key of Array.from(this.#log.tables.fresh(deletedShops).getKeys())) {
      const range = keysOf(key.toString('latin1'));
      for (const table of [records, checkpoints, versions, audit, answers]) {
        await removeRange(this.#log, table, range);
      }
    }
  }

  /** The changes of the first transaction. */
  #deletionOf(shopId: string, atMs: number): Change[] {
    const { shops, beginnings, deletedShops, apiKeys, keyIds, keyUse } = this.#log.tables.newSnapshot();
    const key = shopKey(shopId);
    const changes: Change[] = [
      { table: deletedShops, key, value: sealNumber(key, atMs) },
      { table: shops, key, value: null },
      { table: beginnings, key, value: null },
      ...SHOP_TEXT_KINDS.map((kind) => this.#log.tables.shopTextChange(kind, shopId, null)),
    ];
    for (const { key: idKey, value } of keyIds.getRange(keysOf(shopId))) {
      changes.push({ table: keyIds, key: idKey, value: null });
      changes.push({ table: keyUse, key: idKey.subarray(key.length + 1), value: null });
      const digest = unsealDigest(idKey, value);
      // A later key with the same secret may belong to another shop.
      if (digest !== null && unsealHolder(digest, apiKeys.get(digest))?.shopId === shopId)
        changes.push({ table: apiKeys, key: digest, value: null });
    }
    return changes;
  }
}

/** Number of entries that are read in one turn of the event loop and removed in one commit. */
const FORGET_BATCH = 1000;

/**
 * Key of an entry that belongs to no shop: the time up to which answers were removed. Later answers must be indexed.
 */
export const FORGOTTEN_KEY: Buffer = Buffer.from([0]);

/** Removes the entries of answers given before `beforeMs`; resolves with their number. Damaged entries stay. */
export async function forgetOldAnswers(tables: LogTables, beforeMs: number, commit: Commit): Promise<number> {
  const { answers } = tables;
  const known = unsealNumber(FORGOTTEN_KEY, tables.fresh(answers).get(FORGOTTEN_KEY));
  const forgottenMs = Math.max(beforeMs, known ?? 0);
  const mark = { table: answers, key: FORGOTTEN_KEY, value: sealNumber(FORGOTTEN_KEY, forgottenMs) };
  const isOld = ({ key, value }: Entry) => (unsealNumber(key, value) ?? beforeMs) < beforeMs;
  let forgotten = 0;
  let last = FORGOTTEN_KEY;
  for (;;) {
    const range = { start: last, exclusiveStart: true, limit: FORGET_BATCH };
    const batch = Array.from(tables.fresh(answers).getRange(range));
    const removals = batch.filter(isOld).map(({ key }) => ({ table: answers, key, value: null }));
    if (removals.length > 0) await commit([mark, ...removals]);
    forgotten += removals.length;
    if (batch.length < FORGET_BATCH) return forgotten;
    last = batch.at(-1)?.key ?? last;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
