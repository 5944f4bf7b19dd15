/** No secret of a key is in the data folder or in the output of the server, the chosen key of the demo shop included. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ITEMS_MAX_DEFAULT } from '../../src/engine/domain/cart.ts';
import { createRouteTable } from '../../src/front/http/route-table.ts';
import { isKeyed, requestsOf } from '../support/route-requests.ts';
import { DEMO_KEY, ServerProcess, temporaryFolder } from '../support/server-process.ts';

const requests = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT })
  .filter(isKeyed)
  .flatMap((route) => requestsOf(route, () => 'ID'));

/** Each form in which a secret could be stored or printed. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('hex'),
];

test('no key is in the data folder or in the log lines', async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  const data = join(folder.path, 'data');
  const server = await ServerProcess.start(data, { RATEWRIGHT_LOG_LEVEL: 'debug' });
  const secrets = [DEMO_KEY];
  const make = async (label: string, headers: Record<string, string>) => {
    const reply = await server.call('/api/keys', { body: { label, permission: 'write' }, headers });
    assert.equal(reply.status, 201, reply.text);
    return (reply.body as { secret: string; key: { id: string } }) ?? {};
  };
  const plain = await make('plain', {});
  // The stored answer of this write contains the secret.
  const repeated = await make('repeated', { 'idempotency-key': 'make-a-key' });
  const again = await make('repeated', { 'idempotency-key': 'make-a-key' });
  assert.equal(again.secret, repeated.secret);
  secrets.push(plain.secret, repeated.secret);
  for (const key of secrets) {
    // In wrong places of a request, where it could be logged by mistake.
    for (const { verb, path } of requests) {
      const separator = path.includes('?') ? '&' : '?';
      const misplaced = `${path.replace('ID', encodeURIComponent(key))}${separator}key=${key}`;
      await server.call(misplaced, { key, method: verb });
      await server.call(misplaced, { key: null, method: verb });
    }
    await server.call(`/api/${key}`, { key });
    await server.call('/api/groups', { key, body: `{"name": "${key}` });
    await server.call('/api/groups', {
      key,
      headers: { 'x-request-id': key.slice(0, 20) },
      body: { name: 'G' },
    });
  }
  await server.call(`/api/keys?id=${plain.key.id}`, { method: 'DELETE' });
  // A revoked key is still a secret, because it may be used elsewhere.
  await server.call('/api/zones', { key: plain.secret });
  const shown = (await server.call('/metrics')).text + (await server.call('/openapi.json')).text;
  assert.equal(await server.stop(), 0);

  const { stdout, stderr } = server.output;
  assert.match(stderr, /"event":"service.stopped"/);
  const printed = stderr + stdout + shown;
  const files = readdirSync(data).map((name) => [name, join(data, name)] as const);
  assert.ok(files.some(([name]) => name === 'data.mdb'));
  for (const secret of secrets) {
    for (const form of formsOf(secret)) {
      assert.ok(!printed.includes(form), 'a secret was printed');
      for (const [name, path] of files) {
        assert.ok(!readFileSync(path).includes(form), `a secret is in ${name}`);
      }
    }
  }
});
