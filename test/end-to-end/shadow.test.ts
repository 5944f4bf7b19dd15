/**
 * Shadow and replay over HTTP on a real server: results of live traffic, what of them outlives a kill, and
 * that no person can be found in the data folder.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { ShadowResults } from '../../src/domain/shadow.ts';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';

/** Results that were seen so long ago are on disk: a second until they are written, the rest for a slow disk. */
const SAFE_MS = 3_000;
const PERSON = { name: 'Planted Person', phone: '555-PLANTED', address1: 'Planted Street 7' };
const CART = {
  destination: { country: 'US', province: 'CA', postalCode: '90210', ...PERSON },
  items: [{ quantity: 1, grams: 500, price: 2_000, sku: 'PLAIN' }],
};

const staging = async (server: ServerProcess, action: string) => {
  const reply = await server.call('/api/staging', { body: { action } });
  assert.equal(reply.status, 200, reply.text);
  return reply.body as { staging: { shadow: ShadowResults } | null };
};

const resultsOf = async (server: ServerProcess): Promise<ShadowResults> => {
  const { body } = await server.call('/api/staging');
  return (body as { staging: { shadow: ShadowResults } }).staging.shadow;
};

const simulate = async (server: ServerProcess, count: number): Promise<void> => {
  const replies = Array.from({ length: count }, () => server.call('/api/simulate', { body: CART }));
  for (const { status } of await Promise.all(replies)) assert.equal(status, 200);
};

async function settled(server: ServerProcess, count: number): Promise<ShadowResults> {
  for (;;) {
    const results = await resultsOf(server);
    if (results.evaluated + results.dropped >= count) return results;
    await wait(10);
  }
}

/** Makes every method of the changeset dearer by a cent, so that each answer with a rate differs. */
async function makeDearer(server: ServerProcess): Promise<void> {
  const { body } = await server.call('/api/methods');
  for (const { id } of (body as { methods: { id: string }[] }).methods) {
    const rule = { action: 'adjust_add', adjustmentValue: 1 };
    const reply = await server.call('/api/rules', { body: { methodId: id, ...rule } });
    assert.equal(reply.status, 201, reply.text);
  }
}

test('a merchant sees what a changeset would do: at once by a replay, then by live traffic', async (context) => {
  const folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  let server = await ServerProcess.start(data);
  context.after(async () => {
    await server.stop('SIGKILL');
    await folder.discard();
  });
  const conflict = await server.call('/api/staging', { body: { action: 'replay' } });
  assert.equal(conflict.status, 409);
  await simulate(server, 30);
  const entered = await staging(server, 'enter');
  assert.equal(entered.staging?.shadow.evaluated, 0);
  await makeDearer(server);
  const replayed = (await staging(server, 'replay')).staging?.shadow;
  assert.deepEqual([replayed?.evaluated, replayed?.different, replayed?.replayed], [30, 30, 30]);
  assert.ok(replayed?.samples.every((sample) => sample.replayed));
  const moved = Object.values(replayed?.byMethod ?? {});
  assert.ok(moved.length > 0);
  for (const { priceUp, differenceCents } of moved) assert.deepEqual([priceUp, differenceCents], [30, 30]);

  await simulate(server, 100);
  const live = await settled(server, 130);
  assert.deepEqual([live.evaluated, live.different, live.dropped, live.replayed], [130, 130, 0, 30]);
  assert.equal(live.samples.length, 100);

  assert.equal(await server.stop('SIGTERM'), 0, server.output.stderr);
  server = await ServerProcess.start(data);
  assert.deepEqual(await resultsOf(server), live);
  const files = readdirSync(data, { withFileTypes: true }).filter((entry) => entry.isFile());
  assert.ok(files.length > 0);
  for (const { name: file } of files) {
    const bytes = readFileSync(join(data, file));
    for (const planted of Object.values(PERSON)) assert.ok(!bytes.includes(planted), `${planted} in ${file}`);
  }
  await staging(server, 'promote');
  assert.equal((await staging(server, 'enter')).staging?.shadow.evaluated, 0);
});

test('a kill loses no results but the newest', async (context) => {
  const folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  let server = await ServerProcess.start(data);
  context.after(async () => {
    await server.stop('SIGKILL');
    await folder.discard();
  });
  await staging(server, 'enter');
  await makeDearer(server);
  let sent = 0;
  let kept = 0;
  for (let kill = 0; kill < 2; kill++) {
    const seen: { readonly atMs: number; readonly evaluated: number }[] = [];
    const isSafe = () =>
      seen.some(({ atMs, evaluated }) => evaluated > kept && atMs < performance.now() - SAFE_MS);
    while (!isSafe()) {
      await simulate(server, 20);
      sent += 20;
      seen.push({ atMs: performance.now(), evaluated: (await resultsOf(server)).evaluated });
    }
    const killMs = performance.now();
    assert.equal(await server.stop('SIGKILL'), 'SIGKILL');
    server = await ServerProcess.start(data);
    const { evaluated, identical, different, samples } = await resultsOf(server);
    const safe = seen.filter(({ atMs }) => atMs < killMs - SAFE_MS).at(-1)?.evaluated ?? 0;
    assert.ok(safe > kept);
    assert.ok(evaluated >= safe, `${safe} were seen ${SAFE_MS} ms before, ${evaluated} are left`);
    assert.ok(evaluated <= sent);
    // What is on disk is one moment's: its parts fit together.
    assert.deepEqual([identical, different, samples.length], [0, evaluated, Math.min(100, evaluated)]);
    kept = evaluated;
  }
});
