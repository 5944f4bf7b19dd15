/**
 * Three real PostgreSQL servers with quorum commit: a commit waits until one of two standbys has it too. Tests kill or
 * stop the primary; `failOver` then does what a failover manager does, and `rejoin` makes the old primary a standby.
 *
 * What this order guards against, each a loss of acknowledged commits that was seen without it:
 * - Both standbys stop receiving before one is promoted. Otherwise the old primary and the other standby could still
 *   acknowledge what the new primary does not have.
 * - The position of a standby is the greater of what it received and what it replayed: after a restart of its receiver
 *   the former is behind.
 * - `synchronous_standby_names` is set on every server from the start, so a promoted one never acknowledges alone.
 * - The old primary comes back as a copy of the new one, because it may hold commits that the others never had.
 */
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { postgresPrograms } from './postgres-programs.ts';
import { PostgresServer, type ServerOptions } from './postgres-server.ts';

const NAMES = ['a', 'b', 'c'];
const STEP_MS_MAX = 60_000;

/** What a copy of a running server leaves out: it is made anew. The folders themselves stay. */
const EMPTIED = ['pg_wal', 'pg_replslot', 'pg_notify', 'pg_stat_tmp', 'pg_subtrans', 'pg_dynshmem'];
const LEFT_OUT = ['postmaster.pid', 'postmaster.opts', 'standby.signal', 'postgresql.auto.conf'];

export class PostgresTrio {
  readonly servers: readonly PostgresServer[];
  #primary: PostgresServer;

  private constructor(servers: readonly PostgresServer[], primary: PostgresServer) {
    this.servers = servers;
    this.#primary = primary;
  }

  static async start(options: ServerOptions = {}): Promise<PostgresTrio> {
    const servers = await Promise.all(NAMES.map((name) => PostgresServer.create(name, options)));
    const [primary] = servers;
    if (primary === undefined) throw new Error('no server');
    const trio = new PostgresTrio(servers, primary);
    for (const server of servers) {
      trio.#follow(server, server === primary ? null : primary);
      if (server !== primary) server.makeStandby();
    }
    await primary.start();
    await Promise.all(trio.standbys.map((standby) => standby.start()));
    await trio.#untilStreaming(trio.standbys);
    return trio;
  }

  get primary(): PostgresServer {
    return this.#primary;
  }

  get standbys(): readonly PostgresServer[] {
    return this.servers.filter((server) => server !== this.#primary);
  }

  /** All three in one connection string. */
  get url(): string {
    const [first] = this.servers;
    const ports = this.servers.map(({ port }) => `127.0.0.1:${port}`);
    return (first?.url ?? '').replace(/@[^/]*/, `@${ports.join(',')}`);
  }

  /** Makes a further database; its address on all three. */
  async newDatabase(name: string): Promise<string> {
    await this.primary.query(`CREATE DATABASE ${name}`);
    return this.url.replace(/\/[^/]*$/, `/${name}`);
  }

  /** Promotes the standby that has more. The primary was killed or stopped, and stays so. */
  async failOver(): Promise<void> {
    const standbys = this.standbys;
    for (const standby of standbys) this.#follow(standby, null);
    await Promise.all(standbys.map((standby) => untilTrue(standby, NOT_RECEIVING)));
    const positions = await Promise.all(standbys.map(positionOf));
    const best = standbys[positions.indexOf(Math.max(...positions))];
    if (best === undefined) throw new Error('no standby');
    await best.query('SELECT pg_promote(true, 60)', [], STEP_MS_MAX);
    await untilTrue(best, 'NOT pg_is_in_recovery()');
    this.#primary = best;
    const others = standbys.filter((standby) => standby !== best);
    for (const other of others) this.#follow(other, best);
    await this.#untilStreaming(others);
  }

  /** Makes a server that is no primary any more a standby again, with a copy of the primary's data. */
  async rejoin(server: PostgresServer): Promise<void> {
    await server.kill();
    await this.#copyPrimaryTo(server.folder);
    this.#follow(server, this.#primary);
    server.makeStandby();
    await server.start();
    await this.#untilStreaming([server]);
  }

  /** Both standbys stop receiving: commits hang from now on. */
  async detachStandbys(): Promise<void> {
    for (const standby of this.standbys) this.#follow(standby, null);
    await Promise.all(this.standbys.map((standby) => untilTrue(standby, NOT_RECEIVING)));
  }

  async attachStandbys(): Promise<void> {
    for (const standby of this.standbys) this.#follow(standby, this.#primary);
    await this.#untilStreaming(this.standbys);
  }

  /** Sets one setting of the primary; new connections have it. Resolves with a function that takes it back. */
  async setOnPrimary(name: string, value: string): Promise<() => Promise<void>> {
    const primary = this.#primary;
    const apply = async (settings: Readonly<Record<string, string>>) => {
      primary.set(settings);
      for (const [each, wanted] of Object.entries(settings))
        await untilTrue(primary, `current_setting('${each}') = '${wanted}'`);
    };
    const [row] = await primary.query(`SELECT current_setting('${name}') AS value`);
    const usual = this.#settingsOf(primary, null);
    await apply({ ...usual, [name]: value });
    return () => apply({ ...usual, [name]: String(row?.['value']) });
  }

  async discard(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.discard()));
  }

  #follow(server: PostgresServer, primary: PostgresServer | null): void {
    server.set(this.#settingsOf(server, primary));
  }

  #settingsOf(server: PostgresServer, primary: PostgresServer | null): Readonly<Record<string, string>> {
    const others = this.servers.filter((other) => other !== server).map(({ name }) => name);
    return {
      fsync: 'on',
      synchronous_standby_names: `ANY 1 (${others.join(', ')})`,
      primary_conninfo: primary === null ? '' : primary.connectionInfo(server.name),
    };
  }

  async #untilStreaming(standbys: readonly PostgresServer[]): Promise<void> {
    for (const { name } of standbys) {
      const streams = `EXISTS (SELECT FROM pg_stat_replication
        WHERE application_name = '${name}' AND state = 'streaming' AND sync_state = 'quorum')`;
      await untilTrue(this.#primary, streams);
    }
  }

  async #copyPrimaryTo(folder: string): Promise<void> {
    const isOld = postgresPrograms().release < 15;
    const client = new pg.Client({ connectionString: this.#primary.url });
    client.on('error', () => {});
    await client.connect();
    try {
      await client.query(
        `SELECT ${isOld ? "pg_start_backup('copy', true, false)" : "pg_backup_start('copy', true)"}`,
      );
      rmSync(folder, { recursive: true, force: true });
      copyChanging(this.#primary.folder, folder);
      for (const name of LEFT_OUT) rmSync(join(folder, name), { force: true });
      for (const name of EMPTIED) {
        rmSync(join(folder, name), { recursive: true, force: true });
        mkdirSync(join(folder, name), { mode: 0o700 });
      }
      const stopped = await client.query<{ label: string }>(
        `SELECT labelfile AS label FROM ${isOld ? 'pg_stop_backup(false, false)' : 'pg_backup_stop(false)'}`,
      );
      writeFileSync(join(folder, 'backup_label'), stopped.rows[0]?.label ?? '');
    } finally {
      await client.end();
    }
  }
}

const NOT_RECEIVING = 'NOT EXISTS (SELECT FROM pg_stat_wal_receiver WHERE pid IS NOT NULL)';

async function untilTrue(server: PostgresServer, condition: string): Promise<void> {
  const deadline = Date.now() + STEP_MS_MAX;
  for (;;) {
    const [row] = await server.query(`SELECT ${condition} AS holds`);
    if (row?.['holds'] === true) return;
    if (Date.now() > deadline) throw new Error(`${server.name}: never ${condition}`);
    await wait(20);
  }
}

async function positionOf(server: PostgresServer): Promise<number> {
  const [row] = await server.query(
    "SELECT greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'::pg_lsn AS at",
  );
  return Number(row?.['at']);
}

/** Copies a folder in which files come and go. */
function copyChanging(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (EMPTIED.includes(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    try {
      if (entry.isDirectory()) copyChanging(source, target);
      else copyFileSync(source, target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
