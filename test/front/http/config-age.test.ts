/** Answers of a node that may lack the newest writes: the mark and the refusal. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { FAILURE_STATUS, type FailureCode, failure } from '../../../src/engine/domain/failure.ts';
import type { Freshness } from '../../../src/store/cluster/lease.ts';
import { AuthorityUnavailableError } from '../../../src/store/log/authority.ts';
import { CART, type Reply, TestServer } from '../../support/test-server.ts';

let server: TestServer;
let freshness: Freshness;
/** What the database has when a write asks the node to catch up. */
let upToDate: () => Promise<void> | null;

before(async () => {
  server = await TestServer.start(
    {},
    {
      freshness: () => freshness,
      upToDate: () => upToDate(),
    },
  );
});
after(() => server.stop());

beforeEach(() => {
  server.restoreShop();
  freshness = { kind: 'current' };
  upToDate = () => null;
});

const ageOf = ({ headers }: Reply): unknown => headers['x-config-age'];
const simulatedAndRead = () =>
  Promise.all([
    server.call('/api/simulate', { body: CART }),
    ...['/api/config', '/api/versions', '/api/groups'].map((path) => server.call(path)),
  ]);

test('an answer of a current node has no mark', async () => {
  for (const reply of await simulatedAndRead()) {
    assert.equal(reply.status, 200, reply.text);
    assert.equal(ageOf(reply), undefined);
  }
});

test('simulations and reads of an outdated node carry their age, and writes that were accepted do not', async () => {
  freshness = { kind: 'old', ageSeconds: 7 };
  for (const reply of await simulatedAndRead()) {
    assert.equal(reply.status, 200, reply.text);
    assert.equal(ageOf(reply), '7');
  }
  const written = await server.call('/api/groups', { body: { name: 'New' } });
  assert.deepEqual([written.status, ageOf(written)], [201, undefined]);
});

test('an outdated node beyond the limit refuses simulations and reads with 503, and takes writes', async () => {
  freshness = { kind: 'refused' };
  for (const reply of await simulatedAndRead()) {
    assert.deepEqual([reply.status, reply.code], [503, 'UNAVAILABLE'], reply.text);
    assert.ok(Number(reply.headers['retry-after']) >= 1);
  }
  assert.equal((await server.call('/api/groups', { body: { name: 'New' } })).status, 201);
});

test('a write of an outdated node is decided on what the node has after it has caught up', async () => {
  freshness = { kind: 'old', ageSeconds: 7 };
  upToDate = async () => {
    // Another node has made this group, and this version, meanwhile.
    freshness = { kind: 'current' };
    const made = await server.call('/api/groups', { body: { name: 'Elsewhere' } });
    assert.equal(made.status, 201, made.text);
    freshness = { kind: 'old', ageSeconds: 7 };
  };
  const asked: string[] = [];
  const catchUp = upToDate;
  upToDate = () => {
    if (freshness.kind === 'current') return null;
    asked.push('asked');
    return catchUp();
  };
  const before = server.shop.state.version.id;
  const stale = { verb: 'PUT', body: { name: 'B' }, headers: { 'If-Match': `"${before}"` } };
  const refused = await server.call('/api/groups/group_default', stale);
  assert.deepEqual([refused.status, ageOf(refused), asked.length], [409, undefined, 1], refused.text);
  const made =
    server.shop.state.config.productGroups.find(({ name }) => name === 'Elsewhere') ?? assert.fail();
  const found = await server.call(`/api/groups/${made.id}`, { verb: 'PUT', body: { name: 'Found' } });
  assert.deepEqual([found.status, ageOf(found), asked.length], [200, undefined, 2], found.text);
});

test('a write of an outdated node that cannot catch up is refused with 503, whatever it asks for', async () => {
  freshness = { kind: 'old', ageSeconds: 7 };
  upToDate = () => Promise.reject(new AuthorityUnavailableError('no server is a primary'));
  for (const path of ['/api/groups/group_default', '/api/groups/group_none']) {
    const reply = await server.call(path, { verb: 'PUT', body: { name: 'B' } });
    assert.deepEqual([reply.status, reply.code, ageOf(reply)], [503, 'UNAVAILABLE', undefined], reply.text);
    assert.ok(Number(reply.headers['retry-after']) >= 1);
  }
});

test('a malformed request names the version only with its age', async () => {
  const malformed = async () => {
    const { status, headers } = await server.call('/api/groups', { body: { title: 'B' } });
    return [status, headers['x-config-version'], headers['x-config-age']];
  };
  const version = server.shop.state.version.id;
  assert.deepEqual(await malformed(), [400, version, undefined]);
  freshness = { kind: 'old', ageSeconds: 7 };
  assert.deepEqual(await malformed(), [400, version, '7']);
  freshness = { kind: 'refused' };
  assert.deepEqual(await malformed(), [400, undefined, undefined]);
});

test('no refusal of a node says of the Idempotency-Key that nothing was done', async (context) => {
  context.after(() => {
    server.shop.refuseWith = null;
  });
  const headers = { 'Idempotency-Key': 'look-up-1' };
  for (const [code, status] of Object.entries(FAILURE_STATUS)) {
    server.shop.refuseWith = failure(code as FailureCode, 'no');
    const path = '/api/groups/group_default';
    const reply = await server.call(path, { verb: 'PUT', body: { name: 'New' }, headers });
    assert.deepEqual([reply.status, reply.headers['idempotency-key']], [status, undefined], code);
  }
});

test('a node that was outdated for more than a minute refuses reads, because their key may be revoked, and simulates', async () => {
  freshness = { kind: 'old', ageSeconds: 60 };
  for (const reply of await simulatedAndRead()) {
    assert.deepEqual([reply.status, ageOf(reply)], [200, '60'], reply.text);
  }
  freshness = { kind: 'old', ageSeconds: 61 };
  const [simulated, ...read] = await simulatedAndRead();
  const batch = await server.call('/api/simulate/batch', { body: { requests: [CART] } });
  for (const reply of [simulated, batch])
    assert.deepEqual([reply?.status, reply && ageOf(reply)], [200, '61']);
  for (const reply of read) {
    assert.deepEqual([reply.status, reply.code, ageOf(reply)], [503, 'UNAVAILABLE', undefined], reply.text);
    assert.ok(Number(reply.headers['retry-after']) >= 1);
  }
});

const READ_ACTIONS: readonly (readonly [path: string, body: object])[] = [
  ['/api/config', { action: 'preview', data: {} }],
  ['/api/versions', { action: 'compare', versionA: '1', versionB: 'live' }],
  ['/api/checks', { action: 'run' }],
];

for (const [path, body] of READ_ACTIONS) {
  test(`an action of ${path} that only reads is marked and refused like other reads`, async () => {
    freshness = { kind: 'old', ageSeconds: 7 };
    const marked = await server.call(path, { body });
    assert.deepEqual([marked.status, ageOf(marked)], [200, '7'], marked.text);
    freshness = { kind: 'refused' };
    assert.equal((await server.call(path, { body })).code, 'UNAVAILABLE');
  });
}
