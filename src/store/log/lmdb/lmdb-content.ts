/** All that a log in LMDB holds, in one snapshot, so writers may run meanwhile. */
import type { RecordHead, StoredCheckpoint, StoredRecord } from '../authority.ts';
import { DamagedLogError, SHOP_TEXT_KINDS } from '../event-log.ts';
import {
  answerEntry,
  auditEntry,
  type IndexEntry,
  keyIdEntry,
  type LogContent,
  type ShopContent,
  type StoredKey,
  versionEntry,
} from '../log-content.ts';
import { HASH_BYTES, readUint64 } from '../record-codec.ts';
import type { LogReport } from '../verification.ts';
import { verifyContent } from '../verify-content.ts';
import type { LmdbEventLog } from './lmdb-event-log.ts';
import type { Entry, PinnedTables, Table } from './log-tables.ts';
import { FORGOTTEN_KEY } from './removals.ts';
import {
  keysOf,
  NO_RECORD,
  parseRecordKey,
  recordKey,
  shopKey,
  unsealDigest,
  unsealHead,
  unsealHolder,
  unsealNumber,
  unsealText,
  unsealVersion,
} from './table-format.ts';

/** Calls `read` with the content of the log as it is now. */
export async function withContent<T>(
  log: LmdbEventLog,
  read: (content: LmdbContent) => Promise<T>,
): Promise<T> {
  const pinned = log.tables.pin();
  try {
    return await read(new LmdbContent(pinned));
  } finally {
    pinned.done();
  }
}

/** Checks the whole log. Never rejects because of damage. */
export const verifyLog = (log: LmdbEventLog): Promise<LogReport> => withContent(log, verifyContent);

class LmdbContent implements LogContent {
  readonly answersSinceMs: number;
  readonly defects: readonly string[];
  readonly #pinned: PinnedTables;

  constructor(pinned: PinnedTables) {
    this.#pinned = pinned;
    const mark = pinned.get(pinned.tables.answers, FORGOTTEN_KEY);
    const forgottenMs = mark === undefined ? 0 : unsealNumber(FORGOTTEN_KEY, mark);
    this.answersSinceMs = forgottenMs ?? Number.POSITIVE_INFINITY;
    this.defects = forgottenMs === null ? ['the mark of forgotten answers is damaged'] : [];
  }

  isOutage(): boolean {
    return false;
  }

  /** Also those of which only a part is left. */
  async *shops(): AsyncGenerator<ShopContent> {
    const { tables } = this.#pinned;
    const { shops, beginnings, deletedShops } = tables;
    const ids = new Set<string>();
    for (const table of [shops, beginnings, deletedShops, ...SHOP_TEXT_KINDS.map((kind) => tables[kind])])
      for await (const { key } of this.#pinned.entries(table)) ids.add(key.toString('latin1'));
    const { records, checkpoints, answers, versions, audit, keyIds } = tables;
    for (const table of [records, checkpoints, answers, versions, audit, keyIds])
      for (const id of this.#ownersIn(table)) ids.add(id);
    for (const shopId of [...ids].sort()) yield this.#shop(shopId);
  }

  async *keys(): AsyncGenerator<StoredKey> {
    for await (const { key, value } of this.#pinned.entries(this.#pinned.tables.apiKeys))
      yield { digest: key, holder: unsealHolder(key, value) };
  }

  async *keyUse(): AsyncGenerator<ReadonlyMap<string, number>> {
    for await (const { key, value } of this.#pinned.entries(this.#pinned.tables.keyUse)) {
      const atMs = unsealNumber(key, value);
      // A damaged time of use is left out.
      if (atMs !== null) yield new Map([[key.toString('latin1'), atMs]]);
    }
  }

  /** The shops with entries in a table whose keys begin with the id of a shop: one look-up for each. */
  *#ownersIn(table: Table): Generator<string> {
    let start: Buffer = Buffer.from([1]);
    for (;;) {
      const key = this.#pinned.firstKey(table, start);
      if (key === undefined) return;
      const end = key.indexOf(0);
      const shopId = key.toString('latin1', 0, end < 0 ? key.length : end);
      yield shopId;
      start = keysOf(shopId).end;
    }
  }

  #shop(shopId: string): ShopContent {
    const { shops, beginnings, deletedShops } = this.#pinned.tables;
    const key = shopKey(shopId);
    const [entry, deletion, begun] = [shops, deletedShops, beginnings].map((table) =>
      this.#pinned.get(table, key),
    );
    const isDeleted = deletion !== undefined;
    const head = unsealHead(key, entry);
    const beginning = begun === undefined ? NO_RECORD : unsealHead(key, begun);
    const isDeletionWhole = unsealNumber(key, deletion) !== null && entry === undefined;
    const textDefects = SHOP_TEXT_KINDS.filter((kind) => {
      const text = this.#pinned.get(this.#pinned.tables[kind], key);
      return text !== undefined && unsealText(key, text) === null;
    }).map((kind) => `its ${kind} are damaged`);
    const defects = [
      ...(isDeleted && !isDeletionWhole
        ? ['the entry of its deletion is damaged, or the shop still exists']
        : []),
      ...(isDeleted || head !== null ? [] : ['its entry in the table of shops is missing or damaged']),
      ...(beginning === null ? ['the entry of its beginning is damaged'] : []),
      ...textDefects,
    ];
    const { sequenceNumber: removedUpTo } = beginning ?? NO_RECORD;
    return {
      state: { shopId, head: head ?? HEAD_OF_DELETED, removedUpTo, isDeleted },
      defects,
      checkpoints: this.#numbered(this.#pinned.tables.checkpoints, shopId, removedUpTo),
      records: this.#numbered(this.#pinned.tables.records, shopId, removedUpTo + 1),
      index: this.#index(shopId),
    };
  }

  /** Earlier ones are left from an interrupted removal. */
  async *#numbered(
    table: Table,
    shopId: string,
    first: number,
  ): AsyncGenerator<StoredRecord & StoredCheckpoint> {
    const range = { start: recordKey(shopId, first), end: keysOf(shopId).end };
    for await (const { key, value } of this.#pinned.entries(table, range)) {
      const place = parseRecordKey(key);
      if (place?.shopId !== shopId)
        throw new DamagedLogError(shopId, 0, 'a record or checkpoint has an invalid key');
      yield { sequenceNumber: place.sequenceNumber, stored: Buffer.from(value) };
    }
  }

  async *#index(shopId: string): AsyncGenerator<IndexEntry> {
    const { versions, audit, answers, keyIds } = this.#pinned.tables;
    const tailOf = ({ key }: Entry) => key.subarray(shopId.length + 1);
    for await (const entry of this.#pinned.entries(versions, keysOf(shopId))) {
      const number = numberIn(tailOf(entry), 0);
      const version = unsealVersion(entry.key, entry.value);
      yield versionEntry(
        { number },
        version?.version ?? null,
        version?.sequenceNumber ?? null,
        version?.batchRun ?? null,
      );
    }
    for await (const entry of this.#pinned.entries(audit, keysOf(shopId)))
      yield auditEntry(numberIn(tailOf(entry), 0), unsealText(entry.key, entry.value) === '');
    for await (const entry of this.#pinned.entries(answers, keysOf(shopId))) {
      const tail = tailOf(entry);
      const keyHash = tail.toString('hex', 0, HASH_BYTES);
      yield answerEntry(numberIn(tail, HASH_BYTES), keyHash, unsealNumber(entry.key, entry.value));
    }
    for await (const entry of this.#pinned.entries(keyIds, keysOf(shopId))) {
      const digest = unsealDigest(entry.key, entry.value);
      yield keyIdEntry(tailOf(entry).toString('latin1'), digest?.toString('hex') ?? null);
    }
  }
}

/** LMDB does not keep the head of a deleted shop. */
const HEAD_OF_DELETED: RecordHead = { ...NO_RECORD, sequenceNumber: 1 };

/** The number at the end of a key; 0, which nothing has, in a damaged one. */
const numberIn = (tail: Buffer, at: number): number => (tail.length === at + 8 ? readUint64(tail, at) : 0);
