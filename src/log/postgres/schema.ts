/**
 * The tables of a cluster's log. Creating them needs no more than ownership of the database. Values longer than
 * `PART_BYTES` are stored in parts, because parsing a long value blocks the event loop of the client.
 */
import { randomUUID } from 'node:crypto';
import type { ClusterState } from '../authority.ts';
import { UnusableDataFileError } from '../event-log.ts';
import { RECORD_FORMAT } from '../record-codec.ts';
import { BEGIN, COMMIT, type Connection, plain, ROLLBACK, type Statement } from './connection.ts';

export const PART_BYTES = 65_536;

/** Number of the last part, from 0. */
export const lastPartOf = (stored: Buffer): number => Math.max(0, Math.ceil(stored.length / PART_BYTES) - 1);

/** Version of the tables. A program refuses a database with another one. */
const LAYOUT = 1;

/** Held while the tables are created: `IF NOT EXISTS` alone fails when several nodes start at once. */
const LOCK = plain("SELECT pg_advisory_xact_lock(hashtext('ratewright schema'))");

const TABLES = [
  // One row. Every mirror stores the id of its cluster.
  `CREATE TABLE rw_cluster (
    id uuid NOT NULL,
    layout int NOT NULL,
    epoch bigint NOT NULL,
    write_format int NOT NULL)`,
  // The last record of each shop. The row of a deleted shop stays, so that its id is never reused.
  `CREATE TABLE rw_heads (
    shop text COLLATE "C" PRIMARY KEY,
    seq bigint NOT NULL CHECK (seq > 0),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    removed bigint NOT NULL DEFAULT 0,
    kept bigint NOT NULL DEFAULT 0,
    deleted boolean NOT NULL DEFAULT false,
    changed xid8 NOT NULL DEFAULT pg_current_xact_id()) WITH (fillfactor = 70)`,
  'CREATE INDEX rw_heads_changed ON rw_heads (changed)',
  `CREATE TABLE rw_records (
    shop text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    part int NOT NULL,
    hash bytea NOT NULL,
    stored bytea NOT NULL,
    PRIMARY KEY (shop, seq, part))`,
  `CREATE TABLE rw_checkpoints (
    shop text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    part int NOT NULL,
    stored bytea NOT NULL,
    PRIMARY KEY (shop, seq, part))`,
  // Not compressed again: images are deflated already, and records are short.
  'ALTER TABLE rw_records ALTER stored SET STORAGE EXTERNAL',
  'ALTER TABLE rw_checkpoints ALTER stored SET STORAGE EXTERNAL',
  `CREATE TABLE rw_keys (
    digest bytea PRIMARY KEY,
    shop text COLLATE "C" NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    permission text NOT NULL)`,
  'CREATE INDEX rw_keys_shop ON rw_keys (shop, key_id)',
  // One row per run of a process. If a new run reused the row, beats of the old run would count as its own. `address` is
  // always null; earlier programs read and write it.
  `CREATE TABLE rw_nodes (
    run uuid PRIMARY KEY,
    node text NOT NULL,
    beat bigint NOT NULL,
    reads_format int NOT NULL,
    address text) WITH (fillfactor = 50)`,
  // What each node counted about a shop, keyed by the mirror of the node.
  `CREATE TABLE rw_texts (
    shop text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    mirror uuid NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (shop, kind, mirror))`,
  'CREATE TABLE rw_key_use (key_id text COLLATE "C" PRIMARY KEY, at_ms bigint NOT NULL)',
];

/** Reads the catalog itself: what the connection cached before it waited for the lock may be outdated. */
const IS_THERE = plain(
  "SELECT EXISTS (SELECT FROM pg_class WHERE relname = 'rw_cluster' AND pg_table_is_visible(oid))",
);

const CLUSTER: Statement = {
  name: 'rw_cluster_row',
  text: 'SELECT id::text, layout, epoch, write_format FROM rw_cluster',
};

/** A commit without effect. Once it succeeds, all earlier commits of the server have a second copy. */
export const PROOF: Statement = { name: 'rw_proof', text: 'UPDATE rw_cluster SET epoch = epoch' };

/**
 * Creates missing tables and reads the row of the cluster. Rejects with `UnusableDataFileError` when the layout is
 * another one or the format of records is later.
 */
export async function openSchema(connection: Connection): Promise<ClusterState> {
  const isThere = async () => (await connection.query(IS_THERE))[0]?.[0] === true;
  if (!(await isThere())) {
    await connection.query(BEGIN);
    try {
      await connection.query(LOCK);
      if (!(await isThere())) await createTables(connection);
      await connection.query(COMMIT);
    } catch (error) {
      if (!connection.isLost) await connection.query(ROLLBACK);
      throw error;
    }
  }
  const [row] = await connection.query(CLUSTER);
  const [id, layout, epoch, writeFormat] = row ?? [];
  if (Number(layout) !== LAYOUT) {
    throw new UnusableDataFileError(
      `the database has tables of layout ${layout}; this program knows ${LAYOUT}`,
    );
  }
  if (Number(writeFormat) > RECORD_FORMAT) throw laterFormat(Number(writeFormat), RECORD_FORMAT);
  return { id: String(id), epoch: Number(epoch), writeFormat: Number(writeFormat) };
}

/** The error of a program that reads up to `readsFormat`. */
export const laterFormat = (writeFormat: number, readsFormat: number): UnusableDataFileError =>
  new UnusableDataFileError(
    `the database has records of format ${writeFormat}; this program reads up to ${readsFormat}: install the release that the other nodes have`,
  );

async function createTables(connection: Connection): Promise<void> {
  for (const text of TABLES) await connection.query(plain(text));
  const row = plain('INSERT INTO rw_cluster VALUES ($1::uuid, $2, 1, $3)');
  await connection.query(row, [randomUUID(), LAYOUT, RECORD_FORMAT]);
}
