// Several processes on one port: clients cannot see which process answered. Every process shows acknowledged writes and
// refuses revoked keys at once. The long form: `RATEWRIGHT_PROCESS_WRITES=5000 npm test -- processes`.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'undici';
import { callCommand } from '../cli/run-command.ts';
import { readText } from '../house/project-files.ts';
import { COUNTED, ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { CONNECTIONS, childrenOf, ProcessClients } from './process-clients.ts';

const WRITES = Number(process.env['RATEWRIGHT_PROCESS_WRITES'] ?? 60);
const CART = readText('data/carts/us-po-box.json');
const HEAVY_CART = timesItems(readText('data/carts/us-forty-items.json'), 20);

/** A cart with the items repeated this often. */
function timesItems(text: string, times: number): string {
  const cart = JSON.parse(text) as { readonly items: readonly unknown[] };
  return JSON.stringify({ ...cart, items: Array.from({ length: times }, () => cart.items).flat() });
}

/** No other process can listen on the port of this server, whatever the number of its processes. */
async function assertTaken(url: string, data: string): Promise<void> {
  for (const processes of ['1', '2']) {
    const environment = { RATEWRIGHT_PORT: new URL(url).port, RATEWRIGHT_PROCESSES: processes };
    await assert.rejects(ServerProcess.start(data, environment), /cannot listen on/);
  }
}

async function metric(server: ServerProcess, name: string): Promise<number> {
  const { text } = await server.call('/metrics', { key: null });
  return Number(new RegExp(`^ratewright_${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** The price of the one method that the test changes. */
function priceIn(text: string): number {
  const { rates } = JSON.parse(text) as { rates: { serviceCode: string; totalPrice: number }[] };
  const rate = rates.find(({ serviceCode }) => serviceCode === 'us-standard');
  return Number(rate?.totalPrice);
}

/** Number of sockets that listen on the port. */
function listenersOn(url: string): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const listening = new RegExp(`^ *\\d+: [0-9A-F]+:${port} [0-9A-F:]+ 0A `);
  return readFileSync('/proc/net/tcp', 'latin1')
    .split('\n')
    .filter((line) => listening.test(line)).length;
}

const withoutSockets = process.platform === 'linux' ? false : 'the table of sockets is that of Linux';

describe('three processes', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: ServerProcess;
  let clients: ProcessClients;
  before(async () => {
    folder = await temporaryFolder();
    server = await ServerProcess.start(folder.path, {
      ...COUNTED,
      RATEWRIGHT_PROCESSES: '3',
      RATEWRIGHT_LOG_LEVEL: 'error',
    });
    clients = new ProcessClients(server.url);
  });
  after(async () => {
    await clients.close();
    assert.equal(await server.stop(), 0, server.output.stderr);
    assert.equal(server.output.stderr, '');
    await folder.discard();
  });

  test('each process listens on the port, and no process of another server can', {
    skip: withoutSockets,
  }, async (context) => {
    const other = await temporaryFolder();
    context.after(other.discard);
    assert.equal(listenersOn(server.url), 3);
    await assertTaken(server.url, other.path);
  });

  test('every process gives the same answers to fields=rates and to batches as the first one', async () => {
    const asked: readonly (readonly [path: string, body: string])[] = [
      ['/api/simulate?fields=rates', CART],
      ['/api/simulate?fields=rates', HEAVY_CART],
      ['/api/simulate?strict=true', CART.replace('"destination": {', '"destination": { "zip": "1",')],
      ['/api/simulate/batch', `{"requests":[${CART},${CART},{}]}`],
      ['/api/simulate/batch?fields=rates&strict=true', `{"requests":[${CART},${HEAVY_CART}]}`],
      ['/api/simulate/batch?explain=full', `{"requests":[${CART}],"at":"2026-11-18T17:00:00Z"}`],
    ];
    for (const [path, body] of asked) {
      const answers = await Promise.all(clients.all.map((client) => ProcessClients.ask(client, path, body)));
      for (const answer of answers) assert.deepEqual(answer, answers[0], path);
      assert.equal(answers[0]?.status, path.includes('/simulate?strict') ? 400 : 200, path);
    }
  });

  test(`a simulation shows every write that was acknowledged before it began, over ${WRITES} writes`, async (context) => {
    let acknowledged = { price: 0, version: '' };
    let isDone = false;
    const read = async (client: Client): Promise<number> => {
      let seen = { price: 0, version: '' };
      let count = 0;
      for (; !isDone; count++) {
        const least = acknowledged;
        const { status, version, text } = await ProcessClients.ask(client, '/api/simulate', CART);
        assert.equal(status, 200, text);
        const price = priceIn(text);
        assert.ok(price >= least.price, `${price} after ${least.price} was acknowledged`);
        assert.ok(version >= least.version, `${version} after ${least.version}`);
        assert.ok(price >= seen.price && version >= seen.version, 'it went back');
        seen = { price, version };
      }
      return count;
    };
    const write = async (): Promise<void> => {
      for (let n = 1; n <= WRITES; n++) {
        const price = 1_000 + n;
        const body = { config: { price } };
        const reply = await server.call('/api/methods/method_us_standard', { method: 'PUT', body });
        assert.equal(reply.status, 200, reply.text);
        acknowledged = { price, version: String(reply.headers['x-config-version']) };
        if (Math.random() < 0.3) await wait(Math.random() * 5);
      }
    };
    await server.call('/api/methods/method_us_standard', {
      method: 'PUT',
      body: { config: { price: 1_000 } },
    });
    const reading = clients.all.map((client) => read(client));
    const counts = Promise.all(reading);
    await Promise.race([write(), counts]);
    isDone = true;
    const simulations = (await counts).reduce((sum, count) => sum + count, 0);
    context.diagnostic(`${simulations} simulations`);
    assert.ok(simulations > WRITES);
  });

  test('a revoked key is refused by every process once the revocation is acknowledged', async () => {
    for (let turn = 0; turn < 15; turn++) {
      const made = await server.call('/api/keys', { body: { label: 'short', permission: 'read' } });
      const { key, secret } = made.body as { key: { id: string }; secret: string };
      const ask = (client: Client) => ProcessClients.ask(client, '/api/simulate', CART, secret);
      const first = await Promise.all(clients.all.map(ask));
      assert.deepEqual(new Set(first.map(({ status }) => status)), new Set([200]));
      const gone = await server.call(`/api/keys/${key.id}`, { method: 'DELETE' });
      assert.equal(gone.status, 200, gone.text);
      const then = await Promise.all(clients.all.map(ask));
      assert.deepEqual(new Set(then.map(({ status }) => status)), new Set([401]));
    }
  });

  test('every process gives the same bytes', async () => {
    const queries = [
      '?at=2026-11-18T17:00:00Z',
      '?at=2026-12-24T05:00:00Z',
      '?explain=full&at=2026-11-18T17:00:00Z',
    ];
    for (const name of readdirSync('data/carts')) {
      const cart = readText(join('data/carts', name));
      for (const query of queries) {
        const answers = await Promise.all(
          clients.all.map((client) => ProcessClients.ask(client, `/api/simulate${query}`, cart)),
        );
        assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1, `${name}${query}`);
      }
    }
  });

  test('all processes together let through no more than the rate of a plan', async () => {
    const plans = JSON.parse(readText('data/plans.json')) as Record<string, { simulationsPerSecond: number }>;
    const limited = await temporaryFolder();
    const table = { ...plans, enterprise: { ...plans['enterprise'], simulationsPerSecond: 7 } };
    const path = join(limited.path, 'plans.json');
    writeFileSync(path, JSON.stringify(table));
    const other = await ServerProcess.start(join(limited.path, 'data'), {
      RATEWRIGHT_PROCESSES: '2',
      RATEWRIGHT_PLANS: path,
    });
    const many = new ProcessClients(other.url);
    const startMs = performance.now();
    const answers = await Promise.all(
      many.all.map((client) => ProcessClients.ask(client, '/api/simulate', CART)),
    );
    // On a busy machine the requests may take longer than the second of the limit.
    const seconds = 1 + Math.floor((performance.now() - startMs) / 1_000);
    const passed = answers.filter(({ status }) => status === 200).length;
    assert.ok(passed > 0 && passed <= 7 * seconds, `${passed} of ${answers.length} within ${seconds} s`);
    assert.ok(answers.every(({ status }) => status === 200 || status === 429));
    await many.close();
    assert.equal(await other.stop(), 0);
    await limited.discard();
  });

  test('the differences of a changeset are counted for the simulations of every process, and replayed', async () => {
    const staged = await server.call('/api/staging', { body: { action: 'enter' } });
    assert.equal(staged.status, 200, staged.text);
    await server.call('/api/methods/method_us_standard', {
      method: 'PUT',
      body: { config: { price: 4_321 } },
    });
    type Shadow = { evaluated: number; dropped: number; different: number; replayed: number };
    const shadow = async (): Promise<Shadow> => {
      const reply = await server.call('/api/staging');
      return (reply.body as { staging: { shadow: Shadow } }).staging.shadow;
    };
    for (let turn = 0; turn < 20; turn++) {
      await Promise.all(clients.all.map((client) => ProcessClients.ask(client, '/api/simulate', CART)));
    }
    const asked = 20 * CONNECTIONS;
    let told = await shadow();
    // The shadow's thread has the lowest priority and starts slowly on a busy machine.
    for (let turn = 0; told.evaluated + told.dropped < asked && turn < 1_000; turn++) {
      await wait(100);
      told = await shadow();
    }
    assert.equal(told.evaluated + told.dropped, asked);
    assert.equal(told.different, told.evaluated);
    const replay = await server.call('/api/staging', { body: { action: 'replay' } });
    assert.equal(replay.status, 200, replay.text);
    assert.equal((await shadow()).replayed, 200);
    await server.call('/api/staging', { body: { action: 'discard' } });
  });

  test('metrics are sums over all processes, and the use of a key is known from any process', async () => {
    const before = await metric(server, 'simulations_total');
    for (const client of clients.all) await ProcessClients.ask(client, '/api/simulate', CART);
    assert.equal(await metric(server, 'simulations_total'), before + CONNECTIONS);
    assert.equal(await metric(server, 'requests_in_flight'), 1);
    const made = await server.call('/api/keys', { body: { label: 'used', permission: 'read' } });
    const { key, secret } = made.body as { key: { id: string }; secret: string };
    await Promise.all(clients.all.map((client) => ProcessClients.ask(client, '/api/simulate', CART, secret)));
    const lastUsed = async () => {
      const { body } = await server.call('/api/keys');
      const { keys } = body as { keys: { id: string; lastUsedAt: string | null }[] };
      return keys.find(({ id }) => id === key.id)?.lastUsedAt ?? null;
    };
    for (let turn = 0; (await lastUsed()) === null && turn < 100; turn++) await wait(50);
    assert.notEqual(await lastUsed(), null);
  });
});

test('SIGTERM under load: pending requests are answered, the end is in order, and log lines are complete', async (context) => {
  const folder = await temporaryFolder();
  const environment = { RATEWRIGHT_PROCESSES: '2', RATEWRIGHT_LOG_LEVEL: 'debug' };
  const server = await ServerProcess.start(folder.path, environment);
  context.after(() => server.process.kill('SIGKILL'));
  const clients = new ProcessClients(server.url);
  const acknowledged: string[] = [];
  let answers = 0;
  const load = async (client: Client, index: number): Promise<void> => {
    for (let n = 0; ; n++) {
      const name = `g${index}-${n}`;
      const isWrite = index % 4 === 0;
      const answer = await ProcessClients.ask(
        client,
        isWrite ? '/api/groups' : '/api/simulate',
        isWrite ? JSON.stringify({ name }) : CART,
      ).catch(() => null);
      // The connection was closed before any byte of the answer.
      if (answer === null) return;
      assert.equal(answer.status, isWrite ? 201 : 200, answer.text);
      answers++;
      if (isWrite) acknowledged.push(name);
    }
  };
  const running = Promise.all(clients.all.map(load));
  const isOver = running.then(() => true);
  while (answers < 200 || acknowledged.length < 20) {
    assert.ok(!(await Promise.race([isOver, wait(5, false)])), 'connections were closed before the stop');
  }
  assert.equal(await server.stop('SIGTERM'), 0, server.output.stderr);
  await running;
  await clients.close();
  for (const line of server.output.stderr.split('\n')) if (line !== '') JSON.parse(line);
  const pids = new Set(Array.from(server.output.stderr.matchAll(/"pid":(\d+)/g), ([, pid]) => pid));
  assert.equal(pids.size, 2, 'lines of both');
  assert.match(server.output.stderr, /"isComplete":true/);
  const next = await ServerProcess.start(folder.path);
  context.after(() => next.process.kill('SIGKILL'));
  const { groups } = (await next.call('/api/groups')).body as { groups: { name: string }[] };
  const names = new Set(groups.map(({ name }) => name));
  assert.deepEqual(
    acknowledged.filter((name) => !names.has(name)),
    [],
  );
  await context.test(
    'one process is the default, and no other process can listen on its port',
    {
      skip: withoutSockets,
    },
    async () => {
      assert.equal(listenersOn(next.url), 1);
      assert.deepEqual(childrenOf(next), []);
      await assertTaken(next.url, join(folder.path, 'other'));
    },
  );
  assert.equal(await next.stop(), 0);
  await folder.discard();
});

test('a process that is killed is started anew, the others answer, and nothing that was acknowledged is lost', async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  const server = await ServerProcess.start(folder.path, {
    RATEWRIGHT_PROCESSES: '3',
    RATEWRIGHT_LOG_LEVEL: 'fatal',
  });
  context.after(() => server.process.kill('SIGKILL'));
  const names: string[] = [];
  for (const which of [0, 1, 2]) {
    const before = childrenOf(server);
    process.kill(before[which] ?? 0, 'SIGKILL');
    for (let n = 0; n < 5; n++) {
      const name = `after-${which}-${n}`;
      const made = await server.call('/api/groups', { body: { name } }).catch(() => null);
      if (made?.status === 201) names.push(name);
    }
    while (childrenOf(server).length < 3) await wait(20);
  }
  assert.ok(names.length > 0);
  assert.equal(await metric(server, 'process_restarts_total'), 3);
  const clients = new ProcessClients(server.url);
  for (const client of clients.all) {
    const { text } = await ProcessClients.ask(client, '/api/groups');
    const { groups } = JSON.parse(text) as { groups: { name: string }[] };
    const known = new Set(groups.map(({ name }) => name));
    assert.deepEqual(
      names.filter((name) => !known.has(name)),
      [],
    );
  }
  await clients.close();
  assert.equal(await server.stop(), 0);
  const verified = await callCommand(folder.path, ['verify']);
  assert.equal(verified.code, 0, verified.stderr);
});
