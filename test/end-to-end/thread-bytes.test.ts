// Random shops and carts on a server with several threads: every thread gives the same bytes as the evaluator, cold or
// warm, on its event loop or by a worker. The long form: `RATEWRIGHT_THREAD_SHOPS=300 npm test -- thread-bytes`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileShop } from '../../src/compile/compiled-shop.ts';
import type { ShopConfig } from '../../src/domain/shop-config.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { snapshotOf } from '../../src/wire/record-view.ts';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { type ShopCart, type ShopCase, shopCase } from '../support/shop-arbitraries.ts';
import { ThreadClients } from './thread-clients.ts';

const SHOPS = Number(process.env['RATEWRIGHT_THREAD_SHOPS'] ?? 6);
const CARTS = 5;
/** Number of connections: enough that each thread very likely gets one. */
const ASKED = 8;

/** Times that the parameter `at` can express. */
const YEARS = /^\d{4}-/;
const isSaid = ({ nowMs }: ShopCart): boolean => YEARS.test(new Date(nowMs).toISOString());

/** Imports the configuration and returns it as the server shows it; null when the server refuses it. */
async function installed(server: ServerProcess, { config, settings }: ShopCase): Promise<ShopConfig | null> {
  const { versionId: _, ...data } = snapshotOf(config, '');
  const made = await server.call('/api/config', { body: { action: 'execute', data } });
  if (made.status !== 200) return null;
  const set = await server.call('/api/shop', { method: 'PUT', body: settings });
  assert.equal(set.status, 200, set.text);
  return (await server.call('/api/config')).body as ShopConfig;
}

for (const [what, environment] of Object.entries({
  'on the event loop of each thread': {},
  'by the worker threads of the main thread': { RATEWRIGHT_HEAVY_MICROSECONDS: '0' },
})) {
  const shops = what.startsWith('on') ? SHOPS : Math.ceil(SHOPS / 4);
  test(`${shops} random shops with ${CARTS} carts each, answered ${what}: the same bytes as the evaluator`, async (context) => {
    const folder = await temporaryFolder();
    const server = await ServerProcess.start(folder.path, { RATEWRIGHT_THREADS: '3', ...environment });
    const clients = new ThreadClients(server.url);
    context.after(async () => {
      await clients.close();
      await server.stop('SIGKILL');
      await folder.discard();
    });
    let compared = 0;
    const ask = async (
      { request, nowMs }: ShopCart,
      expected: ReturnType<typeof evaluate>,
    ): Promise<void> => {
      const path = `/api/simulate?at=${new Date(nowMs).toISOString()}`;
      const body = JSON.stringify(request);
      const some = clients.all.slice(0, ASKED);
      const answers = await Promise.all(some.map((client) => ThreadClients.ask(client, path, body)));
      for (const { status, text } of answers) {
        if (expected.ok) assert.equal(text, expected.value);
        else assert.ok(status >= 400 && text.includes(expected.code), text);
        compared++;
      }
      assert.equal(new Set(answers.map(({ version }) => version)).size, 1);
    };
    const property = fc.asyncProperty(shopCase(CARTS), async (made) => {
      const config = await installed(server, made);
      if (config === null) return;
      const compiled = compileShop(config, made.settings);
      // In the second round the caches are warm.
      for (let round = 0; round < 2; round++) {
        for (const cart of made.carts.filter(isSaid))
          await ask(cart, evaluate(compiled, cart.request, cart.nowMs));
      }
    });
    await fc.assert(property, {
      numRuns: shops,
      unbiased: true,
      endOnFailure: true,
      includeErrorInReport: true,
    });
    const { text } = await server.call('/metrics', { key: null });
    const elsewhere = Number(/^ratewright_replica_simulations_total (\d+)$/m.exec(text)?.[1]);
    const heavy = Number(/^ratewright_heavy_requests_total (\d+)$/m.exec(text)?.[1]);
    context.diagnostic(
      `${compared} answers, ${elsewhere} came to further threads, ${heavy} to worker threads`,
    );
    assert.ok(compared > 0 && elsewhere > 0);
    assert.equal(heavy > 0, Object.keys(environment).length > 0);
    assert.equal(await server.stop('SIGTERM'), 0, server.output.stderr);
  });
}
