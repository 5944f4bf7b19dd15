/**
 * Settings: environment variables `RATEWRIGHT_*`, each with a default and a bound, read nowhere else. Reading, checks, the
 * help and the table in the documents come from one table.
 */

import { type Failpoint, parseFailpoint } from '../base/runtime/failpoint.ts';
import { LOG_LEVELS } from '../base/runtime/logger.ts';
import { ITEMS_MAX_DEFAULT } from '../engine/domain/cart.ts';
import { databaseHosts } from '../store/log/postgres/database-url.ts';

const PREFIX = 'RATEWRIGHT_';

/** Variable with the API key for commands on one shop of a server, and for the printed `curl` line. */
export const KEY_VARIABLE = 'RATEWRIGHT_KEY';

/** Variable with the address of the server that commands ask. */
export const URL_VARIABLE = 'RATEWRIGHT_URL';

/** For tests: `name` or `name:count` of a failpoint. */
const FAILPOINT_VARIABLE = 'RATEWRIGHT_FAILPOINT';

const KIB = 1024;
const MIB = 1024 * KIB;

/** One setting: how its text is read and described. */
export interface Setting<T> {
  readonly variable: string;
  readonly fallback: T;
  /** The values that are accepted, as text. */
  readonly accepts: string;
  readonly description: string;
  /** The value, or null when the text is not accepted. */
  read(text: string): T | null;
}

function whole(
  name: string,
  fallback: number,
  min: number,
  max: number,
  description: string,
): Setting<number> {
  return {
    variable: PREFIX + name,
    fallback,
    accepts: `${min} to ${max}`,
    description,
    read(text) {
      const value = Number(text);
      return /^[0-9]{1,15}$/.test(text) && value >= min && value <= max ? value : null;
    },
  };
}

function choice<T extends string>(
  name: string,
  fallback: T,
  from: readonly T[],
  description: string,
): Setting<T> {
  const read = (text: string) => from.find((option) => option === text) ?? null;
  return { variable: PREFIX + name, fallback, accepts: `one of ${from.join(', ')}`, description, read };
}

/** The text itself when it has this form. */
const matching =
  (pattern: RegExp) =>
  (text: string): string | null =>
    pattern.test(text) ? text : null;

function text(
  name: string,
  fallback: string,
  pattern: RegExp,
  accepts: string,
  description: string,
): Setting<string> {
  return { variable: PREFIX + name, fallback, accepts, description, read: matching(pattern) };
}

/** A setting that is off unless it is set. */
function optional<T>(
  name: string,
  read: (text: string) => T | null,
  accepts: string,
  description: string,
): Setting<T | null> {
  return { variable: PREFIX + name, fallback: null, accepts, description, read };
}

// Without control characters, so that a message of one line can name it.
const PATH = /^[^\p{Cc}]{1,4096}$/u;
const HOST = /^[A-Za-z0-9.:_-]{1,255}$/;
const DEMO_KEY = /^[\x21-\x7e]{16,128}$/;
const SECRET_KEY = /^[\x21-\x7e]{32,256}$/;
const OPERATOR_KEY = SECRET_KEY;

export const SETTINGS = {
  port: whole('PORT', 8080, 0, 65_535, 'TCP port; 0 takes any free one'),
  host: text('HOST', '127.0.0.1', HOST, 'a host name or address', 'Address to listen on'),
  dataPath: text(
    'DATA',
    'data/db',
    PATH,
    'a path',
    'Folder of the log, relative to the current directory; made when missing',
  ),
  demoKey: optional(
    'DEMO_KEY',
    matching(DEMO_KEY),
    '16 to 128 visible ASCII characters',
    'Admin key of the demo shop, when that shop is made; otherwise a random one is printed',
  ),
  secretKey: optional(
    'SECRET_KEY',
    matching(SECRET_KEY),
    '32 to 256 visible ASCII characters',
    'Key that seals the secrets of other systems; by default a random one in the file secret.key of the data folder',
  ),
  operatorKey: optional(
    'OPERATOR_KEY',
    matching(OPERATOR_KEY),
    '32 to 256 visible ASCII characters',
    'Key of operators, which opens /operator on the port; without it these routes are on the socket in the data folder alone',
  ),
  logLevel: choice('LOG_LEVEL', 'info', LOG_LEVELS, 'Least severe log line that is written'),
  databaseUrl: optional(
    'DATABASE_URL',
    (given) => (databaseHosts(given) === null ? null : given),
    'postgres://user:password@host[:port][,host...]/name',
    'Database that the nodes of a cluster share; the folder of the log then holds a copy of the shops that this node uses',
  ),
  databaseCopies: choice<'standbys' | 'managed'>(
    'DATABASE_COPIES',
    'standbys',
    ['standbys', 'managed'],
    'Where the second copy of each commit is: on standbys of the database, or in the storage of a managed service',
  ),
  staleSeconds: whole(
    'STALE_SECONDS',
    3_600,
    0,
    604_800,
    'Seconds for which a node that cannot reach the database simulates, marked with X-Config-Age (reads: a minute); 0 refuses at once',
  ),
  plansPath: optional(
    'PLANS',
    matching(PATH),
    'a path',
    'JSON file with the table of plans; by default that of the package',
  ),
  bodyBytesMax: whole(
    'BODY_BYTES_MAX',
    MIB,
    KIB,
    64 * MIB,
    'Bytes of a request body; POST /api/config takes more from a key that may write',
  ),
  itemsMax: whole('ITEMS_MAX', ITEMS_MAX_DEFAULT, 1, 100_000, 'Items of one simulate request'),
  poolThreads: whole(
    'POOL_THREADS',
    1,
    1,
    64,
    'Worker threads for questions and large carts; one is made soon after the start and kept, the others when they are needed',
  ),
  shadowPerSecond: whole(
    'SHADOW_PER_SECOND',
    1_000,
    0,
    1_000_000,
    'Live simulations a second that are evaluated against changesets, over all shops; a large cart counts as several. The others are dropped and counted',
  ),
  metricsShops: whole(
    'METRICS_SHOPS',
    0,
    0,
    1_000,
    'Number of shops whose simulations /metrics counts separately, labelled with the id: the shops with the most simulations',
  ),
  console: choice<'on' | 'off'>('CONSOLE', 'on', ['on', 'off'], 'Whether the page at /console is served'),
  // The contract promises an exit within 5 s.
  stopMs: whole('STOP_MS', 4_500, 200, 4_900, 'Maximum milliseconds from a signal to the exit'),
} satisfies Record<string, Setting<unknown>>;

export type Settings = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** A setting cannot be used; the message is one line that names it. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** Reads all settings; an empty text counts as not set. Throws `SettingsError` for a value that is not accepted. */
export function readSettings(environment: Environment = process.env): Settings {
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(SETTINGS) as [string, Setting<unknown>][]) {
    const given = environment[setting.variable] ?? '';
    const value = given === '' ? setting.fallback : setting.read(given);
    if (value === null && given !== '') {
      throw new SettingsError(`${setting.variable} is not accepted: must be ${setting.accepts}`);
    }
    values[key] = value;
  }
  return values as Settings;
}

/** The point at which a test kills this process; null when none is set. No setting, so the help does not name it. */
export function readFailpoint(environment: Environment = process.env): Failpoint | null {
  const given = environment[FAILPOINT_VARIABLE] ?? '';
  const point = parseFailpoint(given);
  if (point === null && given !== '') throw new SettingsError(`${FAILPOINT_VARIABLE} names no failpoint`);
  return point;
}

/** The key for commands that ask a server; null when none is set. */
export const readApiKey = (environment: Environment = process.env): string | null =>
  environment[KEY_VARIABLE] || null;

/** The address of the server that commands ask; null when none is set. */
export const readUrl = (environment: Environment = process.env): string | null =>
  environment[URL_VARIABLE] || null;

/**
 * Variables with the prefix that are no setting, such as a misspelt limit, which has no effect then. The server only warns,
 * because container platforms add variables that are named after a service.
 */
export function unknownSettings(environment: Environment = process.env): readonly string[] {
  const known = new Set([
    KEY_VARIABLE,
    URL_VARIABLE,
    FAILPOINT_VARIABLE,
    ...Object.values(SETTINGS).map(({ variable }) => variable),
  ]);
  return Object.keys(environment).filter((name) => name.startsWith(PREFIX) && !known.has(name));
}
