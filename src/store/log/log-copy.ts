/**
 * Copies a whole log from one kind of store to another, shop by shop: records and checkpoints in stored form, and the index of
 * API keys. Everything is checked during the copy: the checksum, number and place in the chain of each record up to the head,
 * and the checksum and record of each checkpoint.
 *
 * Bounds: one page of records and one checkpoint in memory.
 */
import type { ApiKey } from '../../engine/domain/api-key.ts';
import type { HashedRecord, RecordHead, ShopState, StoredCheckpoint } from './authority.ts';
import { DamagedLogError, type LogRecord } from './event-log.ts';
import type { LogContent, ShopContent } from './log-content.ts';
import { followCheckpoint, RecordChain } from './verification.ts';

/** The copy cannot begin, or must not be completed; the message is one line for an operator. */
export class CopyRefusedError extends Error {
  override readonly name = 'CopyRefusedError';
}

/** A store without shops. The caller marks it as complete when the copy has ended. */
export interface LogTarget {
  addCheckpoint(shopId: string, checkpoint: StoredCheckpoint): Promise<void>;
  addRecord(shopId: string, stored: HashedRecord, record: LogRecord): Promise<void>;
  /** Comes after all of the shop. `beginning`: the last removed record; `keys`: the live ones. */
  endShop(state: ShopState, beginning: RecordHead, keys: readonly ApiKey[]): Promise<void>;
  addKeyUse(uses: ReadonlyMap<string, number>): Promise<void>;
}

export interface CopyReport {
  readonly shops: number;
  readonly records: number;
  readonly checkpoints: number;
  readonly keys: number;
}

/** Rejects with `DamagedLogError` at the first damaged record, checkpoint or entry. */
export async function copyLog(source: LogContent, target: LogTarget): Promise<CopyReport> {
  const report = { shops: 0, records: 0, checkpoints: 0, keys: 0 };
  for await (const shop of source.shops()) {
    const chain = new RecordChain(shop.state.shopId, (sequenceNumber, what) => {
      throw new DamagedLogError(shop.state.shopId, sequenceNumber, what);
    });
    report.records += await copyShop(shop, chain, target);
    report.checkpoints += chain.checkpointHashes.size;
    report.keys += chain.keys.size;
    if (!shop.state.isDeleted) report.shops++;
  }
  for await (const uses of source.keyUse()) await target.addKeyUse(uses);
  return report;
}

/** Returns the number of its records. */
async function copyShop(shop: ShopContent, chain: RecordChain, target: LogTarget): Promise<number> {
  const { shopId, removedUpTo, head, isDeleted } = shop.state;
  const [defect] = shop.defects;
  if (defect !== undefined) throw new DamagedLogError(shopId, 0, defect);
  if (isDeleted) {
    await target.endShop(shop.state, chain.last, []);
    return 0;
  }
  for await (const checkpoint of shop.checkpoints) {
    followCheckpoint(chain, checkpoint, removedUpTo);
    await target.addCheckpoint(shopId, checkpoint);
  }
  chain.continueAfter(removedUpTo);
  const beginning = chain.last;
  let records = 0;
  for await (const stored of shop.records) {
    const record = chain.follow(stored);
    const { hash } = chain.last;
    if (record !== null) await target.addRecord(shopId, { ...stored, hash }, record);
    records++;
  }
  chain.endAt(head);
  await target.endShop(shop.state, beginning, [...chain.keys.values()]);
  return records;
}
