/** Nodes that are started while their database cannot be reached, and nodes that must not use what they find there. */
import assert from 'node:assert/strict';
import { after, before, test as testOnAny } from 'node:test';
import { CuttingProxy } from '../../support/postgres/cutting-proxy.ts';
import { postgresMissing } from '../../support/postgres/postgres-programs.ts';
import { PostgresServer } from '../../support/postgres/postgres-server.ts';
import type { Reply, ServerProcess } from '../../support/server-process.ts';
import {
  ageOf,
  CART,
  ended,
  makeGroup,
  type NodeTest,
  simulate,
  untilReadyz,
  versionOf,
} from './node-failures.ts';
import { type StartedNode, StartedNodes } from './started-nodes.ts';

const skip = postgresMissing();
const test: NodeTest = (title, body) => void testOnAny(title, { skip }, body);

let database: PostgresServer;
/** Between the nodes of the tests and the database. */
let proxy: CuttingProxy;
let started: StartedNodes;
/** A node whose connection is never cut. */
let current: StartedNode;

before(async () => {
  if (skip !== false) return;
  database = await PostgresServer.create('starts');
  await database.start();
  proxy = await CuttingProxy.start(database.port);
  started = new StartedNodes(database.url.replace(`:${database.port}/`, `:${proxy.port}/`));
  current = await started.start({ RATEWRIGHT_DATABASE_URL: database.url });
});

after(async () => {
  await started?.discard();
  await proxy?.close();
  await database?.discard();
});

function cutOff(): void {
  proxy.targetPort = 1;
  proxy.cutAll();
}

function reconnect(): void {
  proxy.targetPort = database.port;
}

const readiness = (server: ServerProcess): Promise<Reply> => server.call('/readyz', { key: null });

/** A folder with the mirror of a node that showed this write and was stopped. */
async function foldered(name: string): Promise<{ readonly folder: string; readonly version: unknown }> {
  const { server, folder } = await started.start();
  const written = await makeGroup(server, name);
  assert.equal(written.status, 201, written.text);
  assert.equal(await server.stop(), 0);
  return { folder, version: versionOf(written) };
}

test('a node that is started without its database answers from a whole mirror, marked, refuses the rest, and goes on once the database is there', async () => {
  const { folder, version } = await foldered('before the start');
  cutOff();
  const [whole, empty] = await Promise.all([started.start({}, folder), started.start()]);
  const unready = await readiness(whole.server);
  assert.equal(unready.status, 503);
  assert.match(unready.text, /"status":"outdated","reason":"the database cannot be reached/);
  for (const path of ['/api/simulate', '/api/groups']) {
    const call = path === '/api/simulate' ? { method: 'POST', body: CART } : {};
    const answer = await whole.server.call(path, call);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(versionOf(answer), version);
    assert.ok((ageOf(answer) ?? 0) >= 1);
  }
  const unknown = await whole.server.call('/api/groups', { key: 'rw_a_key_that_nobody_has_made' });
  const refusals = [
    await makeGroup(whole.server, 'not stored'),
    unknown,
    await empty.server.call('/api/simulate', { method: 'POST', body: CART }),
  ];
  for (const { status, text, headers } of refusals) {
    assert.equal(status, 503, text);
    assert.match(text, /"code":"UNAVAILABLE"/);
    assert.ok(Number(headers['retry-after']) >= 1);
  }
  await assert.rejects(
    started.commandAt(empty.folder, 'status'),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) =>
      code === 1 &&
      /\na server runs on it: version \S+, outdated\n/.test(stdout) &&
      stderr === 'ratewright status: the database cannot be reached, which knows the nodes\n',
  );
  const written = await makeGroup(current.server, 'while the others were cut off');
  assert.equal(written.status, 201, written.text);
  reconnect();
  for (const { server } of [whole, empty]) {
    await untilReadyz(server, 200);
    const answer = await simulate(server);
    assert.deepEqual([ageOf(answer), versionOf(answer)], [null, versionOf(written)]);
    assert.match(server.output.stderr, /"database\.unreachable"/);
    assert.equal(await server.stop(), 0);
  }
});

test('a node that never answers old data refuses until it reaches its database', async () => {
  const { folder } = await foldered('never old');
  cutOff();
  const { server } = await started.start({ RATEWRIGHT_STALE_SECONDS: '0' }, folder);
  const refused = await server.call('/api/simulate', { method: 'POST', body: CART });
  assert.equal(refused.status, 503, refused.text);
  reconnect();
  await untilReadyz(server, 200);
  await simulate(server);
  await server.stop();
});

test('a key that was revoked while a node was down opens nothing there once it has reached the database', async () => {
  const made = await current.server.call('/api/keys', {
    method: 'POST',
    body: { label: 'for a while', permission: 'read' },
  });
  const { key: view, secret: key } = made.body as {
    readonly key: { readonly id: string };
    readonly secret: string;
  };
  const { folder } = await foldered('has the key');
  const revoked = await current.server.call(`/api/keys/${view.id}`, { method: 'DELETE' });
  assert.equal(revoked.status, 200, revoked.text);
  cutOff();
  const { server } = await started.start({}, folder);
  const old = await server.call('/api/groups', { key });
  assert.ok(old.status === 200 && (ageOf(old) ?? 0) >= 1, old.text);
  reconnect();
  await untilReadyz(server, 200);
  assert.equal((await server.call('/api/groups', { key })).status, 401);
  await server.stop();
});

test('a demo shop is made as soon as the database of the first node is there', async () => {
  const url = await database.newDatabase('late');
  cutOff();
  const late = { RATEWRIGHT_DATABASE_URL: url.replace(`:${database.port}/`, `:${proxy.port}/`) };
  const { server } = await started.start(late);
  assert.equal((await readiness(server)).status, 503);
  reconnect();
  await untilReadyz(server, 200);
  await simulate(server);
  await server.stop();
});

const OTHER_KEYS: readonly (readonly [string, string])[] = [
  ['another key', 'another_key_than_the_other_nodes_have'],
  ['no key', ''],
];

for (const [what, key] of OTHER_KEYS) {
  test(`a node with ${what} for sealed secrets does not start (64), or ends when it reaches the database`, async () => {
    const line = /ratewright serve: the secrets in the database were sealed with another key: [^\n]+$/m;
    const environment = { RATEWRIGHT_SECRET_KEY: key };
    await assert.rejects(started.start(environment), (error: Error) => {
      assert.match(error.message, /^ended with 64: /);
      assert.match(error.message, line);
      return true;
    });
    cutOff();
    const { server } = await started.start(environment);
    const end = ended(server);
    reconnect();
    assert.equal(await end, 64);
    assert.match(server.output.stderr, line);
  });
}

test('a node that finds another database, or a later format, ends with 65 when it reaches it', async () => {
  const { folder } = await foldered('of one database');
  const other = await database.newDatabase('another');
  cutOff();
  const moved = { RATEWRIGHT_DATABASE_URL: other.replace(`:${database.port}/`, `:${proxy.port}/`) };
  const [{ server: elsewhere }, { server: older }] = [
    await started.start(moved, folder),
    await started.start(),
  ];
  const ends = [ended(elsewhere), ended(older)];
  await current.server.stop();
  await database.query('UPDATE rw_cluster SET write_format = write_format + 1');
  reconnect();
  assert.deepEqual(await Promise.all(ends), [65, 65]);
  assert.match(elsewhere.output.stderr, /^ratewright serve: [^\n]+ is a copy of another database [^\n]+$/m);
  assert.match(older.output.stderr, /^ratewright serve: the database has records of format 2; [^\n]+$/m);
});
