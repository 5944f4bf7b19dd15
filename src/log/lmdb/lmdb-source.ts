/** Reads a whole log in LMDB from one snapshot, to copy it to another store. */

import type { MadeKey, ShopState, StoredCheckpoint, StoredRecord } from '../authority.ts';
import { DamagedLogError } from '../event-log.ts';
import type { LogSource, ShopSource } from '../log-copy.ts';
import { NO_PREVIOUS_HASH } from '../record-codec.ts';
import { unsealBeginning, unsealDigest, unsealHead, unsealHolder, unsealTime } from './index-entry.ts';
import { keptRecordOf, NO_RECORD } from './log-beginning.ts';
import { keysOf, parseRecordKey, recordKey } from './log-keys.ts';
import type { LogTables, PinnedTables } from './log-tables.ts';

/** A placeholder: LMDB does not keep the head of a deleted shop. */
const HEAD_OF_DELETED = { sequenceNumber: 1, hash: NO_PREVIOUS_HASH };

export class LmdbSource implements LogSource {
  readonly #tables: LogTables;
  readonly #pinned: PinnedTables;

  constructor(tables: LogTables, pinned: PinnedTables) {
    this.#tables = tables;
    this.#pinned = pinned;
  }

  async countRecords(): Promise<number> {
    let total = 0;
    for await (const { head, removedUpTo, keptRecord } of this.#states()) {
      total += head.sequenceNumber - removedUpTo + Math.min(1, keptRecord);
    }
    return total;
  }

  async *shops(): AsyncGenerator<ShopSource> {
    const { deletedShops } = this.#tables;
    for await (const { key } of this.#pinned.entries(deletedShops)) {
      const shopId = key.toString('latin1');
      const gone = { removedUpTo: 0, keptRecord: 0, isDeleted: true, head: HEAD_OF_DELETED };
      yield { state: { shopId, ...gone }, keys: [], checkpoints: nothing(), records: nothing() };
    }
    for await (const state of this.#states()) {
      const keys = await this.#keys(state.shopId);
      yield { state, keys, checkpoints: this.#checkpoints(state), records: this.#records(state) };
    }
  }

  async *keyUse(): AsyncGenerator<ReadonlyMap<string, number>> {
    for await (const { key, value } of this.#pinned.entries(this.#tables.keyUse)) {
      const atMs = unsealTime(key, value);
      // A damaged time of use is left out.
      if (atMs !== null) yield new Map([[key.toString('latin1'), atMs]]);
    }
  }

  async *#states(): AsyncGenerator<ShopState> {
    const { shops, beginnings } = this.#tables;
    for await (const { key, value } of this.#pinned.entries(shops)) {
      const shopId = key.toString('latin1');
      const head = unsealHead(key, value);
      const entry = this.#pinned.get(beginnings, key);
      const beginning = entry === undefined ? NO_RECORD : unsealBeginning(key, entry);
      if (head === null || beginning === null) throw new DamagedLogError(shopId, 0, 'its entry is damaged');
      const { sequenceNumber: removedUpTo } = beginning;
      yield { shopId, head, removedUpTo, keptRecord: keptRecordOf(beginning) ?? 0, isDeleted: false };
    }
  }

  async #keys(shopId: string): Promise<readonly MadeKey[]> {
    const keys: MadeKey[] = [];
    for await (const { key, value } of this.#pinned.entries(this.#tables.keyIds, keysOf(shopId))) {
      const digest = unsealDigest(key, value);
      const entry = digest === null ? undefined : this.#pinned.get(this.#tables.apiKeys, digest);
      const holder = digest === null || entry === undefined ? null : unsealHolder(digest, entry);
      const keyId = key.toString('latin1', shopId.length + 1);
      if (digest === null || holder === null)
        throw new DamagedLogError(shopId, 0, `the entry of ${keyId} is damaged`);
      // When two keys share a secret, the index holds the later key.
      if (holder.shopId === shopId && holder.keyId === keyId)
        keys.push({ digest: Buffer.from(digest), keyId, permission: holder.permission });
    }
    return keys;
  }

  async *#checkpoints({ shopId, removedUpTo, keptRecord }: ShopState): AsyncGenerator<StoredCheckpoint> {
    for await (const { key, value } of this.#pinned.entries(this.#tables.checkpoints, keysOf(shopId))) {
      const sequenceNumber = parseRecordKey(key)?.sequenceNumber ?? 0;
      // Other checkpoints are left from an interrupted removal.
      if (sequenceNumber >= removedUpTo || sequenceNumber === keptRecord - 1)
        yield { sequenceNumber, stored: Buffer.from(value) };
    }
  }

  async *#records({ shopId, head, removedUpTo, keptRecord }: ShopState): AsyncGenerator<StoredRecord> {
    if (keptRecord > 0) yield this.#record(shopId, keptRecord);
    for (let number = removedUpTo + 1; number <= head.sequenceNumber; number++)
      yield this.#record(shopId, number);
  }

  #record(shopId: string, sequenceNumber: number): StoredRecord {
    const stored = this.#pinned.get(this.#tables.records, recordKey(shopId, sequenceNumber));
    if (stored === undefined) throw new DamagedLogError(shopId, sequenceNumber, 'it is missing');
    return { sequenceNumber, stored: Buffer.from(stored) };
  }
}

async function* nothing(): AsyncGenerator<never> {}
