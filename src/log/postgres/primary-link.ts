/**
 * Keeps one connection to the primary among several servers: all are tried at once, and the first that passes the
 * checks is used. With a `proof`, the server must also execute this commit and get its second copy: a primary that was
 * replaced passes all other checks, but can commit nothing more. A lock timeout is a sign of such a
 * primary, so the servers are tried again after one.
 */
import { asError } from '../../runtime/thrown-error.ts';
import { AuthorityUnavailableError } from '../authority.ts';
import { Connection, type ConnectionOptions, type Statement } from './connection.ts';
import { type ConnectionRules, prepareConnection } from './connection-check.ts';
import type { DatabaseHost } from './database-url.ts';

export interface LinkOptions extends ConnectionOptions, ConnectionRules {
  readonly hosts: readonly DatabaseHost[];
  /** A commit that must succeed before the server is used. */
  readonly proof: Statement | null;
  /** Runs on each new connection before it is used. */
  readonly onConnection?: (connection: Connection) => Promise<void>;
}

/** Minimum time between two rounds of attempts. */
const RETRY_MS = 100;

export class PrimaryLink {
  readonly #options: LinkOptions;
  #connection: Connection | null = null;
  #opening: Promise<Connection> | null = null;
  #triedMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** The open connection, or a new one. Rejects with `AuthorityUnavailableError`, with a reason for each server. */
  async connection(): Promise<Connection> {
    const known = this.#connection;
    if (known !== null && !known.isLost && !known.isDoubtful) return known;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  close(): void {
    this.#isClosed = true;
    this.#connection?.close();
  }

  async #open(): Promise<Connection> {
    const pauseMs = this.#triedMs + RETRY_MS - performance.now();
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    this.#triedMs = performance.now();
    const { hosts } = this.#options;
    const tries = hosts.map((host) => this.#tryHost(host));
    let connection: Connection;
    try {
      connection = await Promise.any(tries);
    } catch (error) {
      const reasons = (error as AggregateError).errors.map(
        (reason, index) => `${hosts[index]?.name}: ${asError(reason).message}`,
      );
      throw new AuthorityUnavailableError(`no database to write to: ${reasons.join('; ')}`);
    }
    for (const other of tries) {
      other.then(
        (late) => {
          if (late !== connection) late.close();
        },
        () => {},
      );
    }
    this.#connection?.close();
    this.#connection = connection;
    return connection;
  }

  async #tryHost(host: DatabaseHost): Promise<Connection> {
    this.#requireOpen();
    const { proof, onConnection } = this.#options;
    const connection = await Connection.open(host, this.#options);
    try {
      await prepareConnection(connection, this.#options);
      if (proof !== null) await connection.query(proof);
      await onConnection?.(connection);
      this.#requireOpen();
      return connection;
    } catch (error) {
      connection.close();
      throw asError(error);
    }
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new Error('the authority is closed');
  }
}
