/** Fills the tables of an empty database with the shops of another store; see `fillDatabase`. */
import type { HashedRecord, StoredCheckpoint } from '../authority.ts';
import type { LogTarget, ShopSource } from '../log-copy.ts';
import { NO_PREVIOUS_HASH } from '../record-codec.ts';
import { HASH_AT, RecordParts } from './append-statement.ts';
import { type Connection, type Parameter, type Statement, texts } from './connection.ts';
import { lastPartOf, PART_BYTES } from './schema.ts';
import { writeKeyUse } from './side-tables.ts';

/** Records per statement are flushed from this size on; the last one may exceed it. */
const BATCH_BYTES = 1024 * 1024;
const BATCH_PARTS = 4_096;

const ADD_SHOP: Statement = {
  name: 'rw_copy_shop',
  text: `INSERT INTO rw_heads (shop, seq, hash, removed, kept, deleted)
VALUES ($1, $2::bigint, $3::bytea, $4::bigint, $5::bigint, $6::boolean)`,
};

const ADD_KEYS: Statement = {
  name: 'rw_copy_keys',
  text: `INSERT INTO rw_keys (digest, shop, key_id, permission)
SELECT substring($2::bytea ${HASH_AT('k.i')}), $1, k.key_id, k.permission
FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS k(key_id, permission, i)`,
};

const ADD_CHECKPOINT: Statement = {
  name: 'rw_copy_checkpoint',
  text: `INSERT INTO rw_checkpoints (shop, seq, part, stored)
SELECT $1, $2::bigint, p.part, substring($3::bytea FROM p.part * ${PART_BYTES} + 1 FOR ${PART_BYTES})
FROM generate_series(0, $4::int) AS p(part)`,
};

const ADD_RECORDS: Statement = {
  name: 'rw_copy_records',
  text: `INSERT INTO rw_records (shop, seq, part, hash, stored)
SELECT r.shop, r.seq, r.part,
  substring($2::bytea ${HASH_AT('r.i')}), substring($3::bytea FROM r.at + 1 FOR r.length)
FROM unnest($1::text[], $4::bigint[], $5::int[], $6::int[], $7::int[])
  WITH ORDINALITY AS r(shop, seq, part, at, length, i)`,
};

export class DatabaseTarget implements LogTarget {
  readonly #connection: Connection;
  #batch = new RecordParts<string>();
  /** The last statement sent. The next one is prepared while it runs. */
  #sent: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  addDeletedShop(shopId: string): Promise<void> {
    return this.#send(ADD_SHOP, [shopId, 1, NO_PREVIOUS_HASH, 0, 0, true]);
  }

  async startShop({ state, keys }: ShopSource): Promise<void> {
    const { shopId, head, removedUpTo, keptRecord } = state;
    await this.#send(ADD_SHOP, [shopId, head.sequenceNumber, head.hash, removedUpTo, keptRecord, false]);
    if (keys.length === 0) return;
    await this.#send(ADD_KEYS, [
      shopId,
      Buffer.concat(keys.map(({ digest }) => digest)),
      texts(keys.map(({ keyId }) => keyId)),
      texts(keys.map(({ permission }) => permission)),
    ]);
  }

  async addCheckpoint(shopId: string, { sequenceNumber, stored }: StoredCheckpoint): Promise<void> {
    await this.#send(ADD_CHECKPOINT, [shopId, sequenceNumber, stored, lastPartOf(stored)]);
  }

  async addRecord(shopId: string, record: HashedRecord): Promise<void> {
    const batch = this.#batch;
    batch.add(shopId, record);
    if (batch.bytes >= BATCH_BYTES || batch.owners.length >= BATCH_PARTS) await this.#flush();
  }

  async endShop(): Promise<void> {}

  async addKeyUse(uses: ReadonlyMap<string, number>): Promise<void> {
    await this.#sent;
    await writeKeyUse(this.#connection, uses);
  }

  /** Resolves when all statements have been executed. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#sent;
  }

  async #flush(): Promise<void> {
    const batch = this.#batch;
    if (batch.owners.length === 0) return;
    this.#batch = new RecordParts();
    await this.#send(ADD_RECORDS, [texts(batch.owners), ...batch.parameters()]);
  }

  /** Sends a statement after the previous one was executed; rejects when that one failed. */
  async #send(statement: Statement, values: readonly Parameter[]): Promise<void> {
    await this.#sent;
    this.#sent = this.#connection.query(statement, values);
    // The next call of `#send` or `finish` reports the failure.
    this.#sent.catch(() => {});
  }
}
