/**
 * Reads of data that survives the loss of a machine. When the wait of a commit for its second copy is cut short,
 * PostgreSQL shows the commit to readers although it is on one machine only. So each read is followed by an empty
 * commit on the same connection: once that succeeds, everything the read saw has its second copy. Waiting reads share
 * one such commit.
 */
import { asError } from '../../runtime/thrown-error.ts';
import { AuthorityUnavailableError } from '../authority.ts';
import { DamagedLogError } from '../event-log.ts';
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
  /** The confirmation that was sent, and the one to send after it. */
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
  async read<T>(ask: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      const connection = await this.#link.connection();
      const [answer] = await Promise.all([ask(connection), this.#confirm(connection)]);
      return answer;
    } catch (error) {
      if (error instanceof RangeError || error instanceof DamagedLogError) throw error;
      throw unavailable(error);
    }
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

/** The error of the port for a failed statement. */
export function unavailable(error: unknown): AuthorityUnavailableError {
  if (error instanceof AuthorityUnavailableError) return error;
  const cause = asError(error);
  return new AuthorityUnavailableError(cause.message, { cause });
}
