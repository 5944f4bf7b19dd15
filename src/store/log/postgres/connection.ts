/**
 * A pipelined connection to PostgreSQL: statements are sent without waiting for earlier results. Outside of an explicit
 * `BEGIN`, each statement is a transaction.
 *
 * A statement has one of three outcomes:
 * - Rows: it is committed; a write is on a second machine.
 * - `StatementRefusedError`: the server rolled it back; it changed nothing.
 * - `ConnectionLostError`: the outcome is unknown. The connection was lost, the server was silent for too long, or it
 *   stopped waiting for the second copy. In the last case PostgreSQL sends a notice and then reports success although
 *   the commit is on one machine only; so the notice closes the connection before the success is read.
 *
 * Statements are never cancelled, because a cancelled commit is on one machine only: timeouts close the socket instead.
 */
import { Socket } from 'node:net';
import type { Client } from 'pg';
import { asError } from '../../../base/runtime/thrown-error.ts';
import type { Authority } from '../authority.ts';
import type { DatabaseHost } from './database-url.ts';

export class StatementRefusedError extends Error {
  override readonly name = 'StatementRefusedError';
  /** SQLSTATE, five characters. */
  readonly sqlState: string;

  constructor(cause: Error, sqlState: string) {
    super(`${cause.message} (${sqlState})`, { cause });
    this.sqlState = sqlState;
  }
}

export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

/** A prepared statement. Two statements with the same name must have the same text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A statement that the server does not keep prepared. */
export const plain = (text: string): Statement => ({ name: '', text });
export const BEGIN = plain('BEGIN');
export const COMMIT = plain('COMMIT');
export const ROLLBACK = plain('ROLLBACK');

export type Parameter = string | number | bigint | boolean | Buffer | null;

/** Array literals of PostgreSQL. */
export const numbers = (values: readonly number[]): string => `{${values.join()}}`;
export const texts = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join()}}`;

/** Values by position. A bigint arrives as text, a bytea as a buffer. */
export type Row = readonly (string | number | boolean | Buffer | null)[];

export interface ConnectionOptions {
  /** Shown by the server in `pg_stat_activity`. */
  readonly role: string;
  /** Milliseconds without a byte from the server after which the connection counts as lost. */
  readonly answerMsMax: number;
  readonly connectMsMax: number;
}

/** A call of the port, carried out over a connection. */
export type Asking<K extends keyof AuthorityCalls> = (
  connection: Connection,
  ...values: Parameters<AuthorityCalls[K]>
) => ReturnType<AuthorityCalls[K]>;
type AuthorityCalls = Omit<Authority, 'cluster'>;

/** Codes of notices that the server stopped waiting for a second copy: cancelled, or terminated by an operator. */
const GAVE_UP = new Set(['01000', '57P01']);
/** Codes after which the outcome of a write is unknown: the server closes the connection or reports its own fault. */
const ENDS_CONNECTION = /^(?:08|57P|58|F0|XX)/;
/** The server became a standby or read-only: another host may be the primary. */
const READ_ONLY = '25006';

/** Lock timeout. */
export const LOCKED = '55P03';

const KEEP_ALIVE_MS = 5_000;
/** The timeout grows by a millisecond per this many bytes sent. */
const BYTES_PER_MS = 10_000;

export class Connection {
  readonly host: string;
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #answerMsMax: number;
  readonly #pending = new Set<(cause: ConnectionLostError) => void>();
  #lost: ConnectionLostError | null = null;
  #isDoubtful = false;

  private constructor(host: string, client: Client, socket: Socket, answerMsMax: number) {
    this.host = host;
    this.#client = client;
    this.#socket = socket;
    this.#answerMsMax = answerMsMax;
    client.on('error', (error) => this.#lose(error.message));
    client.on('end', () => this.#lose('the connection was closed'));
    client.on('notice', ({ code, message }) => {
      // While no statement runs, these codes have other meanings.
      if (this.#pending.size > 0 && GAVE_UP.has(code ?? '')) this.#lose(message ?? 'the server gave up');
    });
  }

  /** Rejects when the server cannot be reached or refuses the connection. */
  static async open(host: DatabaseHost, options: ConnectionOptions): Promise<Connection> {
    // Imported here, so that a process without a database does not load the package.
    const { default: pg } = await import('pg');
    const socket = new Socket();
    const client = new pg.Client({
      connectionString: host.connectionString,
      application_name: `ratewright ${options.role}`,
      connectionTimeoutMillis: options.connectMsMax,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      pipeline: true,
      stream: () => socket,
    });
    client.on('error', () => {});
    try {
      await client.connect();
    } catch (error) {
      socket.destroy();
      throw asError(error);
    }
    return new Connection(host.name, client, socket, options.answerMsMax);
  }

  get isLost(): boolean {
    return this.#lost !== null;
  }

  /**
   * True after a lock timeout. On a primary that was replaced, commits wait for a second copy forever and keep their locks, so
   * statements that need these locks time out while the server still answers.
   */
  get isDoubtful(): boolean {
    return this.#isDoubtful;
  }

  /** Sends a statement; statements run in the order in which they are sent. */
  query({ name, text }: Statement, values: readonly Parameter[] = []): Promise<readonly Row[]> {
    if (this.#lost !== null) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#pending.add(reject);
      const endWatch = this.#watch(values);
      const settle = () => {
        endWatch();
        this.#pending.delete(reject);
      };
      this.#client.query({ name, text, values: [...values], rowMode: 'array' }).then(
        ({ rows }) => {
          settle();
          resolve(rows as Row[]);
        },
        (error: unknown) => {
          settle();
          reject(this.#failureOf(asError(error)));
        },
      );
    });
  }

  /** Calls `listener` with the text of notifications that other connections sent. */
  onNotification(listener: (text: string) => void): void {
    const own = (this.#client as Client & { readonly processID: number | null }).processID;
    this.#client.on('notification', ({ processId, payload = '' }) => {
      if (processId !== own) listener(payload);
    });
  }

  /** Closes the connection; pending statements reject with `ConnectionLostError`. */
  close(reason = 'the connection was closed'): void {
    if (this.#lost !== null) return;
    if (this.#pending.size === 0) this.#client.end().catch(() => {});
    this.#lose(reason, this.#pending.size > 0);
  }

  /** Closes the connection when the server is silent for too long. Returns a function that stops watching. */
  #watch(values: readonly Parameter[]): () => void {
    let bytes = 0;
    for (const value of values) if (Buffer.isBuffer(value)) bytes += value.length;
    let read = this.#socket.bytesRead;
    let timer: NodeJS.Timeout;
    const look = () => {
      if (this.#socket.bytesRead === read) {
        this.#lose(`${this.host} did not answer within ${this.#answerMsMax} ms`);
        return;
      }
      // Bytes arrive: a long result is being received.
      read = this.#socket.bytesRead;
      timer = setTimeout(look, this.#answerMsMax);
    };
    timer = setTimeout(look, this.#answerMsMax + bytes / BYTES_PER_MS);
    return () => clearTimeout(timer);
  }

  #failureOf(error: Error & { readonly code?: unknown }): Error {
    const { code } = error;
    if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || ENDS_CONNECTION.test(code)) {
      return this.#lose(error.message);
    }
    if (code === READ_ONLY) this.#lose(error.message);
    if (code === LOCKED) this.#isDoubtful = true;
    return new StatementRefusedError(error, code);
  }

  #lose(message: string, isDestroyed = true): ConnectionLostError {
    if (this.#lost !== null) return this.#lost;
    const lost = new ConnectionLostError(message);
    this.#lost = lost;
    if (isDestroyed) this.#socket.destroy();
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const reject of pending) reject(lost);
    return lost;
  }
}
