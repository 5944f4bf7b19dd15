/** An unknown query parameter is refused on every route of the table, and nothing is done. */

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import { bodyOf, type Route } from '../../../src/front/http/route.ts';
import { createRouteTable } from '../../../src/front/http/route-table.ts';
import { isKeyed, pathTo, requestsOf, SAMPLE_IDS } from '../../support/route-requests.ts';
import { type Call, TestServer } from '../../support/test-server.ts';

const routes = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT });
const server = await TestServer.start();
after(() => server.stop());

const SIGNED = { 'content-type': 'application/json', 'x-shopify-hmac-sha256': `${'A'.repeat(43)}=` };

/** A request to each route that is refused only for its query: with a valid key if the route needs one. */
function callsOf(route: Route): readonly (readonly [path: string, call: Call])[] {
  if (isKeyed(route)) {
    return requestsOf(route, (kind) => SAMPLE_IDS[kind]).map(({ verb, path, body }) => [
      path,
      { verb, ...(body === undefined ? {} : { body }) },
    ]);
  }
  const [body] = Object.values(bodyOf(route)?.examples ?? {});
  const call = { verb: route.verb, ...(body === undefined ? {} : { body, headers: SIGNED }) };
  return route.paths.map((path) => [pathTo(path, 'shop_a'), call]);
}

for (const route of routes) {
  test(`${route.verb} ${route.paths[0]} refuses dryRun, lists its parameters, and does nothing`, async () => {
    const { state, writes } = server.shop;
    const before = writes.length;
    const takes = Object.keys(route.query).join(', ') || 'none';
    const message = `query parameter dryRun is not accepted here: this route takes ${takes}`;
    for (const [path, call] of callsOf(route)) {
      const address = `${path}${path.includes('?') ? '&' : '?'}dryRun=true`;
      const reply = await server.call(address, call);
      assert.equal(reply.status, 400, address);
      assert.deepEqual(reply.body, { error: { code: 'VALIDATION_ERROR', message } }, address);
    }
    assert.equal(server.shop.state, state);
    assert.equal(server.shop.writes.length, before);
  });
}

test('a body of megabytes gets the same refusal', async () => {
  const text = `{"action":"execute","data":{}${' '.repeat(2 * 1024 * 1024)}}`;
  const reply = await server.call('/api/config?preview=true', { body: text });
  assert.match(reply.text, /query parameter preview is not accepted here: this route takes none/);
  assert.equal(server.shop.writes.length, 0);
});

test('a missing key or permission is refused first', async () => {
  const body = { name: 'A' };
  assert.equal((await server.call('/api/groups?dryRun=1', { body, key: '' })).status, 401);
  assert.equal((await server.call('/api/groups?dryRun=1', { body, key: 'shop_a-read' })).status, 403);
  const unsigned = await server.call('/carriers/shopify/shop_a?dryRun=1', { body });
  assert.equal(unsigned.status, 401);
});
