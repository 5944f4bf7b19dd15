import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ServerProcess } from '../support/server-process.ts';
import { smallDisk } from '../support/small-disk.ts';

const DISK_MB = 24;
const CART = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 1 }] };
const LOGGED = { RATEWRIGHT_LOG_LEVEL: 'info' };

const FULL = {
  status: 503,
  retryAfter: '10',
  body: { error: { code: 'UNAVAILABLE', message: 'the disk is full: nothing was stored' } },
};

async function refusalOf(server: ServerProcess, name: string) {
  const headers = { 'idempotency-key': `key-${name}` };
  const { status, headers: answered, body } = await server.call('/api/groups', { body: { name }, headers });
  return { status, retryAfter: answered['retry-after'], body };
}

const makeGroup = async (server: ServerProcess, name: string): Promise<number> => {
  const headers = { 'idempotency-key': `key-${name}` };
  return (await server.call('/api/groups', { body: { name }, headers })).status;
};

async function namesOf(server: ServerProcess): Promise<string[]> {
  const { groups } = (await server.call('/api/groups')).body as { groups: { name: string }[] };
  return groups.map(({ name }) => name);
}

const simulate = async (server: ServerProcess, view: string): Promise<number> =>
  (await server.call(`/api/simulate?view=${view}`, { body: CART })).status;

async function simulationsOf(server: ServerProcess): Promise<number> {
  const { body } = await server.call('/api/coverage');
  return (body as { simulations: number }).simulations;
}

const linesOf = ({ output }: ServerProcess, event: string): number =>
  output.stderr.split(`"event":"${event}"`).length - 1;

/** Resolves once the condition holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

const start = async (context: TestContext, data: string): Promise<ServerProcess> => {
  const server = await ServerProcess.start(data, LOGGED);
  context.after(() => server.stop('SIGKILL'));
  return server;
};

test('on a full disk writes are refused, the rest goes on, and writes work once there is room', async (context) => {
  const disk = smallDisk(context, DISK_MB);
  if (disk === null) return;
  const data = join(disk.path, 'db');
  const server = await start(context, data);
  assert.equal(await makeGroup(server, 'before'), 201);
  assert.equal((await server.call('/api/staging', { body: { action: 'enter' } })).status, 200);
  disk.fill();
  for (let attempt = 0; attempt < 20; attempt++) assert.deepEqual(await refusalOf(server, 'refused'), FULL);
  for (const view of ['live', 'staged']) assert.equal(await simulate(server, view), 200);
  // The counts of these simulations cannot be stored.
  await until(async () => (await simulationsOf(server)) >= 1);
  const stillFull = await Promise.all(Array.from({ length: 50 }, (_, at) => refusalOf(server, `many-${at}`)));
  for (const refusal of stillFull) assert.deepEqual(refusal, FULL);
  assert.equal((await server.call('/readyz')).status, 200);
  assert.deepEqual(linesOf(server, 'disk.full'), 1);
  const failed = server.output.stderr.split('\n').filter((line) => /"level":"(error|fatal)"/.test(line));
  assert.equal(failed.length, 1, failed.join('\n'));

  disk.empty();
  // The refusal was not stored under the key.
  assert.equal(await makeGroup(server, 'refused'), 201);
  assert.equal(linesOf(server, 'disk.has_room'), 1);
  const names = await namesOf(server);
  assert.deepEqual(
    names.filter((name) => name.startsWith('many')),
    [],
  );
  assert.equal(await server.stop(), 0);
  for (const line of server.output.stderr.trimEnd().split('\n')) JSON.parse(line);

  const next = await start(context, data);
  assert.deepEqual(await namesOf(next), names);
  assert.equal(await simulationsOf(next), 1);
  assert.equal(await next.stop(), 0);
});

test('a server starts on a full disk, answers, and writes once there is room', async (context) => {
  const disk = smallDisk(context, DISK_MB);
  if (disk === null) return;
  const data = join(disk.path, 'db');
  const first = await start(context, data);
  assert.equal(await makeGroup(first, 'before'), 201);
  await first.stop('SIGKILL');
  disk.fill();
  const server = await start(context, data);
  assert.ok((await namesOf(server)).includes('before'));
  assert.equal(await simulate(server, 'live'), 200);
  assert.deepEqual(await refusalOf(server, 'after'), FULL);
  disk.empty();
  assert.equal(await makeGroup(server, 'after'), 201);
  assert.equal(await server.stop(), 0);
});

test('a first start on a full disk ends with one line', async (context) => {
  const disk = smallDisk(context, DISK_MB);
  if (disk === null) return;
  disk.fill();
  await assert.rejects(ServerProcess.start(join(disk.path, 'db')), (error: Error) => {
    assert.match(error.message, /^ended with 1: ratewright serve: data folder \S+: the disk is full, .*\n$/);
    return true;
  });
});
