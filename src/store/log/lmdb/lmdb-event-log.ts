/**
 * The `EventLog` in one LMDB environment. An append is one transaction that takes effect only if the record after the
 * expected one does not exist, and every read starts from the current state on disk.
 *
 * Each shop also has an entry with the number and hash of its last record. It saves a search for the end, and it
 * reveals the loss of the last records, which the hash chain cannot show.
 */

import { isId } from '../../../engine/domain/id.ts';
import type { HashedRecord, RecordHead } from '../authority.ts';
import { encodeCheckpoint, packImage } from '../checkpoint-codec.ts';
import type {
  AppendResult,
  Checkpoint,
  EventLog,
  KeyHolder,
  LogRecord,
  NewRecord,
  ShopTextKind,
  StoredAnswer,
  VersionEntry,
} from '../event-log.ts';
import { encodeRecords } from '../record-codec.ts';
import { checkpointedRecord, latestCheckpoint, recordHashAt } from './checkpoint-table.ts';
import { dataFileIn } from './data-file.ts';
import { type FileCheck, leaveMark } from './file-check.ts';
import { FileRoom } from './file-room.ts';
import { type Change, LogTables } from './log-tables.ts';
import { LogWriter } from './log-writer.ts';
import {
  auditRecords,
  findKeyHolder,
  findStoredAnswer,
  oldestVersionEntry,
  RecordChanges,
  versionEntryAt,
} from './record-indexes.ts';
import { walkRecords } from './record-walk.ts';
import { forgetOldAnswers, ShopDeletions, trimShop } from './removals.ts';
import { keysOf, NO_RECORD, recordKey, sealNumber, shopKey, unsealNumber } from './table-format.ts';

export interface LmdbEventLogOptions {
  /** The folder of the log; made if it is missing. */
  readonly path: string;
  /** Default: after an unclean stop. Never where another thread or process has the log open. */
  readonly check?: FileCheck;
  /** Nothing is written, and the file system may be read-only; the log must be there. */
  readonly isReadOnly?: boolean;
  /** Called when the disk is found full, and when a write finds room again. */
  readonly onDiskFull?: (isFull: boolean) => void;
}

/** A commit that takes longer counts as failed; the log accepts no more writes then. */
const COMMIT_MS_MAX = 30_000;
const SEQUENCE_NUMBER_MAX = Number.MAX_SAFE_INTEGER;

/** Opens the log in a folder. Throws `UnusableDataFileError` with one line that names the defect. */
export const openLmdbEventLog = (options: LmdbEventLogOptions): LmdbEventLog => new LmdbEventLog(options);

export class LmdbEventLog implements EventLog {
  /** Only for `verifyLog`, `backupLog` and copies of logs; other callers use the port. */
  readonly tables: LogTables;
  readonly deletions: ShopDeletions;
  /** For `LmdbMirror` and tests. */
  readonly writer: LogWriter;
  readonly #leavesMark: boolean;

  constructor(options: LmdbEventLogOptions) {
    const { path, check = 'afterUncleanStop', isReadOnly = false } = options;
    this.#leavesMark = check !== 'never' && !isReadOnly;
    this.tables = new LogTables(path, { check, isReadOnly });
    const room = new FileRoom(
      dataFileIn(path),
      isReadOnly,
      () => this.tables.usedPages(),
      options.onDiskFull ?? (() => {}),
    );
    this.writer = new LogWriter(room, COMMIT_MS_MAX);
    this.deletions = new ShopDeletions(this, this.writer);
    this.endReads();
  }

  async append(
    shopId: string,
    expectedSequenceNumber: number,
    records: readonly NewRecord[],
  ): Promise<AppendResult> {
    if (records.length === 0) throw new RangeError('an append has at least one record');
    const { refusal } = this.writer;
    if (refusal !== null) return { kind: 'unavailable', cause: refusal };
    const previous = this.#readHead(shopId) ?? NO_RECORD;
    if (previous.sequenceNumber !== expectedSequenceNumber) return { kind: 'staleWriter' };
    // Everything that can throw happens before the first put, because a put cannot be taken back.
    const changes = this.#changesOf(shopId, previous, records);
    const firstKey = recordKey(shopId, expectedSequenceNumber + 1);
    const result = await this.writer.commit(changes, (write) =>
      this.tables.unlessDeleted(shopId, () => this.tables.records.ifNoExists(firstKey, write)),
    );
    if (result.kind !== 'committed') return result;
    return { kind: result.isApplied ? 'appended' : 'staleWriter' };
  }

  /** The changes of an append. */
  #changesOf(shopId: string, previous: RecordHead, records: readonly NewRecord[]): readonly Change[] {
    const added = new RecordChanges(this.tables, shopId);
    const add = (record: NewRecord, { sequenceNumber, stored }: HashedRecord) =>
      added.add(record, sequenceNumber, stored);
    return added.upTo(encodeRecords(shopId, previous, records, add));
  }

  lastSequenceNumber(shopId: string): number {
    return this.#readHead(shopId)?.sequenceNumber ?? 0;
  }

  #readHead(shopId: string): RecordHead | null {
    this.tables.requireOpen();
    return this.tables.head(shopId);
  }

  read(shopId: string, after: number, upTo = SEQUENCE_NUMBER_MAX): Iterable<LogRecord> {
    const head = this.#readHead(shopId);
    if (head === null) return [];
    return { [Symbol.iterator]: () => walkRecords(this.tables, { shopId, after, upTo, head }) };
  }

  shopIds(): Iterable<string> {
    return Array.from(this.#openTables().shops.getKeys(), (key) => key.toString('latin1'));
  }

  /** Ids of the shops after this id, in order, at most `most`. */
  shopIdsAfter(shopId: string, most: number): readonly string[] {
    const range = { start: keysOf(shopId).start, limit: most };
    return Array.from(this.#openTables().shops.getKeys(range), (key) => key.toString('latin1'));
  }

  shopCount(): number {
    const { entryCount } = this.#openTables().shops.getStats() as { readonly entryCount: number };
    return entryCount;
  }

  latestCheckpoint(shopId: string, atMost = SEQUENCE_NUMBER_MAX): Checkpoint | null {
    return latestCheckpoint(this.tables, shopId, atMost);
  }

  async writeCheckpoint(shopId: string, { sequenceNumber, image }: Checkpoint): Promise<void> {
    this.tables.requireOpen();
    const packed = await packImage(Buffer.from(image));
    this.tables.requireOpen();
    this.tables.newSnapshot();
    const hash = sequenceNumber < 1 ? null : recordHashAt(this.tables, { shopId, sequenceNumber });
    if (hash === null) throw new RangeError('a checkpoint stands at a record that exists');
    const value = encodeCheckpoint(shopId, sequenceNumber, packed, hash);
    const key = recordKey(shopId, sequenceNumber);
    await this.#commitOf(shopId, [{ table: this.tables.checkpoints, key, value }]);
  }

  versionAt(shopId: string, number: number): VersionEntry | null {
    return versionEntryAt(this.#openTables(), shopId, number);
  }

  oldestVersion(shopId: string): VersionEntry | null {
    return oldestVersionEntry(this.#openTables(), shopId);
  }

  readAudit(shopId: string, upTo: number, most: number): readonly LogRecord[] {
    return auditRecords(this.#openTables(), shopId, upTo, most);
  }

  async trim(shopId: string, upTo: number): Promise<number> {
    this.tables.requireOpen();
    const isInside = upTo >= 1 && upTo < this.lastSequenceNumber(shopId);
    const head = isInside ? checkpointedRecord(this.tables, { shopId, sequenceNumber: upTo }) : null;
    if (head === null) throw new RangeError('a log is trimmed at a checkpoint before its last record');
    const commit = (changes: readonly Change[]) => this.#commitOf(shopId, changes);
    return trimShop({ tables: this.tables, commit }, shopId, head);
  }

  removedUpTo(shopId: string): number {
    return isId(shopId) ? this.#openTables().beginning(shopId).sequenceNumber : 0;
  }

  findKey(secretSha256: Uint8Array): KeyHolder | null {
    return findKeyHolder(this.#openTables(), secretSha256);
  }

  findAnswer(shopId: string, idempotencyKey: string, sinceMs: number): StoredAnswer | null {
    return findStoredAnswer(this.#openTables(), shopId, idempotencyKey, sinceMs);
  }

  async forgetAnswers(beforeMs: number): Promise<number> {
    return forgetOldAnswers(this.#openTables(), beforeMs, this.commit);
  }

  async writeKeyUse(uses: ReadonlyMap<string, number>): Promise<void> {
    // Another node may have seen a later use.
    const later = [...uses].filter(([keyId, atMs]) => (this.readKeyUse(keyId) ?? 0) < atMs);
    const changes = later.map(([keyId, atMs]) => {
      const key = shopKey(keyId);
      return { table: this.tables.keyUse, key, value: sealNumber(key, atMs) };
    });
    if (changes.length > 0) await this.commit(changes);
  }

  readKeyUse(keyId: string): number | null {
    const key = shopKey(keyId);
    return unsealNumber(key, this.#openTables().keyUse.get(key));
  }

  async writeShopText(kind: ShopTextKind, shopId: string, text: string | null): Promise<void> {
    await this.#commitOf(shopId, [this.tables.shopTextChange(kind, shopId, text)]);
  }

  readShopText(kind: ShopTextKind, shopId: string): string | null {
    return this.#openTables().shopText(kind, shopId);
  }

  /** Releases the snapshot of the last look-up. While it is open, no page that was freed after it is reused. */
  endReads(): void {
    this.tables.newSnapshot();
  }

  /** As `commit`, for changes of one shop: writes nothing when the shop was deleted. */
  async #commitOf(shopId: string, changes: readonly Change[]): Promise<void> {
    await this.writer.commitOrThrow(changes, (write) => this.tables.unlessDeleted(shopId, write));
  }

  /** Writes the changes to disk in one transaction; rejects when that fails. For mirrors and copies of logs. */
  readonly commit = async (changes: readonly Change[]): Promise<void> => {
    await this.writer.commitOrThrow(changes, (write) => this.tables.root.batch(write));
  };

  /** The tables in their current state on disk. */
  #openTables(): LogTables {
    this.tables.requireOpen();
    return this.tables.newSnapshot();
  }

  /** Waits for pending writes. After a failed commit LMDB is not closed, because closing may abort the process. */
  async close(): Promise<void> {
    if (!this.tables.markClosed()) return;
    await this.writer.close();
    if (this.writer.failure !== null) return;
    await this.tables.root.close();
    if (this.#leavesMark) leaveMark(this.tables.folder);
  }
}
