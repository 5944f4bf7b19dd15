// One shop beside another that sends many requests: the quiet shop is hardly refused or slower and keeps at least half
// of its throughput, and the event loop is not blocked for long. Factors and delays are printed; a busy machine does not fail the run. The long form:
// `RATEWRIGHT_NEIGHBOUR_SECONDS=30 npm test -- neighbour`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLarge } from '../../bench/profiles/large.ts';
import { ENGINE_FLAGS } from '../../src/base/runtime/engine-flags.ts';
import { ITEMS_MAX_DEFAULT } from '../../src/engine/domain/cart.ts';
import { DEMO_KEY } from '../support/server-process.ts';
import { measureCapacity, ms, runFlood, wireText } from './flood.ts';
import { cartRequests, type LoadStage, openLoadStage, untilShown } from './load-stage.ts';
import { QuietClient, type QuietResult } from './quiet-client.ts';

const SECONDS = Number(process.env['RATEWRIGHT_NEIGHBOUR_SECONDS'] ?? 1);
const QUIET_PER_SECOND = 200;
/** Requests that are sent in turn; the plan refuses most of them. */
const WRITES = 20_000;
/** Maximum median; a shop that waits for the queue of the other is slower than this on any machine. */
const MEDIAN_MS_MAX = 250;
/** Maximum share of refusals: a machine that stops for a tenth of a second during a flood delays all requests. */
const REFUSED_SHARE_MAX = 0.25;

interface Phase {
  readonly what: string;
  /** The load of the other shop for this many seconds. */
  readonly loud: (seconds: number) => Promise<unknown>;
}

const hasFared = ({ sent, accepted, refused, p50Us }: QuietResult, alone: QuietResult): boolean =>
  accepted * 2 >= alone.accepted && refused <= sent * REFUSED_SHARE_MAX && p50Us < MEDIAN_MS_MAX * 1_000;

/** Values since the last call. */
async function loopDelay(stage: LoadStage): Promise<string> {
  const names = ['p50', 'p99', 'max'].map((part) => `nodejs_eventloop_lag_${part}_seconds`);
  const [p50, p99, max] = (await stage.metrics(...names)).map((seconds) => ms(seconds * 1e6));
  return `event loop turns in p50 ${p50}, p99 ${p99}, max ${max}`;
}

test('a shop beside one that floods, writes, sends heavy carts, replaces a large configuration', {
  timeout: 600_000,
}, async (context) => {
  const stage = await openLoadStage(context, {}, Object.keys(ENGINE_FLAGS));
  const { server, port } = stage;
  const quietKey = await stage.addShop('shop_quiet');
  const quiet = cartRequests(quietKey, 3, false);
  const costly = cartRequests(DEMO_KEY, 3, true);
  const heavy = cartRequests(DEMO_KEY, ITEMS_MAX_DEFAULT, true, 10);
  const writes = Array.from({ length: WRITES }, (_, at) =>
    wireText({
      path: '/api/groups',
      key: DEMO_KEY,
      body: JSON.stringify({ name: `loud-${at}`, skus: [`loud-${at}`] }),
    }),
  );
  await measureCapacity(port, quiet, 0.5);
  // Starts the threads now, so that none starts while the quiet shop is measured alone.
  await measureCapacity(port, heavy, 0.5, 1);
  const capacity = await measureCapacity(port, costly, 1);
  const phases: readonly Phase[] = [
    { what: 'alone', loud: async () => {} },
    {
      what: 'simulations at 5 times the capacity',
      loud: (seconds) =>
        runFlood({ port, requests: costly, perSecond: 5 * capacity, seconds, connections: 1_000 }),
    },
    {
      what: `carts of ${ITEMS_MAX_DEFAULT} items`,
      loud: (seconds) => runFlood({ port, requests: heavy, perSecond: 100, seconds, connections: 100 }),
    },
    {
      what: '32 writers without a pause',
      loud: (seconds) => measureCapacity(port, writes, seconds, 32),
    },
    {
      what: 'a configuration of 2,000 methods, written and compiled',
      loud: async () => {
        const large = makeLarge();
        const reply = await server.call('/api/config', { body: { action: 'execute', data: large.config } });
        assert.equal(reply.status, 200, reply.text.slice(0, 300));
        for (const body of large.requests.slice(0, 20)) await server.call('/api/simulate', { body });
      },
    },
  ];
  let alone: QuietResult | undefined;
  const client = new QuietClient(context);
  const quietly = { port, key: quietKey, perSecond: QUIET_PER_SECOND, connections: 100, seconds: SECONDS };
  // Warms up the code of the quiet client and the server before the measurement.
  await client.run(quietly);
  for (const { what, loud } of phases) {
    await untilShown(context, server, async () => {
      await loopDelay(stage);
      const isLoud = loud(SECONDS);
      const result = await client.run(quietly);
      const delay = await loopDelay(stage);
      await isLoud;
      alone ??= result;
      const factor = result.p99Us / alone.p99Us;
      context.diagnostic(`${what}: ${result.text}, p99 ${factor.toFixed(1)} times that alone; ${delay}`);
      assert.equal(result.broken, 0);
      assert.equal(result.accepted + result.refused, result.sent);
      assert.deepEqual(result.others, []);
      return hasFared(result, alone) ? null : `${what}: ${result.text}`;
    });
  }
  assert.equal(await server.stop('SIGTERM'), 0, server.output.stderr);
});
