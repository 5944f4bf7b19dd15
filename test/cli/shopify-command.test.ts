/** Secrets are sealed with the key of the folder or of the environment: commands and servers with another one do not start. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { callCommand, runCommand } from './run-command.ts';

const SECRET = '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';

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
  const other = join(folder.path, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'secret.key'), 'no key');
  assert.equal((await callCommand(other, make)).code, 0);
  const unsealed = await callCommand(other, command, { input: `${SECRET}\n` });
  assert.equal(unsealed.code, 1);
  assert.match(
    unsealed.stderr,
    /^ratewright shop set-shopify-secret: the secret cannot be sealed: secret\.key in the data folder does not contain a key /,
  );
});
