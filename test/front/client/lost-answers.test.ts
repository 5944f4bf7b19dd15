/** The outcomes that the client reports for writes whose request or answer is lost, with a real server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CallOutcome, createClient, type RatewrightClient } from '../../../src/front/client/client.ts';
import { answered, DEMO_KEY, ServerProcess, temporaryFolder } from '../../support/server-process.ts';
import { LossyProxy } from './lossy-proxy.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ServerProcess;
let proxy: LossyProxy;

before(async () => {
  folder = await temporaryFolder();
  server = await ServerProcess.start(folder.path);
  proxy = await LossyProxy.start(server.url);
});
after(async () => {
  proxy?.stop();
  await server?.stop('SIGKILL');
  await folder?.discard();
});

const clientWith = (key: string) => createClient({ url: proxy.url, key, deadlineMs: 60_000 });

test('when a key revokes itself, the answer is lost and the repetition gets 401, the key may have been revoked', async () => {
  const made = answered(await server.client.createKey({ label: 'Short-lived', permission: 'admin' }));
  const client = clientWith(made.secret);
  proxy.losses.push('answer');
  const outcome = await client.revokeKey(made.key.id);
  await client.close();
  assert.ok(!outcome.ok);
  assert.deepEqual([outcome.code, outcome.attempts, outcome.mayHaveHappened], ['UNAUTHORIZED', 2, true]);
  const { keys } = answered(await server.client.listKeys());
  assert.ok(keys.every(({ id }) => id !== made.key.id));
});

test('a write whose answer is lost is executed once, and its repetition gets the answer', async () => {
  const client = clientWith(DEMO_KEY);
  proxy.losses.push('answer');
  const outcome = await client.createGroup({ name: 'Made once' });
  await client.close();
  assert.ok(outcome.ok && outcome.attempts === 2);
  const { groups } = answered(await server.client.listGroups());
  assert.equal(groups.filter(({ name }) => name === 'Made once').length, 1);
});

test('a write whose request is lost has not happened when the shop refuses its repetition', async () => {
  type Call = (client: RatewrightClient) => Promise<CallOutcome<unknown>>;
  const refused: readonly Call[] = [
    (client) => client.deleteMethod('method_none'),
    (client) => client.updateShop({ currency: 'USD' }, { ifMatch: 'version_old' }),
    (client) => client.createMethod({ name: 'A', zoneId: 'zone_none', rateType: 'free' }),
  ];
  const outcomes: unknown[] = [];
  for (const call of refused) {
    const client = clientWith(DEMO_KEY);
    proxy.losses.push('request');
    const outcome = await call(client);
    await client.close();
    assert.ok(!outcome.ok);
    outcomes.push([outcome.code, outcome.attempts, outcome.mayHaveHappened]);
  }
  assert.deepEqual(outcomes, [
    ['NOT_FOUND', 2, false],
    ['CONFLICT', 2, false],
    ['VALIDATION_ERROR', 2, false],
  ]);
});
