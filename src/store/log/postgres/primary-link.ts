/**
 * Keeps one connection to the primary among several servers: all are tried at once, and the first that passes the
 * checks is used. With a `proof`, the server must also execute this commit and get its second copy: a primary that was
 * replaced passes all other checks, but can commit nothing more. A lock timeout is a sign of such a
 * primary, so the servers are tried again after one.
 */
import { asError } from '../../../base/runtime/thrown-error.ts';
import { AuthorityUnavailableError } from '../authority.ts';
import { UnusableDataFileError } from '../event-log.ts';
import { Connection, type ConnectionOptions, type Row, type Statement, texts } from './connection.ts';
import type { DatabaseHost } from './database-url.ts';

/** Where commits have their second copy: on standbys of this server, or in the storage of a managed service. */
export type DatabaseCopies = 'standbys' | 'managed';

const VERSION_MIN = 130_000;

interface ConnectionRules {
  readonly copies: DatabaseCopies;
  /** False when commits need not wait for a second copy. */
  readonly isSynchronous: boolean;
  /** Maximum milliseconds that a statement waits for a lock, and an open transaction for its next statement. */
  readonly lockMsMax: number;
}

export interface LinkOptions extends ConnectionOptions, ConnectionRules {
  readonly hosts: readonly DatabaseHost[];
  /** Checks the database of each new connection. Rejects with `UnusableDataFileError` when it must not be used. */
  readonly admit?: (connection: Connection) => Promise<unknown>;
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

  /**
   * The open connection, or a new one. Rejects with `AuthorityUnavailableError`, with a reason for each server, or with
   * the `UnusableDataFileError` of one of them.
   */
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

  /** Closes the connection for this reason; the next one is checked before it is used. */
  reopen(reason: string): void {
    this.#connection?.close(reason);
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
      const causes = (error as AggregateError).errors.map(asError);
      const unusable = causes.find((cause) => cause instanceof UnusableDataFileError);
      if (unusable !== undefined) throw unusable;
      const reasons = causes.map(({ message }, index) => `${hosts[index]?.name}: ${message}`);
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
    const { admit, proof, onConnection } = this.#options;
    const connection = await Connection.open(host, this.#options);
    try {
      await prepareConnection(connection, this.#options);
      await admit?.(connection);
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

const SETTINGS_APPLIED: Statement = {
  name: 'rw_settings',
  text: `SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS s(name, value)`,
};

/** The settings of a server that decide whether an answered commit survives; see `unsafeCommits`. */
export const SAFETY_COLUMNS = [
  "current_setting('synchronous_standby_names')",
  "current_setting('fsync')",
] as const;

const SERVER: Statement = {
  name: 'rw_server',
  text: `SELECT ${SAFETY_COLUMNS.join()}, current_setting('server_version_num')::int, pg_is_in_recovery(),
  current_setting('transaction_read_only'), current_setting('server_encoding')`,
};

const connectionSettings = ({
  isSynchronous,
  lockMsMax,
}: ConnectionRules): Readonly<Record<string, string>> => ({
  synchronous_commit: isSynchronous ? 'on' : 'off',
  // A warning is all that tells of a commit whose wait for its second copy was cut short.
  client_min_messages: 'warning',
  default_transaction_isolation: 'read committed',
  statement_timeout: '0',
  // A commit that waits for its second copy keeps its row locked, even after its client has left. Without a timeout,
  // statements that need the row would pile up behind it.
  lock_timeout: String(lockMsMax),
  idle_in_transaction_session_timeout: String(lockMsMax),
  bytea_output: 'hex',
  jit: 'off',
  // All statements look up a few rows by key. While tables are small, the planner would prefer scans.
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
});

/** Checks and prepares a new connection. Rejects with a one-line reason when the server is not usable. */
async function prepareConnection(connection: Connection, rules: ConnectionRules): Promise<void> {
  const settings = Object.entries(connectionSettings(rules));
  const [, [server]] = await Promise.all([
    connection.query(SETTINGS_APPLIED, [
      texts(settings.map(([name]) => name)),
      texts(settings.map(([, value]) => value)),
    ]),
    connection.query(SERVER),
  ]);
  const refusal = serverRefusal(server ?? [], rules.copies);
  if (refusal !== null) throw new Error(refusal);
}

/** The reason why the server is not usable, from its answer to `SERVER`; null when it is usable. */
export function serverRefusal(row: Row, copies: DatabaseCopies): string | null {
  const [version, isInRecovery, readOnly, encoding] = row.slice(SAFETY_COLUMNS.length);
  if (Number(version) < VERSION_MIN) {
    const release = Math.floor(Number(version) / 10_000);
    return `PostgreSQL ${release} is too old: ${VERSION_MIN / 10_000} or newer is needed`;
  }
  if (isInRecovery === true) return 'it is a standby';
  if (readOnly === 'on') return 'it takes no writes (transaction_read_only is on)';
  if (encoding !== 'UTF8') return `its encoding is ${encoding}: UTF8 is needed`;
  return unsafeCommits(row, copies);
}

/** The reason why an answered commit may be lost, from a row that begins with `SAFETY_COLUMNS`; null when it is safe. */
export function unsafeCommits([standbyNames, fsync]: Row, copies: DatabaseCopies): string | null {
  if (copies === 'managed') return null;
  if (standbyNames === '') {
    return 'a commit would be on one machine only (synchronous_standby_names is empty)';
  }
  if (fsync !== 'on') return 'a commit would not survive a power loss (fsync is off)';
  return null;
}
