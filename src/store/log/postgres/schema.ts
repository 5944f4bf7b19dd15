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
const LAYOUT = 3;

/** Held while the tables are created: `IF NOT EXISTS` alone fails when several nodes start at once. */
const LOCK = plain("SELECT pg_advisory_xact_lock(hashtext('ratewright schema'))");
/** Also on a connection whose other commits need not wait for a second copy. */
const SYNCHRONOUS = plain('SET LOCAL synchronous_commit = on');

const TABLES = [
  // One row. Every mirror stores the id of its cluster. `probe`: see `ClusterState`.
  `CREATE TABLE rw_cluster (
    id uuid NOT NULL,
    layout int NOT NULL,
    epoch bigint NOT NULL,
    write_format int NOT NULL,
    probe text)`,
  // The last record of each shop. The row of a deleted shop stays, so that its id is never reused.
  `CREATE TABLE rw_heads (
    shop text COLLATE "C" PRIMARY KEY,
    seq bigint NOT NULL CHECK (seq > 0),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    removed bigint NOT NULL DEFAULT 0,
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
  // One row per run of a process. If a new run reused the row, beats of the old run would count as its own.
  `CREATE TABLE rw_nodes (
    run uuid PRIMARY KEY,
    node text NOT NULL,
    beat bigint NOT NULL,
    reads_format int NOT NULL) WITH (fillfactor = 50)`,
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
  // As one value, because tables of another layout have other columns.
  text: 'SELECT to_jsonb(c)::text FROM rw_cluster c',
};

interface ClusterRow {
  readonly id: string;
  readonly layout: number;
  readonly epoch: number;
  readonly write_format: number;
  readonly probe: string | null;
}

const KEEP_PROBE: Statement = {
  name: 'rw_probe',
  text: 'UPDATE rw_cluster SET probe = $1 WHERE probe IS NULL',
};

/** What a process requires of the cluster. */
export interface ClusterGuard {
  /** For a cluster that has no probe yet; null for a process without a key. */
  readonly probe: string | null;
  /** Called with each new connection. Throws `UnusableDataFileError` when the process must not use the cluster. */
  admit(cluster: ClusterState): void;
}

/** A commit without effect. Once it succeeds, all earlier commits of the server have a second copy. */
export const PROOF: Statement = { name: 'rw_proof', text: 'UPDATE rw_cluster SET epoch = epoch' };

/**
 * Creates missing tables and the probe, and reads the row of the cluster. Rejects with `UnusableDataFileError` when the
 * layout is another one, or the guard does not admit the cluster.
 */
export async function openSchema(connection: Connection, guard?: ClusterGuard): Promise<ClusterState> {
  const isThere = async () => (await connection.query(IS_THERE))[0]?.[0] === true;
  if (!(await isThere())) {
    await connection.query(BEGIN);
    try {
      await connection.query(SYNCHRONOUS);
      await connection.query(LOCK);
      if (!(await isThere())) await createTables(connection);
      await connection.query(COMMIT);
    } catch (error) {
      if (!connection.isLost) await connection.query(ROLLBACK);
      throw error;
    }
  }
  let cluster = await readCluster(connection);
  guard?.admit(cluster);
  if (cluster.probe === null && guard !== undefined && guard.probe !== null) {
    await connection.query(KEEP_PROBE, [guard.probe]);
    cluster = await readCluster(connection);
    guard.admit(cluster);
  }
  return cluster;
}

async function readCluster(connection: Connection): Promise<ClusterState> {
  const [row] = await connection.query(CLUSTER);
  const { id, layout, epoch, write_format, probe } = JSON.parse(String(row?.[0] ?? '{}')) as ClusterRow;
  if (layout !== LAYOUT) {
    throw new UnusableDataFileError(
      `the database has tables of layout ${layout}; this program knows ${LAYOUT}`,
    );
  }
  return { id, epoch, writeFormat: write_format, probe };
}

/** As `openSchema`. Rejects also when this program cannot read all records. */
export async function openReadable(connection: Connection, guard?: ClusterGuard): Promise<ClusterState> {
  const cluster = await openSchema(connection, guard);
  if (cluster.writeFormat > RECORD_FORMAT) throw laterFormat(cluster.writeFormat, RECORD_FORMAT);
  return cluster;
}

/** The error of a program that reads up to `readsFormat`. */
export const laterFormat = (writeFormat: number, readsFormat: number): UnusableDataFileError =>
  new UnusableDataFileError(
    `the database has records of format ${writeFormat}; this program reads up to ${readsFormat}: install the release that the other nodes have`,
  );

async function createTables(connection: Connection): Promise<void> {
  for (const text of TABLES) await connection.query(plain(text));
  const row = plain('INSERT INTO rw_cluster VALUES ($1::uuid, $2, 1, $3, NULL)');
  await connection.query(row, [randomUUID(), LAYOUT, RECORD_FORMAT]);
}
