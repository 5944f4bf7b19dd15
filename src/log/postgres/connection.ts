/**
 * One connection to PostgreSQL whose statements are sent without waiting for the answers of earlier ones. Each statement
 * is a transaction of its own unless it says `BEGIN`.
 *
 * How a statement ends:
 * - Its rows: done, and for a write on a second machine.
 * - `StatementRefusedError`: the server rolled it back; nothing was done.
 * - `ConnectionLostError`: unknown. The connection was lost, or no byte came in time, or the server said that it gave up
 *   waiting for a second copy. Such a commit would be answered as done although it is on one machine only, so the notice
 *   ends the connection before that answer counts.
 *
 * A statement is never cancelled, because a cancelled commit is on one machine only: time-outs close the socket.
 */
import { Socket } from 'node:net';
import type { Client } from 'pg';
import { asError } from '../../runtime/thrown-error.ts';
import type { DatabaseHost } from './database-url.ts';

export class StatementRefusedError extends Error {
  override readonly name = 'StatementRefusedError';
  /** The code of the SQL standard, five characters. */
  readonly sqlState: string;

  constructor(cause: Error, sqlState: string) {
    super(`${cause.message} (${sqlState})`, { cause });
    this.sqlState = sqlState;
  }
}

export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

/** A prepared statement; each name has one text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export type Parameter = string | number | bigint | boolean | Buffer | null;

/** In the order of the columns. bigint comes as text, bytea as a buffer. */
export type Row = readonly (string | number | boolean | Buffer | null)[];

export interface ConnectionOptions {
  /** What the connection is for; the server shows it beside its process. */
  readonly role: string;
  /** Silence of the server, in milliseconds, after which the connection is given up. */
  readonly answerMsMax: number;
  readonly connectMsMax: number;
}

/** The server gave up waiting for a second copy: cancelled, or ended by an operator. */
const GAVE_UP = new Set(['01000', '57P01']);
/** Codes with which the server ends the connection or reports a fault of its own: what became of a write is unknown. */
const ENDS_CONNECTION = /^(?:08|57P|58|F0|XX)/;
/** It became a standby, or was made read-only: another host may be the primary. */
const READ_ONLY = '25006';

const KEEP_ALIVE_MS = 5_000;
/** Bytes sent for which the server gets a millisecond more. */
const BYTES_PER_MS = 10_000;

export class Connection {
  readonly host: string;
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #answerMsMax: number;
  readonly #pending = new Set<(cause: ConnectionLostError) => void>();
  #lost: ConnectionLostError | null = null;

  private constructor(host: string, client: Client, socket: Socket, answerMsMax: number) {
    this.host = host;
    this.#client = client;
    this.#socket = socket;
    this.#answerMsMax = answerMsMax;
    client.on('error', (error) => this.#lose(error.message));
    client.on('end', () => this.#lose('the connection was closed'));
    client.on('notice', ({ code, message }) => {
      // Outside of a statement the same codes are about other matters.
      if (this.#pending.size > 0 && GAVE_UP.has(code ?? '')) this.#lose(message ?? 'the server gave up');
    });
  }

  /** Rejects with the reason. */
  static async open(host: DatabaseHost, options: ConnectionOptions): Promise<Connection> {
    // Loaded here, so that a process without a database does without the package.
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

  /** Sends a statement behind those that were sent before. */
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

  /** Listens to notifications, of which those of this connection itself are left out. */
  onNotification(listener: () => void): void {
    const own = (this.#client as Client & { readonly processID: number | null }).processID;
    this.#client.on('notification', ({ processId }) => {
      if (processId !== own) listener();
    });
  }

  /** Ends the connection; what is under way is lost. */
  close(): void {
    if (this.#lost !== null) return;
    if (this.#pending.size === 0) this.#client.end().catch(() => {});
    this.#lose('the connection was closed', this.#pending.size > 0);
  }

  /** Gives the connection up when the server is silent for too long. Returns the end of the watch. */
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
      // A long answer is on its way.
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
