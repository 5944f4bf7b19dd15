/**
 * Copies a whole log from one kind of store to another, shop by shop: records and checkpoints in stored form, among
 * them the index of API keys. Everything is checked during the copy: the
 * checksum, number and place in the chain of each record up to the head, and the checksum and record of each
 * checkpoint.
 *
 * Bounds: at most one page of records and one checkpoint are in memory.
 */
import { finishSteps, NEVER } from '../pace/work-steps.ts';
import type { HashedRecord, MadeKey, ShopState, StoredCheckpoint, StoredRecord } from './authority.ts';
import { openCheckpointSteps } from './checkpoint-codec.ts';
import { DamagedLogError, type LogRecord } from './event-log.ts';
import { type OnProgress, RecordChain } from './verification.ts';

/** The copy cannot begin, or must not be completed; the message is one line for an operator. */
export class CopyRefusedError extends Error {
  override readonly name = 'CopyRefusedError';
}

export interface ShopSource {
  readonly state: ShopState;
  /** Live keys. */
  readonly keys: readonly MadeKey[];
  /** In order: the one at the beginning of a trimmed log, and all later ones. */
  readonly checkpoints: AsyncIterable<StoredCheckpoint>;
  /** In order: all records that were not removed. */
  readonly records: AsyncIterable<StoredRecord>;
}

/** The log to copy. It must not change during the copy. */
export interface LogSource {
  /** Number of records to copy. */
  countRecords(): Promise<number>;
  /** Each shop once, deleted shops included. */
  shops(): AsyncIterable<ShopSource>;
  /** Key id -> milliseconds, in portions. */
  keyUse(): AsyncIterable<ReadonlyMap<string, number>>;
}

/** The store to fill. The caller marks it as complete when the copy has ended. */
export interface LogTarget {
  addDeletedShop(shopId: string): Promise<void>;
  /** Called after the checkpoints of the shop. `removedHash` is the hash of the last removed record. */
  startShop(shop: ShopSource, removedHash: Buffer): Promise<void>;
  addCheckpoint(shopId: string, checkpoint: StoredCheckpoint): Promise<void>;
  addRecord(shopId: string, stored: HashedRecord, record: LogRecord): Promise<void>;
  endShop(state: ShopState): Promise<void>;
  addKeyUse(uses: ReadonlyMap<string, number>): Promise<void>;
}

export interface CopyReport {
  readonly shops: number;
  readonly records: number;
  readonly checkpoints: number;
  readonly keys: number;
}

/** Rejects with `DamagedLogError` at the first damaged record, checkpoint or entry. */
export async function copyLog(
  source: LogSource,
  target: LogTarget,
  onProgress: OnProgress,
): Promise<CopyReport> {
  const report = { shops: 0, records: 0, checkpoints: 0, keys: 0 };
  const total = await source.countRecords();
  for await (const shop of source.shops()) {
    if (shop.state.isDeleted) {
      await target.addDeletedShop(shop.state.shopId);
      continue;
    }
    report.checkpoints += await copyShop(shop, target, () => onProgress(++report.records, total));
    report.keys += shop.keys.length;
    report.shops++;
  }
  for await (const uses of source.keyUse()) await target.addKeyUse(uses);
  return report;
}

/** Calls `onRecord` after each record. Resolves with the number of checkpoints. */
async function copyShop(shop: ShopSource, target: LogTarget, onRecord: () => void): Promise<number> {
  const { shopId, removedUpTo, head } = shop.state;
  const chain = new RecordChain(shopId, (sequenceNumber, what) => {
    throw new DamagedLogError(shopId, sequenceNumber, what);
  });
  for await (const checkpoint of shop.checkpoints) {
    const { sequenceNumber, stored } = checkpoint;
    const { recordHash } = finishSteps(openCheckpointSteps(stored, shopId, sequenceNumber, NEVER));
    chain.checkpointHashes.set(sequenceNumber, Buffer.from(recordHash));
    await target.addCheckpoint(shopId, checkpoint);
  }
  chain.continueAfter(removedUpTo);
  await target.startShop(shop, chain.last.hash);
  for await (const stored of shop.records) {
    const record = chain.follow(stored);
    const { hash } = chain.last;
    if (record !== null) await target.addRecord(shopId, { ...stored, hash }, record);
    onRecord();
  }
  chain.endAt(head);
  await target.endShop(shop.state);
  return chain.checkpointHashes.size;
}
