/**
 * Metrics and logs of requests: the duration by route and status, the phases of a slow request, and the lines of refused
 * ones: whose they were, how many a second, and nothing of what they sent.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createMetrics } from '../../../src/base/metrics/metrics.ts';
import type { LogFields } from '../../../src/base/runtime/logger.ts';
import { RefusalLog } from '../../../src/front/http/refusal-log.ts';
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
  server.refusals.length = 0;
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
    shopId: 'shop_a',
    keyId: 'key_shop_a_admin',
    verb: 'POST',
    route: 'createGroup',
    status: '201',
    code: null,
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
  assert.equal(slowLine()?.['reason'], 'it waited for the disk or the database');
});

test('at the level debug every request is logged', async () => {
  const talkative = await TestServer.start({ logLevel: 'debug' }, { metrics });
  await talkative.call('/healthz', { key: '', headers: { 'x-request-id': 'r2' } });
  await talkative.stop();
  const line = talkative.log.find(({ event }) => event === 'request.done');
  assert.equal(line?.level, 'debug');
  assert.equal(line?.fields['requestId'], 'r2');
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACE_PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

/** The one line of this call. */
async function lineOf(path: string, call: Parameters<typeof server.call>[1] = {}): Promise<LogFields> {
  server.refusals.length = 0;
  const { status, code } = await server.call(path, {
    ...call,
    headers: { 'x-request-id': 'r1', ...call.headers },
  });
  const [line, ...others] = server.refusals;
  assert.deepEqual(others, []);
  assert.deepEqual([line?.level, line?.event], ['info', 'request.refused']);
  assert.deepEqual([line?.fields['status'], line?.fields['code']], [String(status), code]);
  return line?.fields ?? {};
}

const SHOP_A = { shopId: 'shop_a', keyId: 'key_shop_a_admin' };
const NO_SHOP = { shopId: null, keyId: null };

test('a refused request leaves one line with its shop, key, route, status, code and id', async () => {
  const unknown = { requestId: 'r1', verb: 'GET', route: 'none', status: '404', code: 'NOT_FOUND' };
  assert.deepEqual(await lineOf('/nothing'), { ...unknown, ...NO_SHOP });
  assert.deepEqual(await lineOf('/api/zones/none'), { ...unknown, ...SHOP_A, route: 'getZone' });
  const refused = { requestId: 'r1', verb: 'GET', route: 'listZones', status: '401', code: 'UNAUTHORIZED' };
  assert.deepEqual(await lineOf('/api/zones', { key: 'unknown' }), { ...refused, ...NO_SHOP });
  assert.deepEqual(await lineOf('/api/simulate', { body: '{' }), {
    ...{ requestId: 'r1', ...SHOP_A, verb: 'POST', route: 'simulate' },
    ...{ status: '400', code: 'VALIDATION_ERROR' },
  });
});

test('a request that succeeds leaves no line, nor does one whose client has left', async () => {
  await server.call('/api/simulate', { body: CART, headers: { traceparent: TRACE_PARENT } });
  await server.call('/healthz', { key: '' });
  assert.deepEqual(server.refusals, []);
});

test('the trace of the caller is in the line, unless its header is malformed or given twice', async () => {
  const traceOf = async (traceparent: string) =>
    (await lineOf('/nothing', { headers: { traceparent } }))['traceId'];
  assert.equal(await traceOf(TRACE_PARENT), TRACE);
  assert.equal(await traceOf(TRACE_PARENT.toUpperCase()), undefined);
  server.refusals.length = 0;
  const twice = ['Host: x', `traceparent: ${TRACE_PARENT}`, `traceparent: ${TRACE_PARENT}`].join('\r\n');
  const { statuses } = await server.raw(`GET /nothing HTTP/1.1\r\n${twice}\r\n\r\n`, 20);
  assert.deepEqual([statuses, server.refusals.map(({ fields }) => fields['traceId'])], [[404], [undefined]]);
});

test('nothing of a cart is in a line', async () => {
  const personal = ['Ada', 'Countess', '+44 20 7946 0000', '12 Ockham Road', 'KT24'];
  const [name, company, phone, address1, postalCode] = personal;
  const destination = { country: 'GB', name, company, phone, address1, postalCode };
  const line = await lineOf('/api/simulate', { body: { ...CART, destination, items: personal } });
  for (const text of personal) assert.ok(!JSON.stringify(line).includes(text), text);
});

interface Lines {
  readonly refusals: RefusalLog;
  readonly lines: string[];
  /** This many refused requests of a shop. */
  refuse(shopId: string | null, times: number): void;
}

function openLog(shopsMax?: number): Lines {
  const lines: string[] = [];
  const info = (event: string, { shopId, refused }: LogFields = {}): void => {
    lines.push(
      [event.replace('request.', ''), shopId, refused].filter((part) => part !== undefined).join(' '),
    );
  };
  const refusals = new RefusalLog({ info }, shopsMax);
  const refuse = (shopId: string | null, times: number): void => {
    const caller = shopId === null ? null : { shopId, keyId: null };
    for (let at = 0; at < times; at++) refusals.add({ caller, logFields: () => ({ shopId }) });
  };
  return { refusals, lines, refuse };
}

test('a shop has ten lines a second and then one with the number of the others', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { lines, refuse } = openLog();
  refuse('shop_a', 10);
  refuse('shop_b', 13);
  refuse(null, 11);
  assert.equal(lines.length, 30);
  context.mock.timers.tick(999);
  refuse('shop_b', 1);
  assert.equal(lines.length, 30);
  context.mock.timers.tick(1);
  assert.deepEqual(lines.splice(0).slice(30), ['more_refused shop_b 4', 'more_refused  1']);
  context.mock.timers.tick(5_000);
  assert.deepEqual(lines, []);
  refuse('shop_b', 2);
  assert.deepEqual(lines, ['refused shop_b', 'refused shop_b']);
});

test('the last second is told when the service ends', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { refusals, lines, refuse } = openLog();
  refuse('shop_a', 12);
  refusals.close();
  assert.equal(lines.at(-1), 'more_refused shop_a 2');
  context.mock.timers.tick(1_000);
  assert.equal(lines.length, 11);
});

test('shops beyond those with lines of their own share the lines of no shop', () => {
  const { refusals, lines, refuse } = openLog(2);
  for (const shopId of ['shop_a', 'shop_b', 'shop_c', 'shop_d']) refuse(shopId, 8);
  assert.equal(lines.length, 8 + 8 + 10);
  refusals.close();
  assert.deepEqual(lines.slice(26), ['more_refused  6']);
});
