/**
 * Failovers of three PostgreSQL servers below nodes with live leases. Each shop has one writer, which knows every
 * acknowledged name: no acknowledged write may be lost or stored twice, and no unmarked answer may be stale.
 */
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { PostgresServer } from '../../support/postgres/postgres-server.ts';
import type { PostgresTrio } from '../../support/postgres/postgres-trio.ts';
import { DEMO_KEY, type Reply, type ServerProcess } from '../../support/server-process.ts';
import { untilReadyz, versionOf } from './node-failures.ts';
import { StartedNodes } from './started-nodes.ts';

const CART = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 1 }] };
/** Without a failover. */
const CALM_MS = 700;

/** Nodes over the three servers. */
export class FailoverStage {
  readonly trio: PostgresTrio;
  readonly nodes: StartedNodes;
  readonly servers: readonly ServerProcess[];

  private constructor(trio: PostgresTrio, nodes: StartedNodes, servers: readonly ServerProcess[]) {
    this.trio = trio;
    this.nodes = nodes;
    this.servers = servers;
  }

  /** `count` nodes on a new database. */
  static async start(trio: PostgresTrio, count: number): Promise<FailoverStage> {
    const nodes = new StartedNodes(await trio.newDatabase('nodes'), {
      RATEWRIGHT_DATABASE_COPIES: 'standbys',
    });
    const first = (await nodes.start()).server;
    const others = await Promise.all(Array.from({ length: count - 1 }, () => nodes.start()));
    return new FailoverStage(trio, nodes, [first, ...others.map(({ server }) => server)]);
  }

  serverAt(index: number): ServerProcess {
    return this.servers[index % this.servers.length] ?? assert.fail('no node');
  }

  async untilReadyz(status: number): Promise<void> {
    for (const server of this.servers) await untilReadyz(server, status);
  }
}

interface Version {
  readonly id: string;
  readonly number: number;
}

/** Newest first. */
async function versionsAt(server: ServerProcess, key: string): Promise<readonly Version[]> {
  return ((await server.call('/api/versions', { key })).body as { versions: Version[] }).versions;
}

/** The only writer of a shop: its last acknowledged name is the newest, until it writes again. */
export class ShopWriter {
  readonly #stage: FailoverStage;
  readonly #key: string;
  readonly #group: string;
  #name = '';
  /** Of the beginning, and of each write that was acknowledged, in their order. */
  readonly #versions: unknown[];
  /** Number of the version at the beginning. */
  readonly #firstNumber: number;
  unknown = 0;
  current = 0;
  marked = 0;

  private constructor(stage: FailoverStage, key: string, group: string, first: Version) {
    this.#stage = stage;
    this.#key = key;
    this.#group = group;
    this.#versions = [first.id];
    this.#firstNumber = first.number;
  }

  get acknowledged(): number {
    return this.#versions.length - 1;
  }

  /** A writer of the shop of this key, which has no other writer. */
  static async of(stage: FailoverStage, key: string): Promise<ShopWriter> {
    const server = stage.serverAt(0);
    const { groups } = (await server.call('/api/groups', { key })).body as { groups: { id: string }[] };
    const [group, first] = [groups[0], (await versionsAt(server, key))[0]];
    assert.ok(group !== undefined && first !== undefined);
    return new ShopWriter(stage, key, group.id, first);
  }

  static async ofNewShop(stage: FailoverStage, name: string): Promise<ShopWriter> {
    return ShopWriter.of(stage, (await stage.nodes.newShop(name, 'enterprise')).key);
  }

  /** Writes once, with any outcome. */
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
      const reply = await this.send(this.#stage.serverAt(round + attempt), name);
      if (reply.status === 200) {
        this.#name = name;
        this.#versions.push(versionOf(reply));
        await Promise.all(this.#stage.servers.map((server) => this.check(server)));
        return;
      }
      assert.ok(reply.status === 503 || reply.status === 500, reply.text);
      if (reply.status === 500) this.unknown++;
      await wait(50);
    }
  }

  /** Asks a node: an unmarked answer must have the last acknowledged name, or the name that is being written. */
  async check(server: ServerProcess): Promise<void> {
    const newest = this.acknowledged;
    const answer = await this.ask(server);
    // Without a lease, the shop may not be in memory, or its age may be unknown.
    if (answer.status === 503) return;
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
    for (const server of this.#stage.servers) {
      const [newest] = await versionsAt(server, this.#key);
      assert.equal(newest?.number, this.#firstNumber + this.acknowledged);
      const groups = (await server.call('/api/groups', { key: this.#key })).text;
      assert.ok(groups.includes(`"${this.#name}"`), groups);
    }
  }
}

/**
 * The primary is killed, or stopped and comes back, in turn. One writer has the demo shop, the others have new ones. Resolves
 * with the last primary that was replaced, which is no standby yet.
 */
export async function failoversBelow(
  stage: FailoverStage,
  { failovers, shops }: { readonly failovers: number; readonly shops: number },
  diagnostic: (text: string) => void,
): Promise<PostgresServer> {
  const writers = [await ShopWriter.of(stage, DEMO_KEY)];
  for (let writer = 1; writer < shops; writer++)
    writers.push(await ShopWriter.ofNewShop(stage, `Shop ${writer}`));
  let isOver = false;
  const writing = writers.map(async (writer) => {
    for (let round = 0; !isOver; round++) await writer.write(round);
  });
  const asking = writers.map(async (writer) => {
    while (!isOver) {
      await Promise.all(stage.servers.map((server) => writer.check(server)));
      await wait(20);
    }
  });
  const failures = Promise.all([...writing, ...asking]);
  failures.catch(() => {
    isOver = true;
  });
  let old = stage.trio.primary;
  for (let failover = 0; failover < failovers && !isOver; failover++) {
    if (failover > 0) await stage.trio.rejoin(old);
    await wait(CALM_MS);
    old = stage.trio.primary;
    if (failover % 2 === 0) await old.kill();
    else old.pause();
    // Long enough once for leases to end, so that answers are marked.
    if (failover === 0) await stage.untilReadyz(503);
    await stage.trio.failOver();
    if (failover % 2 === 1) old.resume();
    await stage.untilReadyz(200);
    await wait(CALM_MS);
  }
  isOver = true;
  await failures;
  for (const writer of writers) await writer.checkAll();
  const sum = (of: 'acknowledged' | 'unknown' | 'current' | 'marked') =>
    writers.reduce((total, writer) => total + writer[of], 0);
  diagnostic(
    `${sum('acknowledged')} acknowledged, ${sum('unknown')} unknown, ${sum('current')} answers current, ${sum('marked')} marked`,
  );
  assert.ok(sum('acknowledged') > failovers * shops && sum('current') > 0 && sum('marked') > 0);
  return old;
}
