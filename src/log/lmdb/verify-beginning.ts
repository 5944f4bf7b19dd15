/**
 * Checks the beginnings of shops' logs: the entry of the beginning, its checkpoint, and the version that may be kept
 * before it, with the checkpoint before that.
 */
import type { ApiKey } from '../../domain/api-key.ts';
import { parseShopImage } from '../../domain/shop-event.ts';
import { decodeCheckpoint } from '../checkpoint-codec.ts';
import type { LogRecord } from '../event-log.ts';
import { damageOf, type RecordChain } from '../verification.ts';
import type { PinnedTables } from './log-tables.ts';
import { versionOf } from './record-indexes.ts';
import {
  keptRecordOf,
  type LogBeginning,
  NO_RECORD,
  recordKey,
  shopKey,
  unsealBeginning,
} from './table-format.ts';

export type Report = (shopId: string, sequenceNumber: number, what: string) => void;

export class BeginningCheck {
  readonly #pinned: PinnedTables;
  readonly #report: Report;

  constructor(pinned: PinnedTables, report: Report) {
    this.#pinned = pinned;
    this.#report = report;
  }

  /** Checks the entries of all shops; resolves with their number. */
  async run(): Promise<number> {
    let entries = 0;
    for await (const { key, value } of this.#pinned.entries(this.#pinned.tables.beginnings)) {
      entries++;
      const isOfShop = this.#pinned.get(this.#pinned.tables.shops, key) !== undefined;
      if (isOfShop && unsealBeginning(key, value) !== null) continue;
      this.#report(key.toString('latin1'), 0, 'the entry of its beginning is damaged');
    }
    return entries;
  }

  /** The beginning of a shop's log; `NO_RECORD` also for a damaged entry, which `run` reports. */
  of(shopId: string): LogBeginning {
    const key = shopKey(shopId);
    return unsealBeginning(key, this.#pinned.get(this.#pinned.tables.beginnings, key)) ?? NO_RECORD;
  }

  /** The API keys in the checkpoint at the beginning of a trimmed log. */
  keysAt(shopId: string, { sequenceNumber }: LogBeginning): readonly ApiKey[] {
    const name = 'the checkpoint that the log begins with';
    return this.#image(shopId, sequenceNumber, name)?.keys ?? [];
  }

  /** Checks and returns the record of the version that is kept before the beginning; null when none or damaged. */
  keptRecord(chain: RecordChain, beginning: LogBeginning): LogRecord | null {
    const { shopId } = chain;
    const { kept } = beginning;
    const number = keptRecordOf(beginning);
    if (kept === null || number === null) return null;
    if (kept.sequenceNumber > 0) {
      this.#image(shopId, kept.sequenceNumber, 'the checkpoint before the version that is kept');
    }
    const stored = this.#pinned.get(this.#pinned.tables.records, recordKey(shopId, number));
    if (stored === undefined) this.#report(shopId, number, 'it is missing');
    chain.last = kept;
    const record = stored === undefined ? null : chain.follow({ sequenceNumber: number, stored });
    if (record === null || versionOf(record) !== null) return record;
    this.#report(shopId, number, 'it is kept but makes no version');
    return null;
  }

  #image(shopId: string, at: number, name: string): ReturnType<typeof parseShopImage> | null {
    const stored = this.#pinned.get(this.#pinned.tables.checkpoints, recordKey(shopId, at));
    try {
      if (stored === undefined) throw new Error('it is missing');
      return parseShopImage(decodeCheckpoint(stored, shopId, at).image);
    } catch (error) {
      this.#report(shopId, at, `${name}: ${damageOf(error)}`);
      return null;
    }
  }
}
