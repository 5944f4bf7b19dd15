/**
 * The list of nodes, and the beats of this one. A beat is three statements in this order, each with its own snapshot: the
 * raised beat, what changed, the list. In one statement the snapshot could be older than an append that a writer
 * acknowledged because it saw this beat.
 */
import { randomUUID } from 'node:crypto';
import type { Beat, NodeBeat } from '../authority.ts';
import { unavailable } from './confirmed-reads.ts';
import type { Connection, Statement } from './connection.ts';
import { LIST_NODES, nodesOf } from './node-list.ts';
import type { PrimaryLink } from './primary-link.ts';
import { STATE_COLUMNS, stateOf } from './shop-reads.ts';

const JOIN: Statement = {
  name: 'rw_join',
  text: `INSERT INTO rw_nodes (run, node, beat, reads_format, address) VALUES ($1::uuid, $2, 0, $3, $4)`,
};

/** With a number of its own for each attempt: one that was lost and comes late must not pass for a later beat. */
const RAISE: Statement = {
  name: 'rw_beat',
  text: 'UPDATE rw_nodes SET beat = $2::bigint WHERE run = $1::uuid AND beat < $2::bigint RETURNING 1',
};

/** Numbers of transactions mean something within one connection only: a promoted standby may give them out again. */
const CHANGED: Statement = {
  name: 'rw_changed',
  text: `SELECT pg_snapshot_xmin(pg_current_snapshot())::text, c.epoch, ${STATE_COLUMNS}
FROM rw_cluster c LEFT JOIN rw_heads h ON h.changed >= $1::text::xid8`,
};

const LEAVE: Statement = { name: 'rw_leave', text: 'DELETE FROM rw_nodes WHERE run = $1::uuid' };

const REMOVE: Statement = {
  name: 'rw_remove',
  text: 'DELETE FROM rw_nodes WHERE run = $1::uuid AND beat <= $2::bigint RETURNING 1',
};

const IS_LISTED: Statement = { name: 'rw_is_listed', text: 'SELECT 1 FROM rw_nodes WHERE run = $1::uuid' };

export class Membership {
  readonly #link: PrimaryLink;
  #run: string | null = null;
  /** Of the last attempt. */
  #beat = 0;
  /** Where the feed of changes stands. */
  #feed: { readonly connection: Connection; readonly cursor: string } | null = null;

  constructor(link: PrimaryLink) {
    this.#link = link;
  }

  /** Of this node; null while it is none. */
  get run(): string | null {
    return this.#run;
  }

  async join({
    node,
    readsFormat,
    address,
  }: Pick<NodeBeat, 'node' | 'readsFormat' | 'address'>): Promise<string> {
    const run = randomUUID();
    await this.#ask((connection) => connection.query(JOIN, [run, node, readsFormat, address]));
    this.#run = run;
    this.#beat = 0;
    return run;
  }

  /** As `Authority.beat`. */
  beat(): Promise<Beat | null> {
    return this.#ask(async (connection) => {
      const beat = ++this.#beat;
      const cursor = this.#feed?.connection === connection ? this.#feed.cursor : null;
      const [[raised], changed, listed] = await Promise.all([
        connection.query(RAISE, [this.#run, beat]),
        connection.query(CHANGED, [cursor]),
        connection.query(LIST_NODES),
      ]);
      const [next, epoch] = changed[0] ?? [];
      this.#feed = { connection, cursor: String(next) };
      if (raised === undefined) return null;
      const states = changed.filter(([, , shop]) => shop !== null).map(([, , ...state]) => stateOf(state));
      return {
        beat,
        epoch: Number(epoch),
        changed: cursor === null ? null : states,
        nodes: nodesOf(listed),
      };
    });
  }

  async leave(): Promise<void> {
    await this.#ask((connection) => connection.query(LEAVE, [this.#run]));
    this.#run = null;
  }

  /** As `Authority.removeNode`. */
  removeNode({ run, beat }: Pick<NodeBeat, 'run' | 'beat'>): Promise<boolean> {
    return this.#ask(async (connection) => {
      const removed = connection.query(REMOVE, [run, beat]);
      const listed = connection.query(IS_LISTED, [run]);
      return (await removed).length > 0 || (await listed).length === 0;
    });
  }

  async #ask<T>(ask: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await ask(await this.#link.connection());
    } catch (error) {
      throw unavailable(error);
    }
  }
}
