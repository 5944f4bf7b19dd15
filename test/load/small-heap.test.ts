// A heap that is too small for the load: the server answers, refuses or ends. In any case acknowledged writes are there
// afterwards and the log verifies. V8 ends a process without memory with SIGABRT.
// The long form: `RATEWRIGHT_SMALL_HEAP_SECONDS=60 npm test -- small-heap`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLarge } from '../../bench/profiles/large.ts';
import { ITEMS_MAX_DEFAULT } from '../../src/engine/domain/cart.ts';
import { callCommand } from '../cli/run-command.ts';
import { DEMO_KEY, ServerProcess } from '../support/server-process.ts';
import { runFlood, wireText } from './flood.ts';
import { cartRequests, openLoadStage } from './load-stage.ts';
import { SteadyWriter } from './steady-writer.ts';

const SECONDS = Number(process.env['RATEWRIGHT_SMALL_HEAP_SECONDS'] ?? 1);
const STATUSES = [200, 201, 400, 404, 409, 413, 422, 429, 503];

/** Bodies that need much memory: deep, wide, with numbers and texts of a megabyte. */
const COSTLY_BODIES = [
  '['.repeat(300_000) + ']'.repeat(300_000),
  `{${Array.from({ length: 60_000 }, (_, index) => `"f${index}":[]`)}}`,
  `{"items":${'9'.repeat(900_000)}}`,
  `{"items":[${Array(200_000).fill('{}')}]}`,
  `{"destination":{"country":"${'x'.repeat(900_000)}"}}`,
];

for (const [megabytes, mustLive] of [
  [96, true],
  [32, false],
] as const) {
  const promise = mustLive ? 'serves on' : 'serves on, or ends and loses nothing';
  test(`with a heap of ${megabytes} MB it ${promise}`, { timeout: 600_000 }, async (context) => {
    const stage = await openLoadStage(context, { NODE_OPTIONS: `--max-old-space-size=${megabytes}` });
    const { server, port, dataFolder } = stage;
    const writer = new SteadyWriter(context, server, 'small', 10);
    const hostile = COSTLY_BODIES.map((body) => wireText({ path: '/api/simulate', key: DEMO_KEY, body }));
    const floods = await Promise.all([
      runFlood({ port, requests: hostile, perSecond: 20, seconds: SECONDS, connections: 20 }),
      runFlood({
        port,
        requests: cartRequests(DEMO_KEY, 3, true),
        perSecond: 2_000,
        seconds: SECONDS,
        connections: 500,
      }),
      runFlood({
        port,
        requests: cartRequests(DEMO_KEY, ITEMS_MAX_DEFAULT, true, 5),
        perSecond: 20,
        seconds: SECONDS,
        connections: 20,
      }),
      configureLarge(server, mustLive ? 1 : 3),
    ]).then((results) => results.filter((result) => result !== undefined));
    await writer.stop();
    const hasEnded = server.process.exitCode !== null || server.process.signalCode !== null;
    const end = server.process.exitCode ?? server.process.signalCode;
    context.diagnostic(
      `${megabytes} MB: ${hasEnded ? `ended with ${end}` : 'alive'}, ${writer.ledger.accepted.length} writes ` +
        `acknowledged; ${floods.map(({ text }) => text).join('; ')}`,
    );
    for (const { others } of floods) {
      for (const status of others.keys()) assert.ok(STATUSES.includes(status), `answered ${status}`);
    }
    if (mustLive) assert.ok(!hasEnded, server.output.stderr.slice(-2_000));
    if (hasEnded) assert.equal(end, 'SIGABRT', server.output.stderr.slice(-2_000));
    else assert.equal(await server.stop('SIGTERM'), 0, server.output.stderr.slice(-2_000));
    const verified = await callCommand(dataFolder, ['verify']);
    assert.equal(verified.code, 0, verified.stderr);
    const again = await ServerProcess.start(dataFolder);
    context.after(() => again.stop('SIGKILL'));
    await writer.ledger.check(again, 'after the next start');
    assert.equal(await again.stop('SIGTERM'), 0);
  });
}

/** Previews a configuration of thousands of methods, which changes nothing. */
async function configureLarge(server: ServerProcess, times: number): Promise<undefined> {
  const { config } = makeLarge();
  for (let time = 0; time < times; time++) {
    const body = { action: 'preview', data: config };
    const reply = await server.call('/api/config', { body }).catch(() => null);
    if (reply !== null) assert.ok([200, 429, 503].includes(reply.status), reply.text.slice(0, 300));
  }
}
