/** Three server processes on one database: each accepts writes, and none answers with stale data. */
import assert from 'node:assert/strict';
import { after, before, test as testOnAny } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Schemas } from '../../../src/front/client/client.ts';
import { LEASE_MS } from '../../../src/store/cluster/timing.ts';
import { LOST_RACES_MAX } from '../../../src/store/log/event-log.ts';
import { readText } from '../../house/project-files.ts';
import { CuttingProxy } from '../../support/postgres/cutting-proxy.ts';
import { postgresMissing } from '../../support/postgres/postgres-programs.ts';
import { PostgresServer } from '../../support/postgres/postgres-server.ts';
import type { Reply, ServerProcess } from '../../support/server-process.ts';
import {
  CART,
  databaseFailures,
  makeGroup,
  type NodeTest,
  nodeFailures,
  numberIn,
  simulate,
  untilReadyz,
  versionOf,
  whenTaken,
} from './node-failures.ts';
import { sharedUpkeep } from './shared-upkeep.ts';
import { type StartedNode, StartedNodes } from './started-nodes.ts';

const skip = postgresMissing();
const test: NodeTest = (title, body) => void testOnAny(title, { skip }, body);

let database: PostgresServer;
let proxy: CuttingProxy;
let started: StartedNodes;
const nodes: StartedNode[] = [];
/** A shop on the plan `starter`, with a key made by a command. */
let another: { readonly shop: string; readonly key: string };

const nodeAt = (index: number): ServerProcess =>
  nodes[index % nodes.length]?.server ?? assert.fail('no node');

before(async () => {
  if (skip !== false) return;
  database = await PostgresServer.create('nodes');
  await database.start();
  proxy = await CuttingProxy.start(database.port);
  started = new StartedNodes(database.url);
  nodes.push(await started.start());
  const throughProxy = database.url.replace(`:${database.port}/`, `:${proxy.port}/`);
  const others = [started.start(), started.start({ RATEWRIGHT_DATABASE_URL: throughProxy })];
  another = await started.newShop('Another', 'starter');
  nodes.push(...(await Promise.all(others)));
});

after(async () => {
  await started?.discard();
  await proxy?.close();
  await database?.discard();
});

test('the next answer of every node shows a write that another node acknowledged', async () => {
  for (let round = 0; round < 12; round++) {
    const written = await makeGroup(nodeAt(round), `Group ${round}`);
    assert.equal(written.status, 201, written.text);
    for (const other of [1, 2]) {
      const answer = await simulate(nodeAt(round + other));
      assert.equal(versionOf(answer), versionOf(written));
      assert.equal(answer.headers['x-config-age'], undefined);
    }
  }
});

test('concurrent writes of all nodes to one shop are all stored', async () => {
  const names = Array.from({ length: 24 }, (_, index) => `At once ${index}`);
  const replies = await Promise.all(names.map((name, index) => makeGroup(nodeAt(index), name)));
  for (const { status, text } of replies) assert.equal(status, 201, text);
  const config = JSON.stringify((await nodeAt(1).call('/api/config')).body);
  for (const name of names) assert.ok(config.includes(`"${name}"`), name);
});

test('a node that another one beats in every race takes the lock of the shop after two of them, and its write is stored', async () => {
  const rivals: Promise<Reply>[] = [];
  const headOf = async () => {
    const [row] = await database.query("SELECT seq FROM rw_heads WHERE shop = 'shop_demo'");
    return Number(row?.['seq']);
  };
  const letRivalIn = async () => {
    const before = await headOf();
    rivals.push(makeGroup(nodeAt(0), `Rival ${rivals.length}`));
    while ((await headOf()) === before) await wait(2);
  };
  let isLocked = false;
  proxy.beforeServer = (chunk) => {
    isLocked ||= chunk.includes('rw_lock\0');
    const isRace = !isLocked && chunk.includes('rw_append') && rivals.length < 2 * LOST_RACES_MAX;
    return isRace ? letRivalIn() : null;
  };
  const written = await makeGroup(nodeAt(2), 'Beaten');
  proxy.beforeServer = () => null;
  assert.equal(rivals.length, LOST_RACES_MAX);
  for (const { status, text } of [written, ...(await Promise.all(rivals))]) assert.equal(status, 201, text);
});

test('a key made through one node works at all nodes at once, and is refused by all once it is ended or revoked', async () => {
  const made = await nodeAt(0).call('/api/keys', {
    method: 'POST',
    body: { label: 'for a while', permission: 'read' },
  });
  assert.equal(made.status, 201, made.text);
  const { key: view, secret: key } = made.body as {
    readonly key: { readonly id: string };
    readonly secret: string;
  };
  const assertAtAll = async (status: number): Promise<void> => {
    for (const { server } of nodes)
      assert.equal((await whenTaken(() => server.call('/api/config', { key }))).status, status);
  };
  await assertAtAll(200);
  for (const [expiresAt, status] of [
    ['2026-01-01T00:00:00Z', 401],
    [null, 200],
  ] as const) {
    const changed = await nodeAt(2).call(`/api/keys/${view.id}`, { method: 'PUT', body: { expiresAt } });
    assert.equal(changed.status, 200, changed.text);
    await assertAtAll(status);
  }
  const revoked = await nodeAt(1).call(`/api/keys/${view.id}`, { method: 'DELETE' });
  assert.ok(revoked.status < 300, revoked.text);
  await assertAtAll(401);
});

test('a request that is repeated with its idempotency key gets the same answer from another node', async () => {
  const call = {
    method: 'POST',
    body: { name: 'Made once' },
    headers: { 'Idempotency-Key': 'once-and-for-all' },
  };
  const first = await nodeAt(0).call('/api/groups', call);
  const again = await nodeAt(1).call('/api/groups', call);
  assert.equal(first.status, 201, first.text);
  assert.equal(again.text, first.text);
});

const simulateMany = (server: ServerProcess, key: string) =>
  server.call('/api/simulate/batch', { key, body: { requests: Array.from({ length: 21 }, () => CART) } });

/** How many simulations in a second each node lets through: it says so to a batch of more, and counts none of it. */
async function sharesOf(servers: readonly ServerProcess[], key: string): Promise<readonly number[]> {
  return Promise.all(
    servers.map(async (server) => {
      const { text } = await simulateMany(server, key);
      const [, share] = /send at most (\d+) at once/.exec(text) ?? assert.fail(text);
      return Number(share);
    }),
  );
}

test('a key made by a command works at every node; the nodes share the rate of the plan, one that joins at once, and follow a change of plan', async () => {
  const { shop, key } = another;
  const sum = (shares: readonly number[]) => shares.reduce((total, share) => total + share, 0);
  const servers = nodes.map(({ server }) => server);
  // The others learn of a node that joined or left with their next beat.
  const untilShared = async () => {
    while (sum(await sharesOf(servers, key)) !== 20) await wait(100);
  };
  await untilShared();
  const joined = (await started.start()).server;
  await untilReadyz(joined, 200);
  assert.deepEqual(await sharesOf([joined], key), [5]);
  const first = await joined.call('/api/shop', { key });
  assert.equal(first.status, 200, first.text);
  servers.push(joined);
  await untilShared();
  await joined.stop();
  servers.pop();
  await untilShared();
  await started.command('shop', 'set-plan', 'enterprise', '--shop', shop);
  for (const server of servers) assert.equal((await simulateMany(server, key)).status, 200);
});

test('a changeset is entered, edited, viewed, replayed and promoted at different nodes, and rolled back at another', async () => {
  const namesAt = async (index: number, view: string) =>
    (await nodeAt(index).call(`/api/groups?view=${view}`)).text.includes('"Tried"');
  const stage = (index: number, action: string) => act(nodeAt(index), action);
  const before = versionOf(await simulate(nodeAt(0)));
  assert.equal((await stage(0, 'enter')).status, 200);
  const written = await makeGroup(nodeAt(1), 'Tried');
  assert.equal(written.status, 201, written.text);
  for (const index of [0, 1, 2])
    assert.deepEqual([await namesAt(index, 'staged'), await namesAt(index, 'live')], [true, false]);
  // Each node replays the simulations that it answered itself.
  for (const index of [0, 1, 2]) {
    await simulate(nodeAt(index));
    const replayed = await stage(index, 'replay');
    assert.equal(replayed.status, 200, replayed.text);
    assert.match(replayed.text, /"replayed":\{"runs":[1-9]/);
  }
  assert.equal((await stage(2, 'promote')).status, 200);
  for (const index of [0, 1, 2]) assert.equal(await namesAt(index, 'live'), true);
  assert.equal((await stage(0, 'promote')).status, 409);
  const rolledBack = await nodeAt(1).call('/api/versions', {
    method: 'POST',
    body: { action: 'rollback', targetVersionId: before },
  });
  assert.equal(rolledBack.status, 200, rolledBack.text);
  for (const index of [0, 1, 2]) assert.equal(await namesAt(index, 'live'), false);
  const audits = await Promise.all(nodes.map(({ server }) => server.call('/api/audit?limit=2')));
  for (const { body, text } of audits) {
    const { entries } = body as { readonly entries: readonly { readonly action: string }[] };
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['changeset_promoted', 'changeset_entered'],
    );
    assert.equal(text, audits[0]?.text, 'every node has the same audit');
  }
});

interface StagedShadow {
  readonly staging: {
    readonly shadow: { readonly evaluated: number; readonly replayed: { readonly evaluated: number } };
  } | null;
}

const act = (server: ServerProcess, action: string) =>
  server.call('/api/staging', { method: 'POST', body: { action } });

async function shadowAt(server: ServerProcess) {
  const { body } = await server.call('/api/staging');
  return (body as StagedShadow).staging?.shadow;
}

const evaluatedAt = async (server: ServerProcess) => (await shadowAt(server))?.evaluated;

test('every node reports the results of a changeset summed over all nodes, and the promotion gate uses the sum', async () => {
  const setGate = async (index: number, promotionGate: object) => {
    const set = await nodeAt(index).call('/api/shop', { method: 'PUT', body: { promotionGate } });
    assert.equal(set.status, 200, set.text);
  };
  await setGate(1, { evaluatedMin: 7 });
  assert.equal((await act(nodeAt(0), 'enter')).status, 200);
  for (const index of [0, 0, 0, 1, 1, 2]) await simulate(nodeAt(index));
  // The gate knows at once what all nodes have answered; each node writes its results within a second.
  const refused = await act(nodeAt(2), 'promote');
  assert.equal(refused.status, 409);
  assert.match(refused.text, /evaluatedMin: the limit is 7, and it is 6;/);
  for (const { server } of nodes) while ((await evaluatedAt(server)) !== 6) await wait(20);
  await setGate(0, { evaluatedMin: 6 });
  assert.equal((await act(nodeAt(2), 'promote')).status, 200);
  assert.equal(await evaluatedAt(nodeAt(1)), undefined);
  await setGate(2, {});
});

/** A cart for a zone that no other simulation of this file uses. */
const COUNTED_CART: unknown = JSON.parse(readText('data/carts/japan-tokyo.json'));

/** The number of these carts, over all nodes, as the node reports it. */
async function countedAt(server: ServerProcess): Promise<number> {
  const reply = await server.call('/api/coverage');
  const { zones } = reply.body as { zones: { zoneId: string; count: number }[] };
  return zones.filter(({ zoneId }) => zoneId === 'zone_world').reduce((sum, { count }) => sum + count, 0);
}

async function simulateCounted(server: ServerProcess, times: number): Promise<void> {
  const asked = Array.from({ length: times }, () =>
    server.call('/api/simulate', { method: 'POST', body: COUNTED_CART }),
  );
  for (const answer of await Promise.all(asked)) assert.equal(answer.status, 200, answer.text);
}

test('coverage counts simulations of every node; the node that answers includes its own at once', async () => {
  for (const [index, { server }] of nodes.entries()) {
    await simulateCounted(server, index + 1);
    assert.ok((await countedAt(server)) >= index + 1);
  }
});

test('status lists the nodes with their beats and marks a node that lags', async () => {
  const { process: stopped } = nodeAt(2);
  stopped.kill('SIGSTOP');
  const statusAt = async (): Promise<Schemas['OperatorStatus']> => {
    const printed = started.command('status', '--json').catch((error: { stdout: string }) => error.stdout);
    return JSON.parse(await printed);
  };
  let behind: number | undefined = 0;
  while (behind === 0) {
    await wait(LEASE_MS);
    behind = (await statusAt()).cluster?.nodes.filter(({ isCurrent }) => !isCurrent).length;
  }
  stopped.kill('SIGCONT');
  assert.equal(behind, 1);
  while ((await statusAt()).cluster?.nodes.some(({ isCurrent }) => !isCurrent) === true) await wait(20);
  // The node that the second command is itself is not listed.
  for (const text of [await started.command('status'), await started.commandAlone('status')]) {
    assert.match(text, /\ncluster [-0-9a-f]{36}, epoch 1\nnode +run +beat +lag +state\n/);
    assert.equal(text.match(/ ms +current$/gm)?.length, 3, text);
  }
});

const stage = () => ({ database, proxy, started, nodes, another });
sharedUpkeep(test, stage);
nodeFailures(test, stage);

test('a shop that a command deletes where no node runs is unknown to every node', async () => {
  const { shop, key } = another;
  await started.commandAlone('shop', 'delete', shop, '--yes');
  for (const { server } of nodes)
    assert.equal((await server.call('/api/simulate', { method: 'POST', body: CART, key })).status, 401);
});

test('a shop that an operator makes at one node is at all of them, and one that is deleted at none', async () => {
  const id = 'shop_operated';
  const path = `/operator/shops/${id}`;
  const body = { id, name: 'Operated', key: { label: 'Setup', permission: 'admin' } };
  const made = await nodeAt(0).call('/operator/shops', { body });
  assert.equal(made.status, 201, made.text);
  const { secret: key } = (made.body as { readonly key: { readonly secret: string } }).key;
  const assertAtAll = async (status: number, text: RegExp): Promise<void> => {
    for (const { server } of nodes) {
      const reply = await whenTaken(() => server.call('/api/shop', { key }));
      assert.deepEqual([reply.status, text.test(reply.text)], [status, true], reply.text);
    }
  };
  await assertAtAll(200, /"plan":"starter"/);
  const changed = await nodeAt(1).call(path, { method: 'PUT', body: { plan: 'pro' } });
  assert.equal(changed.status, 200, changed.text);
  await assertAtAll(200, /"plan":"pro"/);
  const page = await nodeAt(2).call('/operator/shops?search=OPERATED&limit=1');
  assert.match(page.text, /^\{"shops":\[\{"id":"shop_operated",.*\}\],"damaged":\[\],"nextCursor":null\}$/);
  for (const at of [1, 2]) {
    const deleted = await whenTaken(() => nodeAt(at).call(path, { method: 'DELETE' }));
    assert.deepEqual([deleted.status, deleted.body], [200, { deleted: true, id }]);
    await assertAtAll(401, /the API key is not valid/);
  }
  assert.equal((await nodeAt(0).call('/operator/shops', { body })).status, 409);
  assert.equal((await nodeAt(2).call(`${path}/api/shop`)).status, 404);
  assert.match((await nodeAt(1).call('/operator/verify', { method: 'POST' })).text, /"defects":\[\]/);
  assert.match((await nodeAt(0).call('/operator/backup')).text, /the log is in the database/);
});

test('the counts of a node that joins and leaves are added to those of the other nodes', async () => {
  const { server } = await started.start();
  for (let round = 0; round < 4; round++) {
    const [writer, reader] = round % 2 === 0 ? [server, nodeAt(round)] : [nodeAt(round), server];
    const written = await makeGroup(writer, `Of a joined node ${round}`);
    assert.equal(written.status, 201, written.text);
    const asked = Array.from({ length: 8 }, () => simulate(reader));
    for (const answer of await Promise.all(asked)) assert.equal(versionOf(answer), versionOf(written));
  }
  assert.equal((await act(nodeAt(0), 'enter')).status, 200);
  await simulateCounted(server, 8);
  for (const each of [server, nodeAt(1)]) while ((await evaluatedAt(each)) !== 8) await wait(20);
  // A replay shows what the node answered: 16 simulations before, and these 8.
  assert.equal((await act(server, 'replay')).status, 200);
  assert.equal((await shadowAt(server))?.replayed.evaluated, 24);
  assert.equal((await act(server, 'discard')).status, 200);
  while ((await numberIn(server, 'cluster_nodes')) !== 4) await wait(20);
  const made = await nodeAt(0).call('/api/keys', { body: { label: 'used elsewhere', permission: 'read' } });
  assert.equal(made.status, 201, made.text);
  const { key, secret } = made.body as { key: { id: string }; secret: string };
  assert.equal((await server.call('/api/config', { key: secret })).status, 200);
  assert.equal(await server.stop(), 0, server.output.stderr);
  // A node writes its counts when it stops; the running ones write them within a minute.
  for (const each of nodes) {
    const { keys } = (await each.server.call('/api/keys')).body as {
      keys: { id: string; lastUsedAt: string | null }[];
    };
    assert.notEqual(keys.find(({ id }) => id === key.id)?.lastUsedAt, null);
  }
  const sum = 8 + nodes.reduce((total, _, index) => total + index + 1, 0);
  for (const each of nodes) while ((await countedAt(each.server)) !== sum) await wait(200);
});

databaseFailures(test, stage);
