/**
 * Routes of operators (contract section 12.4): which key opens them, on the port and on the socket, what they do to shops, and
 * the routes of a shop for an operator. New routes are included automatically.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import { PERMISSIONS } from '../../../src/engine/domain/permission.ts';
import { bodyOf, isForOperators } from '../../../src/front/http/route.ts';
import { createRouteTable } from '../../../src/front/http/route-table.ts';
import { openAnswer } from '../../../src/front/http/sealed-answer.ts';
import { DamagedLogError } from '../../../src/store/log/event-log.ts';
import type { FakeOperators } from '../../support/fake-operators.ts';
import { isKeyed, pathTo, requestsOf, SAMPLE_IDS } from '../../support/route-requests.ts';
import { OPERATOR_KEY } from '../../support/server-process.ts';
import { type Call, NOW_MS, TestServer } from '../../support/test-server.ts';

const routes = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT });
const OF_SHOP = '/operator/shops/shop_a';

interface Sent {
  readonly path: string;
  readonly call: Call;
}

const withBody = (verb: string, body: unknown): Call => ({ verb, ...(body === undefined ? {} : { body }) });

/** A request to each route of operators, and each request to a route of a shop, as an operator sends it. */
const own: readonly Sent[] = routes.filter(isForOperators).map((route) => {
  const [body] = Object.values(bodyOf(route)?.examples ?? {});
  return { path: pathTo(route.paths[0], ''), call: withBody(route.verb, body) };
});
const ofShop = routes
  .filter(isKeyed)
  .flatMap((route) => requestsOf(route, (kind) => SAMPLE_IDS[kind]))
  .filter(({ path }) => path.startsWith('/api/'));
const inner: readonly Sent[] = ofShop.map(({ verb, path, body }) => ({
  path: `${OF_SHOP}${path}`,
  call: withBody(verb, body),
}));

let server: TestServer;
let operators: FakeOperators;
const folder = mkdtempSync(join(tmpdir(), 'rw-operators-'));
const socketPath = join(folder, 'x.sock');

before(async () => {
  // The shops of the operators are those of the server.
  server = await TestServer.start();
  operators = server.operators;
  const { shop, shops } = server;
  const [key] = shop.state.keys;
  assert.ok(key !== undefined);
  const ended = {
    ...key,
    id: 'ended',
    permission: 'admin',
    expiresAt: new Date(NOW_MS).toISOString(),
  } as const;
  shop.state = { ...shop.state, keys: [...shop.state.keys, ended] };
  shops.grants.set('ended', { shopId: 'shop_a', keyId: 'ended', permission: 'admin', secret: 'ended' });
  await server.running.listenAt(socketPath);
});
after(async () => {
  server.running.closeSocket();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => server.restoreShop());

interface SocketReply {
  readonly status: number;
  readonly text: string;
}

/** Sends a request on the socket, without a key. */
async function onSocket(
  path: string,
  { verb = 'GET', body }: Call = {},
  at = socketPath,
): Promise<SocketReply> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const length = String(Buffer.byteLength(text ?? ''));
  const headers = text === undefined ? {} : { 'content-type': 'application/json', 'content-length': length };
  const sent = request({ socketPath: at, path, method: verb, headers, agent: false }).end(text);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of reply) parts.push(part as Buffer);
  return { status: reply.statusCode ?? 0, text: Buffer.concat(parts).toString('latin1') };
}

describe('who may', () => {
  const WRONG = [
    '',
    'nobody',
    'ended',
    `${OPERATOR_KEY}x`,
    OPERATOR_KEY.slice(1),
    ...PERMISSIONS.map((permission) => `shop_a-${permission}`),
  ];

  for (const [what, requests] of [
    ['of operators', own],
    ['of a shop, for an operator', inner],
  ] as const) {
    test(`every route ${what}: no key, each kind of key of a shop and a wrong key are 401, and nothing is done`, async () => {
      const writes = server.shop.writes.length;
      const shops = server.shops.shops.size;
      for (const { path, call } of requests) {
        for (const key of WRONG) {
          const reply = await server.call(path, { ...call, key });
          assert.deepEqual([reply.status, reply.code], [401, 'UNAUTHORIZED'], `${call.verb} ${path} ${key}`);
          assert.equal(reply.headers['www-authenticate'], 'Bearer');
        }
      }
      assert.equal(server.shop.writes.length, writes);
      assert.deepEqual([server.shops.shops.size, operators.deleted.size], [shops, 0]);
    });

    test(`every route ${what}: the key of operators opens it, and the socket does without one`, async () => {
      for (const { path, call } of requests) {
        for (const send of [(at: string) => server.call(at, call), (at: string) => onSocket(at, call)]) {
          server.restoreShop();
          const { status, text } = await send(path);
          // An operator has no key of its own.
          const isOfKey = path.endsWith('/api/keys/current');
          assert.ok((isOfKey ? [404] : [200, 201, 409]).includes(status), `${call.verb} ${path} ${text}`);
        }
      }
      operators.deleted.clear();
      for (const id of [...server.shops.shops.keys()])
        if (id.startsWith('shop_made')) server.shops.shops.delete(id);
    });
  }

  test('a request for an operator is answered as with an admin key, and written without a key', async () => {
    for (const { verb, path, body } of ofShop) {
      server.restoreShop();
      const answered = await server.call(path, withBody(verb, body));
      server.restoreShop();
      const writes = server.shop.writes.length;
      const reply = await server.call(OF_SHOP + path, withBody(verb, body));
      const isOfKey = path === '/api/keys/current';
      assert.equal(reply.status, isOfKey ? 404 : answered.status, `${verb} ${path}`);
      for (const write of server.shop.writes.slice(writes)) assert.equal(write.keyId, null);
    }
  });

  test('the key of operators opens no route of a shop without the shop, and callbacks are none of them', async () => {
    for (const path of ['/api/shop', '/api/keys', '/api/simulate'])
      assert.equal(
        (await server.call(path, { key: OPERATOR_KEY })).status,
        path.endsWith('simulate') ? 404 : 401,
      );
    for (const path of ['/simulate', '/carriers/shopify/shop_a', '/healthz', '/operator/status', '', '/'])
      assert.equal((await server.call(`${OF_SHOP}${path}`, { verb: 'POST', body: {} })).status, 404, path);
  });

  test('without the setting the paths are unknown on the port, and open on the socket', async (context) => {
    const closed = await TestServer.start({ operatorKey: null });
    const at = join(folder, 'closed.sock');
    await closed.running.listenAt(at);
    context.after(async () => {
      closed.running.closeSocket();
      await closed.stop();
    });
    const nothing = await closed.call('/operator/nothing');
    for (const { path, call } of [...own, ...inner]) {
      for (const verb of [call.verb ?? 'GET', 'PATCH']) {
        const reply = await closed.call(path, { ...call, verb });
        assert.deepEqual([reply.status, reply.text, reply.headers['allow']], [404, nothing.text, undefined]);
      }
    }
    assert.equal((await onSocket('/operator/status', {}, at)).status, 200);
    assert.equal(
      (await server.call('/operator/shops', { verb: 'PATCH' })).headers['allow'],
      'GET, HEAD, POST',
    );
  });

  test('before it is opened, the socket says that the server starts', async (context) => {
    const { running } = await TestServer.start({}, {}, false);
    const at = join(folder, 'early.sock');
    await running.listenAt(at);
    context.after(() => running.closeSocket());
    for (const path of ['/operator/status', `${OF_SHOP}/api/shop`]) {
      const { status, text } = await onSocket(path, {}, at);
      assert.deepEqual([status, text.includes('the server is starting')], [503, true]);
    }
    assert.equal((await onSocket('/healthz', {}, at)).status, 200);
    running.open();
    assert.equal((await onSocket('/operator/status', {}, at)).status, 200);
  });
});

describe('shops', () => {
  const create = (body: unknown, headers: Record<string, string> = {}) =>
    server.call('/operator/shops', { body, headers });
  type Made = { readonly shop: { readonly id: string }; readonly key: { readonly secret: string } | null };

  test('an unknown shop, and what is no id, is 404 wherever it is named', async () => {
    for (const shopId of ['shop_none', 'a%20b', '..', '%2e%2e', 'x'.repeat(65), '%', 'shop_a%2f']) {
      for (const { path, call } of [...own, ...inner].filter((one) => one.path.startsWith(OF_SHOP))) {
        const reply = await server.call(path.replace('shop_a', shopId), call);
        assert.deepEqual([reply.status, reply.code], [404, 'NOT_FOUND'], `${call.verb} ${path}`);
      }
    }
    assert.equal((await server.call(`${OF_SHOP}/api/zones/zone_none`)).message, 'Zone not found: zone_none');
  });

  test('a shop that is not in memory is loaded', async () => {
    server.shops.unloaded.add('shop_b');
    const reply = await server.call('/operator/shops/shop_b/api/shop');
    assert.equal((reply.body as { shop: { id: string } }).shop.id, 'shop_b');
  });

  test('a damaged shop is named to an operator', async () => {
    const { shops } = server;
    shops.unloaded.add('shop_b');
    const whole = shops.loading;
    const error = new DamagedLogError('shop_b', 7, 'its checksum is wrong');
    shops.loading = Promise.reject(error);
    shops.loading.catch(() => {});
    const reply = await server.call('/operator/shops/shop_b/api/shop');
    const message = 'the stored configuration of shop shop_b is damaged at record 7';
    assert.deepEqual([reply.status, reply.message], [500, message]);
    server.operators.unreadable.set('shop_b', error);
    const list = await server.call('/operator/shops');
    server.operators.unreadable.clear();
    shops.loading = whole;
    const { shops: listed, damaged } = list.body as { shops: { id: string }[]; damaged: unknown[] };
    assert.deepEqual([listed.map(({ id }) => id), damaged], [['shop_a'], [{ id: 'shop_b', message }]]);
    server.log.splice(0);
  });

  test('a shop gets its first key in one step, shown once and stored sealed; a repetition is answered the same', async () => {
    const body = { name: 'Corner', currency: 'EUR', key: { label: 'Setup', permission: 'admin' } };
    const headers = { 'idempotency-key': 'make-shop' };
    const first = await create(body, headers);
    assert.equal(first.status, 201);
    const { shop, key } = first.body as Made;
    assert.equal(first.headers['location'], `/operator/shops/${shop.id}/api/shop`);
    assert.equal((await server.call(`${first.headers['location']}`)).status, 200);
    assert.match(key?.secret ?? '', /^rw_/);
    assert.equal((await create(body, headers)).text, first.text);
    assert.equal((await create({ ...body, name: 'Other' }, headers)).status, 409);
    const stored = operators.storedAnswers();
    assert.ok(stored.some((text) => openAnswer(OPERATOR_KEY, text) === first.text));
    assert.ok(stored.every((text) => !text.includes(key?.secret ?? '')));
    const alone = (await create({ name: 'Alone' })).body as Made;
    assert.equal(alone.key, null);
    assert.deepEqual(alone.shop, {
      ...{ id: alone.shop.id, name: 'Alone', plan: 'starter', currency: 'USD', timezone: 'UTC' },
      ...{ version: 1, keys: 0, hasShopifySecret: false },
    });
    for (const id of [shop.id, alone.shop.id]) server.shops.shops.delete(id);
  });

  test('the secret in the answer to a request on the socket is not stored readable either', async () => {
    const body = { label: 'K', permission: 'read' };
    const sent = request({
      ...{ socketPath, path: `${OF_SHOP}/api/keys`, method: 'POST', agent: false },
      headers: { 'content-type': 'application/json', 'idempotency-key': 'on-the-socket' },
    }).end(JSON.stringify(body));
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    assert.equal(reply.headers.location?.startsWith(`${OF_SHOP}/api/keys/key_`), true);
    let text = '';
    for await (const part of reply) text += part;
    const { secret } = JSON.parse(text) as { secret: string };
    assert.ok(server.shop.storedAnswers().every((stored) => !stored.includes(secret)));
    for (const guess of ['', OPERATOR_KEY])
      assert.ok(server.shop.storedAnswers().every((stored) => openAnswer(guess, stored) !== text));
  });

  test('the list comes in pages of one search', async () => {
    for (const id of ['shop_c', 'shop_d']) server.shops.addShop(id);
    const ids = async (query: string) => {
      const reply = await server.call(`/operator/shops${query}`);
      const { shops, nextCursor } = reply.body as { shops: { id: string }[]; nextCursor: string | null };
      return [shops.map(({ id }) => id).join(' '), nextCursor];
    };
    assert.deepEqual(await ids(''), ['shop_a shop_b shop_c shop_d', null]);
    assert.deepEqual(await ids('?limit=2'), ['shop_a shop_b', 'shop_b']);
    assert.deepEqual(await ids('?limit=2&cursor=shop_b'), ['shop_c shop_d', null]);
    assert.deepEqual(await ids('?cursor=shop_bb'), ['shop_c shop_d', null]);
    assert.deepEqual(await ids('?search=P_C'), ['shop_c', null]);
    assert.deepEqual(await ids('?search=shop&limit=3'), ['shop_a shop_b shop_c', 'shop_c']);
    for (const id of ['shop_c', 'shop_d']) server.shops.shops.delete(id);
  });

  test('plan, secret and If-Match', async () => {
    const put = (path: string, body: unknown, headers = {}) =>
      server.call(`${OF_SHOP}${path}`, { verb: 'PUT', body, headers });
    const { shop } = (await put('', { plan: 'pro' })).body as { shop: Record<string, unknown> };
    assert.deepEqual([shop['plan'], shop['hasShopifySecret']], ['pro', false]);
    const secret = 'shpss_0123456789abcdef';
    const sealed = await put('/secrets/shopify', { secret });
    assert.match(sealed.text, /"hasShopifySecret":true/);
    assert.doesNotMatch(sealed.text, /shpss_/);
    assert.equal(server.shop.state.shopifySecret, `shop_a:${secret}`);
    assert.match((await put('/secrets/shopify', { secret: null })).text, /"hasShopifySecret":false/);
    assert.equal((await put('', { plan: 'pro' }, { 'if-match': '"version_old"' })).status, 409);
    const guarded = await create({ name: 'A' }, { 'if-match': '"version_old"' });
    assert.deepEqual([guarded.status, guarded.code], [400, 'VALIDATION_ERROR']);
    const unnamed = await create({ name: 'A' }, { 'idempotency-key': 'k'.repeat(256) });
    assert.equal(unnamed.status, 400);
  });
});

describe('a backup', () => {
  const isClosed = async (): Promise<void> => {
    while (operators.openCopies > 0) await new Promise((resolve) => setImmediate(resolve));
  };
  const ask = async (method: string): Promise<IncomingMessage> => {
    const { port } = server.running;
    const headers = { authorization: `Bearer ${OPERATOR_KEY}` };
    const sent = request({ port, path: '/operator/backup', method, headers, agent: false }).end();
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    return reply;
  };

  test('is sent byte by byte to a client that reads slowly', async () => {
    const reply = await ask('GET');
    assert.equal(reply.headers['content-length'], String(operators.copy.length));
    const parts: Buffer[] = [];
    for await (const part of reply) {
      parts.push(part as Buffer);
      if (parts.length % 8 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assert.ok(Buffer.concat(parts).equals(operators.copy));
    await isClosed();
  });

  test('is closed when the client leaves, and for HEAD', async () => {
    (await ask('GET')).destroy();
    await isClosed();
    const head = await ask('HEAD');
    assert.equal(head.headers['content-length'], String(operators.copy.length));
    head.resume();
    await isClosed();
  });

  test('that cannot be read to its end ends the connection', async () => {
    operators.failsAt = 1_500_000;
    const reply = await ask('GET');
    await assert.rejects(async () => {
      for await (const _ of reply);
    }, /aborted/);
    await isClosed();
    operators.failsAt = Number.POSITIVE_INFINITY;
    const errors = server.log.splice(0).filter(({ level }) => level === 'error');
    assert.deepEqual(
      errors.map(({ event }) => event),
      ['http.failed'],
    );
  });
});
