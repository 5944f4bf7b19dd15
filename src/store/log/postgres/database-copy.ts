/**
 * Reads all that the database holds, or fills an empty one, over one connection and in one transaction: it reads one snapshot,
 * and a copy that is killed leaves the database unchanged. During a copy the table of heads is locked, so no node can append.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiKey } from '../../../engine/domain/api-key.ts';
import {
  AuthorityUnavailableError,
  type ClusterState,
  type HashedRecord,
  type RecordHead,
  type ShopState,
  type StoredCheckpoint,
} from '../authority.ts';
import type { LogContent } from '../log-content.ts';
import { CopyRefusedError, type LogTarget } from '../log-copy.ts';
import type { LogReport } from '../verification.ts';
import { verifyContent } from '../verify-content.ts';
import { HASH_AT, RecordParts } from './append-statement.ts';
import { unavailable } from './confirmed-reads.ts';
import {
  COMMIT,
  type Connection,
  type Parameter,
  plain,
  ROLLBACK,
  type Statement,
  texts,
} from './connection.ts';
import { DatabaseContent } from './database-content.ts';
import { databaseHosts } from './database-url.ts';
import { nodeLister } from './membership.ts';
import { type DatabaseCopies, PrimaryLink } from './primary-link.ts';
import { lastPartOf, openReadable, PART_BYTES, PROOF } from './schema.ts';
import { writeKeyUse } from './side-tables.ts';

/** Long, because the final commit waits until the standbys have received everything. */
const ANSWER_MS_MAX = 300_000;
const CONNECT_MS_MAX = 5_000;
const LOCK_MS_MAX = 3_000;
/** Four intervals between beats of a node where nothing happens. */
const NODES_WATCHED_MS = 2_000;

const HAS_SHOPS = plain('SELECT EXISTS (SELECT FROM rw_heads)');

const SET_PROBE: Statement = { name: 'rw_copy_probe', text: 'UPDATE rw_cluster SET probe = $1' };

export interface DatabaseOptions {
  readonly url: string;
  readonly copies: DatabaseCopies;
  /** The probe of the key that sealed the secrets in the log; null, or left out, where none was sealed. */
  readonly probe?: {
    readonly read: () => string | null;
    readonly keep: (probe: string | null) => void;
  };
}

/**
 * Creates missing tables, calls `write` with a target, and commits when it resolves. Rejects with `CopyRefusedError` when the
 * database holds a shop, when nodes use it, or when the result of the commit was not received; and with
 * `AuthorityUnavailableError`.
 */
export function fillDatabase<T>(
  options: DatabaseOptions,
  write: (target: LogTarget) => Promise<T>,
): Promise<T> {
  return withConnection(options, async (connection) => {
    await refuseNodes(connection, options.copies);
    const result = await inTransaction(connection, 'EXCLUSIVE', async () => {
      if ((await connection.query(HAS_SHOPS))[0]?.[0] === true)
        throw new CopyRefusedError('the database holds shops already: name an empty one');
      const target = new DatabaseTarget(connection);
      const written = await write(target);
      await target.finish();
      await connection.query(SET_PROBE, [options.probe?.read() ?? null]);
      return written;
    });
    await connection.query(COMMIT).catch((error: unknown) => {
      if (!connection.isLost) throw error;
      throw new CopyRefusedError(
        `it is unknown whether the move is complete (${unavailable(error).message}); try again: a database with shops has all of them`,
      );
    });
    return result;
  });
}

/** Checks every record in the database, also while nodes run. Rejects with `AuthorityUnavailableError`. */
export function verifyDatabase(options: DatabaseOptions): Promise<LogReport> {
  return withConnection(options, async (connection) => {
    const check = () => verifyContent(new DatabaseContent(connection));
    const report = await inTransaction(connection, null, check);
    await connection.query(COMMIT);
    return report;
  }).catch((error: unknown) => {
    throw unavailable(error);
  });
}

/** Calls `read` with a snapshot of the database. Resolves once everything in it is on a second machine. */
export function readDatabase<T>(
  options: DatabaseOptions,
  read: (content: LogContent) => Promise<T>,
): Promise<T> {
  return withConnection(options, async (connection, { probe }) => {
    await refuseNodes(connection, options.copies);
    const result = await inTransaction(connection, 'SHARE', () => read(new DatabaseContent(connection)));
    await connection.query(COMMIT);
    await connection.query(PROOF);
    options.probe?.keep(probe);
    return result;
  });
}

async function withConnection<T>(
  { url, copies }: DatabaseOptions,
  work: (connection: Connection, cluster: ClusterState) => Promise<T>,
): Promise<T> {
  const hosts = databaseHosts(url);
  if (hosts === null) throw new RangeError('the address of the database is not postgres://host/name');
  const link = new PrimaryLink({
    ...{ hosts, copies, role: 'move', isSynchronous: true, proof: null },
    ...{ answerMsMax: ANSWER_MS_MAX, connectMsMax: CONNECT_MS_MAX, lockMsMax: ANSWER_MS_MAX },
  });
  try {
    const connection = await link.connection();
    return await work(connection, await openReadable(connection));
  } finally {
    link.close();
  }
}

/** Runs `work` in a transaction that holds the lock, if any; the caller commits. */
async function inTransaction<T>(
  connection: Connection,
  lock: 'EXCLUSIVE' | 'SHARE' | null,
  work: () => Promise<T>,
): Promise<T> {
  await connection.query(plain('BEGIN ISOLATION LEVEL REPEATABLE READ'));
  try {
    if (lock !== null) {
      await connection.query(plain(`SET LOCAL lock_timeout = ${LOCK_MS_MAX}`));
      await connection.query(plain(`LOCK TABLE rw_heads IN ${lock} MODE`)).catch((error: unknown) => {
        throw connection.isLost ? error : new CopyRefusedError('the database is being written');
      });
    }
    return await work();
  } catch (error) {
    if (!connection.isLost) await connection.query(ROLLBACK).catch(() => {});
    if (connection.isLost) throw new AuthorityUnavailableError(unavailable(error).message, { cause: error });
    throw error;
  }
}

/** A node counts as live when it beats: the row of a killed node stays until another node removes it. */
async function refuseNodes(connection: Connection, copies: DatabaseCopies): Promise<void> {
  const listNodes = nodeLister(copies, () => {});
  const before = await listNodes(connection);
  if (before.length === 0) return;
  await wait(NODES_WATCHED_MS);
  const after = await listNodes(connection);
  const live = after.find(({ run, beat }) => before.find((node) => node.run === run)?.beat !== beat);
  if (live !== undefined) throw new CopyRefusedError(`node ${live.node} uses the database: stop all nodes`);
}

/** Records per statement are flushed from this size on; the last one may exceed it. */
const BATCH_BYTES = 1024 * 1024;
const BATCH_PARTS = 4_096;

const ADD_SHOP: Statement = {
  name: 'rw_copy_shop',
  text: `INSERT INTO rw_heads (shop, seq, hash, removed, deleted)
VALUES ($1, $2::bigint, $3::bytea, $4::bigint, $5::boolean)`,
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
  substring($2::bytea ${HASH_AT('r.i')}), substring($7::bytea FROM r.at + 1 FOR r.length)
FROM unnest($1::text[], $3::bigint[], $4::int[], $5::int[], $6::int[])
  WITH ORDINALITY AS r(shop, seq, part, at, length, i)`,
};

/** Fills the tables of an empty database. */
class DatabaseTarget implements LogTarget {
  readonly #connection: Connection;
  #batch = new RecordParts<string>();
  /** The last statement sent. The next one is prepared while it runs. */
  #sent: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async addCheckpoint(shopId: string, { sequenceNumber, stored }: StoredCheckpoint): Promise<void> {
    await this.#send(ADD_CHECKPOINT, [shopId, sequenceNumber, stored, lastPartOf(stored)]);
  }

  async addRecord(shopId: string, record: HashedRecord): Promise<void> {
    const batch = this.#batch;
    batch.add(shopId, record);
    if (batch.bytes >= BATCH_BYTES || batch.owners.length >= BATCH_PARTS) await this.#flush();
  }

  async endShop({ shopId, head, isDeleted }: ShopState, beginning: RecordHead, keys: readonly ApiKey[]) {
    const { sequenceNumber, hash } = head;
    await this.#send(ADD_SHOP, [shopId, sequenceNumber, hash, beginning.sequenceNumber, isDeleted]);
    if (keys.length === 0) return;
    await this.#send(ADD_KEYS, [
      shopId,
      Buffer.concat(keys.map(({ secretSha256 }) => Buffer.from(secretSha256, 'hex'))),
      texts(keys.map(({ id }) => id)),
      texts(keys.map(({ permission }) => permission)),
    ]);
  }

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
    await this.#send(ADD_RECORDS, [texts(batch.owners), ...batch.parameters(), batch.joined()]);
  }

  /** Sends a statement after the previous one was executed; rejects when that one failed. */
  async #send(statement: Statement, values: readonly Parameter[]): Promise<void> {
    await this.#sent;
    this.#sent = this.#connection.query(statement, values);
    // The next call of `#send` or `finish` reports the failure.
    this.#sent.catch(() => {});
  }
}
