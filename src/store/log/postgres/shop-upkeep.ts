/**
 * Writes other than appends: checkpoints, trimming, deletion. All are idempotent. Removal first commits the new
 * beginning or the deletion, after which nothing reads the rows, and then deletes `ROWS_AT_ONCE` rows at a time.
 */
import type { ShopState } from '../authority.ts';
import type { Asking, Connection, Statement } from './connection.ts';
import { lastPartOf, PART_BYTES } from './schema.ts';
import { readStates } from './shop-reads.ts';

const ROWS_AT_ONCE = 2_000;

const WRITE_CHECKPOINT: Statement = {
  name: 'rw_checkpoint_write',
  text: `WITH there AS MATERIALIZED (
  SELECT FROM rw_heads WHERE shop = $1 AND NOT deleted AND $2::bigint BETWEEN greatest(removed, 1) AND seq),
shorter AS (
  DELETE FROM rw_checkpoints USING there WHERE shop = $1 AND seq = $2::bigint AND part > $4::int),
stored AS (
  INSERT INTO rw_checkpoints (shop, seq, part, stored)
  SELECT $1, $2::bigint, p.part, substring($3::bytea FROM p.part * ${PART_BYTES} + 1 FOR ${PART_BYTES})
  FROM there, generate_series(0, $4::int) AS p(part)
  ON CONFLICT (shop, seq, part) DO UPDATE SET stored = EXCLUDED.stored)
SELECT 1 FROM there`,
};

const HAS_CHECKPOINT: Statement = {
  name: 'rw_checkpoint_there',
  text: 'SELECT 1 FROM rw_checkpoints WHERE shop = $1 AND seq = $2 AND part = 0',
};

const NOTE_BEGINNING: Statement = {
  name: 'rw_trim',
  text: `UPDATE rw_heads SET removed = $2::bigint, changed = pg_current_xact_id()
WHERE shop = $1 AND NOT deleted AND removed < $2::bigint`,
};

const HEAD = 'LATERAL (SELECT removed, deleted FROM rw_heads WHERE shop = $1) h';

/** Deletes rows, oldest first, of a deleted shop or those that are `gone`. Returns the number of rows, and of values. */
const removal = (table: string, gone: string): Statement => ({
  name: table.replace('rw_', 'rw_remove_'),
  text: `WITH gone AS (
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT t.ctid FROM ${table} t, ${HEAD} WHERE t.shop = $1 AND (h.deleted OR (${gone}))
    ORDER BY t.seq, t.part LIMIT ${ROWS_AT_ONCE}))
  RETURNING part)
SELECT count(*)::int, (count(*) FILTER (WHERE part = 0))::int FROM gone`,
});
const REMOVE_RECORDS = removal('rw_records', 't.seq <= h.removed');
const REMOVE_CHECKPOINTS = removal('rw_checkpoints', 't.seq < h.removed');

/** Marks the shop as deleted, and deletes its keys and texts. */
const DELETE_SHOP: Statement = {
  name: 'rw_delete_shop',
  text: `WITH gone AS (
  UPDATE rw_heads SET deleted = true, changed = pg_current_xact_id()
  WHERE shop = $1 AND seq = $2::bigint AND hash = $3::bytea RETURNING shop),
keys AS (
  DELETE FROM rw_keys k USING gone WHERE k.shop = gone.shop RETURNING k.key_id),
uses AS (
  DELETE FROM rw_key_use u USING keys WHERE u.key_id = keys.key_id),
texts AS (
  DELETE FROM rw_texts t USING gone WHERE t.shop = gone.shop)
SELECT 1 FROM gone`,
};

export const writeCheckpoint: Asking<'writeCheckpoint'> = async (connection, shopId, checkpoint) => {
  const { sequenceNumber, stored } = checkpoint;
  const values = [shopId, sequenceNumber, stored, lastPartOf(stored)];
  const rows = await connection.query(WRITE_CHECKPOINT, values);
  if (rows.length === 0) throw new RangeError('a checkpoint stands at a record that exists');
};

export const trimShop: Asking<'trim'> = async (connection, shopId, upTo) => {
  const [[state], atEnd] = await Promise.all([
    readStates(connection, [shopId]),
    connection.query(HAS_CHECKPOINT, [shopId, upTo]),
  ]);
  if (!isTrimmable(state, upTo) || (atEnd.length === 0 && state.removedUpTo < upTo)) {
    throw new RangeError('a log is trimmed at a checkpoint before its last record');
  }
  await connection.query(NOTE_BEGINNING, [shopId, upTo]);
  await removeAll(connection, REMOVE_CHECKPOINTS, shopId);
  return removeAll(connection, REMOVE_RECORDS, shopId);
};

function isTrimmable(state: ShopState | undefined, upTo: number): state is ShopState {
  return state !== undefined && !state.isDeleted && upTo >= 1 && upTo < state.head.sequenceNumber;
}

export const deleteShop: Asking<'deleteShop'> = async (connection, shopId, expected) => {
  const deleted = await connection.query(DELETE_SHOP, [shopId, expected.sequenceNumber, expected.hash]);
  if (deleted.length === 0) return false;
  await removeAll(connection, REMOVE_CHECKPOINTS, shopId);
  await removeAll(connection, REMOVE_RECORDS, shopId);
  return true;
};

/** Repeats the statement until no rows are left. Resolves with the number of deleted records. */
async function removeAll(connection: Connection, statement: Statement, shopId: string): Promise<number> {
  let removed = 0;
  for (;;) {
    const [row] = await connection.query(statement, [shopId]);
    removed += Number(row?.[1] ?? 0);
    if (Number(row?.[0] ?? 0) < ROWS_AT_ONCE) return removed;
  }
}
