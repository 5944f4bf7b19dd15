/**
 * Collects the changes of all tables for consecutive records: the records, and the indexes derived from their events.
 */
import type { RecordHead } from '../authority.ts';
import type { NewRecord } from '../event-log.ts';
import { answerChange } from './answer-index.ts';
import { sealHead } from './index-entry.ts';
import { KeyIndexChanges } from './key-index.ts';
import { recordKey, shopKey } from './log-keys.ts';
import type { Change, LogTables } from './log-tables.ts';
import { shopTextChange } from './shop-entries.ts';
import { VersionIndexChanges } from './version-index.ts';

export class RecordChanges {
  readonly #tables: LogTables;
  readonly #shopId: string;
  readonly #changes: Change[] = [];
  readonly #keys: KeyIndexChanges;
  readonly #versions: VersionIndexChanges;

  constructor(tables: LogTables, shopId: string) {
    this.#tables = tables;
    this.#shopId = shopId;
    this.#keys = new KeyIndexChanges(tables, shopId);
    this.#versions = new VersionIndexChanges(tables, shopId);
  }

  /** `stored` is the stored form of the record; the caller must not change it afterwards. */
  add(record: NewRecord, sequenceNumber: number, stored: Buffer): void {
    const tables = this.#tables;
    const shopId = this.#shopId;
    const changes = this.#changes;
    changes.push({ table: tables.records, key: recordKey(shopId, sequenceNumber), value: stored });
    const { answer, atMs } = record;
    if (answer !== undefined) changes.push(answerChange(tables, shopId, sequenceNumber, { atMs, answer }));
    if (record.event.kind === 'stagingEnded')
      changes.push(shopTextChange(tables, 'shadowResults', shopId, null));
    this.#keys.addTo(changes, record);
    this.#versions.addTo(changes, record, sequenceNumber, stored);
  }

  /** Returns all changes, with `head` as the shop's last record. */
  upTo(head: RecordHead): readonly Change[] {
    const key = shopKey(this.#shopId);
    return [...this.#changes, { table: this.#tables.shops, key, value: sealHead(key, head) }];
  }
}
