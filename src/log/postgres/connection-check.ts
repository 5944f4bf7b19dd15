/**
 * What a server must be before a connection with it is used: the primary, new enough, with a second copy of each
 * commit. A connection states its own settings, so that those of the server or the role do not matter.
 */
import type { Connection, Row, Statement } from './connection.ts';

/** How commits get their second copy: by standbys of this server, or below it, by the service that runs it. */
export type DatabaseCopies = 'standbys' | 'managed';

const VERSION_MIN = 130_000;

export interface ConnectionRules {
  readonly copies: DatabaseCopies;
  /** False for a connection whose commits need not wait. */
  readonly isSynchronous: boolean;
  /** Milliseconds that a statement waits for a lock at most, and an open transaction for its next statement. */
  readonly lockMsMax: number;
}

const SETTINGS_APPLIED: Statement = {
  name: 'rw_settings',
  text: `SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS s(name, value)`,
};

const SERVER: Statement = {
  name: 'rw_server',
  text: `SELECT current_setting('server_version_num')::int, pg_is_in_recovery(),
  current_setting('transaction_read_only'), current_setting('synchronous_standby_names'),
  current_setting('server_encoding')`,
};

const connectionSettings = ({
  isSynchronous,
  lockMsMax,
}: ConnectionRules): Readonly<Record<string, string>> => ({
  synchronous_commit: isSynchronous ? 'on' : 'off',
  default_transaction_isolation: 'read committed',
  statement_timeout: '0',
  // A commit that waits for a second copy goes on when its client has left, and keeps its row locked. Statements that
  // wait for that row give up, or they would pile up behind it.
  lock_timeout: String(lockMsMax),
  idle_in_transaction_session_timeout: String(lockMsMax),
  bytea_output: 'hex',
  jit: 'off',
  // All statements look up a few rows by key; plans must not change to scans while the tables are small.
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
});

/** Prepares a new connection. Rejects with one line that says why the server is not used. */
export async function prepareConnection(connection: Connection, rules: ConnectionRules): Promise<void> {
  const settings = Object.entries(connectionSettings(rules));
  const array = (texts: readonly string[]) => `{${texts.map((text) => `"${text}"`).join()}}`;
  const [, [server]] = await Promise.all([
    connection.query(SETTINGS_APPLIED, [
      array(settings.map(([name]) => name)),
      array(settings.map(([, value]) => value)),
    ]),
    connection.query(SERVER),
  ]);
  const refusal = serverRefusal(server ?? [], rules.copies);
  if (refusal !== null) throw new Error(refusal);
}

/** Why a server that answered `SERVER` with this row is not used, or null. */
export function serverRefusal(
  [version, isInRecovery, readOnly, standbyNames, encoding]: Row,
  copies: DatabaseCopies,
): string | null {
  if (Number(version) < VERSION_MIN) {
    const release = Math.floor(Number(version) / 10_000);
    return `PostgreSQL ${release} is too old: ${VERSION_MIN / 10_000} or newer is needed`;
  }
  if (isInRecovery === true) return 'it is a standby';
  if (readOnly === 'on') return 'it takes no writes (transaction_read_only is on)';
  if (encoding !== 'UTF8') return `its encoding is ${encoding}: UTF8 is needed`;
  if (copies === 'standbys' && standbyNames === '') {
    return 'a commit would be on one machine only (synchronous_standby_names is empty)';
  }
  return null;
}
