/**
 * Checks the index of versions against the records, shop by shop: every version has its entries, and the number of
 * entries equals the number of versions, so there are no others.
 */
import { isDeepStrictEqual } from 'node:util';
import { namesItsNumber } from '../../domain/id.ts';
import type { LogRecord, VersionEntry } from '../event-log.ts';
import type { PinnedTables } from './log-tables.ts';
import { batchRunOf, versionOf } from './record-indexes.ts';
import { keysOf, ownedIdKey, unsealNumber, unsealVersion, versionKey } from './table-format.ts';

export type Report = (shopId: string, sequenceNumber: number, what: string) => void;

/** The versions of all shops. */
export class VersionCheck {
  readonly #pinned: PinnedTables;
  readonly #report: Report;
  /** Entries of both tables that belong to shops with records. */
  #entries = 0;

  constructor(pinned: PinnedTables, report: Report) {
    this.#pinned = pinned;
    this.#report = report;
  }

  ofShop(shopId: string, isTrimmed: boolean): ShopVersionCheck {
    return new ShopVersionCheck(this.#pinned, shopId, isTrimmed, this.#report);
  }

  /** Compares the number of versions of a shop with the number of its entries. */
  finish(shop: ShopVersionCheck): void {
    const { versions, versionIds } = this.#pinned.tables;
    const { shopId, count, first } = shop;
    const end = versionKey(shopId, Number.MAX_SAFE_INTEGER);
    const all = this.#pinned.count(versions, versionKey(shopId, 0), end);
    const kept = this.#pinned.count(versions, versionKey(shopId, first), end);
    // Ids are ASCII, so this key sorts after all of them.
    const ids = this.#pinned.count(versionIds, ownedIdKey(shopId, ''), ownedIdKey(shopId, '\x7f'));
    this.#entries += all + ids;
    // Entries that an interrupted removal has left are before the first version.
    const left = count > 0 ? all - kept : all;
    const idsLeft = ids - shop.indexedIds;
    if (all - left === count && idsLeft >= 0 && idsLeft <= left) return;
    this.#report(shopId, 0, 'the index of versions has an entry of a version that no record makes');
  }

  /** Counts the entries that an interrupted deletion of the shop has left, without checking them. */
  countLeftovers(shopId: string): void {
    const { start, end } = keysOf(shopId);
    const { versions, versionIds } = this.#pinned.tables;
    this.#entries += this.#pinned.count(versions, start, end) + this.#pinned.count(versionIds, start, end);
  }

  /** Returns the number of entries of all shops; reports entries of shops without records. */
  total(): number {
    const { versions, versionIds } = this.#pinned.tables;
    const total = this.#pinned.count(versions) + this.#pinned.count(versionIds);
    if (total !== this.#entries)
      this.#report('?', 0, 'the index of versions has an entry that belongs to no shop');
    return total;
  }
}

/** The versions of one shop, followed record by record. */
export class ShopVersionCheck {
  readonly shopId: string;
  /** Number of versions so far, and the version number of the first. */
  count = 0;
  first = 0;
  /** Number of versions so far whose ids are in the index. */
  indexedIds = 0;
  readonly #pinned: PinnedTables;
  readonly #report: Report;
  /** In a trimmed log the batch run of the first version may include removed versions. */
  readonly #isTrimmed: boolean;
  #before: VersionEntry | null = null;

  constructor(pinned: PinnedTables, shopId: string, isTrimmed: boolean, report: Report) {
    this.#pinned = pinned;
    this.shopId = shopId;
    this.#isTrimmed = isTrimmed;
    this.#report = report;
  }

  follow(record: LogRecord): void {
    const version = versionOf(record);
    if (version === null) return;
    const { sequenceNumber } = record;
    const before = this.#before;
    if (before !== null && version.number !== before.version.number + 1) {
      this.#report(
        this.shopId,
        sequenceNumber,
        `its version ${version.number} does not follow the one before it`,
      );
    }
    const found = this.#entryOf(version.number);
    const isRunKnown = before !== null || !this.#isTrimmed || version.batchId === null;
    const batchRun = isRunKnown ? batchRunOf(version, before) : (found?.batchRun ?? 1);
    const expected = { version, sequenceNumber, batchRun };
    const indexed = this.#numberOf(version.id);
    const isFound = indexed === null ? namesItsNumber(version) : indexed === version.number;
    if (!isDeepStrictEqual(found, expected) || !isFound) {
      this.#report(this.shopId, sequenceNumber, 'the index entry of its version is missing or wrong');
    }
    if (indexed !== null) this.indexedIds++;
    if (this.count === 0) this.first = version.number;
    this.count++;
    this.#before = expected;
  }

  #entryOf(number: number): VersionEntry | null {
    const key = versionKey(this.shopId, number);
    return unsealVersion(key, this.#pinned.get(this.#pinned.tables.versions, key));
  }

  #numberOf(versionId: string): number | null {
    const key = ownedIdKey(this.shopId, versionId);
    return unsealNumber(key, this.#pinned.get(this.#pinned.tables.versionIds, key));
  }
}
