import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { freePort } from '../support/free-port.ts';
import {
  COUNTED,
  cleanEnvironment,
  DEMO_KEY,
  ServerProcess,
  temporaryFolder,
} from '../support/server-process.ts';
import { callCommand, type Ended, FULL_PATH, runCommand } from './run-command.ts';

const cart = readFileSync(new URL('../../../data/carts/us-two-groups.json', import.meta.url), 'utf8');
const UNSET_KEY = { RATEWRIGHT_DEMO_KEY: '' };
const QUIET = { RATEWRIGHT_LOG_LEVEL: 'silent', RATEWRIGHT_PORT: '0' };

async function newData(context: TestContext): Promise<string> {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  return join(folder.path, 'db');
}

async function startServer(
  context: TestContext,
  data: string,
  environment: Record<string, string> = {},
): Promise<ServerProcess> {
  const server = await ServerProcess.start(data, environment);
  context.after(() => server.stop('SIGKILL'));
  return server;
}

const printedKey = (server: ServerProcess): string | undefined =>
  /shown only now: (\S+)\n/.exec(server.output.stdout)?.[1];

/** Runs the example in the output with a shell in the folder of the project; undefined without curl. */
function runPrintedCurl(server: ServerProcess, environment: Record<string, string> = {}): string | undefined {
  const line = /^Try: (curl .*)$/m.exec(server.output.stdout)?.[1];
  assert.ok(line !== undefined, server.output.stdout);
  if (spawnSync('curl', ['--version']).status !== 0) return undefined;
  const cwd = new URL('../../../', import.meta.url);
  const { stdout } = spawnSync('sh', ['-c', line], {
    cwd,
    encoding: 'utf8',
    env: { ...cleanEnvironment(), ...environment },
  });
  return stdout;
}

const serveOnce = (data: string, environment: Record<string, string> = {}): Promise<Ended> =>
  runCommand(data, ['serve'], { environment: { ...QUIET, ...environment } });

function assertRefused(ended: Ended, code: number, pattern: RegExp): void {
  assert.equal(ended.code, code, ended.stderr);
  assert.match(ended.stderr, pattern);
  assert.match(ended.stderr, /^ratewright serve: [^\n]*\n$/);
  assert.equal(ended.stdout, '');
}

test('the first start prints the address, the key and a curl line that works; the next start prints no key', async (context) => {
  const data = await newData(context);
  const first = await startServer(context, data, { ...COUNTED, ...UNSET_KEY });
  const key = printedKey(first);
  assert.match(key ?? '', /^rw_[A-Za-z0-9_-]{43}$/);
  const answer = runPrintedCurl(first);
  if (answer !== undefined) assert.ok((JSON.parse(answer) as { rates: unknown[] }).rates.length > 0);
  assert.equal((await first.call('/api/shop', { key: key ?? '' })).status, 200);
  assert.equal(await first.stop(), 0);

  const next = await startServer(context, data, UNSET_KEY);
  assert.equal(printedKey(next), undefined);
  assert.ok(!next.output.stdout.includes(key ?? ''));
  const again = runPrintedCurl(next, { RATEWRIGHT_KEY: key ?? '' });
  if (again !== undefined) assert.ok((JSON.parse(again) as { rates: unknown[] }).rates.length > 0);
  assert.equal((await next.call('/api/shop', { key: key ?? '' })).status, 200);
  assert.equal(await next.stop('SIGINT'), 0);
});

test('a start on a used port reports it, and the first successful start shows the key', async (context) => {
  const data = await newData(context);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  assert.ok(typeof address === 'object' && address !== null);
  const environment = { RATEWRIGHT_PORT: String(address.port) };
  assertRefused(
    await serveOnce(data, environment),
    1,
    new RegExp(
      `cannot listen on 127\\.0\\.0\\.1:${address.port}: another process uses this port; RATEWRIGHT_PORT names another one$`,
      'm',
    ),
  );
  await new Promise((resolve) => other.close(resolve));
  const server = await startServer(context, data, UNSET_KEY);
  assert.equal((await server.call('/api/shop', { key: printedKey(server) ?? '' })).status, 200);
});

test('a start on an address of another machine reports it and ends with 64', async (context) => {
  const data = await newData(context);
  for (const host of ['192.0.2.1', 'no-such-host.invalid']) {
    const ended = await serveOnce(data, { RATEWRIGHT_HOST: host });
    assertRefused(
      ended,
      64,
      /cannot listen on \S+: this machine has no address \S+ \(see ratewright serve --help\)$/m,
    );
    assert.ok(ended.stderr.includes(host));
  }
});

/** The first unprivileged port of the system; null when it is unknown. */
function firstFreePort(): number | null {
  const path = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) : null;
}

test('a start on a privileged port reports it', async (context) => {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) return context.skip('the user of this run may listen on every port');
  if ((firstFreePort() ?? 0) < 2) return context.skip('every user may listen on every port here');
  assertRefused(
    await serveOnce(await newData(context), { RATEWRIGHT_PORT: '1' }),
    1,
    /cannot listen on 127\.0\.0\.1:1: this user may not use this port$/m,
  );
});

test('a first start is ready only when its key works', async (context) => {
  const port = await freePort();
  const environment = { RATEWRIGHT_PORT: String(port) };
  const starting = ServerProcess.start(await newData(context), environment);
  context.after(async () => (await starting).stop('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  // Polled from before the server listens; the test is about the first answer that is ready.
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200;
  while (!(await isReady())) await new Promise((resolve) => setImmediate(resolve));
  const headers = { authorization: `Bearer ${DEMO_KEY}` };
  assert.equal((await fetch(`${url}/api/shop`, { headers })).status, 200);
  assert.equal(await (await starting).stop(), 0);
});

for (const signal of ['SIGHUP', 'SIGTERM', 'SIGINT'] as const) {
  test(`${signal} answers pending requests and ends with 0, also when it arrives twice`, async (context) => {
    const server = await startServer(context, await newData(context), { RATEWRIGHT_LOG_LEVEL: 'info' });
    const body = JSON.stringify({ name: 'Written while it stops' });
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /api/groups HTTP/1.1\r\nHost: x\r\nAuthorization: ${DEMO_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    // One of the two is the request for the metrics.
    while (!/^ratewright_requests_in_flight 2$/m.test((await server.call('/metrics', { key: null })).text)) {}
    const stopped = server.stop(signal);
    while (!server.output.stderr.includes('service.stopping'))
      await new Promise((resolve) => setImmediate(resolve));
    server.process.kill(signal);
    socket.write(body);
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    assert.match(answer, /^HTTP\/1\.1 201 /);
    assert.equal(await stopped, 0);
    assert.match(server.output.stderr, /"isComplete":true,"event":"service\.stopped"/);
  });
}

test('a key that cannot be shown is not stored, and the next start shows one', async (context) => {
  if (FULL_PATH === null) return context.skip('no file that takes nothing');
  const data = await newData(context);
  const call = { environment: { ...QUIET, ...UNSET_KEY }, stdoutPath: FULL_PATH };
  assertRefused(await runCommand(data, ['serve'], call), 1, /standard output cannot be written/);
  const server = await startServer(context, data, UNSET_KEY);
  assert.equal((await server.call('/api/shop', { key: printedKey(server) ?? '' })).status, 200);
});

test('log lines that cannot be written do not end the server', async (context) => {
  if (FULL_PATH === null) return context.skip('no file that takes nothing');
  const data = await newData(context);
  const launcher = ['sh', '-c', `exec "$@" 2> ${FULL_PATH}`, 'sh'];
  const server = await ServerProcess.start(data, { RATEWRIGHT_LOG_LEVEL: 'debug' }, launcher);
  context.after(() => server.stop('SIGKILL'));
  for (let turn = 0; turn < 3; turn++) assert.equal((await server.call('/api/shop')).status, 200);
  assert.equal(await server.stop(), 0);
});

test('a bad setting ends the start with 64 and names the setting', async (context) => {
  const data = await newData(context);
  assertRefused(await serveOnce(data, { RATEWRIGHT_ITEMS_MAX: '0' }), 64, /RATEWRIGHT_ITEMS_MAX/);
  assertRefused(await serveOnce(data, { RATEWRIGHT_DEMO_KEY: 'short' }), 64, /RATEWRIGHT_DEMO_KEY/);
  assertRefused(await serveOnce(data, { RATEWRIGHT_PLANS: 'absent.json' }), 64, /plan file/);
  assert.equal(existsSync(data), false);
});

test('an unusable data file ends the start with 65', async (context) => {
  const data = await newData(context);
  mkdirSync(data);
  writeFileSync(join(data, 'data.mdb'), 'this is no data file');
  assertRefused(await serveOnce(data), 65, /./);
});

test('a data folder in which no socket can be made ends the start with 1', async (context) => {
  const data = await newData(context);
  mkdirSync(join(data, 'operator.sock'), { recursive: true });
  assertRefused(await serveOnce(data), 1, /no socket can be made for operators: .*operator\.sock/);
});

describe('a running server', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: ServerProcess;
  before(async () => {
    folder = await temporaryFolder();
    server = await ServerProcess.start(folder.path, { ...COUNTED, RATEWRIGHT_LOG_LEVEL: 'debug' });
  });
  after(async () => {
    await server.stop('SIGKILL');
    await folder.discard();
  });

  test('a second server on the same data folder does not start', async () => {
    assertRefused(await serveOnce(folder.path), 1, /another process serves this data folder/);
    assert.equal((await server.call('/api/shop')).status, 200);
  });

  test('a key made or revoked on the command line counts at once', async () => {
    for (let turn = 0; turn < 3; turn++) {
      const made = await callCommand(folder.path, ['key', 'create', '--label', 'Till', '--json']);
      const { key, secret } = JSON.parse(made.stdout) as { key: { id: string }; secret: string };
      assert.equal((await server.call('/api/shop', { key: secret })).status, 200);
      const revoked = await callCommand(folder.path, ['key', 'revoke', key.id]);
      assert.deepEqual([revoked.code, revoked.stderr], [0, '']);
      assert.equal((await server.call('/api/shop', { key: secret })).status, 401);
    }
  });

  test('the change of a command is visible to the next request, and the next write is based on it', async () => {
    const exported = await callCommand(folder.path, ['export']);
    const config = JSON.parse(exported.stdout) as { methods: { name: string }[]; versionId: string };
    const [first] = config.methods;
    assert.ok(first !== undefined);
    first.name = 'Renamed on the command line';
    const imported = await callCommand(folder.path, ['import', '-'], { input: JSON.stringify(config) });
    assert.deepEqual([imported.code, imported.stderr], [0, '']);
    const { body } = await server.call('/api/config');
    assert.equal((body as typeof config).methods[0]?.name, 'Renamed on the command line');
    assert.equal((await server.call('/api/groups', { body: { name: 'After' } })).status, 201);
  });

  test('neither its output nor its log contains a key, and it removes its socket', async () => {
    await server.call('/api/shop', { key: 'a-key-that-nobody-has' });
    assert.equal(existsSync(join(folder.path, 'operator.sock')), true);
    assert.equal(await server.stop(), 0);
    assert.equal(existsSync(join(folder.path, 'operator.sock')), false);
    for (const key of [DEMO_KEY, 'a-key-that-nobody-has']) assert.ok(!server.output.stderr.includes(key));
    for (const line of server.output.stderr.trimEnd().split('\n')) JSON.parse(line);
  });
});

test('a running server shows each write at once, and stops serving a shop that the command line deletes', async (context) => {
  const data = await newData(context);
  const server = await startServer(context, data);
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await callCommand(data, args);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  await run('shop', 'create', '--name', 'Second', '--currency', 'EUR', '--id', 'shop_second');
  const made = JSON.parse(await run('key', 'create', '--shop', 'shop_second', '--json')) as {
    secret: string;
  };
  const { secret: key } = made;
  for (let write = 0; write < 12; write++) {
    const written = await server.call('/api/groups', { body: { name: `Write ${write}` } });
    assert.equal(written.status, 201, written.text);
    const asked = Array.from({ length: 8 }, () => server.call('/api/simulate', { body: cart }));
    for (const { status, headers } of await Promise.all(asked)) {
      assert.deepEqual([status, headers['x-config-version']], [200, written.headers['x-config-version']]);
    }
  }
  assert.equal((await server.call('/api/groups', { key, body: { name: 'A write' } })).status, 201);
  for (let turn = 0; turn < 8; turn++) {
    assert.equal((await server.call('/api/simulate', { key, body: cart })).status, 200);
  }
  assert.equal(await run('shop', 'delete', 'shop_second', '--yes'), 'shop_second is deleted\n');
  for (let turn = 0; turn < 8; turn++) {
    assert.equal((await server.call('/api/simulate', { key, body: cart })).status, 401);
    assert.equal((await server.call('/api/groups', { key, body: { name: 'Late' } })).status, 401);
  }
  assert.equal((await server.call('/api/groups', { body: { name: 'Of another shop' } })).status, 201);
  assert.equal(await server.stop(), 0);
  assert.match(await run('verify'), /^1 shop, .*: all whole$/m);
});

test('a demo shop that was deleted is not made again', async (context) => {
  const data = await newData(context);
  const first = await startServer(context, data);
  const deleted = await callCommand(data, ['shop', 'delete', 'shop_demo', '--yes']);
  assert.equal(deleted.code, 0, deleted.stderr);
  assert.equal((await first.call('/api/shop')).status, 401);
  assert.equal(await first.stop(), 0);
  const next = await startServer(context, data);
  assert.equal((await next.call('/api/shop')).status, 401);
  assert.equal((await next.call('/readyz', { key: null })).status, 200);
  assert.equal(await next.stop(), 0);
});

// The demo shop is four records. Starts with another number of records are tested without a process.
for (const failpoint of ['before-append:2', 'after-append:4']) {
  test(`a start killed ${failpoint.replace('-', ' ')} while it makes the demo shop is repaired by the next start`, async (context) => {
    const data = await newData(context);
    const killed = await serveOnce(data, { RATEWRIGHT_FAILPOINT: failpoint });
    assert.equal(killed.code, null, killed.stderr);
    const server = await startServer(context, data, UNSET_KEY);
    const shown =
      /shown only now: (\S+)\n/.exec(server.output.stdout) ?? /shown only now: (\S+)\n/.exec(killed.stdout);
    const known = await server.call('/api/config', { key: shown?.[1] ?? null });
    assert.equal(known.status, 200, failpoint);
    assert.ok((known.body as { methods: unknown[] }).methods.length > 10);
    assert.equal(await server.stop(), 0);
  });
}
