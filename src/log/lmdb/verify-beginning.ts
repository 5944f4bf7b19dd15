/**
 * Checks where the logs of shops begin: the entry of the beginning, the checkpoint that stands there, and the
 * version that may be kept in front of it, with the checkpoint before it.
 */
import type { ApiKey } from '../../domain/api-key.ts';
import { parseShopImage } from '../../domain/shop-image.ts';
import type { LogRecord } from '../event-log.ts';
import { decodeCheckpoint, decodeRecord } from '../record-codec.ts';
import { damageOf } from './data-file.ts';
import { type LogBeginning, unsealBeginning } from './index-entry.ts';
import { keptRecordOf, NO_RECORD, notedHash } from './log-beginning.ts';
import { recordKey, shopKey } from './log-keys.ts';
import type { LogTables, PinnedTables } from './log-tables.ts';
import { versionOf } from './version-index.ts';

type Report = (shopId: string, sequenceNumber: number, what: string) => void;

export class BeginningCheck {
  readonly #tables: LogTables;
  readonly #pinned: PinnedTables;
  readonly #report: Report;

  constructor(tables: LogTables, pinned: PinnedTables, report: Report) {
    this.#tables = tables;
    this.#pinned = pinned;
    this.#report = report;
  }

  /** The entries of all shops; resolves with how many there are. */
  async run(): Promise<number> {
    let entries = 0;
    for await (const { key, value } of this.#pinned.entries(this.#tables.beginnings)) {
      entries++;
      const isOfShop = this.#pinned.get(this.#tables.shops, key) !== undefined;
      if (isOfShop && unsealBeginning(key, value) !== null) continue;
      this.#report(key.toString('latin1'), 0, 'the entry of its beginning is damaged');
    }
    return entries;
  }

  /** Damage is reported by `run`. */
  of(shopId: string): LogBeginning {
    const key = shopKey(shopId);
    const entry = this.#pinned.get(this.#tables.beginnings, key);
    return (entry === undefined ? null : unsealBeginning(key, entry)) ?? NO_RECORD;
  }

  /** Hash of a record that was removed, as `notedHash` has it. */
  hashAt(shopId: string, sequenceNumber: number): Buffer | null | undefined {
    return notedHash(this.of(shopId), sequenceNumber);
  }

  /** The keys that a trimmed log begins with. */
  keysAt(shopId: string, { sequenceNumber }: LogBeginning): readonly ApiKey[] {
    const name = 'the checkpoint that the log begins with';
    return this.#image(shopId, sequenceNumber, name)?.keys ?? [];
  }

  /** The record of the version that is kept in front of the beginning, whole and in its place, or null. */
  keptRecord(shopId: string, beginning: LogBeginning): LogRecord | null {
    const { kept } = beginning;
    const number = keptRecordOf(beginning);
    if (kept === null || number === null) return null;
    if (kept.sequenceNumber > 0) {
      this.#image(shopId, kept.sequenceNumber, 'the checkpoint before the version that is kept');
    }
    const stored = this.#pinned.get(this.#tables.records, recordKey(shopId, number));
    try {
      if (stored === undefined) throw new Error('it is missing');
      const { record, previousHash } = decodeRecord(stored, shopId, number);
      if (!previousHash.equals(kept.hash)) throw new Error('it does not follow the record before it');
      if (versionOf(record) === null) throw new Error('it is kept and makes no version');
      return record;
    } catch (error) {
      this.#report(shopId, number, damageOf(error));
      return null;
    }
  }

  #image(shopId: string, at: number, name: string): ReturnType<typeof parseShopImage> | null {
    const stored = this.#pinned.get(this.#tables.checkpoints, recordKey(shopId, at));
    try {
      if (stored === undefined) throw new Error('it is missing');
      return parseShopImage(decodeCheckpoint(stored, shopId, at).image);
    } catch (error) {
      this.#report(shopId, at, `${name}: ${damageOf(error)}`);
      return null;
    }
  }
}
