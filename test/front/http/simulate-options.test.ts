/** Options of a simulation: rates alone, strict requests, several carts at once (contract section 10). */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { BATCH_REQUESTS_MAX } from '../../../src/engine/domain/cart.ts';
import { invalid } from '../../../src/engine/domain/failure.ts';
import { CART, NOW_MS, postText, type Reply, TestServer } from '../../support/test-server.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

const errorOf = ({ body }: Reply) =>
  (body as { readonly error?: { readonly code: string; readonly message: string } }).error;
const refusedWith = (reply: Reply, message: string): void => {
  assert.equal(reply.status, 400, reply.text);
  assert.deepEqual(errorOf(reply), { code: 'VALIDATION_ERROR', message });
};
const withZip = { ...CART, destination: { ...CART.destination, zip: '90210' } };
const ZIP_UNKNOWN = '/destination/zip is unknown: did you mean postalCode?';

describe('fields=rates', () => {
  test('is passed to the shop, with every source', async () => {
    const asked = async (query: string) => {
      assert.equal((await server.call(`/api/simulate${query}`, { body: CART })).status, 200);
      return server.shop.simulations.at(-1)?.form;
    };
    const version = server.shop.state.version.id;
    assert.equal(await asked(''), 'all');
    assert.equal(await asked('?fields=rates'), 'rates');
    assert.equal(
      await asked(`?fields=rates&version=${version}&at=2026-11-18T17:00:00Z&strict=true`),
      'rates',
    );
  });

  test('excludes an explanation, and accepts no other value', async () => {
    refusedWith(
      await server.call('/api/simulate?fields=rates&explain=full', { body: CART }),
      'query parameters fields and explain exclude each other',
    );
    refusedWith(
      await server.call('/api/simulate?fields=all', { body: CART }),
      'query parameter fields must be rates',
    );
  });
});

describe('strict', () => {
  test('an unknown field is refused with its path and the field that is probably meant', async () => {
    const before = server.shop.simulations.length;
    refusedWith(await server.call('/api/simulate?strict=true', { body: withZip }), ZIP_UNKNOWN);
    const items = [{ quantity: 1, grams: 1, price: 1, qty: 2 }];
    refusedWith(
      await server.call('/simulate?strict=true', { body: { ...CART, items } }),
      '/items/0/qty is unknown: did you mean quantity?',
    );
    refusedWith(
      await server.call('/api/simulate?strict=true&explain=full', { body: { ...CART, note: '' } }),
      '/note is unknown',
    );
    assert.equal(server.shop.simulations.length, before);
  });

  test('known fields pass; without strict, unknown fields are ignored', async () => {
    assert.equal((await server.call('/api/simulate?strict=true', { body: CART })).status, 200);
    for (const query of ['', '?strict=false']) {
      assert.equal((await server.call(`/api/simulate${query}`, { body: withZip })).status, 200);
    }
    refusedWith(
      await server.call('/api/simulate?strict=yes', { body: CART }),
      'query parameter strict must be true or false',
    );
  });
});

describe('X-Unknown-Fields', () => {
  const told = async (path: string, body: unknown): Promise<unknown> =>
    (await server.call(path, { body })).headers['x-unknown-fields'];

  test('is on every answer to a body with unknown fields, and on no other', async () => {
    const items = [{ ...CART.items[0], qty: 1, properties: { gift: 'yes' } }];
    assert.equal(await told('/api/simulate', CART), undefined);
    assert.equal(
      await told('/api/simulate', { ...CART, items: [{ ...CART.items[0], properties: {} }] }),
      undefined,
    );
    for (const path of ['/api/simulate', '/simulate?fields=rates', '/api/simulate?strict=true']) {
      assert.equal(await told(path, { ...withZip, items }), '/destination/zip,/items/0/qty', path);
    }
    // The answers are 400 and 404.
    assert.equal(await told('/api/simulate', { ...withZip, items: [] }), '/destination/zip');
    assert.equal(await told('/api/simulate?version=version_none', withZip), '/destination/zip');
    assert.equal(await told('/api/simulate', CART), undefined);
  });

  test('of a batch has the index of the request in each path', async () => {
    assert.equal(await told('/api/simulate/batch', { requests: [CART, CART] }), undefined);
    assert.equal(
      await told('/api/simulate/batch', { requests: [CART, withZip], carts: 1 }),
      '/carts,/requests/1/destination/zip',
    );
  });

  test('holds any name of a field safely', async () => {
    const body = { ...CART, 'a\r\nSet-Cookie: b': 1, 'größe,x': 1 };
    assert.equal(await told('/api/simulate', body), '/a%0D%0ASet-Cookie%3A%20b,/gr%C3%B6%C3%9Fe%2Cx');
  });
});

describe('X-Simulation-Source', () => {
  const send = (path: string, body: unknown, ...sources: readonly string[]) =>
    server.raw(
      postText(path, JSON.stringify(body), [
        'Connection: close',
        ...sources.map((source) => `X-Simulation-Source: ${source}`),
      ]),
    );

  test('a test is answered like any other simulation, and the shop learns that it is one', async () => {
    const cases = [
      ['/api/simulate', CART, 1],
      ['/simulate?fields=rates', CART, 1],
      ['/api/simulate/batch', { requests: [CART, CART] }, 2],
    ] as const;
    for (const [path, body, count] of cases) {
      const plain = await server.call(path, { body });
      for (const source of ['live', 'test']) {
        const { statuses, text } = await send(path, body, source);
        assert.deepEqual(statuses, [200]);
        assert.ok(text.endsWith(`\r\n\r\n${plain.text}`), text);
        const seen = server.shop.simulations.slice(-count).map(({ isTest }) => isTest);
        assert.deepEqual(seen, Array(count).fill(source === 'test'));
      }
    }
  });

  test('another value, an empty one or two of them are refused, and nothing is simulated', async () => {
    const before = server.shop.simulations.length;
    for (const sources of [['tests'], ['Test'], [''], ['live', 'test']]) {
      for (const path of ['/api/simulate', '/api/simulate/batch']) {
        const { statuses, text } = await send(
          path,
          path.endsWith('batch') ? { requests: [CART] } : CART,
          ...sources,
        );
        assert.deepEqual(statuses, [400]);
        assert.match(text, /"header X-Simulation-Source must be live or test"/);
      }
    }
    assert.equal(server.shop.simulations.length, before);
  });
});

describe('a batch', () => {
  const batch = (body: unknown, query = '') => server.call(`/api/simulate/batch${query}`, { body });
  const noItems = { destination: { country: 'US' }, items: [] };
  const single = async () => (await server.call('/api/simulate', { body: CART })).text;
  beforeEach(() => {
    server.shop.simulations.length = 0;
  });

  test('each answer equals that of a single simulation, or is its error', async () => {
    const refused = await server.call('/api/simulate', { body: noItems });
    const expected = `{"answers":[${await single()},${refused.text},${await single()}]}`;
    const reply = await batch({ requests: [CART, noItems, CART] });
    assert.deepEqual([reply.status, reply.text], [200, expected]);
    assert.equal(reply.headers['x-config-version'], server.shop.state.version.id);
  });

  test('an invalid or refused request does not affect the others', async () => {
    const tooMuch = invalid('/items must come to less');
    const { simulateWith } = server.shop;
    server.shop.simulateWith = (request, nowMs) =>
      request.locale === 'large' ? tooMuch : simulateWith(request, nowMs);
    const { body } = await batch({ requests: [null, 7, [], 'x', { ...CART, locale: 'large' }, CART] });
    server.shop.simulateWith = simulateWith;
    const { answers } = body as { answers: { rates?: unknown; error?: { code: string; message: string } }[] };
    assert.deepEqual(
      answers.map(({ error }) => error?.message ?? ''),
      [...Array.from({ length: 4 }, () => 'the body must be an object'), tooMuch.message, ''],
    );
    assert.ok(answers.every(({ rates, error }) => (rates === undefined) === (error !== undefined)));
  });

  test('accepts the query of a simulation, which applies to all of its requests', async () => {
    const strict = await batch({ requests: [CART, withZip] }, '?strict=true&fields=rates');
    assert.deepEqual((strict.body as { answers: object[] }).answers[1], {
      error: { code: 'VALIDATION_ERROR', message: ZIP_UNKNOWN },
    });
    assert.deepEqual(
      server.shop.simulations.map(({ form }) => form),
      ['rates'],
    );
    const noted = { requests: [CART], cart: 1 };
    assert.equal((await batch(noted)).status, 200);
    refusedWith(await batch(noted, '?strict=true'), '/cart is unknown');
    assert.equal((await batch({ requests: [CART] }, '?fields=rates&explain=full')).status, 400);
    assert.equal((await batch({ requests: [CART, CART] }, '?view=staged')).status, 409);
    assert.equal((await batch({ requests: [CART] }, '?version=version_none')).status, 404);
  });

  test('has one clock: now, that of the query, or that of the body', async () => {
    const clocks = async (at: unknown, query = '') => {
      const { status } = await batch({ requests: [CART, CART], ...(at === undefined ? {} : { at }) }, query);
      return [status, ...server.shop.simulations.splice(0).map(({ nowMs }) => nowMs)];
    };
    const at = '2026-01-02T03:04:05Z';
    const ms = Date.parse(at);
    assert.deepEqual(await clocks(undefined), [200, NOW_MS, NOW_MS]);
    assert.deepEqual(await clocks(null), [200, NOW_MS, NOW_MS]);
    assert.deepEqual(await clocks(at), [200, ms, ms]);
    assert.deepEqual(await clocks(undefined, `?at=${at}`), [200, ms, ms]);
    assert.deepEqual(await clocks(at, `?at=${at}`), [200, ms, ms]);
    assert.deepEqual(await clocks(at, '?at=2026-01-02T03:04:06Z'), [400]);
    for (const none of ['2026-02-30T00:00:00Z', 'noon']) {
      refusedWith(
        await batch({ requests: [CART], at: none }),
        '/at must be an ISO 8601 time with an offset, such as 2026-11-18T17:00:00Z',
      );
    }
  });

  test(`has 1 to ${BATCH_REQUESTS_MAX} requests`, async () => {
    const of = (count: number) => batch({ requests: Array.from({ length: count }, () => noItems) });
    const accepted = '/requests must be an array of 1 to 100 simulate requests';
    assert.equal((await of(BATCH_REQUESTS_MAX)).status, 200);
    refusedWith(await of(0), accepted);
    refusedWith(await of(BATCH_REQUESTS_MAX + 1), accepted);
    refusedWith(await batch({ requests: CART }), accepted);
    refusedWith(await batch({}), '/requests is required: an array of 1 to 100 simulate requests');
    assert.equal((await server.call('/simulate/batch', { body: { requests: [CART] } })).status, 404);
  });
});

test('a sweep takes view and version from body or query, and from both only when they agree', async () => {
  const sweep = (query: string, more = {}) =>
    server.call(`/api/simulate/sweep${query}`, {
      body: { request: CART, vary: 'quantity', from: 1, to: 1, ...more },
    });
  assert.equal((await sweep('?view=live', { view: 'live' })).status, 200);
  assert.equal((await sweep('?version=1', { version: '1' })).status, 200);
  assert.equal((await sweep('?version=1', { version: 'live' })).status, 200, 'one version, named twice');
  refusedWith(
    await sweep('?view=live', { view: 'staged' }),
    '/view and query parameter view are given with different values',
  );
  refusedWith(
    await sweep('?version=1', { version: '2' }),
    '/version and query parameter version are given with different values',
  );
});
