/** The client of operators, on the port and on the socket of a server. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  createOperator,
  type OperatorOptions,
  type RatewrightOperator,
} from '../../../src/front/client/client.ts';
import { answered, OPERATOR_KEY } from '../../support/server-process.ts';
import { CART, TestServer } from '../../support/test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'rw-operator-client-'));
const socketPath = join(folder, 'x.sock');
let server: TestServer;
let url: string;

before(async () => {
  server = await TestServer.start();
  url = `http://127.0.0.1:${server.running.port}`;
  await server.running.listenAt(socketPath);
});
after(async () => {
  server.running.closeSocket();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function withOperator(options: OperatorOptions, use: (operator: RatewrightOperator) => Promise<void>) {
  const operator = createOperator(options);
  await use(operator).finally(() => operator.close());
}

for (const where of ['on the port', 'on the socket']) {
  test(`${where}: shops, the routes of one shop, and the service`, async () => {
    const options = where === 'on the port' ? { url: `${url}/`, operatorKey: OPERATOR_KEY } : { socketPath };
    await withOperator(options, async (operator) => {
      const body = { name: 'Corner', key: { label: 'Setup', permission: 'admin' } } as const;
      const { shop, key } = answered(await operator.shops.create(body));
      assert.match(key?.secret ?? '', /^rw_/);
      const found = answered(await operator.shops.list({ query: { search: 'corner', limit: 5 } }));
      assert.deepEqual(found, { shops: [shop], damaged: [], nextCursor: null });
      assert.equal(answered(await operator.shops.setPlan(shop.id, { plan: 'pro' })).shop.plan, 'pro');
      const secret = 'shpss_0123456789abcdef';
      const sealed = answered(await operator.setShopifySecret(shop.id, { secret }));
      assert.equal(sealed.shop.hasShopifySecret, true);
      const client = operator.shop(shop.id);
      assert.equal(answered(await client.getShop()).shop.id, shop.id);
      assert.ok((await client.simulate(CART, { query: { fields: 'rates' } })).ok);
      assert.equal(answered(await client.createKey({ label: 'K', permission: 'simulate' })).key.label, 'K');
      assert.equal(answered(await client.getHealth()).status, 'ok');
      await client.close();
      assert.equal(answered(await operator.status()).phase, 'ready');
      assert.deepEqual(answered(await operator.verify()).defects, []);
      const parts: Uint8Array[] = [];
      for await (const part of answered(await operator.backup())) parts.push(part);
      assert.ok(Buffer.concat(parts).equals(server.operators.copy));
      assert.deepEqual(answered(await operator.shops.delete(shop.id)), { deleted: true, id: shop.id });
      server.shops.shops.delete(shop.id);
    });
  });
}

test('a refusal is an outcome, of a backup too', async () => {
  await withOperator({ url, operatorKey: 'x'.repeat(32) }, async (operator) => {
    for (const outcome of [
      await operator.shops.list(),
      await operator.backup(),
      await operator.shop('a').getShop(),
    ]) {
      assert.deepEqual([outcome.ok, !outcome.ok && outcome.code], [false, 'UNAUTHORIZED']);
    }
  });
  await withOperator({ socketPath }, async (operator) => {
    const unknown = await operator.shop('../keys').getShop();
    assert.deepEqual([unknown.ok, !unknown.ok && unknown.code], [false, 'NOT_FOUND']);
  });
  await withOperator({ socketPath: join(folder, 'none.sock'), retriesMax: 0 }, async (operator) => {
    const outcome = await operator.backup();
    assert.deepEqual([outcome.ok, !outcome.ok && outcome.code], [false, 'UNREACHABLE']);
  });
});

test('a copy that breaks off rejects the one who reads it', async () => {
  server.operators.failsAt = 1_500_000;
  await withOperator({ socketPath }, async (operator) => {
    const copy = answered(await operator.backup());
    await assert.rejects(async () => {
      for await (const _ of copy);
    });
  });
  server.operators.failsAt = Number.POSITIVE_INFINITY;
});

test('an unknown or malformed option is a TypeError that says what is taken', () => {
  for (const [options, message] of [
    [
      { url, operatorKey: OPERATOR_KEY, key: 'a' },
      /^unknown option key: createOperator takes url, operatorKey, deadlineMs, /,
    ],
    [{ socketPath, url }, /^unknown option url: createOperator takes socketPath, deadlineMs, /],
    [{ url }, /^createOperator takes url and operatorKey, or socketPath$/],
    [{ url: 'ftp://a', operatorKey: OPERATOR_KEY }, /^option url of createOperator must be /],
    [{ operatorKey: OPERATOR_KEY }, /^createOperator takes url and operatorKey, or socketPath$/],
    [{ socketPath: undefined }, /^option socketPath of createOperator must be a string$/],
    [undefined, /^the options of createOperator must be an object$/],
    [{ socketPath: 7 }, /^option socketPath of createOperator must be a string$/],
  ] as const) {
    assert.throws(() => createOperator(options as never), { name: 'TypeError', message });
  }
});
