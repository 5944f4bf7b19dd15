import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { FAILURE_STATUS } from '../../../src/engine/domain/failure.ts';
import { CALLER_DEFAULTS, callsOf } from '../../../src/front/client/caller.ts';
import { type ClientOptions, createClient } from '../../../src/front/client/client.ts';
import { parseRetryAfter, retryDelayMs } from '../../../src/front/client/retry-policy.ts';
import { TestServer } from '../../support/test-server.ts';
import { type Line, recordedWaits, ScriptedServer } from './scripted-server.ts';

const CART = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 1 }] };

async function scripted(context: TestContext, script: readonly Line[], options: Partial<ClientOptions> = {}) {
  const server = await ScriptedServer.start(context, script);
  const waits = recordedWaits();
  const client = createClient({ url: server.url, key: 'a-key', waits, ...options });
  return { server, waits, client };
}

/** Long enough to send a request on a busy machine. */
const SENT_MS = 2_000;

const refusal = (code: string, message = 'no') => ({ error: { code, message } });

test('every method reaches its route on a server', async (context) => {
  const server = await TestServer.start();
  context.after(() => server.stop());
  const url = `http://127.0.0.1:${server.running.port}`;
  const client = createClient({ url, key: 'shop_a-admin' });
  context.after(() => client.close());
  const value = <T>(outcome: { ok: true; value: T } | { ok: false; message: string }): T => {
    assert.ok(outcome.ok, outcome.ok ? '' : outcome.message);
    return outcome.value;
  };
  assert.equal(value(await client.listZones()).zones[0]?.id, 'zone_us');
  assert.equal(value(await client.getZone('zone_us')).zone.name, 'United States');
  const { group } = value(await client.createGroup({ name: 'Heavy' }));
  assert.equal(value(await client.updateGroup(group.id, { name: 'Light' })).group.name, 'Light');
  assert.equal(value(await client.getGroup(group.id)).group.name, 'Light');
  assert.deepEqual(value(await client.deleteGroup(group.id)), { deleted: true, id: group.id });
  assert.deepEqual(value(await client.listMethods({ query: { zoneId: 'zone_none' } })).methods, []);
  const { rule } = value(await client.createRule({ methodId: 'method_std', action: 'free' }));
  assert.equal(
    value(await client.listRules({ query: { methodId: 'method_std' } })).rules.at(-1)?.id,
    rule.id,
  );
  const { zone } = value(await client.createZone({ name: 'Antarctica', countries: ['AQ'] }));
  assert.deepEqual(value(await client.updateZone(zone.id, { name: 'The south' })).zone, {
    ...zone,
    name: 'The south',
  });
  assert.deepEqual(value(await client.deleteZone(zone.id)), { deleted: true, id: zone.id });
  assert.equal(value(await client.getCurrentKey()).key.permission, 'admin');
  assert.equal(value(await client.getIndex()).service, 'Ratewright');
  const preview = value(await client.replaceConfig({ action: 'preview', data: {} }));
  assert.deepEqual(preview.summary, { added: 0, modified: 0, removed: 0 });
  assert.equal(value(await client.simulate(CART)).zone, null);
  assert.deepEqual(value(await client.simulate(CART, { query: { fields: 'rates' } })).rates, []);
  const { answers } = value(await client.simulateBatch({ requests: [CART, { ...CART, items: [] }] }));
  assert.deepEqual(
    answers.map((answer) => ('error' in answer ? answer.error.code : answer.zone)),
    [null, 'VALIDATION_ERROR'],
  );
  assert.deepEqual(value(await client.getHealth()), { status: 'ok' });
  assert.match(value(await client.getMetrics()), /ratewright_up 1/);
  assert.equal(value(await client.getOpenApi()).openapi, '3.1.0');
  const missing = await client.getMethod('method_gone');
  assert.ok(!missing.ok);
  assert.deepEqual([missing.code, missing.status, missing.attempts], ['NOT_FOUND', 404, 1]);
  assert.match(missing.message, /Method not found: method_gone/);
});

test('an id is encoded, a query and a base path are kept, and headers carry the guards', async (context) => {
  const told = { 'x-unknown-fields': '/destination/zip,/cart', etag: 'W/"version_1.staging_1.2"' };
  const { server } = await scripted(context, [{ status: 200, body: { rule: {} }, headers: told }]);
  const client = createClient({ url: `${server.url}/rates/`, key: 'k' });
  await client.updateRule(
    'a/b',
    { enabled: false },
    { ifMatch: 'version_1', batchId: 'b1', requestId: 'r1' },
  );
  const listed = await client.listRules({ query: { methodId: 'a&b' } });
  assert.equal(listed.ok && listed.entityTag, 'version_1.staging_1.2');
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const options = { simulationSource: 'test', traceparent } as const;
  const rates = await client.simulate({ destination: { country: 'US' }, items: [] }, options);
  assert.deepEqual(rates.ok && rates.unknownFields, ['/destination/zip', '/cart']);
  const [put, get, simulated] = server.received;
  assert.deepEqual([put?.verb, put?.path, put?.body], ['PUT', '/rates/api/rules/a%2Fb', '{"enabled":false}']);
  const { authorization, 'if-match': ifMatch, 'x-batch-id': batchId } = put?.headers ?? {};
  assert.deepEqual([authorization, ifMatch, batchId], ['Bearer k', '"version_1"', 'b1']);
  assert.equal(put?.headers['x-request-id'], 'r1');
  assert.equal(get?.path, '/rates/api/rules?methodId=a%26b');
  assert.equal(simulated?.headers['x-simulation-source'], 'test');
  assert.equal(simulated?.headers['traceparent'], traceparent);
  assert.equal(get?.headers['x-simulation-source'], undefined);
  assert.equal(get?.headers['idempotency-key'], undefined);
});

test('a write is repeated with the same key', async (context) => {
  const { server, client } = await scripted(context, [
    'hang up',
    { status: 503, body: 'gateway' },
    { status: 201, body: { group: { id: 'g' } }, headers: { 'x-config-version': 'version_2' } },
  ]);
  const outcome = await client.createGroup({ name: 'A' });
  assert.ok(outcome.ok);
  assert.deepEqual([outcome.attempts, outcome.versionId, outcome.status], [3, 'version_2', 201]);
  const keys = server.received.map(({ headers }) => headers['idempotency-key']);
  assert.match(String(keys[0]), /^[0-9a-f-]{36}$/);
  assert.deepEqual(new Set(keys).size, 1);
  assert.equal((await client.createGroup({ name: 'A' }, { idempotencyKey: 'mine' })).ok, true);
  assert.equal(server.received.at(-1)?.headers['idempotency-key'], 'mine');
});

test('a refusal does not settle an earlier call under the same key, unless it repeats the key', async (context) => {
  const refused = { status: 409, body: refusal('CONFLICT') };
  const { client } = await scripted(context, [refused, refused, { ...refused, repeatsKey: true }]);
  const outcomes: boolean[] = [];
  for (const mayHaveHappened of [false, true, true]) {
    const outcome = await client.createGroup({ name: 'A' }, { idempotencyKey: 'mine', mayHaveHappened });
    assert.ok(!outcome.ok);
    outcomes.push(outcome.mayHaveHappened);
  }
  assert.deepEqual(outcomes, [false, true, false]);
});

const LOST_FIRST: readonly [title: string, second: Line, mayHaveHappened: boolean][] = [
  ['401 of the API', { status: 401, body: refusal('UNAUTHORIZED') }, true],
  ['403 of the API', { status: 403, body: refusal('FORBIDDEN') }, true],
  ['400 of the API', { status: 400, body: refusal('VALIDATION_ERROR') }, true],
  ['404 of the API', { status: 404, body: refusal('NOT_FOUND') }, true],
  ['409 of the API', { status: 409, body: refusal('CONFLICT') }, true],
  ['404 of a proxy', { status: 404, body: '<html>' }, true],
  ['400 of a proxy that repeats headers', { status: 400, body: '<html>', repeatsKey: true }, true],
  ['200 of a proxy', { status: 200, body: '<html>' }, true],
  ['500 of the API', { status: 500, body: refusal('INTERNAL_ERROR'), repeatsKey: true }, true],
  [
    '409 under another key',
    { status: 409, body: refusal('CONFLICT'), headers: { 'idempotency-key': 'x' } },
    true,
  ],
  ['404 after the look-up', { status: 404, body: refusal('NOT_FOUND'), repeatsKey: true }, false],
  ['409 after the look-up', { status: 409, body: refusal('CONFLICT'), repeatsKey: true }, false],
  ['422 after the look-up', { status: 422, body: refusal('PLAN_LIMIT_EXCEEDED'), repeatsKey: true }, false],
];
for (const [title, second, mayHaveHappened] of LOST_FIRST) {
  test(`after a lost answer ${title} ${mayHaveHappened ? 'leaves the outcome unknown' : 'reports that nothing was done'}`, async (context) => {
    const { client, server } = await scripted(context, ['hang up', second], { retriesMax: 1 });
    const outcome = await client.revokeKey('key_1');
    assert.ok(!outcome.ok);
    assert.equal(outcome.mayHaveHappened, mayHaveHappened);
    assert.equal(server.received.length, 2);
  });
}

test('after an answer that is no error of the API the outcome of a write is unknown, but not that of a read', async (context) => {
  const { client } = await scripted(context, [{ status: 404, body: '<html>' }]);
  const write = await client.deleteGroup('g');
  const read = await client.getGroup('g');
  assert.ok(!write.ok && !read.ok);
  assert.deepEqual([write.mayHaveHappened, read.mayHaveHappened], [true, false]);
});

test('a write that never had a connection has not happened when its deadline passes', async (context) => {
  const { client, server } = await scripted(context, ['never'], { connections: 1, retriesMax: 0 });
  const holder = new AbortController();
  const held = client.createGroup({ name: 'A' }, { signal: holder.signal });
  const waiting = await client.createGroup({ name: 'B' }, { deadlineMs: 30 });
  assert.ok(!waiting.ok);
  assert.deepEqual([waiting.code, waiting.mayHaveHappened], ['DEADLINE_EXCEEDED', false]);
  await server.hasReceived(1);
  holder.abort();
  const given = await held;
  assert.ok(!given.ok && given.mayHaveHappened);
  assert.equal(server.received.length, 1);
});

test('parameters are sent as numbers and booleans', async (context) => {
  const { client, server } = await scripted(context, [{ status: 200, body: { versions: [] } }]);
  await client.listVersions({ query: { limit: 5, includeBatched: true } });
  assert.equal(server.received[0]?.path, '/api/versions?limit=5&includeBatched=true');
});

test('connections are kept alive, and their number is bounded', async (context) => {
  const { client, server } = await scripted(context, [{ status: 200, body: {} }], { connections: 2 });
  for (let round = 0; round < 3; round++) {
    await Promise.all(Array.from({ length: 6 }, () => client.simulate(CART)));
  }
  assert.equal(server.received.length, 18);
  assert.equal(server.connections, 2);
});

test('pending calls are answered when the client is closed, and later calls are not sent', async (context) => {
  const { client, server } = await scripted(context, [{ status: 200, body: { zones: [] } }]);
  const before = client.listZones();
  await client.close();
  assert.ok((await before).ok);
  const later = await client.createGroup({ name: 'A' });
  assert.ok(!later.ok);
  assert.deepEqual([later.code, later.mayHaveHappened, server.received.length], ['ABORTED', false, 1]);
});

test('a write without a key is not repeated after it may have arrived', async (context) => {
  const { server, client } = await scripted(context, ['hang up']);
  const outcome = await client.deleteGroup('g', { idempotencyKey: null });
  assert.ok(!outcome.ok);
  assert.deepEqual([outcome.code, outcome.attempts, outcome.mayHaveHappened], ['CONNECTION_LOST', 1, true]);
  assert.equal(server.received.length, 1);
});

test('a write without a key is repeated if the server refused it without executing it', async (context) => {
  const busy = { status: 429, body: refusal('RATE_LIMITED'), headers: { 'retry-after': '1' } };
  const { client, waits } = await scripted(context, [busy, busy, { status: 200, body: { deleted: true } }]);
  const outcome = await client.deleteGroup('g', { idempotencyKey: null });
  assert.ok(outcome.ok && outcome.attempts === 3);
  assert.deepEqual(waits.slept, [1_000, 1_000]);
});

test('repetitions are bounded, waits grow, and the last refusal is the outcome', async (context) => {
  const { client, waits } = await scripted(context, [{ status: 500, body: refusal('INTERNAL_ERROR', 'oh') }]);
  const outcome = await client.simulate(CART);
  assert.ok(!outcome.ok);
  assert.deepEqual(
    [outcome.code, outcome.message, outcome.attempts, outcome.mayHaveHappened],
    ['INTERNAL_ERROR', 'oh', 4, false],
  );
  assert.deepEqual(waits.slept, [50, 100, 200]);
});

test('a fault of the server that passes is waited for; a write that meets only such faults did not happen', async (context) => {
  const unavailable = {
    status: 503,
    body: refusal('UNAVAILABLE', 'stopping'),
    headers: { 'retry-after': '1' },
  };
  const passing = await scripted(context, [unavailable, { status: 201, body: { group: {} } }]);
  assert.ok((await passing.client.createGroup({ name: 'A' }, { idempotencyKey: null })).ok);
  assert.deepEqual(passing.waits.slept, [1_000]);
  for (const [first, mayHaveHappened] of [
    [unavailable, false],
    ['hang up', true],
  ] as const) {
    const { client } = await scripted(context, [first, unavailable]);
    const outcome = await client.createGroup({ name: 'A' }, { deadlineMs: 3_000 });
    assert.ok(!outcome.ok);
    assert.deepEqual(
      [outcome.code, outcome.status, outcome.retryAfterMs, outcome.mayHaveHappened],
      ['UNAVAILABLE', 503, 1_000, mayHaveHappened],
    );
  }
});

test('a call does not wait beyond its deadline', async (context) => {
  const busy = { status: 429, body: refusal('RATE_LIMITED'), headers: { 'retry-after': '60' } };
  const { client, waits } = await scripted(context, [busy]);
  const outcome = await client.listZones();
  assert.ok(!outcome.ok);
  assert.deepEqual([outcome.code, outcome.retryAfterMs, outcome.attempts], ['RATE_LIMITED', 60_000, 1]);
  assert.deepEqual(waits.slept, []);
});

test('a call ends within its deadline also when the wall clock is set back meanwhile', async (context) => {
  const busy = { status: 429, body: refusal('RATE_LIMITED'), headers: { 'retry-after': '4' } };
  const { client, waits } = await scripted(context, [busy], { retriesMax: 10 });
  const outcome = await client.listZones({ deadlineMs: 10_000 });
  assert.ok(!outcome.ok);
  assert.deepEqual([outcome.attempts, waits.slept], [3, [4_000, 4_000]]);
});

test('a date in Retry-After is compared with the wall clock', async (context) => {
  const headers = { 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' };
  const busy = { status: 429, body: refusal('RATE_LIMITED'), headers };
  const { client, waits } = await scripted(context, [busy, { status: 200, body: { zones: [] } }]);
  assert.ok((await client.listZones()).ok);
  assert.deepEqual(waits.slept, [5_000]);
});

test('a refusal of the request itself is not repeated', async (context) => {
  for (const [code, status] of Object.entries(FAILURE_STATUS)) {
    if (status === 429 || status >= 500) continue;
    const { client, server } = await scripted(context, [{ status, body: refusal(code, `is ${code}`) }]);
    const outcome = await client.createGroup({ name: 'A' });
    assert.ok(!outcome.ok);
    assert.deepEqual(
      [outcome.code, outcome.message, outcome.status, outcome.mayHaveHappened, server.received.length],
      [code, `is ${code}`, status, false, 1],
    );
  }
});

test('a timeout, an unreachable server and an aborted call have different codes', async (context) => {
  const { client, server } = await scripted(context, ['never'], { retriesMax: 0 });
  const late = await client.getConfig({ deadlineMs: 30 });
  assert.ok(!late.ok && late.code === 'DEADLINE_EXCEEDED' && late.status === null);
  const lateWrite = await client.createGroup({ name: 'A' }, { deadlineMs: SENT_MS });
  assert.ok(!lateWrite.ok && lateWrite.mayHaveHappened);
  const controller = new AbortController();
  const pending = client.getConfig({ signal: controller.signal });
  controller.abort();
  const aborted = await pending;
  assert.ok(!aborted.ok && aborted.code === 'ABORTED');
  server.stop();
  const gone = await createClient({ url: server.url, retriesMax: 0 }).createGroup({ name: 'A' });
  assert.ok(!gone.ok);
  assert.deepEqual([gone.code, gone.mayHaveHappened], ['UNREACHABLE', false]);
});

test('an incomplete answer ends at the deadline of the call or when the caller aborts', async (context) => {
  const { client, server } = await scripted(context, ['half']);
  const late = await client.createGroup({ name: 'A' }, { deadlineMs: SENT_MS });
  const controller = new AbortController();
  const pending = client.createGroup({ name: 'A' }, { signal: controller.signal });
  await server.hasReceived(2);
  controller.abort();
  const aborted = await pending;
  assert.ok(!late.ok && !aborted.ok);
  assert.deepEqual([late.code, late.mayHaveHappened], ['DEADLINE_EXCEEDED', true]);
  assert.deepEqual([aborted.code, aborted.mayHaveHappened], ['ABORTED', true]);
});

test('a write that is aborted before anything was sent has not happened', async (context) => {
  const busy = { status: 429, body: refusal('RATE_LIMITED') };
  const controller = new AbortController();
  const giveUp = async () => controller.abort();
  const { client, server } = await scripted(context, [busy], {
    waits: { ...recordedWaits(), sleep: giveUp },
  });
  for (const sent of [1, 1]) {
    const outcome = await client.createGroup({ name: 'A' }, { signal: controller.signal });
    assert.ok(!outcome.ok);
    assert.deepEqual([outcome.code, outcome.mayHaveHappened], ['ABORTED', false]);
    assert.equal(server.received.length, sent);
  }
});

test('an unknown or malformed option is a TypeError that says what is taken', async (context) => {
  const url = 'http://127.0.0.1:1';
  for (const [options, message] of [
    [{ timeout: 3 }, /^unknown option timeout: createClient takes url, key, deadlineMs, connections, /],
    [
      { deadlineMs: '3' },
      /^option deadlineMs of createClient must be a number of milliseconds from 1 to 2147483647$/,
    ],
    [{ deadlineMs: Number.POSITIVE_INFINITY }, /^option deadlineMs /],
    [{ retriesMax: 1.5 }, /^option retriesMax of createClient must be a whole number from 0 up$/],
    [{ key: 7 }, /^option key of createClient must be an API key: visible ASCII characters without spaces$/],
    [{ key: '' }, /^option key /],
    [{ key: 'a\nb' }, /^option key /],
    [{ url: '' }, /^option url of createClient must be an address that begins with http:\/\/ or https:\/\/$/],
    // Such as a variable of the environment that is not set.
    [{ url: undefined }, /^option url of createClient must be an address /],
  ] as const) {
    assert.throws(() => createClient({ url, ...(options as object) }), { name: 'TypeError', message });
  }
  assert.throws(() => createClient(undefined as never), { name: 'TypeError' });
  assert.throws(() => createClient({} as never), { message: /^option url of createClient must be / });
  const { client, server } = await scripted(context, [{ status: 200, body: {} }]);
  for (const [options, message] of [
    [{ timeout: 3 }, /^unknown option timeout: a call takes query, deadlineMs, signal, requestId, /],
    [{ deadlineMs: Number.NaN }, /^option deadlineMs of a call must be a number of milliseconds/],
    [{ deadlineMs: 0 }, /^option deadlineMs of a call /],
    [{ idempotencyKey: 7 }, /^option idempotencyKey of a call must be a string or null$/],
    [3, /^the options of a call must be an object$/],
  ] as const) {
    await assert.rejects(client.simulate(CART, options as object), { name: 'TypeError', message });
    await assert.rejects(client.deleteGroup('g', options as object), { name: 'TypeError', message });
  }
  assert.equal(server.received.length, 0);
});

test('a simulation has 2 s, any other call 10 s, unless the client or the call says otherwise', async () => {
  const times: number[] = [];
  const callsWith = (deadlineMs?: number) =>
    callsOf({
      ...CALLER_DEFAULTS,
      retriesMax: 0,
      deadlineMs,
      basePath: '',
      sender: {
        async send(_prepared, timeMs) {
          times.push(timeMs);
          return { kind: 'failed', code: 'ABORTED', message: '', isSent: false };
        },
        close: async () => {},
      },
      waits: recordedWaits(),
      newKey: () => 'key',
    });
  const calls = callsWith();
  await calls.simulate(CART);
  await calls.simulateBatch({ requests: [CART] });
  await calls.sweep({ request: CART, vary: 'quantity', from: 1, to: 2 });
  await calls.createGroup({ name: 'A' });
  await calls.simulate(CART, { deadlineMs: 500 });
  await callsWith(700).simulate(CART);
  await callsWith(700).listZones();
  assert.deepEqual(times, [2_000, 2_000, 10_000, 10_000, 500, 700, 700]);
});

test('an option with the value undefined counts as absent', async (context) => {
  const names = ['deadlineMs', 'connections', 'answerBytesMax', 'retriesMax', 'backoffMs', 'backoffMsMax'];
  const options = Object.fromEntries(names.map((name) => [name, undefined]));
  const { client, server } = await scripted(
    context,
    [{ status: 500, body: refusal('INTERNAL_ERROR') }],
    options,
  );
  const outcome = await client.listZones();
  assert.ok(!outcome.ok);
  assert.deepEqual([outcome.code, server.received.length], ['INTERNAL_ERROR', 4]);
});

test('an answer that is not of this API has its own code', async (context) => {
  const { client } = await scripted(
    context,
    [
      { status: 200, body: '<html>' },
      { status: 404, body: '<html>' },
      { status: 200, body: JSON.stringify('x'.repeat(2_000)) },
    ],
    { answerBytesMax: 1_000 },
  );
  for (const status of [200, 404, null]) {
    const outcome = await client.getConfig();
    assert.ok(!outcome.ok);
    assert.deepEqual([outcome.code, outcome.status], ['UNEXPECTED_ANSWER', status]);
  }
});

test('the readiness of a server is an answer, also when it is not ready', async (context) => {
  const { client, server } = await scripted(context, [{ status: 503, body: { status: 'draining' } }]);
  const outcome = await client.getReadiness();
  assert.ok(outcome.ok && outcome.value.status === 'draining');
  assert.equal(server.received.length, 1);
});

test('values that HTTP cannot carry are thrown, and the client can be closed afterwards', async (context) => {
  const { client, server } = await scripted(context, [{ status: 200, body: {} }]);
  await assert.rejects(client.listZones({ requestId: 'two\nlines' }), TypeError);
  await assert.rejects(client.getZone('\ud800'), URIError);
  const message = 'the body of a call must be a value of JSON, not undefined';
  await assert.rejects(client.simulate(undefined as never), { name: 'TypeError', message });
  await client.close();
  assert.equal(server.received.length, 0);
});

test('an address that is not http or https is refused', () => {
  assert.throws(() => createClient({ url: 'ftp://host' }), TypeError);
  assert.throws(() => createClient({ url: 'host:80' }), TypeError);
});

test('the wait before a repetition is at most the bound and never before Retry-After', () => {
  const limits = { retriesMax: 9, backoffMs: 100, backoffMsMax: 1_000 };
  assert.equal(retryDelayMs(limits, 0, null, 0), 0);
  assert.equal(retryDelayMs(limits, 2, null, 1), 400);
  assert.equal(retryDelayMs(limits, 8, null, 1), 1_000);
  assert.equal(retryDelayMs(limits, 0, 3_000, 1), 3_000);
  const nowMs = Date.parse('2026-01-01T00:00:00Z');
  assert.equal(parseRetryAfter('2', nowMs), 2_000);
  assert.equal(parseRetryAfter('Thu, 01 Jan 2026 00:00:05 GMT', nowMs), 5_000);
  assert.equal(parseRetryAfter('Thu, 01 Jan 2015 00:00:05 GMT', nowMs), 0);
  for (const text of [undefined, '', '-1', '1.5', 'soon', '1e3'])
    assert.equal(parseRetryAfter(text, nowMs), null);
});

test('a client may be closed more than once', async () => {
  const client = createClient({ url: 'http://127.0.0.1:1', key: 'none' });
  await Promise.all([client.close(), client.close()]);
  await client.close();
});
