/**
 * Copies a whole log into the database, or out of it, over one connection and in one transaction: a copy that is killed
 * leaves the database unchanged. The table of heads is locked meanwhile, so no node can append.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { AuthorityUnavailableError } from '../authority.ts';
import type { LogSource, LogTarget } from '../log-copy.ts';
import { unavailable } from './confirmed-reads.ts';
import { COMMIT, type Connection, plain, ROLLBACK } from './connection.ts';
import type { DatabaseCopies } from './connection-check.ts';
import { DatabaseSource } from './database-source.ts';
import { DatabaseTarget } from './database-target.ts';
import { databaseHosts } from './database-url.ts';
import { LIST_NODES, nodesOf } from './membership.ts';
import { PrimaryLink } from './primary-link.ts';
import { openSchema, PROOF } from './schema.ts';

/** The database is in use, or not empty; the message is one line for an operator. */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';
}

/** The commit was sent, but its result was not received. */
export class CopyOutcomeUnknownError extends Error {
  override readonly name = 'CopyOutcomeUnknownError';
}

/** Long, because the final commit waits until the standbys have received everything. */
const ANSWER_MS_MAX = 300_000;
const CONNECT_MS_MAX = 5_000;
const LOCK_MS_MAX = 3_000;
/** Twenty intervals between beats of a node. */
const NODES_WATCHED_MS = 1_000;

const HAS_SHOPS = plain('SELECT EXISTS (SELECT FROM rw_heads)');

export interface DatabaseOptions {
  readonly url: string;
  readonly copies: DatabaseCopies;
}

/**
 * Creates missing tables, calls `write` with a target, and commits when it resolves. Rejects with `DatabaseInUseError`
 * when the database holds a shop or nodes use it, with `AuthorityUnavailableError`, and with `CopyOutcomeUnknownError`.
 */
export function fillDatabase<T>(
  options: DatabaseOptions,
  write: (target: LogTarget) => Promise<T>,
): Promise<T> {
  return withConnection(options, async (connection) => {
    await refuseNodes(connection);
    const result = await inTransaction(connection, 'EXCLUSIVE', async () => {
      if ((await connection.query(HAS_SHOPS))[0]?.[0] === true)
        throw new DatabaseInUseError('the database holds shops already: name an empty one');
      const target = new DatabaseTarget(connection);
      const written = await write(target);
      await target.finish();
      return written;
    });
    await connection.query(COMMIT).catch((error: unknown) => {
      throw connection.isLost ? new CopyOutcomeUnknownError(unavailable(error).message) : error;
    });
    return result;
  });
}

/** Calls `read` with a snapshot of the database. Resolves once everything in it is on a second machine. */
export function readDatabase<T>(
  options: DatabaseOptions,
  read: (source: LogSource) => Promise<T>,
): Promise<T> {
  return withConnection(options, async (connection) => {
    await refuseNodes(connection);
    const result = await inTransaction(connection, 'SHARE', () => read(new DatabaseSource(connection)));
    await connection.query(COMMIT);
    await connection.query(PROOF);
    return result;
  });
}

async function withConnection<T>(
  { url, copies }: DatabaseOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const hosts = databaseHosts(url);
  if (hosts === null) throw new RangeError('the address of the database is not postgres://host/name');
  const link = new PrimaryLink({
    ...{ hosts, copies, role: 'move', isSynchronous: true, proof: null },
    ...{ answerMsMax: ANSWER_MS_MAX, connectMsMax: CONNECT_MS_MAX, lockMsMax: ANSWER_MS_MAX },
  });
  try {
    const connection = await link.connection();
    await openSchema(connection);
    return await work(connection);
  } finally {
    link.close();
  }
}

/** Runs `work` in a transaction that holds the lock; the caller commits. */
async function inTransaction<T>(
  connection: Connection,
  lock: 'EXCLUSIVE' | 'SHARE',
  work: () => Promise<T>,
): Promise<T> {
  await connection.query(plain('BEGIN ISOLATION LEVEL REPEATABLE READ'));
  try {
    await connection.query(plain(`SET LOCAL lock_timeout = ${LOCK_MS_MAX}`));
    await connection.query(plain(`LOCK TABLE rw_heads IN ${lock} MODE`)).catch((error: unknown) => {
      throw connection.isLost ? error : new DatabaseInUseError('the database is being written');
    });
    return await work();
  } catch (error) {
    if (!connection.isLost) await connection.query(ROLLBACK).catch(() => {});
    if (connection.isLost) throw new AuthorityUnavailableError(unavailable(error).message, { cause: error });
    throw error;
  }
}

/** A node counts as live when it beats: the row of a killed node stays until another node removes it. */
async function refuseNodes(connection: Connection): Promise<void> {
  const before = nodesOf(await connection.query(LIST_NODES));
  if (before.length === 0) return;
  await wait(NODES_WATCHED_MS);
  const after = nodesOf(await connection.query(LIST_NODES));
  const live = after.find(({ run, beat }) => before.find((node) => node.run === run)?.beat !== beat);
  if (live !== undefined) throw new DatabaseInUseError(`node ${live.node} uses the database: stop all nodes`);
}
