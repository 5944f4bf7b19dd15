// SIGKILL at any moment: after the next start every acknowledged write is there, complete and in order, and no refused
// write is. The long form: `RATEWRIGHT_KILLS=200 npm test -- kill`.
import assert from 'node:assert/strict';
import { closeSync, fsync, openSync, readFileSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { quantileText } from '../fault/quantile-text.ts';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';

const KILLS = Number(process.env['RATEWRIGHT_KILLS'] ?? 2);
/** Number of kills per log; then the whole log is compared again, and a new log begins. */
const KILLS_PER_LOG = 25;
const WRITERS = 16;
/** A kill comes after fewer answers than this. */
const ANSWERS_MAX = 200;

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly versionId: string;
}

const flush = promisify(fsync);

/**
 * The client's record of acknowledged writes. It is on disk before the same writer sends its next request; waiting
 * writers share a flush.
 */
class Ledger {
  readonly #path: string;
  readonly #file: number;
  #count = 0;
  /** Names of groups that an overloaded server refused. */
  readonly refused = new Set<string>();
  #flushing: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'a');
  }

  get count(): number {
    return this.#count;
  }

  /** Resolves when the entry is on disk. */
  add(entry: Entry): Promise<void> {
    this.#count++;
    writeSync(this.#file, `${JSON.stringify(entry)}\n`);
    this.#next ??= this.#flushing.then(() => {
      this.#next = null;
      this.#flushing = flush(this.#file);
      return this.#flushing;
    });
    return this.#next;
  }

  entries(): readonly Entry[] {
    const lines = readFileSync(this.#path, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Entry);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Creates groups until the server is killed; writes each acknowledged group into the ledger. */
async function writeUntilGone(server: ServerProcess, ledger: Ledger, prefix: string): Promise<void> {
  for (let count = 0; ; count++) {
    const name = `${prefix}-${count}`;
    const body = { name, skus: [name] };
    const headers = { 'idempotency-key': name };
    const reply = await server.call('/api/groups', { body, headers }).catch(() => null);
    if (reply === null) return;
    if (reply.status === 429) {
      ledger.refused.add(name);
      await wait(20);
      continue;
    }
    assert.equal(reply.status, 201, reply.text);
    const { group } = reply.body as { group: { id: string } };
    await ledger.add({ id: group.id, name, versionId: String(reply.headers['x-config-version']) });
  }
}

test(`every acknowledged write survives ${KILLS} kills`, { timeout: 8 * 60 * 60 * 1000 }, async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  const plans = join(folder.path, 'plans.json');
  writePlans(plans);
  const recoveryMs: number[] = [];
  let acknowledged = 0;
  for (let first = 0; first < KILLS; first += KILLS_PER_LOG) {
    const ledger = new Ledger(join(folder.path, `ledger-${first}`));
    const data = join(folder.path, `data-${first}`);
    for (let kill = first; kill < Math.min(KILLS, first + KILLS_PER_LOG); kill++) {
      recoveryMs.push(await writeAndKill(data, { RATEWRIGHT_PLANS: plans }, ledger, `k${kill}`));
    }
    const server = await ServerProcess.start(data, { RATEWRIGHT_PLANS: plans });
    await assertWhole(server, ledger);
    const entries = ledger.entries();
    await assertReplayed(server, entries.at(-1));
    assert.equal(await server.stop('SIGTERM'), 0, server.output.stderr);
    ledger.close();
    acknowledged += entries.length;
    await rm(data, { recursive: true });
  }
  context.diagnostic(
    `${KILLS} kills, ${acknowledged} acknowledged writes, 0 lost; start to answer: ${quantileText(recoveryMs)}`,
  );
  assert.ok(acknowledged >= KILLS, 'the writers hardly wrote');
});

/** Checks the shop, writes and kills; returns the milliseconds from the start of the server to its first answer. */
async function writeAndKill(
  data: string,
  environment: Readonly<Record<string, string>>,
  ledger: Ledger,
  prefix: string,
): Promise<number> {
  const startMs = performance.now();
  const server = await ServerProcess.start(data, environment);
  try {
    await server.call('/api/shop');
    const recoveredMs = performance.now() - startMs;
    await assertWhole(server, ledger);
    const writers = Promise.all(
      Array.from({ length: WRITERS }, (_, writer) => writeUntilGone(server, ledger, `${prefix}-w${writer}`)),
    );
    // At a random time, and after a random number of answers in case other work slows the server.
    const goal = ledger.count + Math.random() * ANSWERS_MAX;
    await wait(50 + Math.random() * 200);
    const isEnough = async () => {
      const { process: child } = server;
      const isGone = () => child.exitCode !== null || child.signalCode !== null;
      while (ledger.count < goal && !isGone()) await wait(Math.random() * 5);
    };
    await Promise.race([writers, isEnough()]);
    assert.equal(await server.stop('SIGKILL'), 'SIGKILL', server.output.stderr);
    await writers;
    return recoveredMs;
  } finally {
    await server.stop('SIGKILL');
  }
}

/** Plans that allow as many groups as the writers can make. */
function writePlans(path: string): void {
  const table = JSON.parse(readFileSync(new URL('../../../data/plans.json', import.meta.url), 'utf8'));
  table.enterprise.groups = null;
  const file = openSync(path, 'w');
  writeSync(file, JSON.stringify(table));
  closeSync(file);
}

/** Every acknowledged group exists once, in order, and no refused group exists. */
async function assertWhole(server: ServerProcess, ledger: Ledger): Promise<void> {
  const reply = await server.call('/api/groups');
  assert.equal(reply.status, 200, reply.text);
  const { groups } = reply.body as { groups: { id: string; name: string; skus: string[] }[] };
  const byId = new Map(groups.map((group, place) => [group.id, { group, place }]));
  assert.equal(byId.size, groups.length, 'a group is there twice');
  for (const { name } of groups) assert.ok(!ledger.refused.has(name), `${name} was refused and is there`);
  let lastPlace = -1;
  for (const { id, name, versionId } of [...ledger.entries()].sort((a, b) =>
    a.versionId < b.versionId ? -1 : 1,
  )) {
    const found = byId.get(id);
    assert.ok(found !== undefined, `${name} is lost`);
    const { group, place } = found;
    assert.deepEqual({ name: group.name, skus: group.skus }, { name, skus: [name] }, `${name} is torn`);
    assert.ok(place > lastPlace, `${name} of version ${versionId} is out of order`);
    lastPlace = place;
  }
}

/** An idempotency key is remembered across the kill: the same request gets the first answer again. */
async function assertReplayed(server: ServerProcess, entry: Entry | undefined): Promise<void> {
  assert.ok(entry !== undefined);
  const body = { name: entry.name, skus: [entry.name] };
  const headers = { 'idempotency-key': entry.name };
  const again = await server.call('/api/groups', { body, headers });
  assert.equal(again.status, 201, again.text);
  assert.equal((again.body as { group: { id: string } }).group.id, entry.id);
  const other = await server.call('/api/groups', { body: { ...body, name: 'another' }, headers });
  assert.equal(other.status, 409, other.text);
}
