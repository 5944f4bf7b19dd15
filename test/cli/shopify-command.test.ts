/** The secret from end to end: command line, log, running server, callback. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCallbacks } from '../data/demo-files.ts';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { callCommand, runCommand } from './run-command.ts';

const SECRET = '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';

test('a secret that is set while the server runs is used at once, and is nowhere in plain text', async (context) => {
  const folder = await temporaryFolder();
  const server = await ServerProcess.start(folder.path);
  context.after(async () => {
    await server.stop();
    await folder.discard();
  });
  const { id } = ((await server.call('/api/shop')).body as { shop: { id: string } }).shop;
  const callback = JSON.stringify(readCallbacks().get('us-two-items'));
  const send = () =>
    server.call(`/carriers/shopify/${id}`, {
      body: callback,
      key: null,
      headers: { 'x-shopify-hmac-sha256': createHmac('sha256', SECRET).update(callback).digest('base64') },
    });
  assert.equal((await send()).status, 401);
  const command = ['shop', 'set-shopify-secret'];
  const set = await runCommand(folder.path, command, { input: `${SECRET}\n` });
  assert.deepEqual([set.code, set.stderr], [0, '']);
  assert.ok(!set.stdout.includes(SECRET) && set.stdout.includes(`/carriers/shopify/${id}`));
  let answered = await send();
  // On a busy machine an answer may come after the deadline of a checkout.
  while (answered.status === 404) answered = await send();
  assert.equal(answered.status, 200);
  assert.ok((answered.body as { rates: unknown[] }).rates.length > 0);
  for (const entry of readdirSync(folder.path, { withFileTypes: true })) {
    if (entry.isFile()) assert.ok(!readFileSync(join(folder.path, entry.name)).includes(SECRET), entry.name);
  }
  assert.equal((await callCommand(folder.path, [...command, '--clear'])).code, 0);
  assert.equal((await send()).status, 401);
  assert.ok(!server.output.stderr.includes(SECRET));
  for (const input of ['', 'short\n', 'with a space in it all\n']) {
    const refused = await callCommand(folder.path, command, { input });
    assert.equal(refused.code, 64);
  }
  writeFileSync(join(folder.path, 'secret.key'), 'no key');
  const unsealed = await callCommand(folder.path, command, { input: `${SECRET}\n` });
  assert.equal(unsealed.code, 64);
  assert.match(
    unsealed.stderr,
    /^ratewright shop set-shopify-secret: secret\.key in the data folder does not contain a key [^\n]*\n$/,
  );
});

test('a server or command whose key is not the one that sealed the secrets does not start', async (context) => {
  const folder = await temporaryFolder();
  context.after(folder.discard);
  const make = ['shop', 'create', '--name', 'Sealed', '--currency', 'EUR', '--plan', 'starter'];
  assert.equal((await callCommand(folder.path, make)).code, 0);
  const command = ['shop', 'set-shopify-secret'];
  const withKey = { RATEWRIGHT_SECRET_KEY: 'k'.repeat(40) };
  const set = await callCommand(folder.path, command, { input: `${SECRET}\n`, environment: withKey });
  assert.equal(set.code, 0, set.stderr);
  const refusal = /^ratewright [a-z -]+: secret\.probe in [^\n]+ was sealed with another key: [^\n]+\n$/m;
  for (const environment of [{}, { RATEWRIGHT_SECRET_KEY: 'l'.repeat(40) }]) {
    const served = await runCommand(folder.path, ['serve'], {
      environment: { ...environment, RATEWRIGHT_PORT: '0' },
    });
    assert.equal(served.code, 64);
    assert.match(served.stderr, refusal);
    const again = await callCommand(folder.path, command, { input: `${SECRET}\n`, environment });
    assert.equal(again.code, 64);
    assert.match(again.stderr, refusal);
  }
  const server = await ServerProcess.start(folder.path, withKey);
  await server.stop();
});
