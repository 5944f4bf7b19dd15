/**
 * Checks a whole log: the checksum, number and place in the chain of every record, every
 * checkpoint, and every index entry against the records, in both directions. It reads one snapshot, so writers may run
 * meanwhile. It reports damage and does not throw.
 *
 * Bounds: the live keys of one shop and one entry per API key in memory; at most DEFECTS_MAX findings.
 */

import type { ApiKey } from '../../domain/api-key.ts';
import { parseShopImage } from '../../domain/shop-event.ts';
import { asError } from '../../runtime/thrown-error.ts';
import type { RecordHead, StoredRecord } from '../authority.ts';
import { decodeCheckpoint } from '../checkpoint-codec.ts';
import { type LogRecord, SHOP_TEXT_KINDS } from '../event-log.ts';
import { decodeRecord, hashRecord, NO_PREVIOUS_HASH } from '../record-codec.ts';
import {
  DEFECTS_MAX,
  damageOf,
  type LogDefect,
  type LogReport,
  type OnProgress,
  RecordChain,
  WRONG_CHECKPOINT,
} from '../verification.ts';
import type { LmdbEventLog } from './lmdb-event-log.ts';
import type { LogTables, PinnedTables, Table } from './log-tables.ts';
import { FORGOTTEN_KEY } from './removals.ts';
import {
  answerKey,
  hashInBeginning,
  NO_RECORD,
  ownedIdKey,
  parseAnswerKey,
  parseRecordKey,
  recordKey,
  shopKey,
  unsealDigest,
  unsealHead,
  unsealHolder,
  unsealNumber,
  unsealText,
} from './table-format.ts';
import { type Report, type ShopVersionCheck, VersionCheck } from './verify-versions.ts';

/** Number of records between two calls of `onProgress`. */
const PROGRESS_RECORDS = 1000;

/** Checks the whole log. Never rejects because of damage. */
export async function verifyLog(log: LmdbEventLog, onProgress: OnProgress = () => {}): Promise<LogReport> {
  const pinned = log.tables.pin();
  const verification = new Verification(pinned, onProgress);
  try {
    await verification.run();
  } catch (error) {
    verification.report('?', 0, `the data file cannot be read: ${asError(error).message}`);
  } finally {
    pinned.done();
  }
  return verification.result();
}

const entryCount = (table: Table): number =>
  Number((table.getStats() as { readonly entryCount?: unknown }).entryCount ?? 0);

/** The state of the check of one shop's records. */
interface ShopTrail {
  readonly chain: RecordChain;
  readonly head: RecordHead | null;
  readonly versions: ShopVersionCheck;
  /** Number of the last removed record. */
  readonly removed: number;
}

class Verification {
  readonly #tables: LogTables;
  readonly #pinned: PinnedTables;
  readonly #onProgress: OnProgress;
  readonly #total: number;
  readonly #defects: LogDefect[] = [];
  readonly #versions: VersionCheck;
  readonly #counts = { shops: 0, records: 0, checkpoints: 0, indexEntries: 0 };
  readonly #deletedShops = new Set<string>();
  /** Digests of live keys in hex. */
  readonly #liveKeys = new Set<string>();
  /** Keys of live API keys in the table of key ids, in latin1. */
  readonly #liveKeyIds = new Set<string>();

  constructor(pinned: PinnedTables, onProgress: OnProgress) {
    this.#tables = pinned.tables;
    this.#pinned = pinned;
    this.#onProgress = onProgress;
    this.#total = entryCount(pinned.tables.records);
    this.#versions = new VersionCheck(pinned, this.report);
  }

  readonly report: Report = (shopId, sequenceNumber, what) => {
    if (this.#defects.length < DEFECTS_MAX) this.#defects.push({ shopId, sequenceNumber, what });
  };

  result(): LogReport {
    return { ...this.#counts, defects: this.#defects };
  }

  async run(): Promise<void> {
    const forgottenMs = this.#forgottenMs();
    const { beginnings } = this.#tables;
    await this.#readDeletedShops();
    await this.#checkOwned(beginnings, unsealHead, 'the entry of its beginning is damaged');
    await this.#checkRecords(forgottenMs);
    this.#counts.indexEntries += this.#versions.total();
    await this.#checkShops();
    await this.#checkCheckpoints();
    await this.#checkKeys();
    await this.#checkAnswers();
    for (const kind of SHOP_TEXT_KINDS)
      await this.#checkOwned(this.#tables[kind], unsealText, `its ${kind} are damaged`);
  }

  /** Data that an interrupted deletion has left of these shops is skipped, because it is never read. */
  async #readDeletedShops(): Promise<void> {
    const { deletedShops, shops } = this.#tables;
    for await (const { key, value } of this.#pinned.entries(deletedShops)) {
      this.#counts.indexEntries++;
      const shopId = key.toString('latin1');
      this.#deletedShops.add(shopId);
      this.#versions.countLeftovers(shopId);
      if (unsealNumber(key, value) !== null && this.#pinned.get(shops, key) === undefined) continue;
      this.report(shopId, 0, 'the entry of its deletion is damaged, or the shop still exists');
    }
  }

  /** Answers before this time may be missing from the index. Infinity, so no check, when the entry is damaged. */
  #forgottenMs(): number {
    const entry = this.#pinned.get(this.#tables.answers, FORGOTTEN_KEY);
    if (entry === undefined) return 0;
    const forgottenMs = unsealNumber(FORGOTTEN_KEY, entry);
    if (forgottenMs === null) this.report('?', 0, 'the mark of forgotten answers is damaged');
    return forgottenMs ?? Number.POSITIVE_INFINITY;
  }

  async #checkRecords(forgottenMs: number): Promise<void> {
    let trail: ShopTrail | null = null;
    for await (const { key, value } of this.#pinned.entries(this.#tables.records)) {
      const place = parseRecordKey(key);
      if (place === null) {
        this.report('?', 0, 'a record has an invalid key');
        continue;
      }
      if (this.#deletedShops.has(place.shopId)) continue;
      if (trail?.chain.shopId !== place.shopId) {
        this.#finish(trail);
        trail = this.#begin(place.shopId);
      }
      // Left by an interrupted removal.
      if (place.sequenceNumber <= trail.removed) continue;
      this.#checkRecord(trail, { sequenceNumber: place.sequenceNumber, stored: value }, forgottenMs);
      this.#counts.records++;
      if (this.#counts.records % PROGRESS_RECORDS === 0) this.#reportProgress();
    }
    this.#finish(trail);
    this.#reportProgress();
  }

  #reportProgress(): void {
    this.#onProgress(this.#counts.records, this.#total);
  }

  #begin(shopId: string): ShopTrail {
    const beginning = this.#beginningOf(shopId);
    const removed = beginning.sequenceNumber;
    const versions = this.#versions.ofShop(shopId, removed > 0);
    const chain = new RecordChain(shopId, (sequenceNumber, what) =>
      this.report(shopId, sequenceNumber, what),
    );
    if (removed > 0) {
      const image = this.#imageAt(shopId, removed, 'the checkpoint that the log begins with');
      for (const key of image?.keys ?? []) chain.keys.set(key.id, key);
      chain.last = beginning;
    }
    const key = shopKey(shopId);
    const head = unsealHead(key, this.#pinned.get(this.#tables.shops, key));
    return { chain, head, versions, removed };
  }

  /** The beginning of a shop's log; `NO_RECORD` also for a damaged entry, which is reported elsewhere. */
  #beginningOf(shopId: string): RecordHead {
    const key = shopKey(shopId);
    return unsealHead(key, this.#pinned.get(this.#tables.beginnings, key)) ?? NO_RECORD;
  }

  /** The state in a checkpoint that the log needs; null, with a report that names it, when it is damaged. */
  #imageAt(shopId: string, at: number, name: string): ReturnType<typeof parseShopImage> | null {
    const stored = this.#pinned.get(this.#tables.checkpoints, recordKey(shopId, at));
    try {
      if (stored === undefined) throw new Error('it is missing');
      return parseShopImage(decodeCheckpoint(stored, shopId, at).image);
    } catch (error) {
      this.report(shopId, at, `${name}: ${damageOf(error)}`);
      return null;
    }
  }

  #checkRecord({ chain, versions }: ShopTrail, stored: StoredRecord, forgottenMs: number): void {
    const record = chain.follow(stored);
    if (record === null) return;
    chain.checked(record.sequenceNumber, () => {
      versions.follow(record);
      this.#checkAnswerOf(chain.shopId, record, forgottenMs);
    });
  }

  #checkAnswerOf(shopId: string, { answer, atMs, sequenceNumber }: LogRecord, forgottenMs: number): void {
    if (answer === undefined || atMs < forgottenMs) return;
    const key = answerKey(shopId, answer.idempotencyKey, sequenceNumber);
    const entry = this.#pinned.get(this.#tables.answers, key);
    if (entry === undefined) this.report(shopId, sequenceNumber, 'its answer is missing from the index');
    else if (unsealNumber(key, entry) !== atMs) {
      this.report(shopId, sequenceNumber, 'its answer has a wrong entry in the index');
    }
  }

  /** Compares the shop's records with its entry in the table of shops, its live keys and its versions. */
  #finish(trail: ShopTrail | null): void {
    if (trail === null) return;
    const { chain, head, versions } = trail;
    this.#counts.shops++;
    if (head !== null) chain.endAt(head);
    else this.report(chain.shopId, 0, 'its entry in the table of shops is missing or damaged');
    for (const key of chain.keys.values()) this.#checkLiveKey(chain.shopId, key);
    this.#versions.finish(versions);
  }

  #checkLiveKey(shopId: string, { id: keyId, permission, secretSha256 }: ApiKey): void {
    const digest = Buffer.from(secretSha256, 'hex');
    const idKey = ownedIdKey(shopId, keyId);
    this.#liveKeyIds.add(idKey.toString('latin1'));
    this.#liveKeys.add(digest.toString('hex'));
    const holder = unsealHolder(digest, this.#pinned.get(this.#tables.apiKeys, digest));
    const named = unsealDigest(idKey, this.#pinned.get(this.#tables.keyIds, idKey));
    const isNamed = named?.equals(digest) === true;
    // When two keys share a secret, the index holds the later key.
    const isHeld = holder?.shopId === shopId && (holder.keyId !== keyId || holder.permission === permission);
    if (!isNamed || !isHeld)
      this.report(shopId, 0, `the entry of ${keyId} in the index of API keys is missing or wrong`);
  }

  /** Reports shops without any record. */
  async #checkShops(): Promise<void> {
    for await (const { key } of this.#pinned.entries(this.#tables.shops)) {
      this.#counts.indexEntries++;
      const shopId = key.toString('latin1');
      const first = this.#beginningOf(shopId).sequenceNumber + 1;
      if (this.#pinned.get(this.#tables.records, recordKey(shopId, first)) !== undefined) continue;
      this.report(shopId, first, 'it is missing');
    }
  }

  async #checkCheckpoints(): Promise<void> {
    for await (const { key, value } of this.#pinned.entries(this.#tables.checkpoints)) {
      this.#counts.checkpoints++;
      const place = parseRecordKey(key);
      if (place === null) {
        this.report('?', 0, 'a checkpoint has an invalid key');
        continue;
      }
      const { shopId, sequenceNumber } = place;
      if (this.#deletedShops.has(shopId)) continue;
      try {
        const { recordHash } = decodeCheckpoint(value, shopId, sequenceNumber);
        if (this.#hashAt(shopId, sequenceNumber)?.equals(recordHash) !== false) continue;
        this.report(shopId, sequenceNumber, WRONG_CHECKPOINT);
      } catch (error) {
        this.report(shopId, sequenceNumber, damageOf(error));
      }
    }
  }

  /**
   * Hash of the record of a checkpoint. Null before the beginning of a trimmed log, where an interrupted removal may
   * have left checkpoints.
   */
  #hashAt(shopId: string, sequenceNumber: number): Buffer | null {
    const known = hashInBeginning(this.#beginningOf(shopId), sequenceNumber);
    if (known !== undefined) return known;
    const record = this.#pinned.get(this.#tables.records, recordKey(shopId, sequenceNumber));
    return record === undefined ? NO_PREVIOUS_HASH : hashRecord(record);
  }

  /** Reports entries of keys that no shop has. */
  async #checkKeys(): Promise<void> {
    const { apiKeys, keyIds } = this.#tables;
    const indexes = [
      { name: 'API keys', table: apiKeys, live: this.#liveKeys, encoding: 'hex' },
      { name: 'key ids', table: keyIds, live: this.#liveKeyIds, encoding: 'latin1' },
    ] as const;
    for (const { name, table, live, encoding } of indexes) {
      for await (const { key } of this.#pinned.entries(table)) {
        this.#counts.indexEntries++;
        if (live.has(key.toString(encoding))) continue;
        this.report('?', 0, `the index of ${name} has an entry of a key that no shop has`);
      }
    }
  }

  /** Reports entries whose record does not contain the answer. */
  async #checkAnswers(): Promise<void> {
    for await (const { key, value } of this.#pinned.entries(this.#tables.answers)) {
      this.#counts.indexEntries++;
      if (key.equals(FORGOTTEN_KEY)) continue;
      const { shopId, sequenceNumber } = parseAnswerKey(key) ?? { shopId: '?', sequenceNumber: 0 };
      if (this.#deletedShops.has(shopId)) continue;
      // The record was removed; the answer is not forgotten yet.
      if (sequenceNumber <= this.#beginningOf(shopId).sequenceNumber && shopId !== '?') continue;
      const record = shopId === '?' ? null : this.#recordAt(shopId, sequenceNumber);
      const name = record?.answer?.idempotencyKey;
      const isRight = name !== undefined && answerKey(shopId, name, sequenceNumber).equals(key);
      if (isRight && unsealNumber(key, value) === record?.atMs) continue;
      this.report(
        shopId,
        sequenceNumber,
        'the index of answers has an entry that the record does not confirm',
      );
    }
  }

  /** Reports entries with the key of a shop that are damaged or belong to no shop. */
  async #checkOwned(
    table: Table,
    unseal: (key: Buffer, entry: Buffer) => unknown,
    what: string,
  ): Promise<void> {
    for await (const { key, value } of this.#pinned.entries(table)) {
      this.#counts.indexEntries++;
      const isOfShop = this.#pinned.get(this.#tables.shops, key) !== undefined;
      if (!isOfShop || unseal(key, value) === null) this.report(key.toString('latin1'), 0, what);
    }
  }

  /** The record, or null when it is missing or damaged, which is reported elsewhere. */
  #recordAt(shopId: string, sequenceNumber: number): LogRecord | null {
    const stored = this.#pinned.get(this.#tables.records, recordKey(shopId, sequenceNumber));
    if (stored === undefined) return null;
    try {
      return decodeRecord(stored, shopId, sequenceNumber).record;
    } catch {
      return null;
    }
  }
}
