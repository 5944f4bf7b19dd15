// SIGKILL at any moment: everything that was acknowledged is there after the next start, whole and in
// order, and nothing that was refused. The long form: `RATEWRIGHT_KILLS=200 npm test -- kill`.
import assert from 'node:assert/strict';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { quantileText } from '../fault/quantile-text.ts';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';

const KILLS = Number(process.env['RATEWRIGHT_KILLS'] ?? 15);
const WRITERS = 8;

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly versionId: string;
}

/** The client's own record of what was acknowledged, on disk before the next request goes out. */
class Ledger {
  readonly #path: string;
  readonly #file: number;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'a');
  }

  add(entry: Entry): void {
    writeSync(this.#file, `${JSON.stringify(entry)}\n`);
    fsyncSync(this.#file);
  }

  entries(): readonly Entry[] {
    const lines = readFileSync(this.#path, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Entry);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Creates groups until the server is gone; writes each acknowledged one into the ledger. */
async function writeUntilGone(server: ServerProcess, ledger: Ledger, prefix: string): Promise<void> {
  for (let count = 0; ; count++) {
    const name = `${prefix}-${count}`;
    try {
      const reply = await server.call('/api/groups', {
        body: { name, skus: [name] },
        headers: { 'idempotency-key': name },
      });
      if (reply.status === 422) return;
      assert.equal(reply.status, 201, reply.text);
      const { group } = reply.body as { group: { id: string } };
      ledger.add({ id: group.id, name, versionId: String(reply.headers['x-config-version']) });
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
  }
}

test(`every acknowledged write survives ${KILLS} kills`, { timeout: 600_000 }, async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  const ledger = new Ledger(join(folder.path, 'ledger'));
  context.after(() => ledger.close());
  const plans = join(folder.path, 'plans.json');
  writePlans(plans);
  const data = join(folder.path, 'data');

  const recoveryMs: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const startMs = performance.now();
    // One kill of three hits a server of two threads.
    const threads = kill % 3 === 2 ? '2' : '1';
    const server = await ServerProcess.start(data, { RATEWRIGHT_PLANS: plans, RATEWRIGHT_THREADS: threads });
    await server.call('/api/shop');
    recoveryMs.push(performance.now() - startMs);
    await assertAllPresent(server, ledger.entries());
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      writeUntilGone(server, ledger, `k${kill}-w${writer}`),
    );
    await wait(50 + Math.random() * 200);
    assert.equal(await server.stop('SIGKILL'), 'SIGKILL', server.output.stderr);
    await Promise.all(writers);
  }
  const server = await ServerProcess.start(data, { RATEWRIGHT_PLANS: plans });
  const entries = ledger.entries();
  await assertAllPresent(server, entries);
  await assertReplayed(server, entries.at(-1));
  assert.equal(await server.stop('SIGTERM'), 0, server.output.stderr);
  context.diagnostic(
    `${KILLS} kills, ${entries.length} acknowledged writes, 0 lost; start to answer: ${quantileText(recoveryMs)}`,
  );
  assert.ok(entries.length >= KILLS, 'the writers hardly wrote');
});

/** The plans with room for as many groups as the writers can make. */
function writePlans(path: string): void {
  const table = JSON.parse(readFileSync(new URL('../../../data/plans.json', import.meta.url), 'utf8'));
  table.enterprise.groups = null;
  const file = openSync(path, 'w');
  writeSync(file, JSON.stringify(table));
  closeSync(file);
}

async function assertAllPresent(server: ServerProcess, entries: readonly Entry[]): Promise<void> {
  const reply = await server.call('/api/groups');
  assert.equal(reply.status, 200, reply.text);
  const { groups } = reply.body as { groups: { id: string; name: string; skus: string[] }[] };
  const byId = new Map(groups.map((group) => [group.id, group]));
  assert.equal(byId.size, groups.length, 'a group is there twice');
  let lastPlace = -1;
  for (const { id, name, versionId } of [...entries].sort((a, b) => (a.versionId < b.versionId ? -1 : 1))) {
    const group = byId.get(id);
    assert.deepEqual(
      group && { name: group.name, skus: group.skus },
      { name, skus: [name] },
      `${name} is lost`,
    );
    const place = groups.findIndex((other) => other.id === id);
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
