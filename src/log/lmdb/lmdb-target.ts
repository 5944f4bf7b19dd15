/** Fills an empty log in LMDB with a copy of another store: records, checkpoints, and the indexes of both. */
import type { HashedRecord, ShopState, StoredCheckpoint } from '../authority.ts';
import type { LogRecord } from '../event-log.ts';
import type { LogTarget, ShopSource } from '../log-copy.ts';
import { sealBeginning, sealDigest, sealHead, sealHolder, sealTime } from './index-entry.ts';
import type { LmdbEventLog } from './lmdb-event-log.ts';
import { keyIdKey, recordKey, shopKey } from './log-keys.ts';
import type { Change } from './log-tables.ts';
import { RecordChanges } from './record-changes.ts';

/** Maximum bytes of records in one transaction, unless a single record is larger. */
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_RECORDS = 4_096;

export class LmdbTarget implements LogTarget {
  readonly #log: LmdbEventLog;
  readonly #nowMs: number;
  /** Changes without a record that are not committed yet; `#added` holds the records of the current shop. */
  #changes: Change[] = [];
  #added: RecordChanges | null = null;
  #bytes = 0;
  #records = 0;

  /** `nowMs` is stored as the time of deletion of deleted shops. */
  constructor(log: LmdbEventLog, nowMs: number) {
    this.#log = log;
    this.#nowMs = nowMs;
  }

  async addDeletedShop(shopId: string): Promise<void> {
    const key = shopKey(shopId);
    this.#changes.push({ table: this.#log.tables.deletedShops, key, value: sealTime(key, this.#nowMs) });
  }

  async startShop({ state, keys }: ShopSource, removedHash: Buffer, beforeKept: Buffer): Promise<void> {
    const { shopId, removedUpTo, keptRecord } = state;
    const { beginnings, apiKeys, keyIds } = this.#log.tables;
    const key = shopKey(shopId);
    if (removedUpTo > 0) {
      const kept = keptRecord === 0 ? null : { sequenceNumber: keptRecord - 1, hash: beforeKept };
      const value = sealBeginning(key, { sequenceNumber: removedUpTo, hash: removedHash, kept });
      this.#changes.push({ table: beginnings, key, value });
    }
    for (const { digest, keyId, permission } of keys) {
      const idKey = keyIdKey(shopId, keyId);
      this.#changes.push({
        table: apiKeys,
        key: digest,
        value: sealHolder(digest, { shopId, keyId, permission }),
      });
      this.#changes.push({ table: keyIds, key: idKey, value: sealDigest(idKey, digest) });
    }
  }

  async addCheckpoint(shopId: string, { sequenceNumber, stored }: StoredCheckpoint): Promise<void> {
    const key = recordKey(shopId, sequenceNumber);
    this.#changes.push({ table: this.#log.tables.checkpoints, key, value: stored });
    this.#bytes += stored.length;
    if (this.#bytes > BATCH_BYTES) await this.finish();
  }

  async addRecord(shopId: string, { sequenceNumber, stored, hash }: HashedRecord, record: LogRecord) {
    this.#added ??= new RecordChanges(this.#log.tables, shopId);
    this.#added.add(record, sequenceNumber, stored);
    this.#bytes += stored.length;
    if (this.#bytes <= BATCH_BYTES && ++this.#records < BATCH_RECORDS) return;
    this.#changes.push(...this.#added.upTo({ sequenceNumber, hash }));
    this.#added = null;
    await this.finish();
  }

  async endShop({ shopId, head }: ShopState): Promise<void> {
    const key = shopKey(shopId);
    if (this.#added !== null) this.#changes.push(...this.#added.upTo(head));
    else this.#changes.push({ table: this.#log.tables.shops, key, value: sealHead(key, head) });
    this.#added = null;
    if (this.#bytes > BATCH_BYTES || this.#changes.length > BATCH_RECORDS) await this.finish();
  }

  async addKeyUse(uses: ReadonlyMap<string, number>): Promise<void> {
    for (const [keyId, atMs] of uses) {
      const key = shopKey(keyId);
      this.#changes.push({ table: this.#log.tables.keyUse, key, value: sealTime(key, atMs) });
    }
  }

  /** Resolves when everything that was added is on disk. */
  async finish(): Promise<void> {
    const changes = this.#changes;
    this.#changes = [];
    this.#bytes = 0;
    this.#records = 0;
    if (changes.length > 0) await this.#log.commit(changes);
  }
}
