/**
 * A request that is forwarded is answered as if it had come in where the shops are: every route, every kind of
 * refusal, every way to leave.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, ID_SEGMENT, type Route } from '../../src/http/route.ts';
import { createRouteTable } from '../../src/http/route-table.ts';
import { NotLentError } from '../../src/replica/shop-copies.ts';
import { sampleBodyOf, sampleIdOf } from '../support/route-requests.ts';
import { CART, type Call, type Reply, requestText, TestServer } from '../support/test-server.ts';

const LIMITS = { bodyBytesMax: 64 * 1024, configBodyBytesMax: 128 * 1024 };

let direct: TestServer;
let relayed: TestServer;
before(async () => {
  direct = await TestServer.start(LIMITS);
  relayed = await TestServer.start(LIMITS, {}, 'relayed');
});
after(async () => {
  await direct.stop();
  await relayed.stop();
});

afterEach(async () => {
  for (let turn = 0; relayed.running.inFlight > 0 && turn < 2_000; turn++) await sleep(5);
  assert.equal(relayed.running.inFlight, 0);
});

/** What must be equal; secrets are random, and so are the times of the library. */
function essenceOf({ status, headers, text }: Reply) {
  const { date: _date, ...rest } = headers;
  return { status, headers: rest, text: text.replace(/"(secret|prefix)":"[^"]*"/g, '"$1":"?"') };
}

async function assertSame(path: string, call: Call): Promise<Reply> {
  const [here, there] = await Promise.all([direct.call(path, call), relayed.call(path, call)]);
  assert.deepEqual(essenceOf(there), essenceOf(here), `${call.verb} ${path}`);
  return there;
}

const idOf = (route: Route): string => (route.kind === 'callback' ? 'shop_a' : sampleIdOf(route));

const pathOf = (route: Route): string => (route.paths.at(-1) ?? '').replace(ID_SEGMENT, idOf(route));

describe('the same status, headers and body', () => {
  for (const route of createRouteTable({ itemsMax: 1_000 })) {
    test(`${route.verb} ${route.paths.at(-1)}`, async () => {
      const verb = route.verb;
      const path = pathOf(route);
      const json = { 'content-type': 'application/json', 'x-request-id': 'req-of-this-test' };
      const body = bodyOf(route) === undefined ? {} : { body: sampleBodyOf(route) ?? '{}' };
      const signature = { ...json, 'x-shopify-hmac-sha256': `${'A'.repeat(43)}=` };
      const headers = route.kind === 'callback' ? signature : json;
      await assertSame(path, { verb, headers, key: '', ...body });
      await assertSame(path, { verb, headers, key: 'wrong', ...body });
      await assertSame(path, { verb, headers, key: 'shop_a-read', ...body });
      await assertSame(`${path}?unknown=1`, { verb, headers, ...body });
      await assertSame(path, { verb, headers: { ...headers, 'if-match': '"other"' }, ...body });
      if (route.kind === 'shop' && route.isWrite) {
        const repeated = { ...headers, 'idempotency-key': `key-${route.name}` };
        await assertSame(path, { verb, headers: repeated, ...body });
        await assertSame(path, { verb, headers: repeated, ...body });
      }
      await assertSame(path, { verb, headers, ...body });
      if (bodyOf(route) === undefined) return;
      await assertSame(path, { verb, headers, body: '{"a":' });
      await assertSame(path, { verb, headers: { ...headers, 'content-type': 'text/plain' }, body: 'text' });
      const large = ' '.repeat(LIMITS.configBodyBytesMax + 1);
      assert.equal((await assertSame(path, { verb, headers, body: large })).status >= 400, true);
    });
  }

  test('a path that no route has', async () => {
    await assertSame('/nothing', { headers: { 'x-request-id': 'req-1' } });
  });

  test('an answer that is large', async () => {
    const config = (await direct.call('/api/config')).body as { zones: unknown[] };
    assert.ok(config.zones.length > 0);
    const headers = { 'x-request-id': 'req-2' };
    const reply = await assertSame('/openapi.json', { headers });
    assert.ok(reply.text.length > 64 * 1024);
  });
});

describe('bodies on their way', () => {
  const json = 'Content-Type: application/json';
  const group = '{"name":"In parts"}';

  test('in parts, with and without a length', async () => {
    for (const [framing, parts] of [
      [`Content-Length: ${group.length}`, [group.slice(0, 5), group.slice(5)]],
      [
        'Transfer-Encoding: chunked',
        [`5\r\n${group.slice(0, 5)}\r\n`, `e\r\n${group.slice(5)}\r\n0\r\n\r\n`],
      ],
    ] as const) {
      const connection = relayed.connect();
      connection.send(requestText('POST /api/groups', [json, framing]));
      for (const part of parts) {
        await sleep(20);
        connection.send(part);
      }
      const reply = await connection.until(({ statuses }) => statuses.length === 1);
      connection.destroy();
      assert.deepEqual(reply.statuses, [201], reply.text);
    }
  });

  test('one that is too large is refused before it is over, whether or not its length was told', async () => {
    const part = ' '.repeat(100_000);
    for (const [framing, text] of [
      ['Content-Length: 1000000000', part],
      ['Transfer-Encoding: chunked', `${part.length.toString(16)}\r\n${part}\r\n`],
    ] as const) {
      const connection = relayed.connect();
      connection.send(requestText('POST /api/groups', [json, framing]) + text);
      const reply = await connection.until(({ statuses }) => statuses.length === 1);
      connection.destroy();
      assert.deepEqual(reply.statuses, [400], reply.text);
    }
  });

  test('who has no good key is refused without the owner being asked', async () => {
    const requests = () => relayed.metrics.requests.byRoute.get('createGroup')?.has('401') ?? false;
    const before = requests();
    assert.equal((await relayed.call('/api/groups', { body: { name: 'x' }, key: 'wrong' })).status, 401);
    assert.equal(requests(), before);
  });
});

describe('between the head of a simulation and its body', () => {
  const cart = JSON.stringify(CART);
  const head = requestText('POST /api/simulate', [
    'Content-Type: application/json',
    `Content-Length: ${cart.length}`,
  ]);

  /** Sends the head, then the rest once `meanwhile` is done. */
  async function split(server: TestServer, meanwhile: () => void): Promise<string> {
    const connection = server.connect();
    const { inFlight } = server.running;
    connection.send(head + cart.slice(0, 10));
    for (let turn = 0; server.running.inFlight === inFlight && turn < 2_000; turn++) await sleep(5);
    meanwhile();
    connection.send(cart.slice(10));
    const reply = await connection.until(({ statuses }) => statuses.length === 1);
    connection.destroy();
    assert.deepEqual(reply.statuses, [200], reply.text);
    return reply.text;
  }

  test('its copy goes: it is forwarded', async (context) => {
    let isGone = false;
    const server = await TestServer.start(LIMITS, {}, 'relayed', (shops) => ({
      loaded: (shopId) => (isGone ? undefined : shops.loaded(shopId)),
      load: () => Promise.reject(new NotLentError('gone')),
    }));
    context.after(() => server.stop());
    await split(server, () => {
      isGone = true;
    });
    assert.equal(server.shop.simulations.length, 1);
    assert.equal(server.metrics.requests.byRoute.get('simulate')?.has('200'), true);
  });

  test('its plan gets a limit: it is counted where all are', async (context) => {
    const server = await TestServer.start(LIMITS, {}, 'relayed');
    context.after(() => server.stop());
    const text = await split(server, () => {
      const { state } = server.shop;
      server.shop.state = { ...state, settings: { ...state.settings, plan: 'starter' } };
    });
    assert.match(text, /ratelimit: "simulations";r=19;t=1\r\n/i);
    assert.equal(server.metrics.requests.byRoute.get('simulate')?.has('200'), true);
  });
});

test('a client that leaves while its write waits: it is carried through, and nothing is left behind', async () => {
  let go: () => void = () => {};
  relayed.shop.held = new Promise((resolve) => {
    go = resolve;
  });
  const before = relayed.shop.state.version.number;
  const asked = relayed.shop.writes.length;
  const group = '{"name":"Of one who left"}';
  const connection = relayed.connect();
  const head = ['Content-Type: application/json', `Content-Length: ${group.length}`];
  connection.send(requestText('POST /api/groups', head, group));
  for (let turn = 0; relayed.shop.writes.length === asked && turn < 2_000; turn++) await sleep(5);
  connection.socket.resetAndDestroy();
  for (let turn = 0; relayed.running.inFlight > 0 && turn < 2_000; turn++) await sleep(5);
  go();
  for (let turn = 0; relayed.shop.state.version.number === before && turn < 2_000; turn++) await sleep(5);
  assert.equal(relayed.shop.state.version.number, before + 1);
});

test('many slow readers of one large answer share one copy of it', async () => {
  const MIB = 1024 * 1024;
  const server = await TestServer.start({}, {}, 'relayed');
  const { state } = server.shop;
  // More than the buffers of a connection take.
  const postalCodes = '90210, '.repeat(4 * MIB);
  const zones = state.config.zones.map((zone) => ({
    ...zone,
    subzones: [{ id: 'sub_large', name: 'Large', postalCodes }],
  }));
  server.shop.state = { ...state, config: { ...state.config, zones } };
  const before = process.memoryUsage.rss();
  const readers = Array.from({ length: 20 }, () => server.connect());
  for (const reader of readers) {
    reader.socket.pause();
    reader.send(requestText('GET /api/config'));
  }
  for (let turn = 0; server.running.inFlight < readers.length && turn < 2_000; turn++) await sleep(5);
  await sleep(100);
  assert.equal(server.running.inFlight, readers.length);
  const grown = process.memoryUsage.rss() - before;
  for (const reader of readers) reader.destroy();
  await server.stop();
  assert.ok(grown < 300 * MIB, `grown by ${Math.round(grown / MIB)} MiB`);
});
