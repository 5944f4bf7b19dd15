/** The conventions of every answer and request: paths, envelopes, headers, bodies, ids (contract section 1). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failure } from '../../../src/engine/domain/failure.ts';
import { startServerOfFile } from '../../support/server-of-file.ts';
import { CART, JSON_HEADERS } from '../../support/test-server.ts';

const server = await startServerOfFile();

describe('paths and verbs', () => {
  const unknown: readonly (readonly [string, string])[] = [
    ['POST', '/'],
    ['GET', '//'],
    ['GET', '/api'],
    ['GET', '/api/unknown'],
    ['GET', '/api/zones/'],
    ['GET', '/api/groups/'],
    ['GET', '/api/groups/a/b'],
    ['GET', '/API/zones'],
    ['GET', '/api/%7Aones'],
    ['GET', '//api/zones'],
    ['POST', '/api/zones/:id'],
    ['PATCH', '/api/groups'],
    ['OPTIONS', '/api/groups'],
    ['GET', '/api/simulate'],
    ['POST', '/simulate/'],
    ['POST', '/healthz'],
    ['PUT', '/api/config'],
    ['GET', '/api/groups/:id/'],
  ];
  for (const [verb, path] of unknown) {
    test(`${verb} ${path} is not found, in the envelope, with and without a key`, async () => {
      for (const key of ['shop_a-admin', '']) {
        const reply = await server.call(path, { verb, key });
        assert.equal(reply.status, 404);
        assert.deepEqual(reply.body, {
          error: { code: 'NOT_FOUND', message: 'there is nothing at this path for this verb' },
        });
        assert.equal(reply.headers['content-type'], 'application/json');
      }
    });
  }

  test('/simulate answers as /api/simulate does', async () => {
    const replies = await Promise.all(
      ['/simulate', '/api/simulate'].map((path) => server.call(path, { body: CART })),
    );
    assert.deepEqual(
      replies.map(({ status, text }) => [status, text]),
      [replies[1], replies[1]].map((reply) => [200, reply?.text]),
    );
  });
});

describe('headers of an answer', () => {
  test("a client's request id is echoed when it is 1 to 64 characters of A-Z, a-z, 0-9, _ and -", async () => {
    for (const id of ['a', 'Req-1_x', 'x'.repeat(64)]) {
      const reply = await server.call('/api/zones', { headers: { 'x-request-id': id } });
      assert.equal(reply.headers['x-request-id'], id);
    }
    for (const id of ['x'.repeat(65), 'a b', 'ä', 'a,b', '"a"']) {
      const reply = await server.call('/api/zones', { headers: { 'x-request-id': id } });
      assert.match(String(reply.headers['x-request-id']), /^[\w-]{12}-[0-9a-z]+$/);
    }
  });

  test('every answer carries a request id, failures and simulations too', async () => {
    const replies = await Promise.all([
      server.call('/nothing'),
      server.call('/healthz', { key: '' }),
      server.call('/api/zones', { key: '' }),
      server.call('/api/simulate', { body: CART }),
      server.call('/api/simulate', { body: {} }),
      server.call('/api/groups', { body: { name: 'A' } }),
    ]);
    const ids = replies.map(({ headers }) => headers['x-request-id']);
    assert.ok(ids.every((id) => typeof id === 'string'));
    assert.equal(new Set(ids).size, ids.length);
  });

  test('answers about the configuration name the version, and reads have it as ETag', async () => {
    const version = server.shop.state.version.id;
    const zones = await server.call('/api/zones');
    assert.equal(zones.headers['x-config-version'], version);
    assert.equal(zones.headers['etag'], `"${version}"`);
    const simulated = await server.call('/api/simulate', { body: CART });
    assert.equal(simulated.headers['x-config-version'], version);
    assert.equal(simulated.headers['etag'], undefined);
    const created = await server.call('/api/groups', { body: { name: 'Versioned' } });
    assert.equal(created.status, 201);
    assert.equal(created.headers['x-config-version'], server.shop.state.version.id);
    assert.notEqual(created.headers['x-config-version'], version);
    const missing = await server.call('/api/groups/none');
    assert.equal(missing.headers['x-config-version'], server.shop.state.version.id);
    const preview = await server.call('/api/config', { body: { action: 'preview', data: {} } });
    assert.equal(preview.headers['x-config-version'], server.shop.state.version.id);
  });

  test('the refusal of a malformed request names the version too', async () => {
    const version = server.shop.state.version.id;
    const malformed: readonly (readonly [path: string, call: Parameters<typeof server.call>[1]])[] = [
      ['/api/simulate', { body: '{"items":' }],
      ['/api/simulate', { body: '' }],
      ['/api/simulate', { body: Buffer.from([0xff]) }],
      ['/api/simulate', { body: { destination: {} } }],
      ['/api/simulate', { body: CART, headers: { 'content-type': 'text/plain' } }],
      ['/api/simulate', { body: CART, headers: { 'content-encoding': 'gzip' } }],
      ['/api/simulate', { body: ' '.repeat(1024 * 1024 + 1) }],
      ['/api/simulate?view=none', { body: CART }],
      ['/api/zones?unknown=1', {}],
      ['/api/groups', { body: { name: '' } }],
      ['/api/groups', { body: { name: 'A' }, headers: { 'if-match': '"' } }],
      ['/api/config', { body: `[${' '.repeat(1024 * 1024)}` }],
    ];
    for (const [path, call] of malformed) {
      const { status, headers } = await server.call(path, call);
      assert.deepEqual([status, headers['x-config-version']], [400, version], path);
    }
    const ofKeys = await server.call('/api/keys', { body: {} });
    assert.deepEqual([ofKeys.status, ofKeys.headers['x-config-version']], [400, undefined]);
  });

  test('answers about keys and shop settings name no version', async () => {
    for (const path of ['/api/keys', '/api/shop']) {
      const { headers } = await server.call(path);
      assert.equal(headers['x-config-version'], undefined);
      assert.equal(headers['etag'], undefined);
    }
  });

  test('a simulate answer carries no header beyond version, request id and those of every answer', async () => {
    const simulated = await server.call('/api/simulate', { body: CART });
    const zone = await server.call('/api/zones/zone_us');
    const expected = new Set(Object.keys(zone.headers));
    expected.delete('etag');
    assert.deepEqual(Object.keys(simulated.headers).sort(), [...expected].sort());
  });

  test('429 carries Retry-After, 401 carries WWW-Authenticate', async () => {
    server.shop.refuseWith = failure('RATE_LIMITED', 'the shop is busy');
    const busy = await server.call('/api/groups', { body: { name: 'A' } });
    server.shop.refuseWith = { ...failure('RATE_LIMITED', 'the shop is busy'), retryAfterSeconds: 7 };
    const busier = await server.call('/api/groups', { body: { name: 'A' } });
    server.shop.refuseWith = null;
    assert.deepEqual([busy.status, busy.headers['retry-after']], [429, '1']);
    assert.deepEqual([busier.status, busier.headers['retry-after']], [429, '7']);
    const nobody = await server.call('/api/zones', { key: '' });
    assert.equal(nobody.headers['www-authenticate'], 'Bearer');
  });
});

describe('bodies', () => {
  const send = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    server.call('/api/groups', { verb: 'POST', body, headers });

  test('the content type must be application/json; parameters are fine, another charset is not', async () => {
    const body = '{"name":"A"}';
    const accepted = [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'application/json ; charset="utf-8"; v=1',
      'application/json; charset=utf8',
      'application/json;',
    ];
    for (const type of accepted) {
      assert.equal((await send(body, { 'content-type': type })).status, 201, type);
    }
    const refused = [
      'text/plain',
      'application/jsonp',
      'application/json; charset=latin1',
      'application/json; charset="utf-16"',
      'application/json; charset=utf-88',
      'application/json; charset',
      'application/json, text/plain',
      'application/json;;=',
    ];
    for (const type of refused) {
      const reply = await send(body, { 'content-type': type });
      assert.equal(reply.status, 400, type);
      assert.match(reply.message, /Content-Type must be application\/json/);
    }
    const none = await server.raw(
      'POST /api/groups HTTP/1.1\r\nHost: a\r\nAuthorization: shop_a-admin\r\nContent-Length: 12\r\n\r\n{"name":"A"}',
      100,
    );
    assert.deepEqual(none.statuses, [400]);
  });

  test('a compressed body is refused', async () => {
    const reply = await send('{"name":"A"}', { 'content-encoding': 'gzip' });
    assert.equal(reply.status, 400);
    assert.match(reply.message, /Content-Encoding/);
  });

  const unreadable: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    ['an empty body', '', /the body is empty/],
    ['malformed JSON', '{"name":', /not valid JSON/],
    ['malformed JSON, with the place', '{"name" "A"}', /not valid JSON \(at character 8\)/],
    ['two values', '{} {}', /not valid JSON/],
    ['a byte order mark', '\ufeff{"name":"A"}', /byte order mark/],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]), /not valid UTF-8/],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /not valid UTF-8/],
    ['NUL', '\0', /not valid JSON/],
    ['an array', '[]', /the body must be an object/],
    ['null', 'null', /the body must be an object/],
    ['text', '"x"', /the body must be an object/],
  ];
  for (const [what, body, expected] of unreadable) {
    test(`${what} is refused with a message that says so`, async () => {
      const reply = await send(body);
      assert.equal(reply.status, 400);
      assert.equal(reply.code, 'VALIDATION_ERROR');
      assert.match(reply.message, expected);
    });
  }

  test('text beyond ASCII is stored and answered unchanged', async () => {
    const name = 'Größe XL – 特大 😀 "\\"';
    const reply = await send(JSON.stringify({ name }));
    assert.equal(reply.status, 201);
    assert.equal((reply.body as { group: { name: string } }).group.name, name);
  });

  test('an unknown field is refused by name, and ignored on simulate', async () => {
    const reply = await send('{"name":"A","colour":"red","__proto__":{}}');
    assert.equal(reply.message, '/colour is not a field that is accepted here');
    const zones = [{ name: 'Zone', countries: ['US'], position: 0 }];
    const bulk = await server.call('/api/config', { body: { action: 'execute', data: { zones } } });
    assert.match(bulk.message, /\/data\/zones\/0\/position is not a field that is accepted here/);
    const simulated = await server.call('/api/simulate', { body: { ...CART, colour: 'red' } });
    assert.equal(simulated.status, 200);
  });

  test('a message names the field by its path and says what is accepted', async () => {
    const items = [{ quantity: 0, grams: 1, price: 1 }];
    const reply = await server.call('/api/simulate', { body: { ...CART, items } });
    assert.equal(reply.message, '/items/0/quantity must be a whole number from 1 to 1,000,000 (pieces)');
  });

  test('a refused configuration names its first 20 defects', async () => {
    const zones = Array.from({ length: 30 }, () => ({ name: '', countries: ['US'] }));
    const reply = await server.call('/api/config', { body: { action: 'execute', data: { zones } } });
    assert.equal(reply.status, 400);
    const defects = reply.message.split('; ');
    assert.equal(defects.length, 20);
    assert.match(defects[19] ?? '', /^\/data\/zones\/19\/name must be/);
  });
});

describe('addressing a record', () => {
  test('PUT takes the id from path, query or body, as long as they agree', async () => {
    const id = 'group_default';
    const ways: readonly (readonly [string, object])[] = [
      [`/api/groups/${id}`, {}],
      [`/api/groups?id=${id}`, {}],
      ['/api/groups', { id }],
      [`/api/groups/${id}?id=${id}`, { id }],
      ['/api/groups/group%5Fdefault', {}],
    ];
    for (const [path, body] of ways) {
      const reply = await server.call(path, { verb: 'PUT', body: { ...body, name: 'Renamed' } });
      assert.equal(reply.status, 200, path);
    }
    const differing: readonly (readonly [string, object])[] = [
      [`/api/groups/${id}`, { id: 'other' }],
      [`/api/groups?id=${id}`, { id: 'other' }],
      [`/api/groups/${id}?id=other`, {}],
    ];
    for (const [path, body] of differing) {
      const reply = await server.call(path, { verb: 'PUT', body });
      assert.equal(reply.status, 400, path);
      assert.equal(reply.message, '/id is given twice with different values');
    }
    const none = await server.call('/api/groups', { verb: 'PUT', body: { name: 'A' } });
    assert.match(none.message, /^\/id is required/);
  });

  test('DELETE takes the id from path, query or body, with or without a body', async () => {
    const create = async () => {
      const reply = await server.call('/api/groups', { body: { name: 'Short-lived' } });
      return (reply.body as { group: { id: string } }).group.id;
    };
    for (const form of ['path', 'query', 'body'] as const) {
      const id = await create();
      const path = { path: `/api/groups/${id}`, query: `/api/groups?id=${id}`, body: '/api/groups' }[form];
      const reply = await server.call(path, {
        verb: 'DELETE',
        ...(form === 'body' ? { body: { id } } : {}),
      });
      assert.deepEqual([reply.status, reply.body], [200, { deleted: true, id }]);
    }
  });

  test('an invalid or badly encoded id names no record', async () => {
    const shown = {
      'a%20b': 'a?b',
      'method_std.': 'method_std?',
      'method_std%20': 'method_std?',
      '%zz': '?zz',
      '%ff': '?ff',
      ['x'.repeat(65)]: `${'x'.repeat(64)}...`,
      'a%2Fb': 'a?b',
      '%C3%A9': '?',
      '%F0%9F%98%80': '?',
    };
    for (const [id, named] of Object.entries(shown)) {
      for (const verb of ['GET', 'DELETE']) {
        const reply = await server.call(`/api/methods/${id}`, { verb });
        assert.deepEqual([reply.status, reply.message], [404, `Method not found: ${named}`], id);
      }
    }
  });

  test('the message of a 404 names kind and id', async () => {
    const expected = {
      zones: 'Zone not found: nope',
      groups: 'Product group not found: nope',
      methods: 'Method not found: nope',
      rules: 'Rule not found: nope',
      blended: 'Blended rate not found: nope',
    };
    for (const [path, text] of Object.entries(expected)) {
      assert.equal((await server.call(`/api/${path}/nope`)).message, text);
    }
    const key = await server.call('/api/keys/nope', { verb: 'DELETE' });
    assert.equal(key.message, 'API key not found: nope');
  });

  test('a rule names its method in body or query, and an unknown method is not found', async () => {
    const rule = { action: 'hide' };
    const inQuery = await server.call('/api/rules?methodId=method_std', { body: rule });
    const inBody = await server.call('/api/rules', { body: { ...rule, methodId: 'method_std' } });
    assert.deepEqual([inQuery.status, inBody.status], [201, 201]);
    const neither = await server.call('/api/rules', { body: rule });
    assert.match(neither.message, /^\/methodId is required/);
    const two = await server.call('/api/rules?methodId=a', { body: { ...rule, methodId: 'b' } });
    assert.equal(two.message, '/methodId is given twice with different values');
    const unknown = await server.call('/api/rules?methodId=none', { body: rule });
    assert.deepEqual([unknown.status, unknown.message], [404, 'Method not found: none']);
    const list = await server.call('/api/rules?methodId=none');
    assert.deepEqual([list.status, list.message], [404, 'Method not found: none']);
  });
});

describe('query parameters', () => {
  test('filters narrow the list of methods', async () => {
    const count = async (query: string) =>
      ((await server.call(`/api/methods${query}`)).body as { methods: unknown[] }).methods.length;
    const all = await count('');
    assert.ok(all > 0);
    assert.equal(await count('?zoneId=zone_us'), all);
    assert.equal(await count('?zoneId=zone_none'), 0);
    assert.equal(await count('?zoneId=zone_us&productGroupId=group_none'), 0);
    assert.equal(await count('?zone%49d=zone_us&'), all);
  });

  test('a parameter may be repeated with the same value, not with another, and must be well-formed', async () => {
    assert.equal((await server.call('/api/methods?zoneId=a&zoneId=a')).status, 200);
    const expected = {
      '?zoneId=a&zoneId=b': 'query parameter zoneId is given twice with different values',
      '?zoneId=%ff': 'query parameter zoneId is not percent-encoded UTF-8',
      '?zoneid=a':
        'query parameter zoneid is not accepted here: this route takes zoneId, productGroupId, limit, cursor, search, view',
      '?%zz=1': 'query parameter %zz is not percent-encoded UTF-8',
      '?zoneId=': /^query parameter zoneId must be an id/,
      '?zoneId': /^query parameter zoneId must be an id/,
      '?zoneId=a+b': /^query parameter zoneId must be an id/,
    };
    for (const [query, text] of Object.entries(expected)) {
      const reply = await server.call(`/api/methods${query}`);
      assert.equal(reply.status, 400, query);
      if (typeof text === 'string') assert.equal(reply.message, text);
      else assert.match(reply.message, text);
    }
  });

  test('JSON headers alone make no body', async () => {
    const reply = await server.call('/api/groups/group_default', { verb: 'PUT', headers: JSON_HEADERS });
    assert.match(reply.message, /the body is empty/);
  });
});
