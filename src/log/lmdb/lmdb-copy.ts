/** Copies a whole log in LMDB to another store, or from it: see `copyLog`. */
import {
  type HashedRecord,
  type MadeKey,
  recordsOf,
  type ShopState,
  type StoredCheckpoint,
  type StoredRecord,
} from '../authority.ts';
import { DamagedLogError, type LogRecord } from '../event-log.ts';
import type { LogSource, LogTarget, ShopSource } from '../log-copy.ts';
import { NO_PREVIOUS_HASH } from '../record-codec.ts';
import type { LmdbEventLog } from './lmdb-event-log.ts';
import type { Change, PinnedTables } from './log-tables.ts';
import { RecordChanges } from './record-indexes.ts';
import {
  keysOf,
  NO_RECORD,
  ownedIdKey,
  parseRecordKey,
  recordKey,
  sealDigest,
  sealHead,
  sealHolder,
  sealNumber,
  shopKey,
  unsealDigest,
  unsealHead,
  unsealHolder,
  unsealNumber,
} from './table-format.ts';

/** A placeholder: LMDB does not keep the head of a deleted shop. */
const HEAD_OF_DELETED = { sequenceNumber: 1, hash: NO_PREVIOUS_HASH };

/** Reads a whole log from one snapshot. */
export class LmdbSource implements LogSource {
  readonly #pinned: PinnedTables;

  constructor(pinned: PinnedTables) {
    this.#pinned = pinned;
  }

  async countRecords(): Promise<number> {
    let total = 0;
    for await (const state of this.#states()) total += recordsOf(state);
    return total;
  }

  async *shops(): AsyncGenerator<ShopSource> {
    const { deletedShops } = this.#pinned.tables;
    for await (const { key } of this.#pinned.entries(deletedShops)) {
      const shopId = key.toString('latin1');
      const gone = { removedUpTo: 0, isDeleted: true, head: HEAD_OF_DELETED };
      yield { state: { shopId, ...gone }, keys: [], checkpoints: nothing(), records: nothing() };
    }
    for await (const state of this.#states()) {
      const keys = await this.#keys(state.shopId);
      yield { state, keys, checkpoints: this.#checkpoints(state), records: this.#records(state) };
    }
  }

  async *keyUse(): AsyncGenerator<ReadonlyMap<string, number>> {
    for await (const { key, value } of this.#pinned.entries(this.#pinned.tables.keyUse)) {
      const atMs = unsealNumber(key, value);
      // A damaged time of use is left out.
      if (atMs !== null) yield new Map([[key.toString('latin1'), atMs]]);
    }
  }

  async *#states(): AsyncGenerator<ShopState> {
    const { shops, beginnings } = this.#pinned.tables;
    for await (const { key, value } of this.#pinned.entries(shops)) {
      const shopId = key.toString('latin1');
      const head = unsealHead(key, value);
      const entry = this.#pinned.get(beginnings, key);
      const beginning = entry === undefined ? NO_RECORD : unsealHead(key, entry);
      if (head === null || beginning === null) throw new DamagedLogError(shopId, 0, 'its entry is damaged');
      const { sequenceNumber: removedUpTo } = beginning;
      yield { shopId, head, removedUpTo, isDeleted: false };
    }
  }

  async #keys(shopId: string): Promise<readonly MadeKey[]> {
    const keys: MadeKey[] = [];
    for await (const { key, value } of this.#pinned.entries(this.#pinned.tables.keyIds, keysOf(shopId))) {
      const digest = unsealDigest(key, value);
      const holder =
        digest === null ? null : unsealHolder(digest, this.#pinned.get(this.#pinned.tables.apiKeys, digest));
      const keyId = key.toString('latin1', shopId.length + 1);
      if (digest === null || holder === null)
        throw new DamagedLogError(shopId, 0, `the entry of ${keyId} is damaged`);
      // When two keys share a secret, the index holds the later key.
      if (holder.shopId === shopId && holder.keyId === keyId)
        keys.push({ digest: Buffer.from(digest), keyId, permission: holder.permission });
    }
    return keys;
  }

  async *#checkpoints({ shopId, removedUpTo }: ShopState): AsyncGenerator<StoredCheckpoint> {
    for await (const { key, value } of this.#pinned.entries(
      this.#pinned.tables.checkpoints,
      keysOf(shopId),
    )) {
      const sequenceNumber = parseRecordKey(key)?.sequenceNumber ?? 0;
      // Other checkpoints are left from an interrupted removal.
      if (sequenceNumber >= removedUpTo) yield { sequenceNumber, stored: Buffer.from(value) };
    }
  }

  async *#records({ shopId, head, removedUpTo }: ShopState): AsyncGenerator<StoredRecord> {
    for (let number = removedUpTo + 1; number <= head.sequenceNumber; number++)
      yield this.#record(shopId, number);
  }

  #record(shopId: string, sequenceNumber: number): StoredRecord {
    const stored = this.#pinned.get(this.#pinned.tables.records, recordKey(shopId, sequenceNumber));
    if (stored === undefined) throw new DamagedLogError(shopId, sequenceNumber, 'it is missing');
    return { sequenceNumber, stored: Buffer.from(stored) };
  }
}

async function* nothing(): AsyncGenerator<never> {}

/** Maximum bytes of records in one transaction, unless a single record is larger. */
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_RECORDS = 4_096;

/** Fills an empty log: records, checkpoints, and the indexes of both. */
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
    this.#changes.push({ table: this.#log.tables.deletedShops, key, value: sealNumber(key, this.#nowMs) });
  }

  async startShop({ state, keys }: ShopSource, removedHash: Buffer): Promise<void> {
    const { shopId, removedUpTo } = state;
    const { beginnings, apiKeys, keyIds } = this.#log.tables;
    const key = shopKey(shopId);
    if (removedUpTo > 0) {
      const value = sealHead(key, { sequenceNumber: removedUpTo, hash: removedHash });
      this.#changes.push({ table: beginnings, key, value });
    }
    for (const { digest, keyId, permission } of keys) {
      const idKey = ownedIdKey(shopId, keyId);
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
      this.#changes.push({ table: this.#log.tables.keyUse, key, value: sealNumber(key, atMs) });
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
