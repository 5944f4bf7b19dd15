import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { curlText, requestsOf } from '../../../src/front/console/parts/curl.ts';

/** The arguments that a shell gives to curl. */
const argumentsOf = (command: string): readonly string[] => {
  const { stdout } = spawnSync('sh', ['-c', command.replace(/^curl/, "printf '%s\\n'")], {
    encoding: 'utf8',
    env: { ...process.env, RATEWRIGHT_KEY: 'rw_of_the_shell' },
  });
  return stdout.trimEnd().split('\n');
};

test('a copied call passes its body through a shell unchanged, with the key of the shell', async () => {
  const cart = { destination: { country: 'US', city: `Coeur d'Alene "$HOME" \\` }, items: [] };
  const requests = await requestsOf('/rates', (calls) =>
    calls.simulate(cart, { query: { explain: 'full' } }),
  );
  assert.equal(requests.length, 1);
  const [, address, ...rest] = argumentsOf(requests.map((each) => curlText('http://host', each)).join(''));
  assert.equal(address, 'http://host/rates/api/simulate?explain=full');
  assert.equal(rest[1], 'Authorization: Bearer rw_of_the_shell');
  assert.deepEqual(JSON.parse(rest.at(-1) ?? ''), cart);
});

test('a copied write names its verb, and every run of it is a write of its own', async () => {
  const requests = await requestsOf('', async (calls) => {
    await calls.updateZone('zone_1', { name: 'Alps' }, { batchId: 'b1' });
    await calls.deleteRule('rule_1', {});
  });
  const [update = '', remove = ''] = requests.map((each) => curlText('http://host', each));
  assert.deepEqual(argumentsOf(update), [
    ...['-sS', '-X', 'PUT', 'http://host/api/zones/zone_1', '-H', 'Authorization: Bearer rw_of_the_shell'],
    ...['-H', 'content-type: application/json', '-H', 'x-batch-id: b1', '-d', '{"name":"Alps"}'],
  ]);
  assert.deepEqual(argumentsOf(remove).slice(0, 4), ['-sS', '-X', 'DELETE', 'http://host/api/rules/rule_1']);
});
