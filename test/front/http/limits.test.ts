/** Every limit of the front end, one below, at and one above it; the refusal does not wait for the rest of the body. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { success } from '../../../src/engine/domain/failure.ts';
import { CONFIG_DEFECTS_MAX } from '../../../src/engine/wire/write-bodies.ts';
import { NESTING_MAX } from '../../../src/front/http/body/json-body.ts';
import { IDEMPOTENCY_KEY_LENGTH_MAX, TOKEN_LENGTH_MAX } from '../../../src/front/http/request-head.ts';
import { bodyOf, ID_SEGMENT } from '../../../src/front/http/route.ts';
import { createRouteTable } from '../../../src/front/http/route-table.ts';
import { isKeyed, type KeyedRoute, sampleBodyOf, sampleIdOf } from '../../support/route-requests.ts';
import { CART, postText, requestText, TestServer } from '../../support/test-server.ts';

const BODY_BYTES_MAX = 2_000;
const CONFIG_BODY_BYTES_MAX = 60_000;
const ITEMS_MAX = 5;
/** The limit of the parser of the library. */
const HEAD_BYTES_MAX = 4_096;

let server: TestServer;
before(async () => {
  server = await TestServer.start({
    bodyBytesMax: BODY_BYTES_MAX,
    configBodyBytesMax: CONFIG_BODY_BYTES_MAX,
    itemsMax: ITEMS_MAX,
  });
});
after(() => server.stop());

/** A valid body with exactly this number of bytes. */
const padded = (value: object, bytes: number): string => JSON.stringify(value).padEnd(bytes, ' ');
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

const ROUTES = [
  { path: '/api/simulate', body: CART, bytesMax: BODY_BYTES_MAX },
  { path: '/api/groups', body: { name: 'A' }, bytesMax: BODY_BYTES_MAX },
  { path: '/api/config', body: { action: 'preview', data: {} }, bytesMax: CONFIG_BODY_BYTES_MAX },
] as const;

describe('bytes of a body', () => {
  test('/api/config: with a key that may only read the limit is that of other bodies', async () => {
    const ask = (key: string, bytes: number) =>
      server.call('/api/config', { key, body: padded({ action: 'preview', data: {} }, bytes) });
    assert.equal((await ask('shop_a-read', BODY_BYTES_MAX)).status, 200);
    const over = await ask('shop_a-read', BODY_BYTES_MAX + 1);
    assert.deepEqual([over.status, over.message], [400, 'the body must be at most 2,000 bytes']);
    assert.equal((await ask('shop_a-write', BODY_BYTES_MAX + 1)).status, 200);
  });

  for (const { path, body, bytesMax } of ROUTES) {
    test(`${path}: at the limit it is read, one byte over it is refused by its length alone`, async () => {
      for (const bytes of [bytesMax - 1, bytesMax]) {
        const reply = await server.call(path, { body: padded(body, bytes) });
        assert.ok(reply.status < 300, reply.text);
      }
      const over = await server.call(path, { body: padded(body, bytesMax + 1) });
      assert.equal(over.status, 400);
      assert.equal(over.message, `the body must be at most ${bytesMax.toLocaleString('en-US')} bytes`);
      // The body is not sent, so the answer cannot depend on it.
      const head = requestText(`POST ${path}`, [
        'Content-Type: application/json',
        `Content-Length: ${bytesMax + 1}`,
      ]);
      const connection = server.connect();
      connection.send(head);
      const reply = await connection.until(({ statuses }) => statuses.length === 1, 2_000);
      assert.deepEqual(reply.statuses, [400]);
      // The body may still arrive; then the connection serves the next request.
      connection.send('x'.repeat(bytesMax + 1) + requestText('GET /healthz'));
      const next = await connection.until(({ statuses }) => statuses.length === 2, 2_000);
      connection.destroy();
      assert.deepEqual(next.statuses, [400, 200]);
    });

    test(`${path}: the length of a chunked body is checked while it arrives`, async () => {
      const head = requestText(`POST ${path}`, [
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ]);
      const send = async (bytes: number, isEnded: boolean) => {
        const text = padded(body, bytes);
        const half = Math.floor(text.length / 2);
        const connection = server.connect();
        connection.send(head + chunk(text.slice(0, half)));
        await sleep(5);
        connection.send(chunk(text.slice(half)) + (isEnded ? '0\r\n\r\n' : ''));
        const reply = await connection.until(({ isClosed }) => isClosed, 2_000);
        connection.destroy();
        assert.ok(reply.isClosed);
        return reply.statuses;
      };
      const [at] = await send(bytesMax, true);
      assert.ok(at !== undefined && at < 300);
      assert.deepEqual(await send(bytesMax + 1, true), [400]);
      assert.deepEqual(await send(bytesMax + 1, false), [400]);
    });
  }

  test('a declared length far beyond the limit closes the connection without reading the body', async () => {
    const reply = await server.raw(
      requestText('POST /api/groups', ['Content-Type: application/json', 'Content-Length: 10000000000']),
      2_000,
    );
    assert.deepEqual(reply.statuses, [400]);
    assert.ok(reply.isClosed);
  });

  test('a client without a key cannot keep the server reading', async () => {
    const reply = await server.raw(
      requestText('POST /api/groups', ['Content-Length: 10000000000'], '', ''),
      2_000,
    );
    assert.deepEqual(reply.statuses, [401]);
    assert.ok(reply.isClosed);
  });
});

describe('levels of nesting', () => {
  const TOO_DEEP = `the body must be nested at most ${NESTING_MAX} levels deep`;
  const arrays = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  const withBody = createRouteTable({ itemsMax: ITEMS_MAX }).filter(
    (route): route is KeyedRoute => isKeyed(route) && bodyOf(route) !== undefined,
  );
  afterEach(() => server.restoreShop());

  for (const route of withBody) {
    const [path] = route.paths;
    test(`${route.verb} ${path}: ${NESTING_MAX} are read, one more is refused while the body is still to come`, async () => {
      const target = path.replace(ID_SEGMENT, sampleIdOf(route));
      const body = JSON.parse(sampleBodyOf(route) ?? '{}') as object;
      const nested = (levels: number): string =>
        JSON.stringify({ ...body, unknown: null }).replace(/null}$/, `${arrays(levels - 1)}}`);
      const deepest = await server.call(target, { verb: route.verb, body: nested(NESTING_MAX) });
      assert.notEqual(deepest.message, TOO_DEEP);
      // Simulations ignore unknown fields.
      if (route.kind === 'shop' && route.counts === 'simulations')
        assert.equal(deepest.status, 200, deepest.text);
      else assert.match(deepest.message, /unknown/);
      const deeper = nested(NESTING_MAX + 1);
      const whole = await server.call(target, { verb: route.verb, body: deeper });
      assert.equal(whole.status, 400);
      assert.equal(whole.message, TOO_DEEP);
      const begun = deeper.slice(0, deeper.lastIndexOf('[') + 1);
      for (const [length, sent] of [
        [`Content-Length: ${begun.length + 100}`, begun],
        ['Transfer-Encoding: chunked', chunk(begun.slice(0, -10)) + chunk(begun.slice(-10))],
      ] as const) {
        const connection = server.connect();
        const head = requestText(`${route.verb} ${target}`, ['Content-Type: application/json', length]);
        connection.send(head + sent);
        const reply = await connection.until(({ statuses }) => statuses.length === 1);
        connection.destroy();
        assert.deepEqual(reply.statuses, [400], reply.text);
        assert.ok(reply.text.includes(TOO_DEEP));
      }
    });
  }
});

describe('lengths of headers and lists', () => {
  const write = (headers: Record<string, string>) =>
    server.call('/api/groups', { body: { name: 'A' }, headers });

  test('Idempotency-Key', async () => {
    for (const length of [1, IDEMPOTENCY_KEY_LENGTH_MAX - 1, IDEMPOTENCY_KEY_LENGTH_MAX]) {
      assert.equal((await write({ 'idempotency-key': '~'.repeat(length) })).status, 201);
    }
    assert.equal((await write({ 'idempotency-key': 'order 17, "refund"' })).status, 201);
    for (const key of ['', 'x'.repeat(IDEMPOTENCY_KEY_LENGTH_MAX + 1), 'ä', 'a\tb']) {
      const reply = await write({ 'idempotency-key': key });
      assert.equal(reply.status, 400, key);
      assert.match(reply.message, /^header Idempotency-Key must be/);
    }
  });

  test('X-Batch-Id', async () => {
    for (const length of [1, TOKEN_LENGTH_MAX - 1, TOKEN_LENGTH_MAX]) {
      assert.equal((await write({ 'x-batch-id': 'b'.repeat(length) })).status, 201);
    }
    for (const id of ['', 'x'.repeat(TOKEN_LENGTH_MAX + 1), 'a b', 'a.b']) {
      const reply = await write({ 'x-batch-id': id });
      assert.equal(reply.status, 400, id);
      assert.match(reply.message, /^header X-Batch-Id must be/);
    }
  });

  test('a head of more than 4 KB is refused and the connection closed', async () => {
    const around = requestText('GET /api/zones', ['X-A: ']).length;
    for (const length of [HEAD_BYTES_MAX - 1, HEAD_BYTES_MAX, HEAD_BYTES_MAX + 1, HEAD_BYTES_MAX + 1_000]) {
      const head = requestText('GET /api/zones', [`X-A: ${'x'.repeat(length - around)}`]);
      assert.equal(head.length, length);
      const reply = await server.raw(head, 200);
      const isRefused = length > HEAD_BYTES_MAX;
      assert.deepEqual(reply.statuses, [isRefused ? 431 : 200], `${length}`);
      assert.equal(reply.isClosed, isRefused);
    }
  });

  test('defects that a refusal names', async () => {
    for (const count of [CONFIG_DEFECTS_MAX - 1, CONFIG_DEFECTS_MAX, CONFIG_DEFECTS_MAX + 1]) {
      const zones = Array.from({ length: count }, () => ({ name: '', countries: [] }));
      const reply = await server.call('/api/config', {
        body: { action: 'preview', data: { zones, methods: [], blendedRates: [] } },
      });
      assert.equal(reply.status, 400);
      assert.equal(reply.message.split('; ').length, Math.min(count, CONFIG_DEFECTS_MAX));
    }
  });

  test('a bulk write with errors of its form is answered with those alone', async () => {
    const methods = [
      { name: 'A', zoneId: 'zone_x', rateType: 'free' },
      { name: '', zoneId: 'zone_x', rateType: 'free' },
    ];
    for (const action of ['preview', 'execute']) {
      const reply = await server.call('/api/config', { body: { action, data: { methods } } });
      assert.equal(reply.status, 400);
      assert.match(reply.message, /^\/data\/methods\/1\/name must be [^;]*$/);
    }
  });

  const expectations = [{ kind: 'some_rate' }];
  const sweep = { vary: 'quantity', from: 1, to: 2 };
  const CARTS: readonly (readonly [path: string, at: string, body: (request: object) => object])[] = [
    ['/api/simulate', '', (request) => request],
    ['/api/simulate/sweep', '/request', (request) => ({ request, ...sweep })],
    ['/api/versions', '/request', (request) => ({ action: 'bisect', request })],
    ['/api/checks', '/request', (request) => ({ name: 'A', request, expectations })],
    [
      '/api/config',
      '/data/checks/0/request',
      (request) => ({ action: 'preview', data: { checks: [{ name: 'A', request, expectations }] } }),
    ],
  ];

  for (const [path, at, bodyWith] of CARTS) {
    test(`items of a cart: ${path}`, async () => {
      const ask = (length: number) =>
        server.call(path, { body: bodyWith({ ...CART, items: Array(length).fill(CART.items[0]) }) });
      for (const length of [1, ITEMS_MAX - 1, ITEMS_MAX]) {
        const reply = await ask(length);
        assert.ok(reply.status < 300, reply.text);
      }
      for (const length of [0, ITEMS_MAX + 1]) {
        const reply = await ask(length);
        assert.equal(reply.status, 400);
        assert.equal(reply.message, `${at}/items must be an array of 1 to ${ITEMS_MAX} items`);
      }
    });
  }

  test('items of a cart: the change of a check', async () => {
    const id = (await server.call('/api/checks')).body as { checks: readonly { id: string }[] };
    const path = `/api/checks/${id.checks[0]?.id}`;
    const put = (length: number) =>
      server.call(path, {
        verb: 'PUT',
        body: { request: { ...CART, items: Array(length).fill(CART.items[0]) } },
      });
    assert.equal((await put(ITEMS_MAX)).status, 200);
    assert.equal((await put(ITEMS_MAX + 1)).message, '/request/items must be an array of 1 to 5 items');
  });
});

describe('slow readers', () => {
  const MIB = 1024 * 1024;
  const text = JSON.stringify('x'.repeat(8 * MIB));
  const simulate = postText('/api/simulate', JSON.stringify(CART));

  // The answer of this test shop is only large.
  before(() => {
    server.checksReplies = false;
  });

  test('a large answer arrives whole, with answers to other clients in between', async () => {
    server.shop.simulateWith = () => success(text);
    const connection = server.connect();
    connection.send(simulate);
    await connection.until((reply) => reply.text.length > 0);
    connection.socket.pause();
    server.shop.simulateWith = () => success('{"other":true}');
    for (let i = 0; i < 20; i++) await server.call('/api/simulate', { body: CART });
    connection.socket.resume();
    const reply = await connection.until((so) => so.text.endsWith('"'), 5_000);
    connection.destroy();
    assert.equal(reply.text.slice(reply.text.indexOf('\r\n\r\n') + 4), text);
  });

  test('a large answer of every size around the reused buffer arrives whole', async () => {
    for (const length of [1, 65_533, 65_534, 65_535, 70_000, 131_073, MIB - 2, MIB - 1, MIB, 2 * MIB]) {
      const answer = JSON.stringify('y'.repeat(length));
      server.shop.simulateWith = () => success(answer);
      const reply = await server.call('/api/simulate', { body: CART });
      assert.equal(reply.text.length, answer.length);
      assert.equal(reply.text, answer);
    }
  });

  test('many slow readers of a large configuration take its memory once', async () => {
    const { state } = server.shop;
    const postalCodes = '90210, '.repeat(MIB);
    const zones = state.config.zones.map((zone) => ({
      ...zone,
      subzones: [{ id: 'sub_large', name: 'Large', postalCodes }],
    }));
    server.shop.state = { ...state, config: { ...state.config, zones } };
    const before = process.memoryUsage();
    const readers = Array.from({ length: 60 }, () => server.connect());
    for (const reader of readers) {
      reader.socket.pause();
      reader.send(requestText('GET /api/config'));
    }
    while (server.running.inFlight < readers.length) await sleep(5);
    const { external } = process.memoryUsage();
    for (const reader of readers) reader.destroy();
    server.shop.state = state;
    const grown = external - before.external;
    assert.ok(grown < 50 * MIB, `grown by ${Math.round(grown / MIB)} MiB`);
  });

  test('a client that sends requests and never reads is disconnected, and memory stays flat', async () => {
    server.shop.simulateWith = () => success(JSON.stringify('z'.repeat(50_000)));
    const connection = server.connect();
    connection.socket.pause();
    const before = process.memoryUsage().rss;
    let isDropped = false;
    connection.socket.on('close', () => {
      isDropped = true;
    });
    // 20,000 answers of 50 KB would be a gigabyte.
    for (let i = 0; i < 200 && !isDropped; i++) {
      connection.send(simulate.repeat(100));
      await sleep(1);
    }
    const grown = process.memoryUsage().rss - before;
    connection.destroy();
    assert.ok(grown < 150 * MIB, `grown by ${Math.round(grown / MIB)} MiB`);
    assert.ok(server.shop.simulations.length < 5_000, `${server.shop.simulations.length} were answered`);
    assert.equal((await server.call('/healthz')).status, 200);
  });
});
