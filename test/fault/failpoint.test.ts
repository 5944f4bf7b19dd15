/**
 * The server kills itself at each named point of a write, under load, while changesets are entered and promoted; and
 * it is stopped under load. The test fails when a point is not passed. The long form: `RATEWRIGHT_FAILPOINT_KILLS=20
 * npm test -- failpoint` kills this often at each point.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { FAILPOINTS, type FailpointName } from '../../src/base/runtime/failpoint.ts';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { quantileText } from './quantile-text.ts';
import { WriteLedger } from './write-ledger.ts';

const KILLS = Number(process.env['RATEWRIGHT_FAILPOINT_KILLS'] ?? 1);
const WRITERS = 8;
/** Those of checkpoints first: while the shop is small it gets one soon, and later starts read it. */
const POINTS = FAILPOINTS.toReversed();
const CART = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 1 }] };
const STOP_MS_MAX = 5_000;
/** Number of acknowledged writes before the stop: below the limit, so that all writers are still active. */
const STOP_WRITES = 50;
/** After the answers of all writes their follow-up work reaches its point within this time. */
const PASS_MS_MAX = 60_000;

/** How often the server passes a point before it is killed there. */
function countOf(point: FailpointName, round: number): number {
  // Points of writes are passed often, those of compilations less, and those of checkpoints seldom.
  if (point.endsWith('checkpoint')) return 1;
  return point.endsWith('compile') ? 1 + (round % 3) : 3 + ((round * 7) % 30);
}

test(`every acknowledged write survives ${KILLS} kills at each failpoint`, {
  timeout: 12 * 60 * 60 * 1000,
}, async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  const made = join(folder.path, 'made');
  assert.equal(await (await ServerProcess.start(made)).stop(), 0);
  const firstRound = randomInt(30);
  let accepted = 0;
  const startMs: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    // A new log, because a plan limits the number of groups.
    const data = join(folder.path, String(kill));
    await cp(made, data, { recursive: true });
    const ledger = new WriteLedger();
    for (const [index, point] of POINTS.entries()) {
      // Before the promotion writes go to the changeset, after it they make versions; a read shows both.
      const action = (index + kill) % 2 === 0 ? 'enter' : 'promote';
      const failpoint = `${point}:${countOf(point, firstRound + kill)}`;
      startMs.push(await killAt(failpoint, action, data, ledger, `${point}-${kill}`));
    }
    const server = await ServerProcess.start(data);
    await ledger.check(server, 'in the end');
    await server.call('/api/staging', { body: { action: 'promote' } });
    await ledger.check(server, 'live');
    assert.equal(await server.stop(), 0);
    accepted += ledger.accepted.length;
    await rm(data, { recursive: true });
  }
  context.diagnostic(
    `${KILLS * FAILPOINTS.length} kills, ${accepted} acknowledged, 0 lost; start to answer: ${quantileText(startMs)}`,
  );
});

/** Kills the server at the point under load; returns the milliseconds from its start to its first answer. */
async function killAt(
  failpoint: string,
  action: 'enter' | 'promote',
  data: string,
  ledger: WriteLedger,
  prefix: string,
): Promise<number> {
  const beforeMs = performance.now();
  const server = await ServerProcess.start(data, { RATEWRIGHT_FAILPOINT: failpoint });
  try {
    const ended = new Promise((resolve) => server.process.once('exit', (_, signal) => resolve(signal)));
    await ledger.check(server, `before ${failpoint}`);
    const startedMs = performance.now() - beforeMs;
    const simulations = simulateUntilGone(server);
    const staging = server.call('/api/staging', { body: { action } }).catch(() => null);
    await ledger.writeTogether(server, prefix, WRITERS, 200);
    const isLate = wait(PASS_MS_MAX, `not passed, ${action}, ${ledger.refused.length} writes refused`, {
      ref: false,
    });
    assert.equal(await Promise.race([ended, isLate]), 'SIGKILL', failpoint);
    await Promise.all([simulations, staging]);
    return startedMs;
  } finally {
    await server.stop('SIGKILL');
  }
}

/**
 * Live and staged simulations in turn: while a changeset receives the writes, only it is compiled again. Without a
 * changeset a staged simulation is refused, which is also an answer.
 */
async function simulateUntilGone(server: ServerProcess): Promise<void> {
  const { process: child } = server;
  for (let turn = 0; child.exitCode === null && child.signalCode === null; turn++) {
    const view = turn % 2 === 0 ? 'live' : 'staged';
    const reply = await server.call(`/api/simulate?view=${view}`, { body: CART }).catch(() => null);
    if (reply === null) await wait(1);
  }
}

test('a server that is stopped under load answers pending requests and loses nothing', async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  const data = join(folder.path, 'data');
  const server = await ServerProcess.start(data);
  const ledger = new WriteLedger();
  const writers = ledger.writeTogether(server, 'g', 8, 100_000);
  while (ledger.accepted.length < STOP_WRITES) await wait(1);
  const startMs = performance.now();
  const ended = new Promise((resolve) => server.process.once('exit', (code) => resolve(code)));
  server.process.kill('SIGTERM');
  assert.equal(await ended, 0, server.output.stderr);
  const stopMs = performance.now() - startMs;
  assert.ok(stopMs < STOP_MS_MAX, `it took ${stopMs} ms`);
  await writers;
  // What arrives while it stops may be refused with 503; the check below finds nothing of it.
  await server.stop();
  const next = await ServerProcess.start(data);
  await ledger.check(next, 'after the stop');
  // A request without an answer was never started, so its group must not exist.
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
