/** The headers that every answer of every route must have, and those that no answer may have. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import { bodyOf, type Route } from '../../../src/front/http/route.ts';
import { createRouteTable } from '../../../src/front/http/route-table.ts';
import { isKeyed, pathTo, requestsOf, SAMPLE_IDS } from '../../support/route-requests.ts';
import { startServerOfFile } from '../../support/server-of-file.ts';
import { OPERATOR_KEY } from '../../support/server-process.ts';
import { CART, type Reply, requestText } from '../../support/test-server.ts';

const routes = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT });

const server = await startServerOfFile();

const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Headers that reveal the server or let pages of other hosts read an answer. That of the library names no release. */
const NEVER = /^(?:server|via|x-powered-by|x-aspnet.*|access-control-.*|set-cookie)$/;

function checkHeaders({ status, headers, text }: Reply, route: Route | null = null): void {
  const what = `${status} ${text.slice(0, 80)}`;
  assert.equal(headers['cache-control'], status === 200 ? cacheControlOf(route) : 'no-store', what);
  assert.equal(headers['x-content-type-options'], 'nosniff', what);
  const policy = String(headers['content-security-policy']);
  if (isFile(route) && !isPart(route))
    assert.match(policy, /^default-src 'none'; .*frame-ancestors 'none'$/, what);
  else assert.equal(policy, DATA_POLICY, what);
  assert.equal(headers['uwebsockets'] ?? '20', '20');
  assert.equal(headers['location'] !== undefined, status === 201, what);
  assert.equal(headers['keep-alive'], headers['connection'] === 'close' ? undefined : 'timeout=8', what);
  assert.deepEqual(
    Object.keys(headers).filter((name) => NEVER.test(name)),
    [],
  );
}

const isFile = (route: Route | null): boolean => route?.kind === 'public' && route.isFile === true;
/** The names of the parts of the console contain a hash of their content. */
const isPart = (route: Route | null): boolean => route?.paths[0].startsWith('/console/') === true;

function cacheControlOf(route: Route | null): string {
  if (isPart(route)) return 'public, max-age=31536000, immutable';
  if (route?.paths[0] === '/console') return 'no-store';
  return isFile(route) || route?.paths[0] === '/openapi.json' ? 'no-cache' : 'no-store';
}

describe('every answer of every route carries the safety headers', () => {
  for (const route of routes) {
    test(`${route.verb} ${route.paths[0]}`, async () => {
      const { state } = server.shop;
      for (const path of route.paths) {
        const bodies = [undefined, {}, ...Object.values(bodyOf(route)?.examples ?? {})];
        for (const key of ['shop_a-admin', 'shop_a-read', OPERATOR_KEY, 'nobody', '']) {
          for (const body of route.kind === 'public' ? [undefined] : bodies) {
            const call = { verb: route.verb, key, ...(body === undefined ? {} : { body }) };
            const reply = await server.call(pathTo(path, 'none'), call);
            checkHeaders(reply, route);
            server.shop.state = state;
          }
        }
      }
    });
  }

  test('unknown paths and verbs, ambiguous framing, a broken handler', async () => {
    checkHeaders(await server.call('/nothing'));
    checkHeaders(await server.call('/api/zones', { verb: 'PATCH' }));
    const { simulateWith } = server.shop;
    server.shop.simulateWith = () => {
      throw new Error('broken');
    };
    const broken = await server.call('/api/simulate', { body: CART });
    server.shop.simulateWith = simulateWith;
    assert.equal(broken.status, 500);
    assert.deepEqual(
      server.log.splice(0).map(({ event }) => event),
      ['http.failed'],
    );
    checkHeaders(broken);
    const twice = await server.raw(requestText('GET /api/zones', ['Content-Length: 0', 'Content-Length: 1']));
    assert.match(twice.text, /^HTTP\/1\.1 400 [\s\S]*\r\nX-Content-Type-Options: nosniff\r\n/);
  });

  test('simulate sends each of them once, whichever code sends its answer', async () => {
    const body = JSON.stringify(CART);
    const head = ['Content-Type: application/json'];
    const ways = [
      requestText('POST /api/simulate', [...head, `Content-Length: ${body.length}`], body),
      // After a chunked body the connection is closed, which other code does.
      requestText(
        'POST /simulate',
        [...head, 'Transfer-Encoding: chunked'],
        `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      ),
    ];
    const named = /^(?:cache-control|x-content-type-options|content-security-policy|content-type): .*$/gim;
    const seen = [];
    for (const way of ways) {
      const { text, statuses } = await server.raw(way);
      assert.deepEqual(statuses, [200]);
      seen.push((text.match(named) ?? []).sort());
    }
    assert.deepEqual(seen[0], [
      'Cache-Control: no-store',
      `Content-Security-Policy: ${DATA_POLICY}`,
      'Content-Type: application/json',
      'X-Content-Type-Options: nosniff',
    ]);
    assert.deepEqual(seen[1], seen[0]);
  });
});

test('201 names the path of the record that was made, which answers', async () => {
  let made = 0;
  for (const route of routes) {
    if (!isKeyed(route) || route.success.status !== 201) continue;
    for (const { verb, path, body } of requestsOf(route, (kind) => SAMPLE_IDS[kind])) {
      server.restoreShop();
      const reply = await server.call(path, { verb, body });
      if (reply.status !== 201) continue;
      const [record] = Object.values(reply.body as Readonly<Record<string, { readonly id: string }>>);
      const location = reply.headers['location'] ?? '';
      assert.equal(location, `${route.paths[0]}/${record?.id}`, route.name);
      assert.equal((await server.call(location)).status, 200, location);
      made++;
    }
  }
  assert.ok(made >= 7, `${made} records`);
});
