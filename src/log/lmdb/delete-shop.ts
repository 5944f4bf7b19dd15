/**
 * Deletes a shop. The first transaction removes the entries by which the shop and its keys are found, and records its
 * id as deleted: no process writes under that id again, not even one that has the shop in memory. Everything else is
 * then unreachable and is removed in as many transactions as needed. If the process dies in between, only disk space
 * is wasted, which the next deletion frees.
 */

import { isId } from '../../domain/id-pattern.ts';
import { SHOP_TEXT_KINDS } from '../event-log.ts';
import { sealTime, unsealDigest, unsealHolder } from './index-entry.ts';
import { keysOf, recordKey, shopKey } from './log-keys.ts';
import { applyChanges, type Change, type LogTables } from './log-tables.ts';
import type { LogWriter } from './log-writer.ts';
import { isDeleted, shopTextChange } from './shop-entries.ts';
import { removeRange, type WritableTables } from './trim-log.ts';

/**
 * Runs `write` in one transaction on condition that the shop was not deleted. Resolves with false when it was
 * deleted, or when a condition of `write` itself was not met; nothing was written then.
 */
export async function unlessDeleted(
  { deletedShops }: LogTables,
  shopId: string,
  write: () => unknown,
): Promise<boolean> {
  let inner: unknown;
  const outer = deletedShops.ifNoExists(shopKey(shopId), () => {
    inner = write();
  });
  // Waits for both, because a rejection of the second would otherwise be unhandled.
  const [isThere, isApplied] = await Promise.all([outer, inner]);
  return isThere && isApplied !== false;
}

export class ShopDeletions {
  readonly #log: WritableTables;
  readonly #writer: LogWriter;

  constructor(log: WritableTables, writer: LogWriter) {
    this.#log = log;
    this.#writer = writer;
  }

  /** True when a shop with this id was deleted. */
  wasDeleted(shopId: string): boolean {
    return isId(shopId) && isDeleted(this.#log.tables.newSnapshot(), shopId);
  }

  /**
   * Deletes a shop and all its data permanently; its id is never used again. Resolves with false and deletes nothing
   * when the shop has a record after `lastSequenceNumber`. `removeRemains` completes an interrupted deletion.
   */
  async delete(shopId: string, lastSequenceNumber: number, atMs: number): Promise<boolean> {
    const changes = this.#deletionOf(shopId, atMs);
    const { records } = this.#log.tables;
    const nextKey = recordKey(shopId, lastSequenceNumber + 1);
    const isDeletedNow = await this.#writer.commitOrThrow(() =>
      records.ifNoExists(nextKey, () => applyChanges(changes)),
    );
    if (isDeletedNow) await this.removeRemains();
    return isDeletedNow;
  }

  /** Removes the remaining data of all deleted shops. */
  async removeRemains(): Promise<void> {
    const { records, checkpoints, versions, versionIds, answers, deletedShops } = this.#log.tables;
    for (const key of Array.from(this.#log.tables.fresh(deletedShops).getKeys())) {
      const range = keysOf(key.toString('latin1'));
      for (const table of [records, checkpoints, versions, versionIds, answers]) {
        await removeRange(this.#log, table, range);
      }
    }
  }

  /** The changes of the first transaction. */
  #deletionOf(shopId: string, atMs: number): Change[] {
    const { shops, beginnings, deletedShops, apiKeys, keyIds, keyUse } = this.#log.tables.newSnapshot();
    const key = shopKey(shopId);
    const changes: Change[] = [
      { table: deletedShops, key, value: sealTime(key, atMs) },
      { table: shops, key, value: null },
      { table: beginnings, key, value: null },
      ...SHOP_TEXT_KINDS.map((kind) => shopTextChange(this.#log.tables, kind, shopId, null)),
    ];
    for (const { key: idKey, value } of keyIds.getRange(keysOf(shopId))) {
      changes.push({ table: keyIds, key: idKey, value: null });
      changes.push({ table: keyUse, key: idKey.subarray(key.length + 1), value: null });
      const digest = unsealDigest(idKey, value);
      const entry = digest === null ? undefined : apiKeys.get(digest);
      if (digest === null || entry === undefined) continue;
      // A later key with the same secret may belong to another shop.
      const isOfShop = unsealHolder(digest, entry)?.shopId === shopId;
      if (isOfShop) changes.push({ table: apiKeys, key: digest, value: null });
    }
    return changes;
  }
}
