/**
 * The mirror of an authority's shops in an LMDB log. It receives records in stored form, checks each, and builds the
 * indexes that an append would have built.
 *
 * Several callers may store records of one shop at the same time; records that another caller has stored are skipped.
 */
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failpoint } from '../../base/runtime/failpoint.ts';
import type { Logger } from '../../base/runtime/logger.ts';
import { syncFolder } from '../../base/runtime/synced-files.ts';
import type { Mirror } from '../cluster/node-ports.ts';
import type { RecordHead, ShopStart, StoredRecord } from '../log/authority.ts';
import { checkpointHash } from '../log/checkpoint-codec.ts';
import { DamagedLogError } from '../log/event-log.ts';
import { requireRoomIn } from '../log/lmdb/file-room.ts';
import type { LmdbEventLog } from '../log/lmdb/lmdb-event-log.ts';
import type { Change, Table } from '../log/lmdb/log-tables.ts';
import { RecordChanges } from '../log/lmdb/record-indexes.ts';
import { removeRange } from '../log/lmdb/removals.ts';
import { keysOf, NO_RECORD, recordKey, sealHead, shopKey } from '../log/lmdb/table-format.ts';
import { decodeRecord, hashRecord } from '../log/record-codec.ts';
import { freeName } from './mirror-folder.ts';

export class LmdbMirror implements Mirror {
  readonly #log: LmdbEventLog;
  readonly #logger: Pick<Logger, 'error'>;

  constructor(log: LmdbEventLog, logger: Pick<Logger, 'error'>) {
    this.#log = log;
    this.#logger = logger;
  }

  head(shopId: string): RecordHead {
    return this.#log.tables.head(shopId) ?? NO_RECORD;
  }

  /** A checkpoint in stored form; null when there is none at this record. */
  storedCheckpoint(shopId: string, sequenceNumber: number): Buffer | null {
    return this.#stored(this.#log.tables.checkpoints, shopId, sequenceNumber);
  }

  /** Throws `DiskFullError` when the disk has no room for these records. */
  requireRoom(records: readonly StoredRecord[]): void {
    const bytes = records.reduce((sum, { stored }) => sum + stored.length, 0);
    requireRoomIn(this.#log.tables.folder, bytes);
  }

  async store(shopId: string, records: readonly StoredRecord[]): Promise<void> {
    const { tables } = this.#log;
    for (;;) {
      const { sequenceNumber } = this.head(shopId);
      const behind = records.filter((record) => record.sequenceNumber > sequenceNumber);
      if (behind.length === 0) return;
      failpoint('before-mirror');
      const changes = this.#changesOf(shopId, behind);
      const firstKey = recordKey(shopId, sequenceNumber + 1);
      const isStored = await this.#log.writer.commitOrThrow(changes, (write) =>
        tables.records.ifNoExists(firstKey, write),
      );
      if (isStored) return;
    }
  }

  async restart(shopId: string, { checkpoint, records }: ShopStart): Promise<void> {
    await this.drop(shopId);
    if (checkpoint !== null) {
      const { sequenceNumber, stored } = checkpoint;
      const { shops, beginnings, checkpoints } = this.#log.tables;
      const key = shopKey(shopId);
      const head = { sequenceNumber, hash: checkpointHash(stored, shopId, sequenceNumber) };
      const changes = [
        { table: beginnings, key, value: sealHead(key, head) },
        { table: checkpoints, key: recordKey(shopId, sequenceNumber), value: stored },
        { table: shops, key, value: sealHead(key, head) },
      ];
      await this.#log.commit(changes);
    }
    await this.store(shopId, records);
  }

  /** Removes all data of a shop from the mirror. */
  async drop(shopId: string, damage?: Error): Promise<void> {
    if (damage !== undefined) this.#logger.error('mirror.damaged', { shopId, error: damage });
    const { tables } = this.#log;
    const { shops, beginnings, deletedShops } = tables;
    const key = shopKey(shopId);
    // Without its head the shop is not found; the rest is removed in as many transactions as needed.
    await this.#log.commit([shops, beginnings, deletedShops].map((table) => ({ table, key, value: null })));
    const range = keysOf(shopId);
    const { records, checkpoints, versions, audit, answers, keyIds } = tables;
    for (const table of [records, checkpoints, versions, audit, answers, keyIds]) {
      await removeRange(this.#log, table, range);
    }
  }

  hashAt(shopId: string, sequenceNumber: number): Buffer | null {
    const stored = this.#stored(this.#log.tables.records, shopId, sequenceNumber);
    return stored === null ? null : hashRecord(stored);
  }

  /** Writes a file beside the mirror: a line of JSON for each record, with its stored bytes. */
  async setAside(shopId: string, after: number): Promise<void> {
    const upTo = this.head(shopId).sequenceNumber;
    const prefix = join(this.#log.tables.folder, `${shopId}.differing-${after + 1}-${upTo}`);
    const path = freeName((number) => `${prefix}${number === 1 ? '' : `-${number}`}.jsonl`);
    const file = await open(path, 'wx', 0o600);
    try {
      for (let sequenceNumber = after + 1; sequenceNumber <= upTo; sequenceNumber++) {
        const stored = this.#stored(this.#log.tables.records, shopId, sequenceNumber);
        if (stored !== null) await file.appendFile(`${lineOf(shopId, sequenceNumber, stored)}\n`);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    syncFolder(dirname(path));
    this.#logger.error('mirror.differs', { shopId, after, upTo, file: path });
  }

  #stored(table: Table, shopId: string, sequenceNumber: number): Buffer | null {
    const stored = this.#log.tables.fresh(table).get(recordKey(shopId, sequenceNumber));
    return stored === undefined ? null : Buffer.from(stored);
  }

  /** `records` are consecutive. Throws `DamagedLogError`. */
  #changesOf(shopId: string, records: readonly StoredRecord[]): readonly Change[] {
    const added = new RecordChanges(this.#log.tables, shopId);
    let head: RecordHead = this.head(shopId);
    for (const { sequenceNumber, stored } of records) {
      if (sequenceNumber <= head.sequenceNumber) continue;
      const { record, previousHash } = decodeRecord(stored, shopId, sequenceNumber);
      if (sequenceNumber !== head.sequenceNumber + 1 || !previousHash.equals(head.hash)) {
        throw new DamagedLogError(shopId, sequenceNumber, 'it does not follow the one before');
      }
      added.add(record, sequenceNumber, stored);
      head = { sequenceNumber, hash: hashRecord(stored) };
    }
    return added.upTo(head);
  }
}

/** The line for a record; without its contents when they cannot be decoded. */
function lineOf(shopId: string, sequenceNumber: number, stored: Buffer): string {
  const bytes = stored.toString('base64');
  try {
    const { atMs, event, answer } = decodeRecord(stored, shopId, sequenceNumber).record;
    const at = new Date(atMs).toISOString();
    return JSON.stringify({ sequenceNumber, at, event, answer, stored: bytes });
  } catch {
    return JSON.stringify({ sequenceNumber, stored: bytes });
  }
}
