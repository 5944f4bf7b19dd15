/**
 * What `compose.cluster.yaml` starts, without containers: its scripts make a primary and a standby of a real PostgreSQL, three
 * nodes run with its environment, and Caddy with its file in front of them.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'yaml';
import { projectRoot, readText } from '../house/project-files.ts';
import { freePort } from '../support/free-port.ts';
import { cleanEnvironment, ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { caddyCommand, caddyfileFor, makeCertificate, proxyMissing, RunningProxy } from './running-proxy.ts';

const SECRETS: Readonly<Record<string, string>> = {
  SECRET_KEY: 'k'.repeat(64),
  POSTGRES_PASSWORD: 'p'.repeat(64),
  REPLICATION_PASSWORD: "r'".repeat(32),
};
const PRIMARY = '127.0.0.1';
/** An address of its own on this machine, because both servers have one port. */
const STANDBY = '127.0.0.2';

type Environment = Readonly<Record<string, string>>;
const { services } = parse(readText('data/deploy/compose.cluster.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, { readonly environment: Environment }>>;
};
const environmentOf = (service: string): Environment =>
  Object.fromEntries(
    Object.entries(services[service]?.environment ?? {}).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+):\?[^}]*\}/, (_, secret: string) => SECRETS[secret] ?? ''),
    ]),
  );

/** The folder of Debian's newest PostgreSQL with its programs for clients, which the npm package lacks; or undefined. */
function postgresFolder(): string | undefined {
  const debian = '/usr/lib/postgresql';
  if (!existsSync(debian)) return undefined;
  const folders = readdirSync(debian).map((release) => join(debian, release, 'bin'));
  return folders
    .filter((folder) => ['postgres', 'psql', 'pg_basebackup'].every((name) => existsSync(join(folder, name))))
    .pop();
}

/** PostgreSQL refuses to run as the administrator. */
function serverUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

interface Postgres {
  readonly bin: string;
  readonly port: number;
  readonly folder: string;
}

const inPath = (...folders: readonly string[]): string => [...folders, process.env['PATH']].join(':');

function runAsServer(command: readonly string[], environment: Environment): string {
  const [program = '', ...args] = command;
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: '/',
    encoding: 'utf8',
    env: { ...cleanEnvironment(), ...environment },
    ...serverUser(),
  });
  assert.equal(status, 0, `${command.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/** Kills the server with the test. */
function started(context: TestContext, command: readonly string[], environment: Environment): ChildProcess {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: '/',
    stdio: 'ignore',
    env: { ...cleanEnvironment(), ...environment },
    ...serverUser(),
  });
  context.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGQUIT');
    await ended;
  });
  return child;
}

/** As the image of PostgreSQL does at its first start: makes the database, runs the script in it, and starts the server. */
function startPrimary(context: TestContext, { bin, port, folder }: Postgres): ChildProcess {
  const given = environmentOf('primary');
  const data = join(folder, 'primary');
  const environment = { ...given, PGDATA: data, PGPORT: String(port), PATH: inPath(bin) };
  const { POSTGRES_USER: user = '', POSTGRES_DB: database = '', POSTGRES_INITDB_ARGS: flags = '' } = given;
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, given['POSTGRES_PASSWORD'] ?? '', { mode: 0o644 });
  runAsServer(
    ['initdb', `--username=${user}`, `--pwfile=${passwordFile}`, '--no-sync', ...flags.split(' ')],
    environment,
  );
  // Machines of other addresses are let in by the lines that the image and the script add, and by no other.
  const rules = join(data, 'pg_hba.conf');
  writeFileSync(rules, 'local all all trust\nhost all all all scram-sha-256\n');
  const own = `-c unix_socket_directories=${folder}`;
  const local = { ...environment, PGHOST: folder };
  runAsServer(
    ['pg_ctl', '-w', 'start', '-l', join(folder, 'init.log'), '-o', `-c listen_addresses='' ${own}`],
    local,
  );
  runAsServer(['createdb', '--username', user, database], local);
  runAsServer([join(projectRoot, 'data/deploy/postgres-primary.sh')], local);
  runAsServer(['pg_ctl', '-w', 'stop'], local);
  return started(context, ['postgres', ...own.split(' '), '-c', `listen_addresses=${PRIMARY}`], environment);
}

/** `postgres` in the script is one that listens on an address of this machine. */
function startStandby(context: TestContext, { bin, port, folder }: Postgres): ChildProcess {
  const data = join(folder, 'standby');
  mkdirSync(data);
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  const program = join(programs, 'postgres');
  const flags = `-c listen_addresses=${STANDBY} -c unix_socket_directories=${data}`;
  writeFileSync(program, `#!/bin/sh\nexec ${join(bin, 'postgres')} ${flags} "$@"\n`);
  chmodSync(program, 0o755);
  giveAway(folder);
  const environment = {
    ...environmentOf('standby'),
    ...{ PGHOST: PRIMARY, PGPORT: String(port), PGDATA: data, PATH: inPath(programs, bin) },
  };
  return started(context, ['sh', join(projectRoot, 'data/deploy/postgres-standby.sh')], environment);
}

function giveAway(folder: string): void {
  const { uid, gid } = serverUser();
  if (uid !== undefined) spawnSync('chown', ['-R', `${uid}:${gid}`, folder]);
}

test('the scripts of compose.cluster.yaml make two servers, nodes share them behind Caddy, and the loss of a node or of the database is bridged', async (context) => {
  const bin = postgresFolder();
  if (bin === undefined) return context.skip('there is no PostgreSQL of Debian with its client programs');
  const reason = proxyMissing('caddy');
  if (reason !== false) return context.skip(reason);
  const { path: folder, discard } = await temporaryFolder();
  context.after(discard);
  chmodSync(folder, 0o755);
  const servers = join(folder, 'servers');
  mkdirSync(servers);
  giveAway(servers);
  const postgres = { bin, port: await freePort(), folder: servers };
  const primary = startPrimary(context, postgres);
  const standby = startStandby(context, postgres);

  const environment = environmentOf('node1');
  const url = environment['RATEWRIGHT_DATABASE_URL']?.replace(
    'primary,standby',
    `${PRIMARY}:${postgres.port},${STANDBY}:${postgres.port}`,
  );
  assert.ok(url !== undefined);
  const nodes: ServerProcess[] = [];
  for (const name of ['node1', 'node2', 'node3']) {
    const node = await ServerProcess.start(join(folder, name), {
      ...environment,
      RATEWRIGHT_DATABASE_URL: url,
    });
    context.after(() => node.stop('SIGKILL'));
    nodes.push(node);
  }
  for (const node of nodes) while ((await node.call('/readyz')).status !== 200) await wait(50);
  const replicated = runAsServer(['psql', '-At', '-c', 'SELECT sync_state FROM pg_stat_replication'], {
    ...{ PGHOST: servers, PGPORT: String(postgres.port), PGUSER: 'ratewright', PGDATABASE: 'rates' },
    PATH: inPath(bin),
  });
  assert.equal(replicated.trim(), 'quorum');

  const port = await freePort();
  const config = join(folder, 'Caddyfile');
  const place = { folder, port, pem: makeCertificate(folder) };
  const hosts = nodes.map((node, at) => [`node${at + 1}:8080`, new URL(node.url).host]);
  writeFileSync(
    config,
    caddyfileFor(readText('data/deploy/Caddyfile.cluster'), place, Object.fromEntries(hosts)),
  );
  const proxy = await RunningProxy.start(caddyCommand(config), folder, port);
  context.after(() => proxy.stop());

  const body = readText('data/carts/us-po-box.json');
  const group = await proxy.ask('/api/groups', { body: '{"name": "Seen by each node"}' });
  assert.equal(group.status, 201, String(group.bytes));
  for (const node of nodes) assert.match((await node.call('/api/groups')).text, /Seen by each node/);
  assert.equal((await proxy.ask('/operator/shops')).status, 404);

  // A node ends: one request is lost at most, and the second attempt of a client is answered.
  const simulateOften = async () => {
    const replies = [];
    for (let turn = 0; turn < 10; turn++) replies.push(await proxy.ask('/api/simulate', { body }));
    const answers = replies.filter(({ status }) => status === 200);
    assert.ok(answers.length >= replies.length - 1, replies.map(({ status }) => status).join());
    return answers;
  };
  await nodes[0]?.stop('SIGKILL');
  await simulateOften();

  // No server of PostgreSQL is left: no node is up to date, and they answer all the same, marked.
  for (const server of [primary, standby]) {
    const ended = once(server, 'exit');
    server.kill('SIGQUIT');
    await ended;
  }
  for (const node of nodes.slice(1)) while ((await node.call('/readyz')).status === 200) await wait(50);
  // Until Caddy has looked at each node again.
  await wait(2_500);
  const marked = await simulateOften();
  for (const { headers } of marked) assert.ok(Number(headers['x-config-age']) >= 0);
  const refused = await proxy.ask('/api/groups', { body: '{"name": "Too late"}' });
  assert.equal(refused.status, 503);
  assert.match(String(refused.bytes), /"UNAVAILABLE"/);
});
