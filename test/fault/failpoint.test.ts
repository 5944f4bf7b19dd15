/**
 * The server kills itself at each named point of a write, under load, while a changeset is entered at one point
 * and promoted at the next; and it is told to stop under load. The long form: `RATEWRIGHT_FAILPOINT_KILLS=20 npm test -- failpoint` kills so often at each point.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { FAILPOINTS } from '../../src/runtime/failpoint.ts';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { quantileText } from './quantile-text.ts';
import { WriteLedger } from './write-ledger.ts';

const KILLS = Number(process.env['RATEWRIGHT_FAILPOINT_KILLS'] ?? 1);
const WRITERS = 4;
const CHECKPOINTS_OFTEN = { RATEWRIGHT_CHECKPOINT_RECORDS: '5' };
const CART = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 1 }] };
const STOP_MS_MAX = 5_000;

test(`every acknowledged write survives ${KILLS} kills at each failpoint`, {
  timeout: 12 * 60 * 60 * 1000,
}, async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  let accepted = 0;
  const startMs: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    // A log of its own, because a plan has room for so many groups only.
    const data = join(folder.path, String(kill));
    const ledger = new WriteLedger();
    const base = await ServerProcess.start(data, CHECKPOINTS_OFTEN);
    assert.equal(await base.stop(), 0);
    for (const [index, point] of FAILPOINTS.entries()) {
      // Points that are passed once per write are passed often; those of a checkpoint or a compile are not.
      const isRare = point.endsWith('checkpoint') || point.endsWith('compile');
      const count = isRare ? 1 + (kill % 3) : 3 + ((kill * 7) % 30);
      const environment = { ...CHECKPOINTS_OFTEN, RATEWRIGHT_FAILPOINT: `${point}:${count}` };
      const beforeMs = performance.now();
      const server = await ServerProcess.start(data, environment);
      const ended = new Promise((resolve) => server.process.once('exit', (_, signal) => resolve(signal)));
      await ledger.check(server, `before ${point}`);
      startMs.push(performance.now() - beforeMs);
      const simulations = simulateUntilGone(server);
      // Writes go to the changeset before the promotion and make versions after it: a read shows both.
      const action = index % 2 === 0 ? 'enter' : 'promote';
      const staging = server.call('/api/staging', { body: { action } }).catch(() => null);
      await ledger.writeTogether(server, `${point}-${kill}`, WRITERS, 200);
      assert.deepEqual(ledger.refused, [], `${point} was not passed`);
      assert.equal(await ended, 'SIGKILL', `${point} was not passed`);
      await Promise.all([simulations, staging]);
      await server.stop();
    }
    const server = await ServerProcess.start(data);
    await ledger.check(server, 'in the end');
    await server.call('/api/staging', { body: { action: 'promote' } });
    await ledger.check(server, 'live');
    assert.equal(await server.stop(), 0);
    accepted += ledger.accepted.length;
  }
  context.diagnostic(
    `${KILLS * FAILPOINTS.length} kills, ${accepted} acknowledged, 0 lost; start to answer: ${quantileText(startMs)}`,
  );
});

async function simulateUntilGone(server: ServerProcess): Promise<void> {
  while ((await server.call('/api/simulate', { body: CART }).catch(() => null)) !== null);
}

test('told to stop under load, the server answers what is in flight and loses nothing', async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  const data = join(folder.path, 'data');
  const server = await ServerProcess.start(data);
  const ledger = new WriteLedger();
  const writers = ledger.writeTogether(server, 'g', 8, 100_000);
  await wait(300);
  const startMs = performance.now();
  const ended = new Promise((resolve) => server.process.once('exit', (code) => resolve(code)));
  server.process.kill('SIGTERM');
  assert.equal(await ended, 0, server.output.stderr);
  const stopMs = performance.now() - startMs;
  assert.ok(stopMs < STOP_MS_MAX, `it took ${stopMs} ms`);
  await writers;
  await server.stop();
  const next = await ServerProcess.start(data);
  await ledger.check(next, 'after the stop');
  // A request whose answer did not arrive was never begun: it is not there either.
  const { groups } = (await next.call('/api/groups')).body as { groups: { name: string }[] };
  const there = new Set(groups.map(({ name }) => name));
  assert.deepEqual(
    ledger.unknown.filter((name) => there.has(name)),
    [],
    'stored, but not answered',
  );
  assert.equal(await next.stop(), 0);
  context.diagnostic(`${ledger.accepted.length} acknowledged, 0 lost, stopped in ${Math.round(stopMs)} ms`);
});
