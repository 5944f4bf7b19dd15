/** Changes in a changeset only, and promoted by another key than wrote them, over HTTP (contract section 12.3). */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { silentLogger } from '../../../src/base/runtime/logger.ts';
import { giveDemoKey } from '../../../src/front/command-line/demo-shop.ts';
import { LiveKeyRing } from '../../../src/shop/actor/key-ring.ts';
import { openShop } from '../../shop/actor/shop-stage.ts';
import { NO_RESULTS, TestServer } from '../../support/test-server.ts';

const ADMIN = 'rw_key_of_the_admin_0123456789abcdef';
const { stage, shop } = await openShop();
await giveDemoKey(shop, ADMIN, () => {});
const { log, clock, directory: shops } = stage;
const keys = new LiveKeyRing({ log, clock, logger: silentLogger });
const server = await TestServer.start({}, { keys, shops, shadow: NO_RESULTS, clock });
after(async () => {
  await server.stop();
  await shops.close();
});

const call = (key: string, path: string, body?: object, verb = body === undefined ? 'GET' : 'POST') =>
  server.call(path, { verb, key, ...(body && { body }) });
async function writerKey(label: string): Promise<string> {
  const made = await call(ADMIN, '/api/keys', { label, permission: 'write' });
  return (made.body as { readonly secret: string }).secret;
}
const [ann, ben] = [await writerKey('Ann'), await writerKey('Ben')];
const set = async (body: object) => {
  const { status, body: answer } = await call(ADMIN, '/api/shop', body, 'PUT');
  assert.equal(status, 200);
  return (answer as { readonly shop: { readonly directWrites: boolean } }).shop;
};
const secondPerson = async (key: string) => {
  const { body } = await call(key, '/api/staging/gate');
  return (body as { readonly criteria: readonly object[] }).criteria;
};

test('the key that wrote to the changeset does not promote it, another key does', async () => {
  await set({ promotionGate: { secondPerson: true } });
  // Who entered it does not matter.
  assert.equal((await call(ben, '/api/staging', { action: 'enter' })).status, 200);
  assert.equal((await call(ann, '/api/groups', { name: 'Heavy' })).status, 201);
  const criterion = { criterion: 'secondPerson', limit: 0, evidence: [] };
  assert.deepEqual(await secondPerson(ann), [{ ...criterion, actual: 1, passed: false }]);
  assert.deepEqual(await secondPerson(ben), [{ ...criterion, actual: 0, passed: true }]);
  const own = await call(ann, '/api/staging', { action: 'promote' });
  assert.equal(own.status, 409);
  assert.match(own.message, /secondPerson: the limit is 0, and it is 1/);
  assert.equal((await call(ben, '/api/staging', { action: 'promote' })).status, 200);
  assert.equal(shop.state.staging, null);
});

test('a shop without direct writes says so, and refuses them', async () => {
  assert.equal((await set({})).directWrites, true);
  assert.equal((await set({ directWrites: false })).directWrites, false);
  const read = await call(ann, '/api/shop');
  assert.equal((read.body as { readonly shop: { readonly directWrites: boolean } }).shop.directWrites, false);
  for (const [path, body] of [
    ['/api/groups', { name: 'Light' }],
    ['/api/config', { action: 'execute', data: {} }],
  ] as const) {
    const refused = await call(ADMIN, path, body);
    assert.deepEqual([refused.status, refused.code], [409, 'CONFLICT']);
    assert.match(refused.message, /^this shop takes changes in a changeset only/);
  }
  assert.equal((await call(ann, '/api/config', { action: 'preview', data: {} })).status, 200);
  const rollback = { action: 'rollback', targetVersionId: '1' };
  const refused = await call(ben, '/api/versions', rollback);
  assert.deepEqual([refused.status, refused.code], [403, 'FORBIDDEN']);
  assert.equal((await call(ADMIN, '/api/versions', rollback)).status, 200);
  assert.equal((await set({ directWrites: true })).directWrites, true);
  assert.equal((await call(ann, '/api/groups', { name: 'Light' })).status, 201);
});
