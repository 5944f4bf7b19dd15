/** Reads all shops of a database, so that they can be copied to another store; see `readDatabase`. */
import {
  allShops,
  type MadeKey,
  type ShopState,
  type StoredCheckpoint,
  type StoredRecord,
} from '../authority.ts';
import { DamagedLogError, type KeyHolder } from '../event-log.ts';
import type { LogSource, ShopSource } from '../log-copy.ts';
import type { Connection, Statement } from './connection.ts';
import { readCheckpoint, readStatesAfter, readTail } from './shop-reads.ts';

const KEYS_AT_ONCE = 10_000;

const COUNT: Statement = {
  name: 'rw_copy_count',
  text: 'SELECT coalesce(sum(seq - removed + least(kept, 1)), 0)::bigint FROM rw_heads WHERE NOT deleted',
};

const KEYS_OF_SHOP: Statement = {
  name: 'rw_copy_keys_of',
  text: 'SELECT digest, key_id, permission FROM rw_keys WHERE shop = $1 ORDER BY key_id',
};

/** Skips checkpoints before the beginning of the log, which an interrupted removal may have left. */
const CHECKPOINTS_OF_SHOP: Statement = {
  name: 'rw_copy_checkpoints_of',
  text: `SELECT seq FROM rw_checkpoints
WHERE shop = $1 AND part = 0 AND (seq >= $2::bigint OR seq = $3::bigint - 1) ORDER BY seq`,
};

const KEY_USE: Statement = {
  name: 'rw_copy_use',
  text: 'SELECT key_id, at_ms FROM rw_key_use WHERE key_id > $1 ORDER BY key_id LIMIT $2',
};

export class DatabaseSource implements LogSource {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async countRecords(): Promise<number> {
    const [row] = await this.#connection.query(COUNT);
    return Number(row?.[0]);
  }

  async *shops(): AsyncGenerator<ShopSource> {
    const states = allShops((after, limit) => readStatesAfter(this.#connection, after, limit));
    for await (const state of states) {
      const keys = state.isDeleted ? [] : await this.#keys(state.shopId);
      yield { state, keys, checkpoints: this.#checkpoints(state), records: this.#records(state) };
    }
  }

  async *keyUse(): AsyncGenerator<ReadonlyMap<string, number>> {
    for (let after = ''; ; ) {
      const rows = await this.#connection.query(KEY_USE, [after, KEYS_AT_ONCE]);
      if (rows.length === 0) return;
      yield new Map(rows.map(([keyId, atMs]) => [String(keyId), Number(atMs)]));
      after = String(rows.at(-1)?.[0]);
    }
  }

  async #keys(shopId: string): Promise<readonly MadeKey[]> {
    const rows = await this.#connection.query(KEYS_OF_SHOP, [shopId]);
    return rows.map(([digest, keyId, permission]) => ({
      digest: Buffer.isBuffer(digest) ? digest : Buffer.alloc(0),
      keyId: String(keyId),
      permission: permission as KeyHolder['permission'],
    }));
  }

  async *#checkpoints({ shopId, removedUpTo, keptRecord }: ShopState): AsyncGenerator<StoredCheckpoint> {
    const values = [shopId, removedUpTo, keptRecord];
    for (const [seq] of await this.#connection.query(CHECKPOINTS_OF_SHOP, values)) {
      const checkpoint = await readCheckpoint(this.#connection, shopId, Number(seq));
      if (checkpoint !== null) yield checkpoint;
    }
  }

  async *#records({ shopId, head, removedUpTo, keptRecord }: ShopState): AsyncGenerator<StoredRecord> {
    if (keptRecord > 0) yield* (await readTail(this.#connection, shopId, keptRecord - 1, keptRecord)).records;
    for (let after = removedUpTo; after < head.sequenceNumber; ) {
      const { records } = await readTail(this.#connection, shopId, after);
      const last = records.at(-1);
      if (last === undefined) throw new DamagedLogError(shopId, after + 1, 'it is missing');
      yield* records;
      after = last.sequenceNumber;
    }
  }
}
