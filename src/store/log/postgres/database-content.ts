/** All that a database holds, as one transaction of this connection sees it. */
import { allShops, type ShopState, type StoredCheckpoint, type StoredRecord } from '../authority.ts';
import { DamagedLogError } from '../event-log.ts';
import type { LogContent, ShopContent, StoredKey } from '../log-content.ts';
import {
  type Connection,
  ConnectionLostError,
  type Parameter,
  type Row,
  type Statement,
  StatementRefusedError,
} from './connection.ts';
import { holderOf, readCheckpoint, readStatesAfter, readTail } from './shop-reads.ts';

const ROWS_AT_ONCE = 10_000;

const KEYS: Statement = {
  name: 'rw_copy_keys_all',
  text: 'SELECT digest, shop, key_id, permission FROM rw_keys WHERE digest > $1 ORDER BY digest LIMIT $2',
};

/** Skips checkpoints before the beginning of the log, which an interrupted removal may have left. */
const CHECKPOINTS_OF_SHOP: Statement = {
  name: 'rw_copy_checkpoints_of',
  text: `SELECT seq FROM rw_checkpoints
WHERE shop = $1 AND part = 0 AND seq >= $2::bigint ORDER BY seq`,
};

const KEY_USE: Statement = {
  name: 'rw_copy_use',
  text: 'SELECT key_id, at_ms FROM rw_key_use WHERE key_id > $1 ORDER BY key_id LIMIT $2',
};

export class DatabaseContent implements LogContent {
  readonly answersSinceMs = 0;
  readonly defects = [];
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  isOutage(error: unknown): boolean {
    return error instanceof ConnectionLostError || error instanceof StatementRefusedError;
  }

  async *shops(): AsyncGenerator<ShopContent> {
    const states = allShops((after, limit) => readStatesAfter(this.#connection, after, limit));
    for await (const state of states) {
      const [checkpoints, records] = [this.#checkpoints(state), this.#records(state)];
      yield { state, defects: [], checkpoints, records, index: null };
    }
  }

  async *keys(): AsyncGenerator<StoredKey> {
    for await (const [digest, ...holder] of this.#pages(KEYS, Buffer.alloc(0)))
      if (Buffer.isBuffer(digest)) yield { digest, holder: holderOf(holder) };
  }

  async *keyUse(): AsyncGenerator<ReadonlyMap<string, number>> {
    for await (const [keyId, atMs] of this.#pages(KEY_USE, ''))
      yield new Map([[String(keyId), Number(atMs)]]);
  }

  /** All rows, sorted by their first column. */
  async *#pages(statement: Statement, first: Parameter): AsyncGenerator<Row> {
    for (let after = first; ; ) {
      const rows = await this.#connection.query(statement, [after, ROWS_AT_ONCE]);
      yield* rows;
      const last = rows.at(-1)?.[0];
      if (last === undefined || last === null || rows.length < ROWS_AT_ONCE) return;
      after = last as Parameter;
    }
  }

  async *#checkpoints({ shopId, removedUpTo }: ShopState): AsyncGenerator<StoredCheckpoint> {
    for (const [seq] of await this.#connection.query(CHECKPOINTS_OF_SHOP, [shopId, removedUpTo])) {
      const checkpoint = await readCheckpoint(this.#connection, shopId, Number(seq));
      if (checkpoint !== null) yield checkpoint;
    }
  }

  async *#records({ shopId, head, removedUpTo }: ShopState): AsyncGenerator<StoredRecord> {
    for (let after = removedUpTo; after < head.sequenceNumber; ) {
      const { records } = await readTail(this.#connection, shopId, after);
      const last = records.at(-1);
      if (last === undefined) throw new DamagedLogError(shopId, after + 1, 'it is missing');
      yield* records;
      after = last.sequenceNumber;
    }
  }
}
