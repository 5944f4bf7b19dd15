/**
 * Reads of data that survives the loss of a machine. When the wait of a commit for its second copy is cut short,
 * PostgreSQL shows the commit to readers although it is on one machine only. So each read is followed by an empty
 * commit on the same connection: once that succeeds, everything the read saw has its second copy. Waiting reads share
 * one such commit.
 */
import { asError } from '../../../base/runtime/thrown-error.ts';
import { AuthorityUnavailableError } from '../authority.ts';
import { DamagedLogError, UnusableDataFileError } from '../event-log.ts';
import type { Connection, Statement } from './connection.ts';
import type { PrimaryLink } from './primary-link.ts';

/** An update without effect: of the row of this node, or of the cluster when the node is not listed. */
const CONFIRM: Statement = {
  name: 'rw_confirm',
  text: `WITH own AS (UPDATE rw_nodes SET beat = beat WHERE run = $1::uuid RETURNING run)
UPDATE rw_cluster SET epoch = epoch WHERE NOT EXISTS (SELECT FROM own)`,
};

interface Confirmation {
  readonly connection: Connection;
  readonly done: Promise<unknown>;
}

export class ConfirmedReads {
  readonly #link: PrimaryLink;
  /** The run id of this node; null while it has not joined. */
  readonly #run: () => string | null;
  /** The confirmation that was sent, and the next one, which waits for it. */
  #sent: Confirmation | null = null;
  #next: Confirmation | null = null;

  constructor(link: PrimaryLink, run: () => string | null) {
    this.#link = link;
    this.#run = run;
  }

  /**
   * Resolves with the result of `ask` once it is confirmed. `ask` must send all its statements before it awaits one.
   * Rejects with `AuthorityUnavailableError`, or the `RangeError` or `DamagedLogError` of `ask`.
   */
  read<T>(ask: (connection: Connection) => Promise<T>): Promise<T> {
    return asking(this.#link, async (connection) => {
      const [answer] = await Promise.all([ask(connection), this.#confirm(connection)]);
      return answer;
    });
  }

  #confirm(connection: Connection): Promise<unknown> {
    if (this.#next?.connection === connection) return this.#next.done;
    const sent = this.#sent?.connection === connection ? this.#sent : null;
    if (sent === null) return this.#send(connection);
    const sendNext = () => {
      this.#next = null;
      return this.#send(connection);
    };
    // Also after a lock timeout.
    const done = sent.done.then(sendNext, sendNext);
    this.#next = { connection, done };
    return done;
  }

  #send(connection: Connection): Promise<unknown> {
    const done = connection.query(CONFIRM, [this.#run()]).finally(() => {
      if (this.#sent?.connection === connection && this.#sent.done === done) this.#sent = null;
    });
    this.#sent = { connection, done };
    return done;
  }
}

/** Calls `ask` with the connection. Rejects with an error of the port, or else with `AuthorityUnavailableError`. */
export async function asking<T>(link: PrimaryLink, ask: (connection: Connection) => Promise<T>): Promise<T> {
  try {
    return await ask(await link.connection());
  } catch (error) {
    throw unavailable(error);
  }
}

const OF_PORT = [AuthorityUnavailableError, RangeError, DamagedLogError, UnusableDataFileError];

/** The error of the port for a failed statement; an error of the port stays as it is. */
export function unavailable(error: unknown): Error {
  const cause = asError(error);
  if (OF_PORT.some((kind) => cause instanceof kind)) return cause;
  return new AuthorityUnavailableError(cause.message, { cause });
}
