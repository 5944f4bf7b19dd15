/**
 * The list of nodes, and the beats of this node. A beat is three statements, each with its own snapshot: raise the
 * beat, read the changes, read the list. A single statement could take its snapshot before an append that a writer
 * acknowledges because it saw this beat.
 */
import { randomUUID } from 'node:crypto';
import { asError } from '../../../base/runtime/thrown-error.ts';
import type { Beat, GroupResult, NodeBeat, NodeSelf } from '../authority.ts';
import { asking } from './confirmed-reads.ts';
import { BEGIN, COMMIT, type Connection, ConnectionLostError, plain, type Statement } from './connection.ts';
import { type DatabaseCopies, type PrimaryLink, SAFETY_COLUMNS, unsafeCommits } from './primary-link.ts';
import { laterFormat } from './schema.ts';
import { STATE_COLUMNS, stateOf } from './shop-reads.ts';

/** With the settings on which the safety of commits depends: each append and each beat sends this statement. */
const LIST_NODES: Statement = {
  name: 'rw_nodes_list',
  text: `SELECT ${SAFETY_COLUMNS.join()}, n.run::text, n.node, n.beat, n.reads_format
FROM (SELECT 1) one LEFT JOIN rw_nodes n ON true`,
};

/** Reads the list of nodes. Rejects with `ConnectionLostError` when commits of the server are not safe any more. */
export type ListNodes = (connection: Connection) => Promise<readonly NodeBeat[]>;

/** `onUnsafe` is called with the reason, and must close all connections: a new one is checked before it is used. */
export const nodeLister =
  (copies: DatabaseCopies, onUnsafe: (reason: string) => void): ListNodes =>
  async (connection) => {
    const rows = await connection.query(LIST_NODES);
    const reason = unsafeCommits(rows[0] ?? [], copies);
    if (reason !== null) {
      onUnsafe(reason);
      throw new ConnectionLostError(reason);
    }
    return rows
      .map((row) => row.slice(SAFETY_COLUMNS.length))
      .filter(([run]) => run !== null)
      .map(([run, node, beat, readsFormat]) => ({
        run: String(run),
        node: String(node),
        beat: Number(beat),
        readsFormat: Number(readsFormat),
      }));
  };

/**
 * The result of groups that are committed, from the list that is read after them. Never rejects: without the list the
 * writer does not know for whom to wait, and settling the outcome reads it again.
 */
export const appendedWith = (listed: Promise<readonly NodeBeat[]>): Promise<GroupResult> =>
  listed.then(
    (nodes) => ({ kind: 'appended', nodes }),
    (error: unknown) => ({ kind: 'outcomeUnknown', cause: asError(error) }),
  );

/** Waits while the format is being raised. Inserts nothing when the node cannot read the format. */
const JOIN: Statement = {
  name: 'rw_join',
  text: `INSERT INTO rw_nodes (run, node, beat, reads_format)
SELECT $1::uuid, $2::text, 0, $3::int
FROM (SELECT write_format FROM rw_cluster FOR SHARE) c WHERE c.write_format <= $3::int RETURNING 1`,
};

const FORMAT: Statement = { name: 'rw_format', text: 'SELECT write_format FROM rw_cluster' };

/**
 * Raises the write format to the newest one that every node reads. A separate statement takes the lock first, so that
 * no node can join after the list was read.
 */
const RAISE_FORMAT: readonly Statement[] = [
  BEGIN,
  plain('SELECT 1 FROM rw_cluster FOR UPDATE'),
  plain(`UPDATE rw_cluster SET write_format = n.lowest
FROM (SELECT min(reads_format) AS lowest FROM rw_nodes) n WHERE n.lowest > write_format`),
  COMMIT,
];

/** Each attempt has its own number, so that a delayed attempt cannot count as a later beat. */
const RAISE: Statement = {
  name: 'rw_beat',
  text: 'UPDATE rw_nodes SET beat = $2::bigint WHERE run = $1::uuid AND beat < $2::bigint RETURNING 1',
};

/**
 * The heads that the snapshot of the last beat did not show: those of transactions that began after it, and of those
 * that were under way. Transaction ids are comparable within one connection only: a promoted standby may assign them again.
 */
const CHANGED: Statement = {
  name: 'rw_changed',
  text: `SELECT pg_current_snapshot()::text, c.epoch, c.write_format,
  (extract(epoch FROM clock_timestamp()) * 1000)::bigint, ${STATE_COLUMNS}
FROM rw_cluster c LEFT JOIN rw_heads h
  ON h.changed >= pg_snapshot_xmax($1::text::pg_snapshot)
  OR h.changed = ANY (ARRAY(SELECT pg_snapshot_xip($1::text::pg_snapshot)))`,
};

const LEAVE: Statement = { name: 'rw_leave', text: 'DELETE FROM rw_nodes WHERE run = $1::uuid' };

const REMOVE: Statement = {
  name: 'rw_remove',
  text: 'DELETE FROM rw_nodes WHERE run = $1::uuid AND beat <= $2::bigint',
};

export class Membership {
  readonly #link: PrimaryLink;
  readonly #listNodes: ListNodes;
  #run: string | null = null;
  /** Number of the last attempt. */
  #beat = 0;
  /** Position in the feed of changes: the snapshot of the last beat. */
  #feed: { readonly connection: Connection; readonly snapshot: string } | null = null;

  constructor(link: PrimaryLink, listNodes: ListNodes) {
    this.#link = link;
    this.#listNodes = listNodes;
  }

  /** The run id of this node; null while it has not joined. */
  get run(): string | null {
    return this.#run;
  }

  async join(self: NodeSelf): Promise<string> {
    const { node, readsFormat } = self;
    const run = randomUUID();
    await asking(this.#link, async (connection) => {
      const joined = connection.query(JOIN, [run, node, readsFormat]);
      const format = connection.query(FORMAT);
      if ((await joined).length === 0) throw laterFormat(Number((await format)[0]?.[0]), readsFormat);
      await format;
    });
    this.#run = run;
    this.#beat = 0;
    return run;
  }

  /** As `Authority.beat`. */
  beat(): Promise<Beat | null> {
    return asking(this.#link, async (connection) => {
      const beat = ++this.#beat;
      const since = this.#feed?.connection === connection ? this.#feed.snapshot : null;
      const [[raised], changed, nodes] = await Promise.all([
        connection.query(RAISE, [this.#run, beat]),
        connection.query(CHANGED, [since]),
        this.#listNodes(connection),
      ]);
      if (raised === undefined) return null;
      const [snapshot, epoch, writeFormat, wallMs] = changed[0] ?? [];
      const states = changed
        .filter(([, , , , shop]) => shop !== null)
        .map(([, , , , ...state]) => stateOf(state));
      if (Math.min(...nodes.map(({ readsFormat }) => readsFormat)) > Number(writeFormat))
        await Promise.all(RAISE_FORMAT.map((statement) => connection.query(statement)));
      // Last: the changes of a beat that failed are named by the next one.
      this.#feed = { connection, snapshot: String(snapshot) };
      return {
        beat,
        epoch: Number(epoch),
        changed: since === null ? null : states,
        nodes,
        wallMs: Number(wallMs),
      };
    });
  }

  async leave(): Promise<void> {
    await asking(this.#link, (connection) => connection.query(LEAVE, [this.#run]));
    this.#run = null;
  }

  /** As `Authority.removeNode`. */
  async removeNode({ run, beat }: Pick<NodeBeat, 'run' | 'beat'>): Promise<void> {
    await asking(this.#link, (connection) => connection.query(REMOVE, [run, beat]));
  }
}
