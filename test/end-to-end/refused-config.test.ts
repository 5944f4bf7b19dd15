/** A bulk write with errors of both kinds, on the whole service: one refusal, and no change. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShopConfig } from '../../src/domain/shop-config.ts';
import { answered, type Reply, ServerProcess, temporaryFolder } from '../support/server-process.ts';

const message = ({ body }: Reply): string => (body as { error: { message: string } }).error.message;

test('one refusal names the errors of both kinds, is not stored, and is the same after a restart', async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  let server = await ServerProcess.start(folder.path);
  const { methods, ...kinds } = answered(await server.client.getConfig()) as ShopConfig;
  const [method, ...others] = methods;
  assert.ok(method !== undefined);
  const data = { ...kinds, methods: [...others, { ...method, id: 'method_a', name: '', zoneId: 'zone_x' }] };
  const before = (await server.call('/api/config')).text;
  const headers = { 'idempotency-key': 'again', 'if-match': '"version_x"' };
  const ask = (action: string, more: object = {}) =>
    server.call('/api/config', { body: { action, data }, ...more });

  const refused = await ask('execute', { headers });
  assert.equal(refused.status, 400);
  assert.deepEqual(
    message(refused)
      .split('; ')
      .map((line) => line.split(' must be ')[0])
      .slice(0, 2),
    [`/data/methods/${others.length}/name`, `/data/methods/${others.length}/zoneId`],
  );
  const version = refused.headers['x-config-version'];
  assert.equal(version, (JSON.parse(before) as { versionId: string }).versionId);
  assert.equal(message(await ask('preview')), message(refused));
  assert.equal((await server.call('/api/config')).text, before);

  assert.equal(await server.stop(), 0);
  server = await ServerProcess.start(folder.path);
  const again = await ask('execute', { headers });
  assert.deepEqual([again.status, again.headers['x-config-version']], [400, version]);
  assert.equal(message(again), message(refused));
  // The idempotency key is still unused, and If-Match is checked only now.
  const mended = { action: 'execute', data: { ...kinds, methods } };
  assert.equal((await server.call('/api/config', { body: mended, headers })).status, 409);
  const current = { ...headers, 'if-match': `"${version}"` };
  assert.equal((await server.call('/api/config', { body: mended, headers: current })).status, 200);
  assert.equal(await server.stop(), 0);
});
