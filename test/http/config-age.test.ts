/** Answers of a node that may lack the newest writes: the mark, the refusal, and the version that a client requires. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Freshness } from '../../src/cluster/lease.ts';
import { AuthorityUnavailableError } from '../../src/log/authority.ts';
import { CART, type Reply, TestServer } from '../support/test-server.ts';

let server: TestServer;
let freshness: Freshness;
/** Versions that the database has and this node lacks. */
let fetch: () => Promise<void>;
let fetched: string[] = [];

before(async () => {
  server = await TestServer.start(
    {},
    {
      freshness: () => freshness,
      catchUp: (shopId) => {
        fetched.push(shopId);
        return fetch();
      },
    },
  );
});
after(() => server.stop());

beforeEach(() => {
  server.restoreShop();
  freshness = { kind: 'current' };
  fetch = async () => {};
  fetched = [];
});

const ageOf = ({ headers }: Reply): unknown => headers['x-config-age'];
const simulate = (headers: Readonly<Record<string, string>> = {}) =>
  server.call('/api/simulate', { body: CART, headers });
const simulatedAndRead = () =>
  Promise.all([
    simulate(),
    ...['/api/config', '/api/versions', '/api/groups'].map((path) => server.call(path)),
  ]);

test('an answer of a current node has no mark', async () => {
  for (const reply of await simulatedAndRead()) {
    assert.equal(reply.status, 200, reply.text);
    assert.equal(ageOf(reply), undefined);
  }
});

test('simulations and reads of an outdated node carry their age, and writes do not', async () => {
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

const READ_ACTIONS: readonly (readonly [path: string, body: object])[] = [
  ['/api/config', { action: 'preview', data: {} }],
  ['/api/versions', { action: 'compare', versionA: '1', versionB: 'live' }],
  ['/api/checks', { action: 'run' }],
];

for (const [path, body] of READ_ACTIONS) {
  test(`an action of ${path} that only reads is marked, refused and waits for a version like other reads`, async () => {
    freshness = { kind: 'old', ageSeconds: 7 };
    const marked = await server.call(path, { body });
    assert.deepEqual([marked.status, ageOf(marked)], [200, '7'], marked.text);
    freshness = { kind: 'refused' };
    assert.equal((await server.call(path, { body })).code, 'UNAVAILABLE');
    freshness = { kind: 'current' };
    const headers = { 'X-Min-Config-Version': '999' };
    assert.equal((await server.call(path, { body, headers })).code, 'UNAVAILABLE');
    assert.equal(fetched.length, 1);
  });
}

test('a version that the client requires and the node lacks is fetched before the answer', async () => {
  const number = server.shop.history.versions.at(-1)?.version.number ?? assert.fail();
  const insist = { 'X-Min-Config-Version': String(number + 1) };
  const refused = await simulate(insist);
  assert.equal(refused.status, 503, refused.text);
  assert.ok(Number(refused.headers['retry-after']) >= 1);
  fetch = async () => void (await server.call('/api/groups', { body: { name: 'Elsewhere' } }));
  const answered = await simulate(insist);
  assert.equal(answered.status, 200, answered.text);
  assert.equal(answered.headers['x-config-version'], server.shop.state.version.id);
  assert.equal(server.shop.state.version.number, number + 1);
  assert.equal(fetched.length, 2);
  // The node has it now.
  assert.equal((await simulate(insist)).status, 200);
  assert.equal(fetched.length, 2);
});

test('a version that the node lacks is refused with 503 if the database cannot be reached', async () => {
  fetch = () => Promise.reject(new AuthorityUnavailableError('no server is a primary'));
  const reply = await simulate({ 'X-Min-Config-Version': '999' });
  assert.equal(reply.status, 503, reply.text);
  assert.ok(Number(reply.headers['retry-after']) >= 1);
});

test('a write ignores the required version', async () => {
  const headers = { 'X-Min-Config-Version': '999' };
  assert.equal((await server.call('/api/groups', { body: { name: 'New' }, headers })).status, 201);
  assert.deepEqual(fetched, []);
});
