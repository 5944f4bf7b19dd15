/**
 * The LMDB environment of a log and its tables. All keys and values are binary; their formats are in `table-format.ts`
 * and `record-codec.ts`. LMDB does not copy a value passed to `put`, so its buffer must not change until the write is
 * answered.
 */
import { type Database, open, type RootDatabase } from 'lmdb';
import { asError } from '../../../base/runtime/thrown-error.ts';
import { isId } from '../../../engine/domain/id.ts';
import type { RecordHead } from '../authority.ts';
import { DamagedLogError, type ShopTextKind, UnusableDataFileError } from '../event-log.ts';
import { markFolder, prepareFolder, requireLogIn } from './data-file.ts';
import { checkFile, type FileCheck } from './file-check.ts';
import type { UsedPages } from './file-room.ts';
import { NO_RECORD, recordKey, sealText, shopKey, unsealHead, unsealText } from './table-format.ts';

export type Table = Database<Buffer, Buffer>;

export interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** One put, or a removal when `value` is null. */
export interface Change {
  readonly table: Table;
  readonly key: Buffer;
  readonly value: Buffer | null;
}

/** Writes the changes to disk in one transaction. */
export type Commit = (changes: readonly Change[]) => Promise<void>;

/** Queues the changes in the caller's transaction or condition. */
export function applyChanges(changes: readonly Change[]): void {
  for (const { table, key, value } of changes) {
    if (value === null) table.remove(key);
    else table.put(key, value);
  }
}

/** Returns the result of `read`. What LMDB throws becomes a `DamagedLogError` with the record. */
export function readNamed<T>(shopId: string, sequenceNumber: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new DamagedLogError(shopId, sequenceNumber, `it cannot be read: ${asError(error).message}`);
  }
}

/** Number of entries that are read in one turn of the event loop. */
const PAGE_ENTRIES = 500;
/** More than there are tables, because a later version of the program may have added some. */
const TABLES_MAX = 32;

const NO_ENTRIES = {
  get: () => undefined,
  getKeys: () => [],
  getKeysCount: () => 0,
} as unknown as Table;

interface OpenOptions {
  readonly check: FileCheck;
  readonly isReadOnly: boolean;
}

export class LogTables {
  /** Record key -> record. */
  readonly records: Table;
  /** Record key -> checkpoint. */
  readonly checkpoints: Table;
  /** Shop id -> number and hash of its last record. */
  readonly shops: Table;
  /** SHA-256 of a secret -> its holder. */
  readonly apiKeys: Table;
  /** Shop id and key id -> SHA-256 of the secret; a key without an entry here is revoked. */
  readonly keyIds: Table;
  /** Shop id, hash of an idempotency key, sequence number of the record with the answer -> its time. */
  readonly answers: Table;
  /** Key id -> time of its last use. */
  readonly keyUse: Table;
  /** Shop id -> results of its changeset. */
  readonly shadowResults: Table;
  /** Shop id -> use of its records by live simulations. */
  readonly coverage: Table;
  /** Version key -> the version and the number of its record. */
  readonly versions: Table;
  /** Record key -> nothing, for each record that the audit tells of. */
  readonly audit: Table;
  /** Shop id -> beginning of its log; no entry while nothing was removed. */
  readonly beginnings: Table;
  /** Shop id -> time of deletion; nothing is written under such an id. */
  readonly deletedShops: Table;
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly folder: string;
  #isClosed = false;

  /**
   * Opens the log in `folder`, or makes it unless `isReadOnly`. Throws `UnusableDataFileError` and `DiskFullError`.
   */
  constructor(folder: string, { check, isReadOnly }: OpenOptions) {
    if (isReadOnly) requireLogIn(folder);
    else prepareFolder(folder);
    checkFile(folder, check, isReadOnly);
    this.folder = folder;
    try {
      this.root = open<Buffer, Buffer>({ ...rootOptions(folder), readOnly: isReadOnly });
      this.records = this.#openTable('records');
      this.checkpoints = this.#openTable('checkpoints');
      this.shops = this.#openTable('shops');
      this.apiKeys = this.#openTable('apiKeys');
      this.keyIds = this.#openTable('keyIds');
      this.answers = this.#openTable('answers');
      this.keyUse = this.#openTable('keyUse');
      this.shadowResults = this.#openTable('shadowResults');
      this.coverage = this.#openTable('coverage', NO_ENTRIES);
      this.versions = this.#openTable('versions');
      this.audit = this.#openTable('audit', NO_ENTRIES);
      this.beginnings = this.#openTable('beginnings');
      this.deletedShops = this.#openTable('deletedShops', NO_ENTRIES);
      if (!isReadOnly) markFolder(folder);
    } catch (error) {
      if (error instanceof UnusableDataFileError) throw error;
      throw new UnusableDataFileError(`data folder ${folder}: ${asError(error).message}`, { cause: error });
    }
  }

  /** `missing` stands for a table that logs of earlier releases do not have, where nothing may be written. */
  #openTable(name: string, missing?: Table): Table {
    const options = { name, keyEncoding: 'binary', encoding: 'binary' } as const;
    // Undefined when nothing may be written and there is no such table.
    const table: Table | undefined = this.root.openDB<Buffer, Buffer>(options) ?? missing;
    if (table === undefined) throw new Error(`there is no table ${name}`);
    return table;
  }

  /** From now on `requireOpen` throws; false when it does already. */
  markClosed(): boolean {
    const wasOpen = !this.#isClosed;
    this.#isClosed = true;
    return wasOpen;
  }

  /** Throws once the log is closed, when LMDB must not be called any more. */
  requireOpen(): void {
    if (this.#isClosed) throw new Error('the log is closed');
  }

  /**
   * Returns these tables in their current state on disk. Without this call LMDB's binding keeps one snapshot for a whole
   * turn of the event loop, which lacks what the writing thread commits in that turn.
   */
  newSnapshot(): this {
    this.root.resetReadTxn();
    return this;
  }

  /** Returns the table in its current state on disk; see `newSnapshot`. */
  fresh(table: Table): Table {
    this.newSnapshot();
    return table;
  }

  /** The last record of a shop; null when the shop does not exist or was deleted. Throws `DamagedLogError`. */
  head(shopId: string): RecordHead | null {
    if (!isId(shopId)) return null;
    const key = shopKey(shopId);
    const entry = readNamed(shopId, 0, () => this.fresh(this.shops).get(key));
    if (entry === undefined) {
      if (this.isDeleted(shopId)) return null;
      const isTrimmed = this.beginnings.get(key) !== undefined;
      const first = readNamed(shopId, 1, () => this.records.get(recordKey(shopId, 1)));
      if (first === undefined && !isTrimmed) return null;
      throw new DamagedLogError(shopId, 1, 'the shop is missing from the table of shops');
    }
    const head = unsealHead(key, entry);
    if (head === null) throw new DamagedLogError(shopId, 0, 'its entry in the table of shops is damaged');
    return head;
  }

  /** The beginning of a shop's log. Throws `DamagedLogError`. */
  beginning(shopId: string): RecordHead {
    const key = shopKey(shopId);
    const entry = this.beginnings.get(key);
    if (entry === undefined) return NO_RECORD;
    const beginning = unsealHead(key, entry);
    if (beginning === null) throw new DamagedLogError(shopId, 0, 'the entry of its beginning is damaged');
    return beginning;
  }

  isDeleted(shopId: string): boolean {
    return this.deletedShops.get(shopKey(shopId)) !== undefined;
  }

  /**
   * Runs `write` in one transaction on condition that the shop was not deleted. Resolves with false when it was
   * deleted, or when a condition of `write` itself was not met; nothing was written then.
   */
  async unlessDeleted(shopId: string, write: () => unknown): Promise<boolean> {
    let inner: unknown;
    const outer = this.deletedShops.ifNoExists(shopKey(shopId), () => {
      inner = write();
    });
    // Waits for both, because a rejection of the second would otherwise be unhandled.
    const [isThere, isApplied] = await Promise.all([outer, inner]);
    return isThere && isApplied !== false;
  }

  shopTextChange(kind: ShopTextKind, shopId: string, text: string | null): Change {
    const key = shopKey(shopId);
    return { table: this[kind], key, value: text === null ? null : sealText(key, text) };
  }

  /** Throws `DamagedLogError`. */
  shopText(kind: ShopTextKind, shopId: string): string | null {
    const key = shopKey(shopId);
    const entry = this.fresh(this[kind]).get(key);
    if (entry === undefined) return null;
    const text = unsealText(key, entry);
    if (text === null) throw new DamagedLogError(shopId, 0, `its ${kind} are damaged`);
    return text;
  }

  usedPages(): UsedPages {
    return this.newSnapshot().root.getStats() as UsedPages;
  }

  /** A snapshot of all tables, unchanged until `done`. */
  pin(): PinnedTables {
    return new PinnedTables(this.newSnapshot());
  }
}

export class PinnedTables {
  readonly tables: LogTables;
  readonly #transaction: ReturnType<RootDatabase['useReadTransaction']>;

  constructor(tables: LogTables) {
    this.tables = tables;
    this.#transaction = tables.root.useReadTransaction();
  }

  get(table: Table, key: Buffer): Buffer | undefined {
    return table.get(key, { transaction: this.#transaction });
  }

  /** The entries of the table or of a range, in order; yields to the event loop after every `PAGE_ENTRIES` entries. */
  async *entries(
    table: Table,
    within: { readonly start?: Buffer; readonly end?: Buffer } = {},
  ): AsyncGenerator<Entry> {
    let last: Buffer | undefined;
    for (;;) {
      const start = last === undefined ? {} : { start: last, exclusiveStart: true };
      const range = { ...within, ...start, limit: PAGE_ENTRIES, transaction: this.#transaction };
      const keys = Array.from(table.getKeys(range));
      for (const key of keys) {
        const value = this.get(table, key);
        if (value === undefined) throw new Error(`an entry is not found under its key`);
        yield { key, value };
      }
      if (keys.length < PAGE_ENTRIES) return;
      last = keys.at(-1);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** The first key that is not before `start`. */
  firstKey(table: Table, start: Buffer): Buffer | undefined {
    return Array.from(table.getKeys({ start, limit: 1, transaction: this.#transaction }))[0];
  }

  done(): void {
    this.#transaction.done();
  }
}

const rootOptions = (path: string) => ({
  path,
  // The path is a folder, even if its name contains a dot.
  noSubdir: false,
  maxDbs: TABLES_MAX,
  keyEncoding: 'binary' as const,
  encoding: 'binary' as const,
  // Off on purpose. With overlapping sync LMDB shows a commit before it is flushed, so a failed flush
  // would leave a refused write readable.
  overlappingSync: false,
  // Writes of one turn still share one commit, because the commit starts in the next turn. With batching on, a failed
  // commit also rejects an internal promise of the binding, which cannot be caught.
  eventTurnBatching: false,
  txnStartThreshold: 1_000_000,
});
