/**
 * Changes in a changeset only, promoted by another key than wrote them, and the audit of it, over HTTP (contract section 12.3).
 */
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

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly keyId: string | null;
  readonly keyLabel: string;
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string; readonly name: string };
  readonly before: object | null;
  readonly after: object | null;
}

async function auditPage(query: string): Promise<{ entries: readonly Entry[]; nextCursor: string | null }> {
  const { status, body } = await call(ADMIN, `/api/audit?${query}`);
  assert.equal(status, 200);
  return body as Awaited<ReturnType<typeof auditPage>>;
}

test('the audit says who did it, by the label of then, and how it was before', async () => {
  const versionId = shop.state.version.id;
  const annId = shop.state.keys.find(({ label }) => label === 'Ann')?.id ?? '';
  const ends = await call(
    ADMIN,
    `/api/keys/${annId}`,
    { label: 'Ann B', expiresAt: '2026-01-03T00:00:00Z' },
    'PUT',
  );
  assert.equal(ends.status, 200);
  assert.equal(
    (await call(ann, '/api/staging', { action: 'enter', name: 'Spring', note: 'Tariffs' })).status,
    200,
  );
  assert.equal((await call(ann, '/api/groups', { name: 'Staged' })).status, 201);
  assert.equal((await call(ADMIN, '/api/staging', { action: 'promote', force: true })).status, 200);
  assert.equal((await call(ADMIN, `/api/keys/${annId}`, undefined, 'DELETE')).status, 200);
  // Nothing changes, so nothing is told.
  await set({ name: 'A', currency: 'USD' });

  const { entries, nextCursor } = await auditPage('limit=4');
  const shown = entries.map(({ id: _, at: _at, keyId: _key, ...entry }) => entry);
  const { id: changeset = '' } = entries.find(({ action }) => action === 'changeset_forced')?.subject ?? {};
  const of = { kind: 'changeset', id: changeset, name: 'Spring' };
  const end = { expiresAt: '2026-01-03T00:00:00.000Z' };
  const demo = shop.state.keys[0]?.label;
  assert.deepEqual(shown, [
    {
      keyLabel: demo,
      action: 'key_revoked',
      subject: { kind: 'key', id: annId, name: 'Ann B' },
      before: { label: 'Ann B', permission: 'write', ...end },
      after: null,
    },
    {
      keyLabel: demo,
      action: 'changeset_forced',
      subject: of,
      before: { note: 'Tariffs', writes: 1 },
      after: { versionId: shop.state.version.id, batchId: changeset },
    },
    {
      keyLabel: 'Ann B',
      action: 'changeset_entered',
      subject: of,
      before: null,
      after: { note: 'Tariffs', baseVersionId: versionId },
    },
    {
      keyLabel: demo,
      action: 'key_changed',
      subject: { kind: 'key', id: annId, name: 'Ann' },
      before: { label: 'Ann', expiresAt: null },
      after: { label: 'Ann B', ...end },
    },
  ]);
  assert.equal(nextCursor, entries[3]?.id);
  const older = await auditPage(`cursor=${nextCursor}`);
  assert.deepEqual(
    older.entries.map(({ action, keyLabel }) => [action, keyLabel]),
    [
      ['settings_changed', demo],
      ['settings_changed', demo],
      ['changeset_promoted', 'Ben'],
      ['changeset_entered', 'Ben'],
      ['settings_changed', demo],
      ['key_created', demo],
      ['key_created', demo],
      ['key_created', 'operator'],
    ],
  );
  assert.equal(older.nextCursor, null);
  assert.equal(older.entries.at(-1)?.keyId, null);
  assert.deepEqual(older.entries[4]?.before, { promotionGate: null });

  assert.equal((await call(ben, '/api/audit')).status, 403);
  const unknown = await call(ADMIN, '/api/audit?cursor=audit_1');
  assert.deepEqual([unknown.status, unknown.message], [404, 'Audit entry not found: audit_1']);

  const lines = stage.infos.filter(({ event }) => event === 'audit.noted').map(({ fields }) => fields);
  assert.deepEqual(
    lines
      .map(({ shopId, keyId, keyLabel, action, subject }) => ({ shopId, keyId, keyLabel, action, subject }))
      .reverse(),
    [...entries, ...older.entries].map(({ keyId, keyLabel, action, subject }) => ({
      ...{ shopId: shop.shopId, keyId, keyLabel, action, subject: subject.id },
    })),
  );
  // The lines name their requests; the first key of the shop was made by none.
  const requests = lines.map(({ requestId, route, status }) => [typeof requestId, route, status]);
  assert.deepEqual(requests[0], ['undefined', undefined, undefined]);
  assert.deepEqual(requests[1], ['string', 'createKey', '201']);
});
