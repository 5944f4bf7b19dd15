/** What is kept beside the logs: results of changesets, uses of keys, and which work one node alone does. */
import { randomUUID } from 'node:crypto';
import { texts } from './append-statement.ts';
import { unavailable } from './confirmed-reads.ts';
import type { Connection, Statement } from './connection.ts';
import type { PrimaryLink } from './primary-link.ts';

const WRITE_SHADOW: Statement = {
  name: 'rw_shadow_write',
  text: `INSERT INTO rw_shadow (shop, process, results)
SELECT $1, $2::uuid, $3 FROM rw_heads WHERE shop = $1 AND NOT deleted
ON CONFLICT (shop, process) DO UPDATE SET results = EXCLUDED.results`,
};

const REMOVE_SHADOW: Statement = {
  name: 'rw_shadow_remove',
  text: 'DELETE FROM rw_shadow WHERE shop = $1 AND process = $2::uuid',
};

const READ_SHADOW: Statement = {
  name: 'rw_shadow_read',
  text: 'SELECT results FROM rw_shadow WHERE shop = $1 ORDER BY process',
};

/** In the order of the keys, so that two nodes cannot lock each other out. */
const WRITE_USE: Statement = {
  name: 'rw_use_write',
  text: `INSERT INTO rw_key_use (key_id, at_ms)
SELECT * FROM unnest($1::text[], $2::bigint[]) AS u(key_id, at_ms) ORDER BY key_id
ON CONFLICT (key_id) DO UPDATE SET at_ms = greatest(rw_key_use.at_ms, EXCLUDED.at_ms)`,
};

const READ_USE: Statement = {
  name: 'rw_use_read',
  text: 'SELECT key_id, at_ms FROM rw_key_use WHERE key_id = ANY ($1::text[])',
};

const TRY_LOCK: Statement = { name: 'rw_lock_work', text: 'SELECT pg_try_advisory_lock(hashtext($1))' };
const UNLOCK: Statement = { name: 'rw_unlock_work', text: 'SELECT pg_advisory_unlock(hashtext($1))' };

/** Results of one process: a node that is removed and joins anew stays the same process. */
export class ShadowTable {
  readonly #process = randomUUID();

  async write(connection: Connection, shopId: string, text: string | null): Promise<void> {
    if (text === null) await connection.query(REMOVE_SHADOW, [shopId, this.#process]);
    else await connection.query(WRITE_SHADOW, [shopId, this.#process, text]);
  }

  async read(connection: Connection, shopId: string): Promise<readonly string[]> {
    return (await connection.query(READ_SHADOW, [shopId])).map(([results]) => String(results));
  }
}

export async function writeKeyUse(connection: Connection, uses: ReadonlyMap<string, number>): Promise<void> {
  await connection.query(WRITE_USE, [texts([...uses.keys()]), `{${[...uses.values()].join()}}`]);
}

export async function readKeyUse(
  connection: Connection,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await connection.query(READ_USE, [texts(keyIds)]);
  return new Map(rows.map(([keyId, atMs]) => [String(keyId), Number(atMs)]));
}

/** Work that one node at a time does: a lock of the connection, which ends with it. */
export class WorkLocks {
  readonly #link: PrimaryLink;
  /** The server would give a connection the same lock twice. */
  readonly #held = new Set<string>();

  constructor(link: PrimaryLink) {
    this.#link = link;
  }

  /** As `Authority.alone`. */
  async alone(name: string, work: () => Promise<void>): Promise<boolean> {
    const lock = `ratewright work ${name}`;
    if (this.#held.has(lock)) return false;
    this.#held.add(lock);
    try {
      const connection = await this.#lock(lock);
      if (connection === null) return false;
      try {
        await work();
      } finally {
        // With a lost connection the lock is gone.
        await connection.query(UNLOCK, [lock]).catch(() => {});
      }
      return true;
    } finally {
      this.#held.delete(lock);
    }
  }

  /** The connection that holds the lock now; null when another node has it. */
  async #lock(lock: string): Promise<Connection | null> {
    try {
      const connection = await this.#link.connection();
      const [row] = await connection.query(TRY_LOCK, [lock]);
      return row?.[0] === true ? connection : null;
    } catch (error) {
      throw unavailable(error);
    }
  }
}
