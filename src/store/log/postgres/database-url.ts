/**
 * The address of the database: `postgres://user:password@host1:5432,host2:5433/name?sslmode=require`. Several hosts are
 * servers of one database, one of them the primary; each gets its own connection string.
 */

/** One server. */
export interface DatabaseHost {
  /** `host:port`, for messages. Never the connection string, which may contain a password. */
  readonly name: string;
  readonly connectionString: string;
}

const URL_PARTS = /^(postgres(?:ql)?:\/\/)((?:[^@/?#]*@)?)([^@/?#]+)([/?#].*)?$/;
const HOST = /^(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/;
const DEFAULT_PORT = 5432;
const PORT_MAX = 65_535;

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** The hosts of an address, in order; null when the address is malformed. */
export function databaseHosts(url: string): readonly DatabaseHost[] | null {
  const [, scheme, user, hosts, rest = ''] = URL_PARTS.exec(url) ?? [];
  if (scheme === undefined || user === undefined || hosts === undefined) return null;
  const parsed = hosts.split(',').map((host) => {
    const match = HOST.exec(host);
    if (match === null || Number(match[1] ?? DEFAULT_PORT) > PORT_MAX) return null;
    const name = match[1] === undefined ? `${host}:${DEFAULT_PORT}` : host;
    const connectionString = `${scheme}${user}${name}${rest}`;
    return canBeRead(connectionString) ? { name, connectionString } : null;
  });
  return parsed.every((host) => host !== null) ? parsed : null;
}

/** False where pg would throw, or would connect without encryption because it does not know the mode. */
function canBeRead(connectionString: string): boolean {
  try {
    const { username, password, pathname, searchParams } = new URL(connectionString);
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    return searchParams.getAll('sslmode').every((mode) => SSL_MODES.includes(mode));
  } catch {
    return false;
  }
}
