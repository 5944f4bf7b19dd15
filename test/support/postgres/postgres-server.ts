/**
 * One real PostgreSQL server on a free port of this machine, which a test can start, query, kill with all its processes,
 * pause and resume. `discard` removes its data folder. By default it does not flush to disk (`fsync` is off), because
 * its processes die here, but the machine does not.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, default as pg } from 'pg';
import { freePort } from '../free-port.ts';
import { postgresPrograms } from './postgres-programs.ts';

export type Rows = readonly Readonly<Record<string, unknown>>[];

const DATABASE_USER = 'ratewright';
const START_MS_MAX = 60_000;

const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
fsync = off
shared_buffers = 16MB
wal_level = replica
wal_log_hints = on
wal_keep_size = 256MB
max_wal_senders = 10
hot_standby = on
# How long a standby waits before it looks for its primary again; with the usual 5 s a promotion waits as long.
wal_retrieve_retry_interval = 100ms
wal_receiver_status_interval = 1s
wal_receiver_timeout = 5s
wal_sender_timeout = 5s
restart_after_crash = off
logging_collector = off
log_min_messages = warning
lc_messages = 'C'
`;

export interface ServerOptions {
  /** The folder of its data folder; the user of the server must have access to it. */
  readonly parent?: string;
  /** Settings in place of the usual ones. */
  readonly settings?: Readonly<Record<string, string>>;
}

const settingLines = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name} = '${value}'\n`)
    .join('');

function newFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'ratewright-pgdata-'));
  chmodSync(folder, 0o700);
  return folder;
}

/** The server's user gets what this process wrote. */
export function giveToServer(path: string): void {
  const { user } = postgresPrograms();
  if (user === null) return;
  chownSync(path, user.uid, user.gid);
  if (spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, path]).status !== 0)
    throw new Error(`chown ${path}`);
}

/** A folder as `initdb` makes it; made once in a process, then copied. */
let template: string | null = null;

function initialised(): string {
  if (template !== null) return template;
  const { folder, user } = postgresPrograms();
  const data = newFolder();
  process.once('exit', () => rmSync(data, { recursive: true, force: true }));
  giveToServer(data);
  const options = ['-D', data, '-U', DATABASE_USER, '--auth=trust', '--no-sync', '-E', 'UTF8', '--no-locale'];
  const { status, stdout, stderr } = spawnSync(join(folder, 'initdb'), [...options, '--wal-segsize=1'], {
    encoding: 'utf8',
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    ...(user ?? {}),
  });
  if (status !== 0) throw new Error(`initdb: ${stdout}${stderr}`);
  appendFileSync(join(data, 'postgresql.conf'), SETTINGS);
  template = data;
  return data;
}

/** The server's process and those that it started. */
function processesOf(main: number): number[] {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      // The name of a program, in brackets, may hold anything.
      const [, parent] = /\) \S (\d+) /.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      return Number(parent) === main;
    } catch {
      return false;
    }
  });
  return [main, ...children.map(Number)];
}

export class PostgresServer {
  readonly port: number;
  readonly name: string;
  readonly folder: string;
  #process: ChildProcess | null = null;
  #output = '';

  private constructor(name: string, port: number, folder: string) {
    this.name = name;
    this.port = port;
    this.folder = folder;
  }

  /** A new server, not yet started. Names follow the rules of identifiers. */
  static async create(name: string, { parent, settings = {} }: ServerOptions = {}): Promise<PostgresServer> {
    const folder = newFolder(parent);
    cpSync(initialised(), folder, { recursive: true });
    appendFileSync(join(folder, 'postgresql.conf'), settingLines(settings));
    const server = new PostgresServer(name, await freePort(), folder);
    // Before another handler removes the parent folder.
    process.prependOnceListener('exit', server.#atExit);
    return server;
  }

  get url(): string {
    return `postgres://${DATABASE_USER}@127.0.0.1:${this.port}/postgres`;
  }

  /** What a standby is told of this server, under its own name. */
  connectionInfo(standby: string): string {
    return `host=127.0.0.1 port=${this.port} user=${DATABASE_USER} application_name=${standby} connect_timeout=5`;
  }

  /** Sets these settings beside the usual ones, in place of all that were set before. A running server reads them. */
  set(settings: Readonly<Record<string, string>>): void {
    writeFileSync(join(this.folder, 'postgresql.auto.conf'), settingLines(settings));
    if (this.#process?.pid !== undefined) sendTo(this.#process.pid, 'SIGHUP');
  }

  /** It starts as a standby next time. */
  makeStandby(): void {
    writeFileSync(join(this.folder, 'standby.signal'), '');
  }

  /** Starts it and waits until it answers. */
  async start(): Promise<void> {
    const { folder, user } = postgresPrograms();
    giveToServer(this.folder);
    const child = spawn(join(folder, 'postgres'), ['-D', this.folder, '-p', String(this.port)], {
      cwd: '/',
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(user ?? {}),
    });
    this.#process = child;
    this.#output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.#output = `${this.#output}${chunk}`.slice(-20_000);
      });
    }
    const deadline = Date.now() + START_MS_MAX;
    while (!(await this.answers())) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${this.name}: ${this.#output}`);
      await wait(20);
    }
  }

  readonly #atExit = (): void => {
    this.#signal('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  };

  async answers(): Promise<boolean> {
    return this.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }

  /** Makes a further database; its address. */
  async newDatabase(name: string, options = ''): Promise<string> {
    await this.query(`CREATE DATABASE ${name} ${options}`);
    return this.url.replace(/\/postgres$/, `/${name}`);
  }

  /** Runs one statement in a connection of its own, whose commits do not wait for a second copy. */
  async query(text: string, values: readonly unknown[] = [], milliseconds = 10_000): Promise<Rows> {
    return this.#queryAt(this.url, text, values, milliseconds);
  }

  /** The same in another database of the server. */
  async queryDatabase(name: string, text: string, values: readonly unknown[] = []): Promise<Rows> {
    return this.#queryAt(this.url.replace(/\/postgres$/, `/${name}`), text, values, 10_000);
  }

  async #queryAt(url: string, text: string, values: readonly unknown[], milliseconds: number): Promise<Rows> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: milliseconds });
    client.on('error', () => {});
    await client.connect();
    try {
      await client.query('SET synchronous_commit = local');
      return await this.#bounded(client, text, values, milliseconds);
    } finally {
      client.end().catch(() => {});
    }
  }

  async #bounded(
    client: Client,
    text: string,
    values: readonly unknown[],
    milliseconds: number,
  ): Promise<Rows> {
    const late = wait(milliseconds, null, { ref: false });
    const result = await Promise.race([client.query(text, [...values]), late]);
    if (result === null) throw new Error(`${this.name} did not answer within ${milliseconds} ms: ${text}`);
    return result.rows as Rows;
  }

  /** SIGKILL to all its processes. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === null) return;
    this.#signal('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    this.#process = null;
  }

  /** SIGSTOP to all its processes: sockets stay open, and nothing answers. */
  pause(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  #signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    const main = this.#process?.pid;
    if (main === undefined) return;
    // Stopped first, it starts no others in between.
    if (signal !== 'SIGCONT') sendTo(main, 'SIGSTOP');
    for (const pid of processesOf(main).reverse()) sendTo(pid, signal);
  }

  /** Ends it and removes its folder. */
  async discard(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
    process.off('exit', this.#atExit);
  }
}

function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
