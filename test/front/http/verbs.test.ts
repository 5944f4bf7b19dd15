/** The verbs of a path: HEAD is answered wherever GET is; another verb is answered with the list of the allowed ones. */

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import { ID_SEGMENT } from '../../../src/front/http/route.ts';
import { createRouteTable } from '../../../src/front/http/route-table.ts';
import { pathTo, sampleIdOf } from '../../support/route-requests.ts';
import { type Reply, requestText, TestServer } from '../../support/test-server.ts';

const routes = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT });
const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];
const headers = { 'x-request-id': 'req-of-this-test' };

const server = await TestServer.start();
after(() => server.stop());

/** The verbs of each path in the route table. */
const verbsByPath = new Map<string, Set<string>>();
for (const { verb, paths } of routes) {
  for (const path of paths) {
    const verbs = verbsByPath.get(path) ?? new Set();
    verbsByPath.set(path, verbs.add(verb));
    if (verb === 'GET') verbs.add('HEAD');
  }
}
// The last segment of a literal path also matches `:id` of a sibling path.
for (const [path, verbs] of verbsByPath) {
  const beside = verbsByPath.get(`${path.slice(0, path.lastIndexOf('/'))}/${ID_SEGMENT}`);
  for (const verb of beside ?? []) verbs.add(verb);
}

/** The headers that are the same each time: no date, and no nonce of a page. */
const lasting = ({ headers: { date: _, ...others } }: Reply): object =>
  JSON.parse(JSON.stringify(others).replace(/'nonce-[\w-]+'/g, 'nonce')) as object;

for (const route of routes.filter(({ verb }) => verb === 'GET')) {
  test(`HEAD ${route.paths[0]} answers with the headers of GET, including the length, and no body`, async () => {
    for (const path of route.paths) {
      const address = pathTo(path, sampleIdOf(route));
      const got = await server.call(address, { headers });
      const head = await server.call(address, { verb: 'HEAD', headers });
      assert.deepEqual([head.status, lasting(head), head.text], [got.status, lasting(got), ''], address);
      // Bytes that are no text were changed when they were read as one.
      const isText = /json|text/.test(String(got.headers['content-type']));
      if (isText) assert.equal(Number(head.headers['content-length']), Buffer.byteLength(got.text), address);
      assert.ok(Number(head.headers['content-length']) > 0, address);
    }
  });
}

test('a refusal of HEAD is that of GET without its body', async () => {
  for (const [path, key] of [
    ['/api/zones', ''],
    ['/api/keys', 'shop_a-read'],
    ['/api/zones/none', 'shop_a-read'],
    ['/nothing', ''],
  ] as const) {
    const { headers: got, status } = await server.call(path, { headers, key });
    const head = await server.call(path, { verb: 'HEAD', headers, key });
    const { date: _date, ...expected } = got;
    const { date: _another, ...actual } = head.headers;
    assert.deepEqual([head.status, actual, head.text], [status, expected, ''], path);
  }
});

test('the connection stays in sync after HEAD', async () => {
  const connection = server.connect();
  for (const [line, count] of [
    ['HEAD /api/config', 1],
    ['GET /healthz', 2],
    ['HEAD /healthz', 3],
    ['HEAD /api/zones/none', 4],
    ['GET /readyz', 5],
  ] as const) {
    connection.send(requestText(line));
    await connection.until(({ statuses }) => statuses.length === count);
  }
  const reply = await connection.until(({ text }) => text.endsWith('{"status":"ready"}'));
  connection.destroy();
  assert.deepEqual(reply.statuses, [200, 200, 200, 404, 200]);
  // Only the two answers to GET have bodies.
  assert.equal(reply.text.match(/\r\n\r\n\{/g)?.length, 2);
});

for (const [path, verbs] of verbsByPath) {
  test(`${path} with another verb than ${[...verbs].join(', ')} is answered 404 and lists the allowed verbs`, async () => {
    const address = pathTo(path, 'some_id');
    for (const verb of VERBS.filter((one) => !verbs.has(one))) {
      for (const key of ['', 'shop_a-admin']) {
        const reply = await server.call(address, { verb, key });
        assert.equal(reply.status, 404, verb);
        const allowed = String(reply.headers['allow']).split(', ');
        assert.deepEqual(allowed.sort(), [...verbs].sort(), verb);
      }
    }
  });
}

test('an unknown path lists no verbs', async () => {
  for (const path of ['/nothing', '/api', '/api/zones/', '/api/groups/a/b', '/API/zones']) {
    const reply = await server.call(path);
    assert.deepEqual([reply.status, reply.headers['allow']], [404, undefined], path);
  }
});

test('a connection that ends with an answer to HEAD gets no body either', async () => {
  const server = await TestServer.start();
  const connection = server.connect();
  connection.send('HEAD /api/zones HTTP/1.1\r\nHost: a\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n');
  const reply = await connection.until(({ isClosed }) => isClosed);
  await server.stop();
  assert.deepEqual([reply.statuses, reply.isClosed], [[400], true]);
  assert.match(reply.text, /\r\n\r\n$/);
});
