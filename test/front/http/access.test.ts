/**
 * Keys and permissions: every route of the table without a key, with invalid keys, with each permission, and with ids of
 * another shop (contract section 2). New routes are included automatically.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import { PERMISSIONS, permits } from '../../../src/engine/domain/permission.ts';
import { bodyOf, ID_SEGMENT } from '../../../src/front/http/route.ts';
import { createRouteTable } from '../../../src/front/http/route-table.ts';
import {
  isKeyed,
  KIND_OF_TARGET,
  type RouteRequest,
  requestsOf,
  SAMPLE_IDS,
  withNoise,
} from '../../support/route-requests.ts';
import { type Call, NOW_MS, type Reply, TestServer } from '../../support/test-server.ts';

const routes = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT });
const keyedRoutes = routes.filter(isKeyed);

let server: TestServer;
before(async () => {
  server = await TestServer.start();
  // One record of each kind in the other shop; those of the first shop are `SAMPLE_IDS`.
  const other = server.shops.shops.get('shop_b');
  assert.ok(other !== undefined);
  const renamed = JSON.parse(
    JSON.stringify(other.state).replace(/"(zone|group|method|rule|blended|check)_/g, '"$1_other_'),
  ) as typeof other.state;
  other.state = renamed;
  const { shop, shops } = server;
  const [key] = shop.state.keys;
  assert.ok(key !== undefined);
  for (const [id, endMs] of [
    ['ended', NOW_MS],
    ['ending', NOW_MS + 1],
  ] as const) {
    const ending = { ...key, id, permission: 'admin', expiresAt: new Date(endMs).toISOString() } as const;
    shop.state = { ...shop.state, keys: [...shop.state.keys, ending] };
    shops.grants.set(id, { shopId: 'shop_a', keyId: id, permission: 'admin', secret: id });
  }
});
after(() => server.stop());

const attempts = keyedRoutes.flatMap((route) => requestsOf(route, (kind) => SAMPLE_IDS[kind]));
const callOf = ({ verb, body }: RouteRequest): Call => ({ verb, ...(body === undefined ? {} : { body }) });
const send = (attempt: RouteRequest, key: string): Promise<Reply> =>
  server.call(attempt.path, { ...callOf(attempt), key });

describe('keys', () => {
  for (const attempt of attempts) {
    test(`${attempt.verb} ${attempt.path}: no key, a malformed and an unknown one are refused`, async () => {
      const writes = server.shop.writes.length;
      for (const key of ['', 'nobody', 'shop_a-admin2', ' ', '"shop_a-admin"']) {
        const reply = await send(attempt, key);
        assert.equal(reply.status, 401, key);
        assert.equal(reply.code, 'UNAUTHORIZED');
      }
      for (const authorization of ['Basic shop_a-admin', 'Bearer', 'Bearer shop_a-admin shop_a-admin']) {
        const headers = { authorization };
        const reply = await server.call(attempt.path, { ...callOf(attempt), key: '', headers });
        assert.equal(reply.status, 401, authorization);
      }
      assert.equal(server.shop.writes.length, writes);
    });
  }

  for (const attempt of attempts) {
    test(`${attempt.verb} ${attempt.path}: a key that has expired is refused, whatever the request`, async () => {
      const writes = server.shop.writes.length;
      for (const asked of [attempt, withNoise(attempt)]) {
        const reply = await send(asked, 'ended');
        assert.equal(reply.status, 401);
        assert.ok(
          reply.text.includes(`the API key expired at ${new Date(NOW_MS).toISOString()}`),
          reply.text,
        );
        assert.equal(reply.headers['www-authenticate'], 'Bearer');
      }
      assert.equal(server.shop.writes.length, writes);
    });
  }

  test('a key is accepted until its end, and refused after it also where its shop is loaded first', async () => {
    assert.equal((await server.call('/api/keys/current', { key: 'ending' })).status, 200);
    server.shops.unloaded.add('shop_a');
    const reply = await server.call('/api/keys/current', { key: 'ended' });
    assert.deepEqual([reply.status, reply.code], [401, 'UNAUTHORIZED']);
  });

  test('the scheme may be in any case, or be left out', async () => {
    for (const authorization of [
      'Bearer shop_a-read',
      'bearer shop_a-read',
      'BEARER shop_a-read',
      'shop_a-read',
    ]) {
      const reply = await server.call('/api/zones', { key: '', headers: { authorization } });
      assert.equal(reply.status, 200, authorization);
    }
  });
});

describe('permissions', () => {
  for (const attempt of attempts) {
    const { verb, path, needed, needsChangeset } = attempt;
    test(`${verb} ${path}: needs ${needed}; a weaker permission is refused`, async () => {
      for (const held of PERMISSIONS.filter((permission) => !permits(permission, needed))) {
        const writes = server.shop.writes.length;
        const reply = await send(attempt, `shop_a-${held}`);
        assert.equal(reply.status, 403, held);
        assert.equal(reply.code, 'FORBIDDEN');
        assert.equal(server.shop.writes.length, writes);
        // The permission is checked before the body.
        const noise = await send(withNoise(attempt), `shop_a-${held}`);
        assert.equal(noise.status, verb === 'GET' ? reply.status : 403);
      }
      for (const held of PERMISSIONS.filter((permission) => permits(permission, needed))) {
        // Each request meets the same state.
        const { state } = server.shop;
        if (needsChangeset) server.shop.stage();
        const writes = server.shop.writes.length;
        const reply = await send(attempt, `shop_a-${held}`);
        assert.ok(reply.status < 300, `${held}: ${reply.text}`);
        if (permits('read', needed)) assert.equal(server.shop.writes.length, writes, 'it only reads');
        server.shop.state = state;
      }
    });
  }

  test('a simulate key asks for the live rates, and for nothing else of a simulation', async () => {
    const [simulate, batch] = ['simulate', 'simulateBatch'].map((name) =>
      attempts.find(({ path }) => path === keyedRoutes.find((route) => route.name === name)?.paths[0]),
    );
    assert.ok(simulate !== undefined && batch !== undefined);
    for (const attempt of [simulate, batch]) {
      for (const allowed of ['view=live', 'fields=rates', 'strict=true', 'at=2026-11-18T17:00:00Z']) {
        const path = `${attempt.path}?${allowed}`;
        const reply = await send({ ...attempt, path }, 'shop_a-simulate');
        assert.equal(reply.status, 200, `${path}: ${reply.text}`);
      }
      for (const refused of ['view=staged', 'explain=full', 'version=live', 'fields=rates&version=1']) {
        const path = `${attempt.path}?${refused}`;
        const reply = await send({ ...attempt, path }, 'shop_a-simulate');
        assert.equal(reply.status, 403, path);
        const name = /(view|explain|version)=/.exec(refused)?.[1];
        const says = `query parameter ${name} needs an API key with the permission read; this one has simulate`;
        assert.ok(reply.text.includes(says), reply.text);
        assert.notEqual((await send({ ...attempt, path }, 'shop_a-read')).status, 403, path);
      }
    }
    const open = attempts.filter(({ needed }) => needed === 'simulate').map(({ path }) => path);
    assert.deepEqual(new Set(open), new Set([simulate.path, '/simulate', batch.path, '/api/keys/current']));
  });

  test('a read key may preview a configuration and not execute it', async () => {
    const send = (action: string) =>
      server.call('/api/config', { body: { action, data: {} }, key: 'shop_a-read' });
    assert.equal((await send('preview')).status, 200);
    assert.equal((await send('execute')).status, 403);
    assert.equal((await send('explode')).status, 400);
  });
});

describe("another shop's records", () => {
  for (const route of keyedRoutes) {
    const target = route.kind === 'shop' ? route.target : undefined;
    if (target === undefined) continue;
    test(`${route.verb} ${route.paths.at(-1)}: an id of another shop is answered like an unknown id`, async () => {
      const path = route.paths.at(-1) ?? '';
      const ask = (id: string) =>
        server.call(path.replace(ID_SEGMENT, id), {
          verb: route.verb,
          ...(route.verb === 'PUT' ? { body: {} } : {}),
        });
      const sampleId = SAMPLE_IDS[KIND_OF_TARGET[target]];
      const ofOther = sampleId.includes('shop_a')
        ? sampleId.replace('shop_a', 'shop_b')
        : sampleId.replace('_', '_other_');
      const other = server.shops.shops.get('shop_b')?.state;
      assert.ok(JSON.stringify(other).includes(`"${ofOther}"`), `the other shop has no ${ofOther}`);
      const theirs = await ask(ofOther);
      const unknown = await ask('no_such_id');
      assert.equal(theirs.status, 404);
      assert.equal(theirs.text.replace(ofOther, ''), unknown.text.replace('no_such_id', ''));
    });
  }

  test('each key sees its own shop', async () => {
    for (const shopId of ['shop_a', 'shop_b']) {
      const reply = await server.call('/api/shop', { key: `${shopId}-read` });
      assert.equal((reply.body as { shop: { id: string } }).shop.id, shopId);
    }
    const theirs = await server.call('/api/zones', { key: 'shop_b-read' });
    assert.match(theirs.text, /zone_other_us/);
  });
});

describe('callbacks', () => {
  for (const route of routes.filter(({ kind }) => kind === 'callback')) {
    test(`${route.verb} ${route.paths[0]} never accepts an API key instead of a signature`, async () => {
      const [body] = Object.values(bodyOf(route)?.examples ?? {});
      const signatures = ['', 'x', 'A'.repeat(43), `${'A'.repeat(43)}=`, `${'B'.repeat(43)}=,x`];
      for (const shopId of ['shop_a', 'shop_b', 'shop_none', 'no%20id', 'x'.repeat(65)]) {
        const path = route.paths[0].replace(ID_SEGMENT, shopId);
        for (const signature of signatures) {
          const headers = { 'content-type': 'application/json', 'x-shopify-hmac-sha256': signature };
          const reply = await server.call(path, { body, headers, key: 'shop_a-admin' });
          assert.equal(reply.status, 401, `${shopId} ${signature}`);
          assert.equal(reply.code, 'UNAUTHORIZED');
          assert.equal(reply.headers['x-config-version'], undefined);
        }
      }
    });
  }
});

describe('public routes', () => {
  for (const route of routes.filter(({ kind }) => kind === 'public')) {
    test(`${route.verb} ${route.paths[0]} needs no key and ignores a wrong key`, async () => {
      for (const key of ['', 'nobody', 'shop_a-read']) {
        assert.equal((await server.call(route.paths[0], { key })).status, 200);
      }
    });
  }
});
