/**
 * Reads of shops: states, records, checkpoints. Each read is one statement, so that it has one snapshot. Where the
 * result must survive the loss of a machine, `ConfirmedReads` runs it.
 */
import type { ShopState, StoredCheckpoint, StoredRecord } from '../authority.ts';
import { DamagedLogError, type KeyHolder } from '../event-log.ts';
import { type Asking, type Row, type Statement, texts } from './connection.ts';

/** Maximum bytes of records per read; the last record may exceed it. */
const READ_BYTES_MAX = 4 * 1024 * 1024;
const READ_RECORDS_MAX = 4096;
const LAST = Number.MAX_SAFE_INTEGER;

export const STATE_COLUMNS = 'shop, seq, hash, removed, deleted';

const SHOP_STATES: Statement = {
  name: 'rw_states',
  text: `SELECT ${STATE_COLUMNS} FROM rw_heads WHERE shop = ANY ($1::text[])`,
};

const STATES_AFTER: Statement = {
  name: 'rw_states_after',
  text: `SELECT ${STATE_COLUMNS} FROM rw_heads WHERE shop > $1 ORDER BY shop LIMIT $2`,
};

/** The first column of a read; it sorts the rows before number and part. */
const KIND = { state: 0, checkpoint: 1, record: 2 } as const;

/** Records after `after`. The limit of bytes never splits a record: all its parts have the same `before`. */
const records = (after: string, upTo: string) => `
  SELECT seq, part, stored,
    coalesce(sum(octet_length(stored)) OVER (ORDER BY seq RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
  FROM rw_records
  WHERE shop = $1 AND seq > ${after} AND seq <= least(${upTo}, ${after} + ${READ_RECORDS_MAX})`;

const HEAD_ROWS = `
SELECT ${KIND.state} AS kind, seq, 0 AS part, hash AS bytes, removed, deleted FROM rw_heads WHERE shop = $1`;

const RECORD_ROWS = `
SELECT ${KIND.record}, seq, part, stored, 0, false FROM r WHERE before < ${READ_BYTES_MAX}`;

const TAIL: Statement = {
  name: 'rw_tail',
  text: `WITH r AS (${records('$2::bigint', '$3::bigint')})${HEAD_ROWS}
UNION ALL${RECORD_ROWS}
ORDER BY 1, 2, 3`,
};

const newest = (atMost: string) =>
  `(SELECT max(seq) FROM rw_checkpoints WHERE shop = $1 AND seq <= ${atMost})`;
const CHECKPOINT_ROWS = (atMost: string) => `
SELECT ${KIND.checkpoint} AS kind, seq, part, stored, 0, false FROM rw_checkpoints
WHERE shop = $1 AND seq = ${newest(atMost)}`;

const START: Statement = {
  name: 'rw_start',
  text: `WITH c AS MATERIALIZED (SELECT coalesce(${newest('$2::bigint')}, 0) AS seq),
r AS (${records('(SELECT seq FROM c)', '$2::bigint')})${HEAD_ROWS}
UNION ALL${CHECKPOINT_ROWS('$2::bigint')}
UNION ALL${RECORD_ROWS}
ORDER BY 1, 2, 3`,
};

const CHECKPOINT: Statement = {
  name: 'rw_checkpoint',
  text: `${CHECKPOINT_ROWS('$2::bigint')} ORDER BY part`,
};

const HASH_AT: Statement = {
  name: 'rw_hash_at',
  text: 'SELECT hash FROM rw_records WHERE shop = $1 AND seq = $2 AND part = 0',
};

const KEYS: Statement = {
  name: 'rw_keys_by_digest',
  text: `SELECT d.i::int, k.shop, k.key_id, k.permission
FROM generate_series(1, $2::int) AS d(i)
JOIN rw_keys k ON k.digest = substring($1::bytea FROM (d.i - 1) * 32 + 1 FOR 32)`,
};

/** Converts a row with the columns `STATE_COLUMNS`. */
export const stateOf = ([shop, seq, hash, removed, deleted]: Row): ShopState => ({
  shopId: String(shop),
  head: { sequenceNumber: Number(seq), hash: bytesOf(hash) },
  removedUpTo: Number(removed),
  isDeleted: deleted === true,
});

const bytesOf = (value: Row[number] | undefined): Buffer =>
  Buffer.isBuffer(value) ? value : Buffer.alloc(0);

export const readStates: Asking<'states'> = async (connection, shopIds) =>
  (await connection.query(SHOP_STATES, [texts(shopIds)])).map(stateOf);

export const readStatesAfter: Asking<'statesAfter'> = async (connection, afterShopId, limit) =>
  (await connection.query(STATES_AFTER, [afterShopId, limit])).map(stateOf);

export const readTail: Asking<'tail'> = async (connection, shopId, after, upTo = LAST) => {
  const rows = await connection.query(TAIL, [shopId, after, upTo]);
  const state = stateIn(shopId, rows);
  return { state, records: recordsIn(rows, state, after, upTo) };
};

export const readStart: Asking<'start'> = async (connection, shopId) => {
  const rows = await connection.query(START, [shopId, LAST]);
  const state = stateIn(shopId, rows);
  const checkpoint = state?.isDeleted === false ? checkpointIn(rows) : null;
  const records = recordsIn(rows, state, checkpoint?.sequenceNumber ?? 0, LAST);
  return { state, checkpoint, records };
};

export const readCheckpoint: Asking<'checkpoint'> = async (connection, shopId, atMost = LAST) =>
  checkpointIn(await connection.query(CHECKPOINT, [shopId, atMost]));

export const readHashAt: Asking<'hashAt'> = async (connection, shopId, sequenceNumber) => {
  const [row] = await connection.query(HASH_AT, [shopId, sequenceNumber]);
  return row === undefined ? null : bytesOf(row[0]);
};

export const readKeys: Asking<'keys'> = async (connection, digests) => {
  const holders: (KeyHolder | null)[] = digests.map(() => null);
  const rows = await connection.query(KEYS, [Buffer.concat(digests), digests.length]);
  for (const [place, ...holder] of rows) holders[Number(place) - 1] = holderOf(holder);
  return holders;
};

export const holderOf = ([shop, keyId, permission]: Row): KeyHolder => ({
  shopId: String(shop),
  keyId: String(keyId),
  permission: permission as KeyHolder['permission'],
});

const ofKind = (rows: readonly Row[], kind: number): readonly Row[] => rows.filter((row) => row[0] === kind);

function stateIn(shopId: string, rows: readonly Row[]): ShopState | null {
  const [row] = ofKind(rows, KIND.state);
  if (row === undefined) return null;
  const [, seq, , hash, removed, deleted] = row;
  return stateOf([shopId, seq ?? null, hash ?? null, removed ?? null, deleted ?? null]);
}

/** Joins the parts of each value. The rows are sorted by number and part. */
function joined(rows: readonly Row[]): readonly StoredRecord[] {
  const values: { sequenceNumber: number; parts: Buffer[] }[] = [];
  for (const [, seq, , bytes] of rows) {
    const sequenceNumber = Number(seq);
    const last = values.at(-1);
    if (last?.sequenceNumber === sequenceNumber) last.parts.push(bytesOf(bytes));
    else values.push({ sequenceNumber, parts: [bytesOf(bytes)] });
  }
  return values.map(({ sequenceNumber, parts }) => ({
    sequenceNumber,
    stored: parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts),
  }));
}

const checkpointIn = (rows: readonly Row[]): StoredCheckpoint | null =>
  joined(ofKind(rows, KIND.checkpoint))[0] ?? null;

/** The records after `after`, up to the first gap. Throws `DamagedLogError` when the first record is missing. */
function recordsIn(
  rows: readonly Row[],
  state: ShopState | null,
  after: number,
  upTo: number,
): readonly StoredRecord[] {
  if (state === null || state.isDeleted) return [];
  const all = joined(ofKind(rows, KIND.record));
  const gap = all.findIndex(({ sequenceNumber }, index) => sequenceNumber !== after + index + 1);
  const following = gap < 0 ? all : all.slice(0, gap);
  const isExpected = after >= state.removedUpTo && after < Math.min(upTo, state.head.sequenceNumber);
  if (following.length === 0 && isExpected)
    throw new DamagedLogError(state.shopId, after + 1, 'it is missing');
  return following;
}
