/** Metrics and logs of requests: the duration by route and status, and the phases of a slow request. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createMetrics } from '../../../src/base/metrics/metrics.ts';
import { CART, NOW_MS, requestText, TestServer } from '../../support/test-server.ts';

const SLOW_MS = 100;
const metrics = createMetrics();
let monotonicMs = 0;
let server: TestServer;

before(async () => {
  const clock = { nowMs: () => NOW_MS, monotonicMs: () => monotonicMs };
  server = await TestServer.start({ slowRequestMs: SLOW_MS }, { metrics, clock });
});
after(() => server.stop());
beforeEach(() => {
  server.log.length = 0;
  metrics.requests.byRoute.clear();
});

const countOf = (route: string, status: string): number =>
  metrics.requests.byRoute
    .get(route)
    ?.get(status)
    ?.counts.reduce((sum, count) => sum + count, 0) ?? 0;

const slowLine = () => server.log.find(({ event }) => event === 'request.slow')?.fields;

test('a request is counted by its route and status, also a refused one or one without a route', async () => {
  await server.call('/api/zones');
  await server.call('/api/zones/zone_us');
  await server.call('/api/zones/none');
  await server.call('/api/zones', { key: '' });
  await server.call('/nothing');
  await server.call('/simulate', { body: CART });
  await server.call('/api/simulate', { body: '{' });
  await server.call('/metrics', { key: '' });
  const seen = [...metrics.requests.byRoute].flatMap(([route, byStatus]) =>
    [...byStatus.keys()].map((status) => `${route} ${status} ${countOf(route, status)}`),
  );
  const expected = ['simulate 200 1', 'simulate 400 1', 'none 404 1', 'getMetrics 200 1'];
  for (const line of [...expected, 'listZones 200 1', 'listZones 401 1'])
    assert.ok(seen.includes(line), line);
  assert.equal(countOf('getZone', '200') + countOf('getZone', '404'), 2);
  assert.equal(metrics.values.requests_in_flight, 0);
  assert.deepEqual(server.log, []);
});

test('the log line of a slow write says that it waited for its flush, and has the request id', async () => {
  let release = (): void => {};
  server.shop.held = new Promise((resolve) => {
    release = resolve;
  });
  const answered = server.call('/api/groups', { body: { name: 'A' }, headers: { 'x-request-id': 'r1' } });
  while (server.shop.writes.length === 0) await new Promise((resolve) => setImmediate(resolve));
  monotonicMs += 120;
  release();
  assert.equal((await answered).status, 201);
  server.shop.held = Promise.resolve();
  assert.deepEqual(slowLine(), {
    requestId: 'r1',
    verb: 'POST',
    route: 'createGroup',
    status: '201',
    ms: 120,
    receiveMs: 0,
    loadMs: 0,
    writeMs: 120,
    threadMs: 0,
    deliverMs: 0,
    workMs: 0,
    reason: 'the write waited for its turn and its flush',
  });
});

test('a request is slow at the limit and not a millisecond below it', async () => {
  const { simulateWith } = server.shop;
  for (const ms of [SLOW_MS - 1, SLOW_MS, SLOW_MS + 1]) {
    server.log.length = 0;
    server.shop.simulateWith = (request, nowMs) => {
      monotonicMs += ms;
      return simulateWith(request, nowMs);
    };
    await server.call('/api/simulate', { body: CART });
    assert.equal(slowLine() !== undefined, ms >= SLOW_MS, `${ms} ms`);
  }
  server.shop.simulateWith = simulateWith;
});

test('waiting for a body, loading a shop and work are logged separately', async () => {
  const body = JSON.stringify(CART);
  const connection = server.connect();
  const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  connection.send(requestText('POST /api/simulate', headers));
  while (metrics.values.requests_in_flight === 0) await new Promise((resolve) => setImmediate(resolve));
  monotonicMs += 100;
  connection.send(body);
  await connection.until(({ statuses }) => statuses.length === 1);
  connection.destroy();
  assert.equal(slowLine()?.['receiveMs'], 100);
  assert.equal(slowLine()?.['reason'], 'the body came slowly');

  server.log.length = 0;
  const { simulateWith } = server.shop;
  server.shop.simulateWith = (request, nowMs) => {
    monotonicMs += 300;
    return simulateWith(request, nowMs);
  };
  await server.call('/api/simulate', { body: CART });
  server.shop.simulateWith = simulateWith;
  assert.equal(slowLine()?.['workMs'], 300);
  assert.match(String(slowLine()?.['reason']), /processor/);

  server.log.length = 0;
  server.shops.unloaded.add('shop_a');
  let isLoaded = (): void => {};
  server.shops.loading = new Promise((resolve) => {
    isLoaded = resolve;
  });
  const answered = server.call('/api/simulate', { body: CART });
  while (server.shops.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
  monotonicMs += 150;
  isLoaded();
  await answered;
  server.shops.loading = Promise.resolve();
  assert.equal(slowLine()?.['loadMs'], 150);
});

test('at the level debug every request is logged', async () => {
  const talkative = await TestServer.start({ logLevel: 'debug' }, { metrics });
  await talkative.call('/healthz', { key: '', headers: { 'x-request-id': 'r2' } });
  await talkative.stop();
  const line = talkative.log.find(({ event }) => event === 'request.done');
  assert.equal(line?.level, 'debug');
  assert.equal(line?.fields['requestId'], 'r2');
});
