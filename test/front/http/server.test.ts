/** The server itself: listening, readiness, draining, and thrown errors. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import { failure } from '../../../src/engine/domain/failure.ts';
import type { ProcessPhase } from '../../../src/front/http/dependencies.ts';
import { createRouteMatcher } from '../../../src/front/http/route-matcher.ts';
import { createRouteTable } from '../../../src/front/http/route-table.ts';
import { ListenError } from '../../../src/front/http/server.ts';
import { UnknownShopError } from '../../../src/shop/actor/shop-directory.ts';
import { DamagedLogError } from '../../../src/store/log/event-log.ts';
import { CART, postText, requestText, TestServer } from '../../support/test-server.ts';

const errorOf = (body: unknown): unknown => (body as { error?: unknown }).error;
const match = createRouteMatcher(createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT }));
const INTERNAL = { code: 'INTERNAL_ERROR', message: 'internal error' };

describe('listening', () => {
  test('a port in use is refused instead of shared', async () => {
    const server = await TestServer.start();
    await assert.rejects(TestServer.start({ port: server.running.port }), (error) => {
      assert.ok(error instanceof ListenError);
      assert.equal(error.obstacle, 'inUse');
      assert.match(error.message, new RegExp(`^cannot listen on 127\\.0\\.0\\.1:${server.running.port}: `));
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
    await server.stop();
    const next = await TestServer.start({ port: server.running.port });
    await next.stop();
  });

  test('an address of another machine is refused', async () => {
    await assert.rejects(TestServer.start({ host: '192.0.2.1' }), { obstacle: 'noSuchAddress' });
    await assert.rejects(
      TestServer.start({ host: '2001:db8::1', port: 1 }),
      /cannot listen on \[2001:db8::1\]:1: /,
    );
  });

  test('it can be closed twice, and drained and then closed', async () => {
    const server = await TestServer.start();
    await server.running.drain();
    await server.stop();
    server.running.close();
  });
});

describe('operations', () => {
  test('/readyz follows the phase of the process', async () => {
    let phase: ProcessPhase = 'starting';
    const server = await TestServer.start({}, { phase: () => phase });
    const readiness = async () => {
      const { status, body } = await server.call('/readyz', { key: '' });
      return [status, body];
    };
    const reasons: string[] = [];
    for (const unready of ['starting', 'outdated', 'failed'] as const) {
      phase = unready;
      const [status, body] = await readiness();
      const { reason = '', ...rest } = body as { readonly reason?: string };
      assert.deepEqual([status, rest], [503, { status: unready }]);
      reasons.push(reason);
    }
    assert.match(reasons[1] ?? '', /database/);
    assert.equal(new Set(reasons).size, 3);
    phase = 'ready';
    assert.deepEqual(await readiness(), [200, { status: 'ready' }]);
    assert.equal((await server.call('/healthz', { key: '' })).status, 200);
    await server.stop();
  });

  test('metrics are Prometheus text', async () => {
    const server = await TestServer.start();
    const reply = await server.call('/metrics', { key: '' });
    assert.equal(reply.text, 'ratewright_up 1\n');
    assert.equal(reply.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    await server.stop();
  });
});

describe('draining', () => {
  test('requests in flight are answered, open connections end with their answer, new connections are refused', async () => {
    const server = await TestServer.start();
    let go: () => void = () => {};
    server.shop.held = new Promise((resolve) => {
      go = resolve;
    });
    const idle = server.connect();
    idle.send(requestText('GET /healthz'));
    await idle.until(({ statuses }) => statuses.length === 1);
    const writing = server.connect();
    writing.send(postText('/api/groups', '{"name":"A"}'));
    while (server.running.inFlight === 0) await sleep(1);

    let isDrained = false;
    const drained = server.running.drain().then(() => {
      isDrained = true;
    });
    idle.send(requestText('GET /readyz'));
    const readiness = await idle.until(({ isClosed }) => isClosed);
    assert.deepEqual(readiness.statuses, [200, 503]);
    assert.match(readiness.text, /"draining"/);
    assert.ok(readiness.isClosed);
    await assert.rejects(server.call('/healthz'));
    assert.equal(isDrained, false);

    go();
    const written = await writing.until(({ isClosed }) => isClosed);
    assert.deepEqual(written.statuses, [201]);
    await drained;
    assert.equal(server.running.inFlight, 0);
    await server.stop();
  });

  for (const [path, body] of [
    ['/simulate', JSON.stringify(CART)],
    ['/api/groups', '{"name":"A"}'],
    ['/carriers/shopify/shop_a', '{}'],
  ] as const) {
    test(`POST ${path} that arrives while draining does nothing, is answered 503, and ends its connection`, async () => {
      const server = await TestServer.start();
      const connection = server.connect();
      connection.send(postText('/simulate', JSON.stringify(CART)));
      await connection.until(({ statuses }) => statuses.length === 1);
      await server.running.drain();
      connection.send(postText(path, body));
      const reply = await connection.until(({ isClosed }) => isClosed);
      assert.deepEqual(reply.statuses, [200, 503]);
      assert.match(reply.text, /\r\nRetry-After: 1\r\n/);
      assert.match(
        reply.text,
        /"code":"UNAVAILABLE","message":"the server is stopping: try again in a moment"/,
      );
      assert.equal(server.shop.simulations.length, 1);
      assert.equal(server.shop.writes.length, 0);
      await server.stop();
    });
  }
});

describe('a thrown error', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.stop());

  const cause = new Error('secret detail of /etc/passwd');
  const thrown = (): never => {
    throw cause;
  };
  const takeLog = () => server.log.splice(0);

  const cases: readonly (readonly [string, () => () => void, string, object | undefined])[] = [
    [
      'by a simulation',
      () => {
        const { simulateWith } = server.shop;
        server.shop.simulateWith = thrown;
        return () => {
          server.shop.simulateWith = simulateWith;
        };
      },
      '/api/simulate',
      CART,
    ],
    [
      'by the key ring',
      () => {
        const { grants } = server.shops;
        Object.assign(server.shops, { grants: { get: thrown } });
        return () => Object.assign(server.shops, { grants });
      },
      '/api/zones',
      undefined,
    ],
    [
      'by a write',
      () => {
        const { held } = server.shop;
        server.shop.held = Promise.reject(cause);
        server.shop.held.catch(() => {});
        return () => {
          server.shop.held = held;
        };
      },
      '/api/groups',
      { name: 'A' },
    ],
    [
      'by a preview',
      () => {
        const { preview } = server.shop;
        server.shop.preview = thrown;
        return () => {
          server.shop.preview = preview;
        };
      },
      '/api/config',
      { action: 'preview', data: {} },
    ],
    [
      'while a shop is loaded',
      () => {
        server.shops.unloaded.add('shop_a');
        server.shops.loading = Promise.reject(cause);
        server.shops.loading.catch(() => {});
        return () => {
          server.shops.loading = Promise.resolve();
        };
      },
      '/api/zones',
      undefined,
    ],
  ];
  for (const [where, arrange, path, body] of cases) {
    test(`${where} is answered 500 without details, and logged with the request id`, async () => {
      const restore = arrange();
      const headers = { 'x-request-id': 'told-by-client' };
      const reply = await server.call(path, { ...(body === undefined ? {} : { body }), headers });
      restore();
      assert.equal(reply.status, 500);
      assert.deepEqual(errorOf(reply.body), INTERNAL);
      assert.equal(reply.headers['x-request-id'], 'told-by-client');
      const [line, ...others] = takeLog();
      assert.deepEqual(others, []);
      assert.deepEqual([line?.level, line?.event], ['error', 'http.failed']);
      assert.equal(line?.fields['requestId'], 'told-by-client');
      assert.equal(line?.fields['route'], match(body === undefined ? 'GET' : 'POST', path)?.route.name);
      assert.equal(line?.fields['cause'], cause);
      assert.equal((await server.call('/api/zones')).status, 200);
    });
  }

  test('a request whose shop is deleted while its body arrives is answered 401, and is no error', async () => {
    server.shops.unloaded.add('shop_a');
    server.shops.loading = Promise.reject(new UnknownShopError('shop_a'));
    server.shops.loading.catch(() => {});
    const reply = await server.call('/api/simulate', { body: CART });
    server.shops.loading = Promise.resolve();
    assert.deepEqual([reply.status, reply.message], [401, 'the API key is not valid']);
    assert.equal(reply.headers['www-authenticate'], 'Bearer');
    assert.deepEqual(
      takeLog().map(({ level }) => level),
      ['debug'],
    );
  });

  test('a damaged log is reported with its record number and nothing else', async () => {
    server.shops.unloaded.add('shop_a');
    server.shops.loading = Promise.reject(new DamagedLogError('shop_a', 17, 'checksum of page 3'));
    server.shops.loading.catch(() => {});
    const reply = await server.call('/api/simulate', { body: CART });
    server.shops.loading = Promise.resolve();
    assert.equal(reply.status, 500);
    assert.deepEqual(errorOf(reply.body), {
      code: 'INTERNAL_ERROR',
      message: 'the stored configuration of this shop is damaged at record 17',
    });
    takeLog();
  });

  test('a thrown value that is not an Error is answered and logged too', async () => {
    const { simulateWith } = server.shop;
    server.shop.simulateWith = () => {
      throw 'a text';
    };
    const reply = await server.call('/api/simulate', { body: CART });
    server.shop.simulateWith = simulateWith;
    assert.deepEqual(errorOf(reply.body), INTERNAL);
    assert.deepEqual(takeLog()[0]?.fields['cause'], new Error('a text'));
  });

  test('a logger that throws does not end the process', async () => {
    const broken = await TestServer.start(
      {},
      { logger: { debug: thrown, info: thrown, warn: thrown, error: thrown }, metricsText: thrown },
    );
    await assert.rejects(broken.call('/metrics', { key: '' }));
    assert.equal((await broken.call('/healthz', { key: '' })).status, 200);
    assert.equal(broken.running.inFlight, 0);
    await broken.stop();
  });

  test('a refusal of the shop is answered unchanged, and not logged', async () => {
    server.shop.refuseWith = failure('PLAN_LIMIT_EXCEEDED', 'the plan starter allows 5 groups');
    const reply = await server.call('/api/groups', { body: { name: 'A' } });
    server.shop.refuseWith = null;
    assert.deepEqual(
      [reply.status, errorOf(reply.body)],
      [422, { code: 'PLAN_LIMIT_EXCEEDED', message: 'the plan starter allows 5 groups' }],
    );
    assert.deepEqual(takeLog(), []);
  });
});
