/** The routes: answers that pass their schemas, writes guarded by headers, keys, shop, simulate. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import { FAILURE_STATUS, type FailureCode, failure } from '../../../src/engine/domain/failure.ts';
import { PERMISSIONS } from '../../../src/engine/domain/permission.ts';
import { ErrorEnvelope } from '../../../src/engine/wire/answer-schemas.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import { createRouteTable } from '../../../src/front/http/route-table.ts';
import { openAnswer } from '../../../src/front/http/sealed-answer.ts';
import { SECRET_OF_ANOTHER_KEY } from '../../../src/shop/actor/write-group.ts';
import { PLANS } from '../../engine/change/trial-shop.ts';
import { isOfChangeset, pathTo, sampleBodyOf, sampleIdOf } from '../../support/route-requests.ts';
import { startServerOfFile } from '../../support/server-of-file.ts';
import { CART, NOW_MS, type Reply } from '../../support/test-server.ts';

const server = await startServerOfFile();

test('an error of a simulation is answered with 500 and logged', async () => {
  const { shop } = server;
  const { simulateWith } = shop;
  shop.simulateWith = () => {
    throw new Error('a bug');
  };
  assert.equal((await server.call('/api/simulate', { body: CART })).status, 500);
  assert.deepEqual(
    server.log.splice(0).map(({ event }) => event),
    ['http.failed'],
  );
  shop.simulateWith = simulateWith;
});

describe('answers', () => {
  const routes = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT }).filter(({ kind }) => kind !== 'callback');
  for (const route of routes) {
    test(`${route.verb} ${route.paths.at(-1)} answers with its status and its schema`, async () => {
      const path = pathTo(route.paths.at(-1) ?? '', sampleIdOf(route));
      const text = sampleBodyOf(route);
      const body = text === undefined ? undefined : JSON.parse(text);
      const { state } = server.shop;
      if (isOfChangeset(route)) server.shop.stage();
      const reply = await server.call(path, { verb: route.verb, ...(body === undefined ? {} : { body }) });
      assert.equal(reply.status, route.success.status, reply.text);
      const answer = reply.headers['content-type'] === 'application/json' ? reply.body : reply.text;
      assert.deepEqual(compileSchema(route.success.schema).defects(answer, 5), []);
      if (isOfChangeset(route)) server.shop.state = state;
    });
  }

  test('a failure is the envelope and nothing else', async () => {
    const envelope = compileSchema(ErrorEnvelope);
    for (const [path, key] of [
      ['/nothing', 'shop_a-admin'],
      ['/api/zones', ''],
      ['/api/keys', 'shop_a-read'],
      ['/api/zones/none', 'shop_a-read'],
      ['/api/methods?zoneId=', 'shop_a-read'],
    ] as const) {
      assert.deepEqual(envelope.defects((await server.call(path, { key })).body), []);
    }
  });

  test('a configuration that was read is accepted by execute and by preview as it is', async () => {
    const { body: data } = await server.call('/api/config');
    for (const action of ['preview', 'execute']) {
      assert.equal((await server.call('/api/config', { body: { action, data } })).status, 200);
    }
  });

  test('only a preview accepts a cart, and at only with a cart', async () => {
    const ask = async (body: object) => {
      const reply = await server.call('/api/config', { body: { data: {}, ...body } });
      return [reply.status, (reply.body as { error?: { message: string } }).error?.message];
    };
    const at = '2026-11-18T17:00:00Z';
    assert.deepEqual(await ask({ action: 'preview', request: CART, at }), [200, undefined]);
    const writes = server.shop.writes.length;
    for (const [body, message] of [
      [{ action: 'execute', request: CART }, '/request is accepted only with preview'],
      [{ action: 'execute', at }, '/at is accepted only with preview'],
      [{ action: 'preview', at }, '/at is accepted only with /request'],
    ] as const) {
      assert.deepEqual(await ask(body), [400, message]);
    }
    for (const action of ['preview', 'execute']) {
      const [status, message] = await ask({ action, request: { ...CART, items: [] } });
      assert.equal(status, 400);
      assert.match(String(message), /^\/request\/items must be /);
    }
    assert.equal(server.shop.writes.length, writes);
  });

  test('a record that was read can be sent back', async () => {
    for (const [path, name] of [
      ['/api/zones/zone_us', 'zone'],
      ['/api/groups/group_default', 'group'],
      ['/api/methods/method_std', 'method'],
      ['/api/rules/rule_hide', 'rule'],
      ['/api/blended/blended_all', 'blendedRate'],
      ['/api/checks/check_std', 'check'],
      ['/api/shop', 'shop'],
    ] as const) {
      const read = (await server.call(path)).body as Record<string, object>;
      const reply = await server.call(path, { verb: 'PUT', body: read[name] });
      assert.equal(reply.status, 200, reply.text);
    }
  });
});

test('a read always shows the current state, also after a version that changed nothing', async () => {
  const first = await server.call('/api/config');
  assert.equal((await server.call('/api/config')).text, first.text);
  server.shop.state = { ...server.shop.state, version: { ...server.shop.state.version, id: 'version_next' } };
  const next = (await server.call('/api/config')).body as { versionId: string };
  assert.equal(next.versionId, 'version_next');
  const group = await server.call('/api/groups', { body: { name: 'New' } });
  assert.equal(group.status, 201);
  assert.match((await server.call('/api/groups')).text, /"New"/);
});

describe('guards of a write', () => {
  const create = (headers: Record<string, string>, body: object = { name: 'A' }) =>
    server.call('/api/groups', { body, headers });

  test('If-Match lets a write pass when the current version is among those listed', async () => {
    for (const form of ['"?"', 'W/"?"', '"x", "?"', ' "?" ,W/"y",', '?', 'x, ?', '*']) {
      const current = server.shop.state.version.id;
      const value = form.replace('?', current);
      assert.equal((await create({ 'if-match': value })).status, 201, value);
    }
    for (const value of ['"version_old"', 'version_old', '"a","b"', '""', '"a,b"', '"*"']) {
      const reply = await create({ 'if-match': value });
      assert.equal(reply.status, 409, value);
      assert.equal(reply.headers['x-config-version'], server.shop.state.version.id);
    }
  });

  test('a malformed If-Match is refused, not ignored', async () => {
    for (const value of ['', 'a b', 'W/a', '"a', 'a"', '"a" "b"', '"a";', ',', 'w/"a"', '*, "a"', '"a b"']) {
      const reply = await create({ 'if-match': value });
      assert.equal(reply.status, 400, value);
      assert.match(reply.message, /^header If-Match must be/);
    }
  });

  test('two If-Match headers are one list', async () => {
    const current = server.shop.state.version.id;
    const text = `POST /api/groups HTTP/1.1\r\nHost: a\r\nAuthorization: shop_a-admin\r\nIf-Match: "x"\r\nIf-Match: "${current}"\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"A"}`;
    assert.deepEqual((await server.raw(text, 200)).statuses, [201]);
  });

  test('the same Idempotency-Key and body get the first answer, another body a conflict', async () => {
    const key = { 'idempotency-key': 'order-66' };
    const first = await create(key);
    const again = await create(key);
    assert.deepEqual([again.status, again.text], [201, first.text]);
    assert.equal((await create(key, { name: 'B' })).status, 409);
    assert.equal((await create({ ...key, 'content-type': 'application/json; charset=utf-8' })).status, 201);
  });

  test('only a refusal after the look-up of the Idempotency-Key repeats the key', async (context) => {
    const key = { 'idempotency-key': 'look-up-1' };
    const repeatedKey = async (reply: Promise<Reply>, status: number): Promise<unknown> => {
      const { headers, text, ...answer } = await reply;
      assert.equal(answer.status, status, text);
      return headers['idempotency-key'];
    };
    assert.equal(await repeatedKey(create({ ...key, 'if-match': '"old"' }), 409), 'look-up-1');
    assert.equal(await repeatedKey(create({ 'if-match': '"old"' }), 409), undefined);
    context.after(() => {
      server.shop.refuseWith = null;
    });
    for (const [code, status] of Object.entries(FAILURE_STATUS)) {
      server.shop.refuseWith = failure(code as FailureCode, 'no');
      const isAfter = [400, 404, 409, 422].includes(status);
      const update = server.call('/api/groups/group_default', {
        verb: 'PUT',
        body: { name: 'A' },
        headers: key,
      });
      assert.equal(await repeatedKey(update, status), isAfter ? 'look-up-1' : undefined, code);
    }
    // Another API key made the same write under this idempotency key.
    server.shop.refuseWith = SECRET_OF_ANOTHER_KEY;
    assert.equal(await repeatedKey(create(key), 409), undefined);
    server.shop.refuseWith = null;
    assert.equal(await repeatedKey(create(key, { title: 'B' }), 400), undefined);
    const body = { name: 'A' };
    const headers = key;
    assert.equal(
      await repeatedKey(server.call('/api/groups', { body, headers, key: 'unknown' }), 401),
      undefined,
    );
    assert.equal(
      await repeatedKey(server.call('/api/groups', { body, headers, key: 'shop_a-read' }), 403),
      undefined,
    );
    assert.equal(await repeatedKey(server.call('/api/none', { body, headers }), 404), undefined);
  });

  test('the digest depends on verb, path, query and body', async () => {
    const digestOf = async (path: string, verb: string, body: object) => {
      await server.call(path, { verb, body, headers: { 'idempotency-key': `k-${Math.random()}` } });
      return server.shop.writes.at(-1)?.idempotency?.requestDigest;
    };
    const digests = [
      await digestOf('/api/groups', 'POST', { name: 'A' }),
      await digestOf('/api/groups', 'POST', { name: 'B' }),
      await digestOf('/api/groups/group_default', 'PUT', { name: 'A' }),
      await digestOf('/api/groups?id=group_default', 'PUT', { name: 'A' }),
      await digestOf('/api/rules?methodId=method_std', 'POST', { action: 'hide' }),
    ];
    assert.equal(new Set(digests).size, digests.length);
    assert.ok(digests.every((digest) => typeof digest === 'string'));
    assert.equal(await digestOf('/api/groups', 'POST', { name: 'A' }), digests[0]);
  });

  test('a write has the API key and the batch id of its request', async () => {
    await create({ 'x-batch-id': 'batch_1' });
    const write = server.shop.writes.at(-1);
    assert.deepEqual(
      [write?.batchId, write?.keyId, write?.ifMatch, write?.idempotency],
      ['batch_1', 'key_shop_a_admin', null, null],
    );
  });

  test('a DELETE without a body is guarded too', async () => {
    const headers = { 'idempotency-key': 'delete-1', 'if-match': '"old"' };
    const reply = await server.call('/api/groups/group_default', { verb: 'DELETE', headers });
    assert.equal(reply.status, 409);
    assert.equal(typeof server.shop.writes.at(-1)?.idempotency?.requestDigest, 'string');
  });

  test('reads ignore the headers that guard a write', async () => {
    const headers = { 'if-match': 'nonsense', 'x-batch-id': 'a b', 'idempotency-key': '' };
    assert.equal((await server.call('/api/zones', { headers })).status, 200);
    assert.equal((await server.call('/api/simulate', { body: CART, headers })).status, 200);
  });
});

describe('keys', () => {
  const create = (headers: Record<string, string> = {}) =>
    server.call('/api/keys', { body: { label: 'Checkout', permission: 'read' }, headers });
  type Made = { readonly key: Readonly<Record<string, unknown>>; readonly secret: string };

  test('a secret is 256 random bits, shown once, and only its digest goes to the shop', async () => {
    const reply = await create();
    assert.equal(reply.status, 201);
    const { key, secret } = reply.body as Made;
    assert.match(secret, /^rw_[A-Za-z0-9_-]{43}$/);
    const command = server.shop.writes.at(-1)?.command;
    assert.ok(command?.kind === 'createKey');
    assert.equal(command.secretSha256, createHash('sha256').update(secret).digest('hex'));
    assert.equal(command.prefix, key['prefix']);
    assert.ok(secret.startsWith(command.prefix) && command.prefix.length <= 16);
    assert.doesNotMatch(JSON.stringify(command), new RegExp(secret));
    assert.doesNotMatch((await server.call('/api/keys')).text, new RegExp(`${secret}|secretSha256`));
    assert.deepEqual(Object.keys(key).sort(), [
      'createdAt',
      'expiresAt',
      'id',
      'label',
      'lastUsedAt',
      'permission',
      'prefix',
    ]);
    assert.notEqual(((await create()).body as Made).secret, secret);
  });

  test('a repeated request gets its secret again, and what is stored does not hold it', async () => {
    const headers = { 'idempotency-key': 'make-a-key' };
    const first = await create(headers);
    const again = await create(headers);
    assert.equal(again.text, first.text);
    const { secret } = first.body as Made;
    const stored = server.shop.storedAnswers();
    assert.ok(stored.some((text) => openAnswer('shop_a-admin', text) === first.text));
    assert.ok(stored.every((text) => !text.includes(secret)));
    assert.deepEqual(server.log, []);
  });

  test('another key that repeats the request does not get the secret', async () => {
    server.shops.grants.set('second', {
      shopId: 'shop_a',
      keyId: 'key_second',
      permission: 'admin',
      secret: 'second',
    });
    const headers = { 'idempotency-key': 'make-another' };
    assert.equal((await create(headers)).status, 201);
    const body = { label: 'Checkout', permission: 'read' };
    const other = await server.call('/api/keys', { body, headers, key: 'second' });
    assert.equal(other.status, 409);
    assert.doesNotMatch(other.text, /rw_/);
  });

  test('the list shows when each key was last used', async () => {
    const { keys } = (await server.call('/api/keys')).body as { keys: Record<string, unknown>[] };
    const used = Object.fromEntries(keys.map((key) => [key['permission'], key['lastUsedAt']]));
    assert.deepEqual(used, { simulate: null, read: null, write: null, admin: '2026-11-18T17:00:00.000Z' });
  });

  test('each key can read itself, whatever its permission', async () => {
    for (const permission of PERMISSIONS) {
      const reply = await server.call('/api/keys/current', { key: `shop_a-${permission}` });
      assert.equal(reply.status, 200);
      assert.deepEqual(reply.body, {
        key: {
          id: `key_shop_a_${permission}`,
          label: permission,
          permission,
          prefix: 'rw_prefix',
          createdAt: '2026-11-18T17:00:00.000Z',
          expiresAt: null,
        },
      });
    }
  });

  test('a key that is revoked while its request waits for the shop is not valid', async () => {
    const { state } = server.shop;
    server.shop.state = { ...state, keys: state.keys.filter(({ permission }) => permission !== 'read') };
    const reply = await server.call('/api/keys/current', { key: 'shop_a-read' });
    assert.deepEqual([reply.status, reply.message], [401, 'the API key is not valid']);
  });

  test('DELETE takes the id in the body', async () => {
    const reply = await server.call('/api/keys', { verb: 'DELETE', body: { id: 'key_shop_a_read' } });
    assert.deepEqual([reply.status, reply.body], [200, { deleted: true, id: 'key_shop_a_read' }]);
  });
});

describe('the path /', () => {
  test('lists exactly the pages that exist', async () => {
    const { status, body } = await server.call('/', { key: '' });
    assert.equal(status, 200);
    const { service, ...places } = body as Readonly<Record<string, string>>;
    assert.equal(service, 'Ratewright');
    assert.deepEqual([places['docs'], places['openapi']], ['/docs', '/openapi.json']);
    for (const place of Object.values(places)) {
      assert.equal((await server.call(place, { key: '' })).status, 200, place);
    }
    assert.equal('console' in places, (await server.call('/console', { key: '' })).status === 200);
  });

  test('leads a browser to the console', async () => {
    const asked = { key: '', headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
    const { status, headers, text } = await server.call('/', asked);
    assert.deepEqual([status, headers['location'], text], [303, 'console', '']);
    assert.equal((await server.call('/', { key: '', headers: { accept: '*/*' } })).status, 200);
  });
});

describe('shop', () => {
  type Shop = { readonly limits: unknown; readonly usage: unknown; readonly currency: string };
  const read = async () => ((await server.call('/api/shop')).body as { shop: Shop }).shop;

  test('the plan is shown with its limits and their usage', async () => {
    const { limits, usage } = await read();
    assert.deepEqual(limits, PLANS['enterprise']);
    assert.deepEqual(usage, {
      methods: 1,
      groups: 1,
      zones: 1,
      blendedRates: 1,
      checks: 1,
      rulesPerMethod: 1,
      keys: PERMISSIONS.length,
      requestsPerMinute: null,
      simulationsPerSecond: null,
      historyDays: 1,
    });
    // The same names, so that a client can compare the two.
    assert.deepEqual(Object.keys(usage as object), Object.keys(limits as object));
  });

  test('while a changeset is active, its usage of the limits is shown too', async () => {
    server.shop.stage();
    const { staging } = server.shop.state;
    assert.ok(staging !== null);
    const { config } = staging;
    const [method] = config.methods;
    assert.ok(method !== undefined);
    const rules = [...method.rules, ...method.rules];
    const methods = [{ ...method, rules }, method, method];
    const staged = { ...config, methods, blendedRates: [] };
    server.shop.state = { ...server.shop.state, staging: { ...staging, config: staged } };
    const usage = (await read()).usage as Readonly<Record<string, unknown>>;
    assert.equal(usage['methods'], 1);
    assert.deepEqual(usage['staged'], {
      methods: 3,
      groups: 1,
      zones: 1,
      blendedRates: 0,
      checks: 1,
      rulesPerMethod: 2,
    });
    server.shop.state = { ...server.shop.state, staging: null };
    assert.ok(!('staged' in ((await read()).usage as object)));
  });

  test('a plan that the operator removed is shown without limits, and without an error', async () => {
    server.shop.state = {
      ...server.shop.state,
      settings: { ...server.shop.state.settings, plan: 'constructor' },
    };
    assert.equal((await read()).limits, null);
  });

  test('the answer to a change is the changed shop', async () => {
    const reply = await server.call('/api/shop', { verb: 'PUT', body: { currency: 'EUR', plan: 'pro' } });
    assert.equal((reply.body as { shop: Shop }).shop.currency, 'EUR');
    assert.deepEqual((reply.body as { shop: unknown }).shop, await read());
  });
});

describe('simulate', () => {
  const simulate = (query: string) => server.call(`/api/simulate${query}`, { body: CART });
  const lastClock = () => server.shop.simulations.at(-1)?.nowMs;

  test('the clock is the current time, or that of the parameter at', async () => {
    await simulate('');
    assert.equal(lastClock(), NOW_MS);
    await simulate('?at=2026-01-02T03:04:05.678%2B01:00');
    assert.equal(lastClock(), Date.parse('2026-01-02T02:04:05.678Z'));
  });

  test('a time that does not exist is refused', async () => {
    for (const at of ['', '2026-01-02', '2026-02-30T00:00:00Z', '1700000000', '2026-01-02T03:04:05+01:00']) {
      const reply = await simulate(`?at=${at}`);
      assert.equal(reply.status, 400, at);
      assert.match(reply.message, /^query parameter at must be an ISO 8601 time/);
    }
  });

  test('view and version: only the live configuration exists yet', async () => {
    const current = server.shop.state.version.id;
    assert.equal((await simulate(`?view=live&version=${current}`)).status, 200);
    const other = await simulate('?version=version_other');
    assert.deepEqual([other.status, other.message], [404, 'Version not found: version_other']);
    const staged = await simulate('?view=staged');
    assert.deepEqual([staged.status, staged.message], [409, 'no staging changeset is active']);
    assert.equal((await simulate('?view=shadow')).status, 400);
  });

  test('a shop that is not in memory is loaded first, whether the body arrives in one part or several', async () => {
    server.shops.unloaded.add('shop_a');
    assert.equal((await simulate('')).status, 200);
    server.shops.unloaded.add('shop_a');
    assert.equal((await server.call('/api/zones')).status, 200);
  });

  /** A null counts as absent. */
  const present = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, each: unknown) => (each === null ? undefined : each));

  test('the request reaches the shop unchanged', async () => {
    const body = { ...CART, currency: 'EUR', locale: null, destination: { country: 'DE', name: 'Jürgen' } };
    await server.call('/api/simulate', { body });
    assert.deepEqual(present(server.shop.simulations.at(-1)?.request), present(body));
  });
});
