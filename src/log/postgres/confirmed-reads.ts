/**
 * Reads whose result survives the loss of a machine. PostgreSQL shows a commit to others once it is written, also when
 * its wait for a second copy was cut short. So behind each read goes a commit on the same connection: when that is
 * answered, all that the read saw has its second copy. Reads that wait share one such commit.
 */
import { asError } from '../../runtime/thrown-error.ts';
import { AuthorityUnavailableError } from '../authority.ts';
import { DamagedLogError } from '../event-log.ts';
import type { Connection, Statement } from './connection.ts';
import type { PrimaryLink } from './primary-link.ts';

/** Changes nothing, in the row of this node, or of the cluster when the node is not on the list. */
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
  /** Of this node; null while it is none. */
  readonly #run: () => string | null;
  /** Under way, and the one that is sent after it. */
  #sent: Confirmation | null = null;
  #next: Confirmation | null = null;

  constructor(link: PrimaryLink, run: () => string | null) {
    this.#link = link;
    this.#run = run;
  }

  /**
   * Resolves with what `ask` reads once it is confirmed. `ask` sends all of its statements before it waits for one.
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
    // Also after a refused one, which waited for a lock for too long: the connection goes on.
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

/** What a failed statement means to the caller of the port. */
export function unavailable(error: unknown): AuthorityUnavailableError {
  if (error instanceof AuthorityUnavailableError) return error;
  const cause = asError(error);
  return new AuthorityUnavailableError(cause.message, { cause });
}
