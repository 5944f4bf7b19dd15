/**
 * Shadow and replay over HTTP on a real server: results of live traffic, results after a kill, and no personal data
 * in the data folder.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { ShadowResults } from '../../src/engine/wire/shadow-results.ts';
import type { StagingAction } from '../../src/engine/wire/write-bodies.ts';
import { answered, COUNTED, ServerProcess, temporaryFolder } from '../support/server-process.ts';

/** Results that were read this long ago are on disk: a second until they are written, the rest for a slow disk. */
const SAFE_MS = 3_000;
/** Interval between two reads of the results. */
const PAUSE_MS = 100;
/** Long: `RATEWRIGHT_SHADOW_KILLS=20 npm test -- end-to-end/shadow.test`. */
const KILLS = Number(process.env['RATEWRIGHT_SHADOW_KILLS'] ?? 1);
const PERSON = { name: 'Planted Person', phone: '555-PLANTED', address1: 'Planted Street 7' };
const CART = {
  destination: { country: 'US', province: 'CA', postalCode: '90210', ...PERSON },
  items: [{ quantity: 1, grams: 500, price: 2_000, sku: 'PLAIN' }],
};

const staging = async ({ client }: ServerProcess, action: StagingAction['action']) =>
  answered(await client.changeStaging({ action }));

const resultsOf = async ({ client }: ServerProcess): Promise<ShadowResults> => {
  const { staging: active } = answered(await client.getStaging());
  assert.ok(active !== null);
  return active.shadow;
};

const simulate = async ({ client }: ServerProcess, count: number): Promise<void> => {
  const outcomes = Array.from({ length: count }, () => client.simulate(CART));
  for (const outcome of await Promise.all(outcomes)) answered(outcome);
};

/** Raises the price of every method of the changeset by one cent, so that each answer with a rate differs. */
async function makeDearer({ client }: ServerProcess): Promise<void> {
  const { methods } = answered(await client.listMethods());
  for (const { id } of methods) {
    answered(await client.createRule({ methodId: id, action: 'adjust_add', adjustmentValue: 1 }));
  }
}

/** The gate refuses the changeset, in which each of 100 carts costs one cent more, until it is forced. */
async function assertGateHolds(server: ServerProcess): Promise<void> {
  const { client } = server;
  const promotionGate = { differentPercentMax: 100, noLostCarts: true, evaluatedMin: 100, checksPass: true };
  const shop = answered(await client.updateShop({ promotionGate })).shop;
  assert.deepEqual(shop.promotionGate, promotionGate);
  const report = answered(await client.getPromotionGate());
  const rows = report.criteria.map(({ criterion, actual, passed }) => [criterion, actual, passed]);
  const [, failed = 0] = rows[0] ?? [];
  assert.ok(Number(failed) > 0);
  assert.deepEqual(rows, [
    ['checksPass', failed, false],
    ['noLostCarts', 0, true],
    ['differentPercentMax', 100, true],
    ['evaluatedMin', 100, true],
  ]);
  const refused = await client.changeStaging({ action: 'promote' });
  assert.deepEqual([refused.ok, refused.status], [false, 409]);
  assert.match(
    refused.ok ? '' : refused.message,
    new RegExp(`checksPass: the limit is 0, and it is ${failed};`),
  );
  const { secret } = answered(await client.createKey({ label: 'Editor', permission: 'write' }));
  const byEditor = await server.call('/api/staging', {
    key: secret,
    body: { action: 'promote', force: true },
  });
  assert.equal(byEditor.status, 403, byEditor.text);
  answered(await client.changeStaging({ action: 'promote', force: true }));
  const { versions } = answered(await client.listVersions({ query: { limit: 1 } }));
  assert.match(versions[0]?.description ?? '', / \(promotion forced\)$/);
  answered(await client.updateShop({ promotionGate: null }));
}

test('a merchant sees the effect of a changeset: at once by a replay, then by live traffic', async (context) => {
  const folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  let server = await ServerProcess.start(data, COUNTED);
  context.after(async () => {
    await server.stop('SIGKILL');
    await folder.discard();
  });
  const conflict = await server.client.changeStaging({ action: 'replay' });
  assert.equal(conflict.status, 409);
  await simulate(server, 30);
  const entered = await staging(server, 'enter');
  assert.equal(entered.staging?.shadow.evaluated, 0);
  await makeDearer(server);
  const replayed = (await staging(server, 'replay')).staging?.shadow;
  assert.ok(replayed !== undefined);
  const ofReplay = { runs: 1, evaluated: 30, different: 30, lost: 0, gained: 0 };
  assert.deepEqual([replayed.replayed, replayed.simulations, replayed.byMethod], [ofReplay, 0, {}]);
  const metrics = answered(await server.client.getMetrics());
  assert.match(metrics, /^ratewright_pool_questions_total 1$/m);
  assert.equal(replayed.samples.length, 20);
  for (const { replayed: isReplay, differences } of replayed.samples) {
    assert.ok(isReplay);
    for (const { live, staged } of differences) assert.equal(staged, (live ?? 0) + 1);
  }

  await simulate(server, 100);
  const live = await resultsOf(server);
  assert.deepEqual([live.evaluated, live.different, live.dropped, live.replayed], [100, 100, 0, ofReplay]);
  assert.equal(live.samples.length, 100);
  const moved = Object.values(live.byMethod);
  assert.ok(moved.length > 0);
  for (const { priceUp, differenceCents } of moved) assert.deepEqual([priceUp, differenceCents], [100, 100]);

  assert.equal(await server.stop('SIGTERM'), 0, server.output.stderr);
  server = await ServerProcess.start(data);
  assert.deepEqual(await resultsOf(server), live);
  const files = readdirSync(data, { withFileTypes: true }).filter((entry) => entry.isFile());
  assert.ok(files.length > 0);
  for (const { name: file } of files) {
    const bytes = readFileSync(join(data, file));
    for (const planted of Object.values(PERSON)) assert.ok(!bytes.includes(planted), `${planted} in ${file}`);
  }
  await assertGateHolds(server);
  assert.equal((await staging(server, 'enter')).staging?.shadow.evaluated, 0);
});

test('a changeset is compared for requests with fields=rates and for each request of a batch', async (context) => {
  const folder = await temporaryFolder();
  // A worker thread answers batches, the event loop the others.
  const server = await ServerProcess.start(join(folder.path, 'data'));
  context.after(async () => {
    await server.stop('SIGKILL');
    await folder.discard();
  });
  const { client } = server;
  const questions = async () =>
    Number(/^ratewright_pool_questions_total (\d+)$/m.exec(answered(await client.getMetrics()))?.[1]);
  const noItems = { ...CART, items: [] };
  const ask = async (): Promise<number> => {
    answered(await client.simulate(CART, { query: { fields: 'rates' } }));
    answered(await client.simulateBatch({ requests: [CART, noItems, CART] }));
    return questions();
  };
  assert.equal(await ask(), 1);
  await staging(server, 'enter');
  await makeDearer(server);
  const replayed = (await staging(server, 'replay')).staging?.shadow;
  assert.deepEqual([replayed?.replayed.evaluated, replayed?.replayed.different], [3, 3]);
  await ask();
  const large = { ...CART, items: Array.from({ length: 50 }, () => CART.items).flat() };
  const forty = Array.from({ length: 40 }, () => large);
  const { answers } = answered(await client.simulateBatch({ requests: [...forty, noItems] }));
  assert.deepEqual([answers.length, await questions()], [41, 4]);
  const live = await resultsOf(server);
  assert.deepEqual([live.evaluated, live.different, live.dropped, live.replayed.evaluated], [43, 43, 0, 3]);
  const { versionId = '' } = answered(await client.getConfig({ query: { view: 'live' } }));
  for (const query of [{ view: 'staged' }, { version: versionId }] as const) {
    answered(await client.simulateBatch({ requests: [CART] }, { query }));
  }
  const tested = await client.simulateBatch({ requests: [CART, CART] }, { simulationSource: 'test' });
  assert.equal(answered(tested).answers.length, 2);
  answered(await client.simulateBatch({ requests: forty }, { simulationSource: 'test' }));
  assert.equal((await resultsOf(server)).simulations, 43);
  assert.equal(answered(await client.getCoverage()).simulations, 46);
});

test('a cart that a changeset would lose, and a promotion at once: refused every time', async (context) => {
  const folder = await temporaryFolder();
  const server = await ServerProcess.start(join(folder.path, 'data'));
  context.after(async () => {
    await server.stop('SIGKILL');
    await folder.discard();
  });
  const { client } = server;
  answered(await client.updateShop({ promotionGate: { noLostCarts: true, evaluatedMin: 2 } }));
  const { methods } = answered(await client.listMethods());
  await staging(server, 'enter');
  for (const { id } of methods) answered(await client.updateMethod(id, { enabled: false }));
  for (let round = 1; round <= 8; round++) {
    answered(await client.simulate(CART));
    const refused = await client.changeStaging({ action: 'promote' });
    assert.deepEqual([refused.ok, refused.status], [false, 409]);
    const named = `noLostCarts: the limit is 0, and it is ${round};`;
    assert.ok(!refused.ok && refused.message.includes(named), JSON.stringify(refused));
    const report = answered(await client.getPromotionGate());
    assert.deepEqual(
      report.criteria.map(({ criterion, actual }) => [criterion, actual]),
      [
        ['noLostCarts', round],
        ['evaluatedMin', round],
      ],
    );
  }
  // A replay gives no evidence, for the changeset or against it.
  answered(await client.changeStaging({ action: 'discard' }));
  await staging(server, 'enter');
  const { staging: replayed } = await staging(server, 'replay');
  assert.deepEqual([replayed?.shadow.replayed.evaluated, replayed?.shadow.evaluated], [8, 0]);
  const { criteria } = answered(await client.getPromotionGate());
  assert.deepEqual(
    criteria.map(({ actual, passed }) => [actual, passed]),
    [
      [0, true],
      [0, false],
    ],
  );
});

test('of a flood every simulation is evaluated or dropped', async (context) => {
  const folder = await temporaryFolder();
  const PER_SECOND = 50;
  const server = await ServerProcess.start(join(folder.path, 'data'), {
    RATEWRIGHT_SHADOW_PER_SECOND: String(PER_SECOND),
  });
  context.after(async () => {
    await server.stop('SIGKILL');
    await folder.discard();
  });
  await staging(server, 'enter');
  const startMs = performance.now();
  for (let round = 0; round < 10; round++) await simulate(server, 200);
  const seconds = (performance.now() - startMs) / 1_000 + 2;
  const { simulations, evaluated, dropped, identical } = await resultsOf(server);
  assert.deepEqual([simulations, evaluated + dropped, identical], [2_000, 2_000, evaluated]);
  assert.ok(evaluated >= PER_SECOND && evaluated <= PER_SECOND * seconds, `${evaluated} in ${seconds} s`);
});

test('a kill loses only the newest results', async (context) => {
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
  for (let kill = 0; kill < KILLS; kill++) {
    const seen: { readonly atMs: number; readonly evaluated: number }[] = [];
    const isSafe = () =>
      seen.some(({ atMs, evaluated }) => evaluated > kept && atMs < performance.now() - SAFE_MS);
    while (!isSafe()) {
      await simulate(server, 20);
      sent += 20;
      seen.push({ atMs: performance.now(), evaluated: (await resultsOf(server)).evaluated });
      await wait(PAUSE_MS);
    }
    const killMs = performance.now();
    assert.equal(await server.stop('SIGKILL'), 'SIGKILL');
    server = await ServerProcess.start(data);
    const { evaluated, identical, different, samples } = await resultsOf(server);
    const safe = seen.filter(({ atMs }) => atMs < killMs - SAFE_MS).at(-1)?.evaluated ?? 0;
    assert.ok(safe > kept);
    assert.ok(evaluated >= safe, `${safe} were seen ${SAFE_MS} ms before, ${evaluated} are left`);
    assert.ok(evaluated <= sent);
    // The stored results are of one moment, so their parts are consistent.
    assert.deepEqual([identical, different, samples.length], [0, evaluated, Math.min(100, evaluated)]);
    kept = evaluated;
  }
});
