/** Data beside the logs: counts of nodes about shops, uses of keys, and locks for work that one node does at a time. */
import { asking } from './confirmed-reads.ts';
import { type Asking, type Connection, numbers, type Statement, texts } from './connection.ts';
import type { PrimaryLink } from './primary-link.ts';

const WRITE_TEXT: Statement = {
  name: 'rw_text_write',
  text: `INSERT INTO rw_texts (shop, kind, mirror, body)
SELECT $1, $2, $3::uuid, $4 FROM rw_heads WHERE shop = $1 AND NOT deleted
ON CONFLICT (shop, kind, mirror) DO UPDATE SET body = EXCLUDED.body`,
};

const REMOVE_TEXT: Statement = {
  name: 'rw_text_remove',
  text: 'DELETE FROM rw_texts WHERE shop = $1 AND kind = $2 AND mirror = $3::uuid',
};

const READ_TEXTS: Statement = {
  name: 'rw_texts_read',
  text: 'SELECT mirror::text, body FROM rw_texts WHERE shop = $1 AND kind = $2',
};

/** Sorted by key, so that two nodes cannot deadlock. */
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

export const writeShopText: Asking<'writeShopText'> = async (connection, kind, shopId, mirrorId, text) => {
  if (text === null) await connection.query(REMOVE_TEXT, [shopId, kind, mirrorId]);
  else await connection.query(WRITE_TEXT, [shopId, kind, mirrorId, text]);
};

export const readShopTexts: Asking<'readShopTexts'> = async (connection, kind, shopId) => {
  const rows = await connection.query(READ_TEXTS, [shopId, kind]);
  return new Map(rows.map(([mirrorId, body]) => [String(mirrorId), String(body)]));
};

export const writeKeyUse: Asking<'writeKeyUse'> = async (connection, uses) => {
  await connection.query(WRITE_USE, [texts([...uses.keys()]), numbers([...uses.values()])]);
};

export const readKeyUse: Asking<'readKeyUse'> = async (connection, keyIds) => {
  const rows = await connection.query(READ_USE, [texts(keyIds)]);
  return new Map(rows.map(([keyId, atMs]) => [String(keyId), Number(atMs)]));
};

/** Advisory locks for work that one node does at a time. The server releases them when the connection ends. */
export class WorkLocks {
  readonly #link: PrimaryLink;
  /** Needed because the server grants the same lock to a connection twice. */
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
        // When the connection was lost, the server has released the lock.
        await connection.query(UNLOCK, [lock]).catch(() => {});
      }
      return true;
    } finally {
      this.#held.delete(lock);
    }
  }

  /** Takes the lock. Returns the connection that holds it; null when another node has it. */
  #lock(lock: string): Promise<Connection | null> {
    return asking(this.#link, async (connection) => {
      const [row] = await connection.query(TRY_LOCK, [lock]);
      return row?.[0] === true ? connection : null;
    });
  }
}
