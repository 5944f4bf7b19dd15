/**
 * Copies a whole log from one kind of store to another, shop by shop: records and checkpoints in stored form, among
 * them the version kept before a trimmed log, and the index of API keys. Everything is checked during the copy: the
 * checksum, number and place in the chain of each record up to the head, and the checksum and record of each
 * checkpoint.
 *
 * Bounds: at most one page of records and one checkpoint are in memory.
 */
import { finishSteps, NEVER } from '../pace/work-steps.ts';
import type { HashedRecord, MadeKey, ShopState, StoredCheckpoint, StoredRecord } from './authority.ts';
import { DamagedLogError, type LogRecord } from './event-log.ts';
import { decodeRecord, hashRecord, NO_PREVIOUS_HASH, openCheckpointSteps } from './record-codec.ts';

/** The copy cannot begin, or must not be completed; the message is one line for an operator. */
export class CopyRefusedError extends Error {
  override readonly name = 'CopyRefusedError';
}

export interface ShopSource {
  readonly state: ShopState;
  /** Live keys. */
  readonly keys: readonly MadeKey[];
  /** In order: the checkpoint before a kept version, the one at the beginning, and all later ones. */
  readonly checkpoints: AsyncIterable<StoredCheckpoint>;
  /** In order: the record kept before the beginning, if any, then all records that were not removed. */
  readonly records: AsyncIterable<StoredRecord>;
}

/** The log to copy. It must not change during the copy. */
export interface LogSource {
  /** Number of records to copy. */
  countRecords(): Promise<number>;
  /** All shops, sorted by id; includes deleted shops. */
  shops(): AsyncIterable<ShopSource>;
  /** Key id -> milliseconds, in portions. */
  keyUse(): AsyncIterable<ReadonlyMap<string, number>>;
}

/** The store to fill. The caller marks it as complete when the copy has ended. */
export interface LogTarget {
  addDeletedShop(shopId: string): Promise<void>;
  /** `removedHash` is the hash of the last removed record, `beforeKept` that of the record before a kept one. */
  startShop(shop: ShopSource, removedHash: Buffer, beforeKept: Buffer): Promise<void>;
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

export type CopyProgress = (records: number, total: number) => void;

/** Rejects with `DamagedLogError` at the first damaged record, checkpoint or entry. */
export async function copyLog(
  source: LogSource,
  target: LogTarget,
  onProgress: CopyProgress,
): Promise<CopyReport> {
  const report = { shops: 0, records: 0, checkpoints: 0, keys: 0 };
  const total = await source.countRecords();
  for await (const shop of source.shops()) {
    if (shop.state.isDeleted) {
      await target.addDeletedShop(shop.state.shopId);
      continue;
    }
    const copy = new ShopCopy(shop, target);
    report.checkpoints += await copy.checkpoints();
    report.keys += shop.keys.length;
    for await (const stored of shop.records) {
      await copy.record(stored);
      onProgress(++report.records, total);
    }
    await copy.end();
    report.shops++;
  }
  for await (const uses of source.keyUse()) await target.addKeyUse(uses);
  return report;
}

class ShopCopy {
  readonly #shop: ShopSource;
  readonly #target: LogTarget;
  /** Number of a record with a checkpoint -> hash of that record according to the checkpoint. */
  readonly #named = new Map<number, Buffer>();
  #sequenceNumber: number;
  #hash = NO_PREVIOUS_HASH;

  constructor(shop: ShopSource, target: LogTarget) {
    this.#shop = shop;
    this.#target = target;
    this.#sequenceNumber = shop.state.removedUpTo;
  }

  /** Starts the shop and copies its checkpoints; resolves with their number. */
  async checkpoints(): Promise<number> {
    const { state, checkpoints } = this.#shop;
    const { shopId, removedUpTo, keptRecord } = state;
    const held: StoredCheckpoint[] = [];
    let isStarted = false;
    for await (const checkpoint of checkpoints) {
      const { sequenceNumber, stored } = checkpoint;
      const { recordHash } = finishSteps(openCheckpointSteps(stored, shopId, sequenceNumber, NEVER));
      this.#named.set(sequenceNumber, Buffer.from(recordHash));
      if (!isStarted && sequenceNumber >= removedUpTo) {
        await this.#start();
        isStarted = true;
        for (const earlier of held.splice(0)) await this.#target.addCheckpoint(shopId, earlier);
      }
      if (isStarted) await this.#target.addCheckpoint(shopId, checkpoint);
      else if (sequenceNumber === keptRecord - 1) held.push(checkpoint);
    }
    if (!isStarted) await this.#start();
    return this.#named.size;
  }

  #start(): Promise<void> {
    const { removedUpTo, keptRecord } = this.#shop.state;
    this.#hash = this.#hashAt(removedUpTo);
    const beforeKept = keptRecord === 0 ? NO_PREVIOUS_HASH : this.#hashAt(keptRecord - 1);
    return this.#target.startShop(this.#shop, this.#hash, beforeKept);
  }

  #hashAt(sequenceNumber: number): Buffer {
    const hash = sequenceNumber === 0 ? NO_PREVIOUS_HASH : this.#named.get(sequenceNumber);
    return hash ?? this.#damaged(sequenceNumber, 'the checkpoint that the log begins with is missing');
  }

  async record({ sequenceNumber, stored }: StoredRecord): Promise<void> {
    const { shopId, keptRecord } = this.#shop.state;
    const { record, previousHash } = decodeRecord(stored, shopId, sequenceNumber);
    const hash = hashRecord(stored);
    const isKept = sequenceNumber === keptRecord;
    const before = isKept ? this.#hashAt(keptRecord - 1) : this.#hash;
    const isNext = isKept || sequenceNumber === this.#sequenceNumber + 1;
    if (!isNext || !previousHash.equals(before))
      this.#damaged(sequenceNumber, 'it does not follow the one before');
    if (this.#named.get(sequenceNumber)?.equals(hash) === false)
      this.#damaged(sequenceNumber, 'checkpoint: its hash is not that of its record');
    await this.#target.addRecord(shopId, { sequenceNumber, stored, hash }, record);
    if (isKept) return;
    this.#sequenceNumber = sequenceNumber;
    this.#hash = hash;
  }

  async end(): Promise<void> {
    const { state } = this.#shop;
    const { head } = state;
    if (this.#sequenceNumber !== head.sequenceNumber || !this.#hash.equals(head.hash))
      this.#damaged(head.sequenceNumber, 'it is not the record that was written last');
    await this.#target.endShop(state);
  }

  #damaged(sequenceNumber: number, what: string): never {
    throw new DamagedLogError(this.#shop.state.shopId, sequenceNumber, what);
  }
}
