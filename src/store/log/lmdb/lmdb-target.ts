/** Fills an empty log in LMDB from a copy: records, checkpoints, and the indexes of both. */
import type { ApiKey } from '../../../engine/domain/api-key.ts';
import type { HashedRecord, RecordHead, ShopState, StoredCheckpoint } from '../authority.ts';
import type { LogRecord } from '../event-log.ts';
import type { LogTarget } from '../log-copy.ts';
import type { LmdbEventLog } from './lmdb-event-log.ts';
import type { Change } from './log-tables.ts';
import { keyChanges, RecordChanges } from './record-indexes.ts';
import { recordKey, sealHead, sealNumber, shopKey } from './table-format.ts';

/** Bytes and entries in one transaction, unless a single record is larger. */
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_CHANGES = 8_192;

export class LmdbTarget implements LogTarget {
  readonly #log: LmdbEventLog;
  readonly #nowMs: number;
  /** Changes that are not committed yet; those of the records of the current shop are in `#added`. */
  #changes: Change[] = [];
  #added: RecordChanges | null = null;
  #bytes = 0;
  #records = 0;

  /** `nowMs` is stored as the time of deletion of deleted shops. */
  constructor(log: LmdbEventLog, nowMs: number) {
    this.#log = log;
    this.#nowMs = nowMs;
  }

  async addCheckpoint(shopId: string, { sequenceNumber, stored }: StoredCheckpoint): Promise<void> {
    const key = recordKey(shopId, sequenceNumber);
    this.#changes.push({ table: this.#log.tables.checkpoints, key, value: stored });
    this.#bytes += stored.length;
    await this.#flushLarge();
  }

  async addRecord(shopId: string, { sequenceNumber, stored, hash }: HashedRecord, record: LogRecord) {
    this.#added ??= new RecordChanges(this.#log.tables, shopId);
    this.#added.add(record, sequenceNumber, stored);
    this.#bytes += stored.length;
    this.#records++;
    if (this.#isLarge()) this.#take({ sequenceNumber, hash });
    await this.#flushLarge();
  }

  async endShop({ shopId, head, isDeleted }: ShopState, beginning: RecordHead, keys: readonly ApiKey[]) {
    const { tables } = this.#log;
    const key = shopKey(shopId);
    this.#take(head);
    if (isDeleted)
      this.#changes.push({ table: tables.deletedShops, key, value: sealNumber(key, this.#nowMs) });
    else this.#changes.push({ table: tables.shops, key, value: sealHead(key, head) });
    if (beginning.sequenceNumber > 0)
      this.#changes.push({ table: tables.beginnings, key, value: sealHead(key, beginning) });
    // Also those that were made before the beginning.
    for (const { id: keyId, permission, secretSha256 } of keys)
      this.#changes.push(
        ...keyChanges(tables, shopId, { keyId, permission, digest: Buffer.from(secretSha256, 'hex') }),
      );
    await this.#flushLarge();
  }

  async addKeyUse(uses: ReadonlyMap<string, number>): Promise<void> {
    for (const [keyId, atMs] of uses) {
      const key = shopKey(keyId);
      this.#changes.push({ table: this.#log.tables.keyUse, key, value: sealNumber(key, atMs) });
    }
    await this.#flushLarge();
  }

  /** Resolves when everything that was added is on disk. */
  async finish(): Promise<void> {
    const changes = this.#changes;
    this.#changes = [];
    this.#bytes = 0;
    if (changes.length > 0) await this.#log.commit(changes);
  }

  /** Takes the changes of the records up to this one. */
  #take(head: RecordHead): void {
    this.#changes.push(...(this.#added?.upTo(head) ?? []));
    this.#added = null;
    this.#records = 0;
  }

  #isLarge(): boolean {
    return this.#bytes > BATCH_BYTES || this.#changes.length + this.#records > BATCH_CHANGES;
  }

  async #flushLarge(): Promise<void> {
    if (this.#isLarge() && this.#added === null) await this.finish();
  }
}
