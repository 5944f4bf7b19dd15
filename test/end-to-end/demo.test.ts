// The demo shop of a new server: over HTTP every cart of `data/carts` gets the answer of the reference evaluator for
// the exported configuration, at several times of the week. The checkouts of `data/examples` ask it too.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { SimulateRequest } from '../../src/engine/domain/cart.ts';
import type { ShopConfig } from '../../src/engine/domain/shop-config.ts';
import { readCarts } from '../data/demo-files.ts';
import { referenceSimulate } from '../support/reference/simulate.ts';
import { answered, ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { describeCheckouts } from './checkouts.ts';

// A weekday morning and evening, a Sunday, and both sides of midnight in the shop's time zone.
const MOMENTS = [
  '2026-11-18T17:00:00.000Z',
  '2026-11-19T03:30:00.000Z',
  '2026-11-22T20:00:00.000Z',
  '2026-12-24T07:59:00.000Z',
  '2026-12-24T08:00:00.000Z',
];

interface Explained {
  readonly rates: unknown;
  readonly methodEvaluations: readonly { readonly steps?: unknown }[];
}

describe('the demo shop over HTTP', () => {
  let server: ServerProcess;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let config: ShopConfig;
  let shop: { currency: string; timezone: string };

  before(async () => {
    folder = await temporaryFolder();
    server = await ServerProcess.start(folder.path);
    config = answered(await server.client.getConfig()) as ShopConfig;
    shop = answered(await server.client.getShop()).shop;
  });

  after(async () => {
    await server?.stop('SIGKILL');
    await folder?.discard();
  });

  for (const [name, cart] of readCarts()) {
    test(`${name} gets the answer of the reference`, async () => {
      for (const at of MOMENTS) {
        const reply = await server.call(`/api/simulate?at=${at}`, { body: cart });
        assert.equal(reply.status, 200, reply.text);
        const expected = referenceSimulate(config, shop, cart as SimulateRequest, Date.parse(at));
        assert.deepEqual(expected.status === 200 && expected.answer, reply.body);
      }
    });
  }

  test('an explained answer is the plain answer with reasons added', async () => {
    const [[, cart] = []] = readCarts();
    const plain = (await server.call(`/api/simulate?at=${MOMENTS[0]}`, { body: cart })).body as Explained;
    const reply = await server.call(`/api/simulate?explain=full&at=${MOMENTS[0]}`, { body: cart });
    assert.equal(reply.status, 200, reply.text);
    const explained = reply.body as Explained;
    assert.deepEqual(explained.rates, plain.rates);
    assert.ok(plain.methodEvaluations.length > 0);
    assert.equal(explained.methodEvaluations.length, plain.methodEvaluations.length);
    assert.ok(explained.methodEvaluations.every(({ steps }) => Array.isArray(steps)));
    assert.ok(plain.methodEvaluations.every(({ steps }) => steps === undefined));
    const refused = await server.call('/api/simulate?explain=some', { body: cart });
    assert.equal(refused.status, 400, refused.text);
  });

  test('a configuration that was read can be sent back and changes nothing', async () => {
    const { findings, omitted } = answered(await server.client.lintConfig());
    const preview = answered(await server.client.replaceConfig({ action: 'preview', data: config }));
    const run = answered(await server.client.createOrRunChecks({ action: 'run' }));
    assert.ok('results' in run);
    assert.deepEqual([run.passed, run.failed], [12, 0]);
    assert.deepEqual(preview, {
      added: [],
      modified: [],
      removed: [],
      summary: { added: 0, modified: 0, removed: 0 },
      warnings: findings,
      warningsOmitted: omitted,
      checks: { ...run, versionId: null },
      effects: { probes: 0, changed: 0, lost: 0, gained: 0, samples: [], limited: false },
    });
    answered(await server.client.replaceConfig({ action: 'execute', data: config }));
    const { versionId: _, ...after } = answered(await server.client.getConfig());
    const { versionId: __, ...before } = config as ShopConfig & { versionId: string };
    assert.deepEqual(after, before);
  });

  describeCheckouts(
    () => server,
    () => folder.path,
  );
});
