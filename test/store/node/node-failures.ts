/**
 * Failures of nodes and of their database: a node is killed during a write, is suspended, or loses its connection; an
 * answer of the database is lost; a mirror or a record is damaged; the database is replaced or restored from a
 * backup.
 */
import assert from 'node:assert/strict';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { CuttingProxy } from '../../support/postgres/cutting-proxy.ts';
import type { PostgresServer } from '../../support/postgres/postgres-server.ts';
import type { Reply, ServerProcess } from '../../support/server-process.ts';
import type { StartedNode, StartedNodes } from './started-nodes.ts';

export interface NodeStage {
  readonly database: PostgresServer;
  /** Between the last of the nodes and the database. */
  readonly proxy: CuttingProxy;
  readonly started: StartedNodes;
  readonly nodes: readonly StartedNode[];
  /** A shop beside the demo shop. */
  readonly another: { readonly key: string };
}

export const CART: unknown = JSON.parse(readFileSync('data/carts/us-two-groups.json', 'utf8'));
/** Failpoints that a write passes after its commit in the database. */
const POINTS = ['before-mirror', 'after-append', 'after-publish', 'after-barrier'] as const;

export const makeGroup = (server: ServerProcess, name: string): Promise<Reply> =>
  server.call('/api/groups', {
    method: 'POST',
    body: { name },
    headers: { 'Idempotency-Key': name.replaceAll(' ', '-') },
  });

export async function simulate(server: ServerProcess, key?: string): Promise<Reply> {
  const answer = await server.call('/api/simulate', {
    method: 'POST',
    body: CART,
    ...(key === undefined ? {} : { key }),
  });
  assert.equal(answer.status, 200, answer.text);
  return answer;
}

/** The answer of a node to what may be asked again. On a busy machine its lease may lapse, and it refuses for a moment. */
export async function whenTaken(ask: () => Promise<Reply>): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const reply = await ask();
    if (reply.status !== 503 || tries === 20) return reply;
    await wait(500);
  }
}

export const versionOf = ({ headers }: Reply): unknown => headers['x-config-version'];
export const ageOf = ({ headers }: Reply): number | null =>
  headers['x-config-age'] === undefined ? null : Number(headers['x-config-age']);

/** Fails after a minute, so that one node that stays as it is does not hold up all tests. */
export async function untilReadyz(server: ServerProcess, status: number): Promise<void> {
  const endMs = performance.now() + 60_000;
  for (;;) {
    const { status: is, text } = await server.call('/readyz', { key: null });
    if (is === status) return;
    assert.ok(performance.now() < endMs, `/readyz is ${is}: ${text}`);
    await wait(20);
  }
}

export const ended = (server: ServerProcess): Promise<number | NodeJS.Signals | null> => {
  const { process: child } = server;
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve(child.exitCode ?? child.signalCode);
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
};

/** Names of all groups; a name that several groups have is listed for each. */
async function groupsOf(server: ServerProcess): Promise<readonly string[]> {
  const { groups } = (await server.call('/api/groups')).body as { groups: { name: string }[] };
  return groups.map(({ name }) => name);
}

type Three = readonly [StartedNode, StartedNode, StartedNode];

export function threeOf({ nodes }: NodeStage): Three {
  const [first, second, third] = nodes;
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  return [first, second, third];
}

const printedBy = ({ output }: ServerProcess): string => `${output.stdout}${output.stderr}`;

/** A number of the node's `/metrics`. */
export async function numberIn(server: ServerProcess, name: string): Promise<number> {
  const { text } = await server.call('/metrics', { key: null });
  return Number(new RegExp(`^ratewright_${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/**
 * Flips a bit in each copy of the text in the mirror's data file. Writes in place, because the node may have the file
 * open.
 */
export function damage({ folder }: StartedNode, text: string): void {
  const path = join(folder, 'data.mdb');
  const bytes = readFileSync(path);
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at);
  assert.ok(places.length > 0);
  const file = openSync(path, 'r+');
  for (const at of places) writeSync(file, Buffer.of(bytes.readUInt8(at) ^ 1), 0, 1, at);
  closeSync(file);
}

/** Defines a test that is skipped where PostgreSQL is missing. */
export type NodeTest = (title: string, body: (context: TestContext) => Promise<void>) => void;

/** Afterwards all nodes of the stage serve again. */
export function nodeFailures(test: NodeTest, stage: () => NodeStage): void {
  /** One node for each failpoint, in the order of `POINTS`. */
  const dying: StartedNode[] = [];
  const nodeOf = (point: (typeof POINTS)[number]): StartedNode =>
    dying[POINTS.indexOf(point)] ?? assert.fail(point);

  test('a write is stored once when its node dies after the commit; a suspended node and a disconnected one mark stale answers; the other nodes keep working', async () => {
    const { proxy, database, started } = stage();
    const [one, stopped, cut] = threeOf(stage());
    // A node passes `before-mirror` for the first time when it loads the shop.
    const starting = POINTS.map((point) =>
      started.start({ RATEWRIGHT_FAILPOINT: point === 'before-mirror' ? `${point}:2` : point }),
    );
    dying.push(...(await Promise.all(starting)));
    for (const { server } of [one, stopped, cut, ...dying]) await simulate(server);
    const three = () => [1, 2, 3].map(() => simulate(stopped.server));
    await Promise.all(three());
    proxy.targetPort = 1;
    proxy.cutAll();
    stopped.server.process.kill('SIGSTOP');
    // When it goes on, connections that were idle for too long are closed.
    const waiting = three().map((answer) => answer.catch(() => null));
    // In sequence, so that each node dies in its own write and not while it mirrors the write of another node.
    const killInWrite = async ({ server }: StartedNode, point: string) => {
      const write = makeGroup(server, `dies ${point}`);
      assert.equal((await write.catch(() => null))?.text, undefined, point);
      assert.equal(await ended(server), 'SIGKILL');
    };
    const last = 'after-barrier';
    for (const point of POINTS) if (point !== last) await killInWrite(nodeOf(point), point);
    // Both writes wait until the leases of the dead and of the suspended nodes have expired.
    const [written] = await Promise.all([
      makeGroup(one.server, 'after the deaths'),
      killInWrite(nodeOf(last), last),
    ]);
    assert.equal(written.status, 201, written.text);
    const newest = versionOf(await simulate(one.server));

    const outdated = await simulate(cut.server);
    assert.ok((ageOf(outdated) ?? 0) >= 1);
    assert.notEqual(versionOf(outdated), newest);
    await untilReadyz(cut.server, 503);
    const refused = await makeGroup(cut.server, 'not stored');
    assert.equal(refused.status, 503, refused.text);
    assert.ok(Number(refused.headers['retry-after']) >= 1);

    stopped.server.process.kill('SIGCONT');
    for (const answer of await Promise.all(waiting))
      assert.ok(answer === null || ageOf(answer) !== null || versionOf(answer) === newest);
    proxy.targetPort = database.port;
    for (const { server } of [stopped, cut]) {
      await untilReadyz(server, 200);
      const answer = await simulate(server);
      assert.deepEqual([ageOf(answer), versionOf(answer)], [null, newest]);
    }

    for (const point of POINTS)
      assert.equal((await makeGroup(stopped.server, `dies ${point}`)).status, 201, point);
    const there = await groupsOf(one.server);
    const names = [...POINTS.map((point) => `dies ${point}`), 'after the deaths', 'not stored'];
    assert.deepEqual(
      names.map((name) => there.filter((each) => each === name).length),
      [1, 1, 1, 1, 1, 0],
    );
  });

  test('a write whose answer from the database is lost is stored once', async () => {
    const { proxy } = stage();
    const [one, , cut] = threeOf(stage());
    for (const where of ['beforeAnswer', 'beforeStatement'] as const) {
      const isCut = proxy.cutAt('rw_append', where);
      const written = await makeGroup(cut.server, `cut ${where}`);
      await isCut;
      assert.equal(written.status, 201, written.text);
      assert.equal((await groupsOf(one.server)).filter((name) => name === `cut ${where}`).length, 1);
    }
  });

  test('without the database a node marks its answers with their age, and refuses writes', async () => {
    const { database } = stage();
    const [one, stopped] = threeOf(stage());
    database.kill();
    await untilReadyz(one.server, 503);
    assert.ok((ageOf(await simulate(one.server)) ?? 0) >= 1);
    const refused = await makeGroup(stopped.server, 'without a database');
    assert.equal(refused.status, 503, refused.text);
    await database.start();
    await untilReadyz(one.server, 200);
    assert.equal(ageOf(await simulate(one.server)), null);
  });

  test('a damaged mirror is rebuilt from the database; a shop that is damaged in the database is refused, other shops are served', async () => {
    const { database, started, another } = stage();
    const [one] = threeOf(stage());
    const [pages, record] = [nodeOf('after-publish'), nodeOf('after-barrier')];
    writeFileSync(join(pages.folder, 'data.mdb'), Buffer.alloc(65_536, 255), { flag: 'r+' });
    damage(record, 'dies after-barrier');
    const other = "shop = (SELECT shop FROM rw_heads WHERE shop <> 'shop_demo') AND seq = 1";
    const flip = `UPDATE rw_records SET stored = set_byte(stored, 99, get_byte(stored, 99) # 1) WHERE ${other}`;
    await database.query(flip);
    const newest = versionOf(await simulate(one.server));
    const [anew, healed] = await Promise.all([
      started.start({}, pages.folder),
      started.start({}, record.folder),
    ]);
    for (const { server } of [anew, healed]) {
      const answer = await simulate(server);
      assert.deepEqual([ageOf(answer), versionOf(answer)], [null, newest]);
      assert.ok((await groupsOf(server)).includes('dies after-barrier'));
      const refused = await server.call('/api/config', { key: another.key });
      assert.equal(refused.status, 500, refused.text);
      assert.match(refused.text, /damaged at record 1"/);
    }
    assert.match(printedBy(anew.server), /"mirror\.set_aside"/);
    assert.ok(existsSync(join(`${pages.folder}.damaged-1`, 'data.mdb')));
    assert.match(printedBy(healed.server), /"mirror\.damaged"/);
    for (const { server } of [anew, healed]) assert.equal(await numberIn(server, 'mirrors_damaged'), 1);
    await database.query(flip);
    await simulate(anew.server, another.key);
    await Promise.all([anew, healed].map(({ server }) => server.stop()));
  });
}

/** A database that was replaced or restored. Afterwards the nodes of the stage have exited. */
export function databaseFailures(test: NodeTest, stage: () => NodeStage): void {
  test('a node refuses the mirror of another database, and a database with records of a later format', async () => {
    const { database, started } = stage();
    const [one] = threeOf(stage());
    await database.query('CREATE DATABASE another');
    const other = { RATEWRIGHT_DATABASE_URL: database.url.replace(/postgres$/, 'another') };
    const { server, folder } = await started.start();
    await server.stop();
    await assert.rejects(started.start(other, folder), /^Error: ended with 65: .* copy of another database/);
    await database.query('UPDATE rw_cluster SET write_format = write_format + 1');
    await assert.rejects(started.start(), /records of format 2; this program reads up to 1/);
    await database.query('UPDATE rw_cluster SET write_format = write_format - 1');
    assert.equal((await makeGroup(one.server, 'in the format that all read')).status, 201);
  });

  test('nodes that have shown records which the restored database lacks exit, and save these records to a file', async () => {
    const { database, started } = stage();
    const [one, stopped, cut] = threeOf(stage());
    const names = ['lost 1', 'lost 2'];
    const [row] = await database.query("SELECT seq FROM rw_heads WHERE shop = 'shop_demo'");
    const kept = Number(row?.['seq']);
    for (const name of names) assert.equal((await makeGroup(one.server, name)).status, 201);
    const ends = [one, stopped, cut].map(({ server }) => ended(server));
    await database.query(`DELETE FROM rw_records WHERE shop = 'shop_demo' AND seq > ${kept};
      UPDATE rw_heads SET seq = r.seq, hash = r.hash FROM rw_records r
      WHERE rw_heads.shop = 'shop_demo' AND r.shop = 'shop_demo' AND r.seq = ${kept} AND r.part = 0;
      UPDATE rw_cluster SET epoch = epoch + 1`);
    assert.deepEqual(await Promise.all(ends), [70, 70, 70]);
    assert.match(printedBy(one.server), /the mirror and the authority differ/);

    const { server, folder } = await started.start({}, one.folder);
    const there = await groupsOf(server);
    assert.ok(there.includes('dies after-barrier') && !there.includes('lost 1'));
    const file = readdirSync(folder).find((name) => name.startsWith('shop_demo.differing-'));
    const lines = readFileSync(join(folder, file ?? assert.fail('no file')), 'utf8')
      .trim()
      .split('\n');
    const numbers = lines.map((line) => (JSON.parse(line) as { sequenceNumber: number }).sequenceNumber);
    assert.deepEqual(numbers, [kept + 1, kept + 2]);
    for (const [index, name] of names.entries()) assert.ok(lines[index]?.includes(`"${name}"`));
    assert.match(printedBy(server), /"mirror\.differs"/);
    assert.equal(await numberIn(server, 'mirrors_differing'), 1);
    assert.equal((await makeGroup(server, 'after the restore')).status, 201);
    assert.equal(ageOf(await simulate(server)), null);
  });
}
