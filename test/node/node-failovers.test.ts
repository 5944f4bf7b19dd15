/**
 * Nodes with live leases on three real PostgreSQL servers whose primary is killed or stopped and replaced, again and
 * again: nothing acknowledged is lost or there twice, and no answer without a mark is old. A long run;
 * `RATEWRIGHT_NODE_FAILOVERS=200 npm test -- node-failovers` does so many failovers.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { postgresMissing } from '../support/postgres/postgres-programs.ts';
import { PostgresTrio } from '../support/postgres/postgres-trio.ts';
import type { Reply, ServerProcess } from '../support/server-process.ts';
import { StartedNodes } from './started-nodes.ts';

const skip = postgresMissing();
const FAILOVERS = Number(process.env['RATEWRIGHT_NODE_FAILOVERS'] ?? 3);
const CART = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 1 }] };
const WRITERS = 3;
/** Without a failover. */
const CALM_MS = 700;

let trio: PostgresTrio;
let nodes: StartedNodes;
const servers: ServerProcess[] = [];

before(async () => {
  if (skip !== false) return;
  trio = await PostgresTrio.start();
  nodes = new StartedNodes(trio.url, { RATEWRIGHT_DATABASE_COPIES: 'standbys' });
  servers.push((await nodes.start()).server);
  for (const { server } of await Promise.all([nodes.start(), nodes.start()])) servers.push(server);
});

after(async () => {
  await nodes?.discard();
  await trio?.discard();
});

const serverAt = (index: number): ServerProcess => servers[index % servers.length] ?? assert.fail('no node');

async function untilReadyz(status: number): Promise<void> {
  for (const server of servers)
    while ((await server.call('/readyz', { key: null })).status !== status) await wait(20);
}

const versionOf = ({ headers }: Reply): unknown => headers['x-config-version'];

/** The only writer of a shop: whatever it was told is the newest, until it writes again. */
class ShopWriter {
  readonly #key: string;
  readonly #group: string;
  #name = '';
  /** Of the new shop, and of each write that was acknowledged, in their order. */
  readonly #versions: unknown[];
  unknown = 0;
  current = 0;
  marked = 0;

  private constructor(key: string, group: string, version: unknown) {
    this.#key = key;
    this.#group = group;
    this.#versions = [version];
  }

  get acknowledged(): number {
    return this.#versions.length - 1;
  }

  static async ofNewShop(name: string): Promise<ShopWriter> {
    const shop = (
      await nodes.command('shop', 'create', '--name', name, '--currency', 'EUR', '--plan', 'enterprise')
    ).trim();
    const key = (await nodes.command('key', 'create', '--shop', shop)).split('\n')[0] ?? '';
    const reply = await serverAt(0).call('/api/groups', { key });
    const { groups } = reply.body as { groups: { id: string }[] };
    return new ShopWriter(key, groups[0]?.id ?? assert.fail('no group'), versionOf(reply));
  }

  /** Writes once, whatever comes of it. */
  send(server: ServerProcess, name: string): Promise<Reply> {
    return server.call(`/api/groups/${this.#group}`, {
      method: 'PUT',
      key: this.#key,
      body: { name },
      headers: { 'Idempotency-Key': name },
    });
  }

  ask(server: ServerProcess): Promise<Reply> {
    return server.call('/api/simulate', { method: 'POST', key: this.#key, body: CART });
  }

  /** Renames the group through one node, repeats that at others until the outcome is known, and asks all nodes. */
  async write(round: number): Promise<void> {
    const name = `name-${round}`;
    for (let attempt = 0; ; attempt++) {
      const reply = await this.send(serverAt(round + attempt), name);
      if (reply.status === 200) {
        this.#name = name;
        this.#versions.push(versionOf(reply));
        await Promise.all(servers.map((server) => this.check(server)));
        return;
      }
      assert.ok(reply.status === 429 || reply.status === 500, reply.text);
      if (reply.status === 500) this.unknown++;
      await wait(50);
    }
  }

  /** Asks a node, at any time: without a mark it shows what was acknowledged before, or what is being written. */
  async check(server: ServerProcess): Promise<void> {
    const newest = this.acknowledged;
    const answer = await this.ask(server);
    // Without a lease the shop may not be in memory, or its age not be known.
    if (answer.status === 429) return;
    assert.equal(answer.status, 200, answer.text);
    if (answer.headers['x-config-age'] !== undefined) {
      this.marked++;
      return;
    }
    this.current++;
    const place = this.#versions.indexOf(versionOf(answer));
    assert.ok(place < 0 || place >= newest, `an answer without a mark is old: ${place} < ${newest}`);
  }

  /** Every node has the last name, and a version for each write that was acknowledged. */
  async checkAll(): Promise<void> {
    for (const server of servers) {
      const { versions } = (await server.call('/api/versions', { key: this.#key })).body as {
        versions: { number: number }[];
      };
      assert.equal(versions[0]?.number, this.acknowledged + 1);
      const groups = (await server.call('/api/groups', { key: this.#key })).text;
      assert.ok(groups.includes(`"${this.#name}"`), groups);
    }
  }
}

test(`${FAILOVERS} failovers below three nodes: nothing is lost or twice there, and no answer without a mark is old`, {
  skip,
  timeout: 12 * 60 * 60 * 1_000,
}, async (context) => {
  const writers: ShopWriter[] = [];
  for (let writer = 0; writer < WRITERS; writer++) writers.push(await ShopWriter.ofNewShop(`Shop ${writer}`));
  let isOver = false;
  const writing = writers.map(async (writer) => {
    for (let round = 0; !isOver; round++) await writer.write(round);
  });
  const asking = writers.map(async (writer) => {
    while (!isOver) {
      await Promise.all(servers.map((server) => writer.check(server)));
      await wait(20);
    }
  });
  const failures = Promise.all([...writing, ...asking]);
  failures.catch(() => {
    isOver = true;
  });
  for (let failover = 0; failover < FAILOVERS && !isOver; failover++) {
    await wait(CALM_MS);
    const old = trio.primary;
    if (failover % 2 === 0) await old.kill();
    else old.pause();
    await trio.failOver();
    if (failover % 2 === 1) old.resume();
    await untilReadyz(200);
    await wait(CALM_MS);
    await trio.rejoin(old);
  }
  isOver = true;
  await failures;
  for (const writer of writers) await writer.checkAll();
  const sum = (of: 'acknowledged' | 'unknown' | 'current' | 'marked') =>
    writers.reduce((total, writer) => total + writer[of], 0);
  context.diagnostic(
    `${sum('acknowledged')} acknowledged, ${sum('unknown')} unknown, ${sum('current')} answers current, ${sum('marked')} marked`,
  );
  assert.ok(sum('acknowledged') > FAILOVERS * WRITERS && sum('current') > 0 && sum('marked') > 0);
});

test('without a quorum answers are marked, writes are unknown, and what was sent is stored once it is back', {
  skip,
}, async () => {
  const writer = await ShopWriter.ofNewShop('Without a quorum');
  await writer.write(0);
  await trio.detachStandbys();
  const unknown = await writer.send(serverAt(0), 'name-1');
  assert.equal(unknown.status, 500, unknown.text);
  await untilReadyz(503);
  assert.ok(Number((await writer.ask(serverAt(0))).headers['x-config-age']) >= 1);
  const held = await writer.send(serverAt(0), 'held');
  assert.equal(held.status, 429, held.text);
  await trio.attachStandbys();
  await untilReadyz(200);
  await writer.write(1);
  await writer.checkAll();
});
