/**
 * Nodes that die at each named point of a write, under load, and a node whose network is silent: each acknowledged
 * write is stored once, at the other nodes and at the restarted one. A long run; `RATEWRIGHT_NODE_DEATHS=20 npm test --
 * node-deaths` sets the number of deaths at each point.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { FAILPOINTS, type FailpointName, NODE_FAILPOINTS } from '../../../src/base/runtime/failpoint.ts';
import { WriteLedger } from '../../fault/write-ledger.ts';
import { CuttingProxy } from '../../support/postgres/cutting-proxy.ts';
import { postgresMissing } from '../../support/postgres/postgres-programs.ts';
import { PostgresServer } from '../../support/postgres/postgres-server.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import { ageOf, ended, makeGroup, simulate, untilReadyz } from './node-failures.ts';
import { type StartedNode, StartedNodes } from './started-nodes.ts';

const skip = postgresMissing();
const KILLS = Number(process.env['RATEWRIGHT_NODE_DEATHS'] ?? 1);
const WRITERS = 6;
/** The failpoints that each write passes. */
const POINTS = [...FAILPOINTS, ...NODE_FAILPOINTS].filter((point) => !/compile|checkpoint/.test(point));

let database: PostgresServer;
let nodes: StartedNodes;
let survivor: StartedNode;

before(async () => {
  if (skip !== false) return;
  database = await PostgresServer.create('deaths');
  await database.start();
  nodes = new StartedNodes(database.url);
  survivor = await nodes.start();
});

after(async () => {
  await nodes?.discard();
  await database?.discard();
});

/** A node on this folder that dies at the point, while both nodes are written to. */
async function dieAt(
  point: FailpointName,
  kill: number,
  ledger: WriteLedger,
  folder: string | undefined,
): Promise<string> {
  const failpoint = `${point}:${3 + ((kill * 7) % 20)}`;
  const dying = await nodes.start({ RATEWRIGHT_FAILPOINT: failpoint }, folder);
  const prefix = `${point}-${kill}`;
  const elsewhere = ledger.writeTogether(survivor.server, `${prefix}-other`, 2, 5);
  await ledger.writeTogether(dying.server, prefix, WRITERS, 100);
  assert.equal(await ended(dying.server), 'SIGKILL', failpoint);
  await elsewhere;
  await ledger.check(survivor.server, failpoint);
  return dying.folder;
}

/** Deletes the new groups, because a plan limits the number of groups. */
async function removeGroups({ server }: StartedNode): Promise<void> {
  const { groups } = (await server.call('/api/groups')).body as { groups: { id: string; name: string }[] };
  for (const { id, name } of groups) {
    if (!POINTS.some((point) => name.startsWith(`${point}-`))) continue;
    assert.equal((await server.call(`/api/groups/${id}`, { method: 'DELETE' })).status, 200);
  }
}

test(`nothing acknowledged is lost or twice there after ${KILLS} deaths of a node at each point of a write`, {
  skip,
  timeout: 12 * 60 * 60 * 1_000,
}, async (context) => {
  let [accepted, unknown] = [0, 0];
  let folder: string | undefined;
  for (let kill = 0; kill < KILLS; kill++) {
    const ledger = new WriteLedger();
    for (const point of POINTS) folder = await dieAt(point, kill, ledger, folder);
    const again = await nodes.start({}, folder);
    await ledger.check(again.server, 'at the node that started again');
    assert.equal(await again.server.stop(), 0);
    accepted += ledger.accepted.length;
    unknown += ledger.unknown.length;
    await removeGroups(survivor);
  }
  context.diagnostic(
    `${KILLS * POINTS.length} deaths, ${accepted} acknowledged, ${unknown} unknown, 0 lost, 0 twice`,
  );
});

test('a node whose network falls silent marks its answers, and what it sent is stored once it is back', {
  skip,
}, async () => {
  const proxy = await CuttingProxy.start(database.port);
  try {
    const url = database.url.replace(`:${database.port}/`, `:${proxy.port}/`);
    const { server } = await nodes.start({ RATEWRIGHT_DATABASE_URL: url });
    // Its connection for appends is there: without one, nothing would be sent, and the answer would be 503.
    assert.equal((await makeGroup(server, 'before the silence')).status, 201);
    proxy.isSilent = true;
    const unknown = await makeGroup(server, 'sent into silence');
    assert.equal(unknown.status, 500, unknown.text);
    await untilReadyz(server, 503);
    assert.ok((ageOf(await simulate(server)) ?? 0) >= 1);
    assert.equal((await makeGroup(survivor.server, 'beside the silence')).status, 201);
    proxy.isSilent = false;
    await untilReadyz(server, 200);
    assert.equal((await untilTaken(server, 'sent into silence')).status, 201);
    const names = (await survivor.server.call('/api/groups')).text;
    for (const name of ['sent into silence', 'beside the silence'])
      assert.equal(names.split(`"${name}"`).length, 2, name);
  } finally {
    await proxy.close();
  }
});

/** Repeats a write until its outcome is known. */
async function untilTaken(server: ServerProcess, name: string): ReturnType<typeof makeGroup> {
  for (;;) {
    const reply = await makeGroup(server, name);
    if (reply.status !== 503 && reply.status !== 500) return reply;
    await wait(50);
  }
}
