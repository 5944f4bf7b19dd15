/** Versions and the changeset over HTTP: parameters, bodies, views, headers (contract sections 6 and 7). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServerOfFile } from '../../support/server-of-file.ts';
import { CART } from '../../support/test-server.ts';

const server = await startServerOfFile();

const FIRST = 'version_shop_a_1';

test('limit, cursor and includeBatched reach the list, with their defaults', async () => {
  await server.call('/api/versions');
  await server.call(`/api/versions?limit=007&cursor=${FIRST}&includeBatched=true`);
  await server.call('/api/versions?limit=100&includeBatched=false');
  assert.deepEqual(server.shop.history.queries.slice(-3), [
    { limit: 20, cursor: null, includeBatched: false },
    { limit: 7, cursor: FIRST, includeBatched: true },
    { limit: 100, cursor: null, includeBatched: false },
  ]);
});

test('the list is made anew for each request: history is removed without a write', async () => {
  const { queries } = server.shop.history;
  const before = queries.length;
  for (let asked = 1; asked <= 3; asked++) {
    await server.call('/api/versions');
    assert.equal(queries.length, before + asked);
  }
});

test('the refusal of a parameter of the list names it', async () => {
  for (const [query, accepts] of [
    ['limit=0', /limit must be a whole number from 1 to 100/],
    ['limit=101', /limit/],
    ['limit=-1', /limit/],
    ['limit=1.5', /limit/],
    ['limit=', /limit/],
    ['limit=1e1', /limit/],
    ['includeBatched=yes', /includeBatched must be true or false/],
    ['includeBatched=', /includeBatched/],
    ['cursor=', /cursor must be an id/],
  ] as const) {
    const reply = await server.call(`/api/versions?${query}`);
    assert.equal(reply.status, 400, query);
    assert.match(reply.message, accepts);
  }
  const unknown = await server.call('/api/versions?cursor=version_x');
  assert.equal(unknown.status, 404);
  assert.equal(unknown.message, 'Version not found: version_x');
});

test('the fields of an action are checked against the schema of that action', async () => {
  for (const [path, body, text] of [
    ['/api/versions', {}, '/action is required: compare or rollback'],
    ['/api/versions', { action: 'undo' }, '/action must be compare or rollback'],
    ['/api/versions', { action: 'compare', versionA: FIRST }, '/versionB is required: an id'],
    ['/api/versions', { action: 'rollback' }, '/targetVersionId is required: an id'],
    [
      '/api/versions',
      { action: 'rollback', targetVersionId: FIRST, versionA: FIRST },
      '/versionA is not a field that is accepted here',
    ],
    ['/api/versions', { action: 'rollback', targetVersionId: 7 }, '/targetVersionId must be an id'],
    ['/api/versions', [], 'the body must be an object'],
    ['/api/staging', {}, '/action is required: enter, promote, discard or replay'],
    ['/api/staging', { action: 'leave' }, '/action must be enter, promote, discard or replay'],
  ] as const) {
    const reply = await server.call(path, { body });
    assert.equal(reply.status, 400);
    assert.ok(reply.message.startsWith(text), `${reply.message}, not ${text}`);
  }
});

test('the 404 of a version names the kind and the id', async () => {
  for (const body of [
    { action: 'compare', versionA: FIRST, versionB: 'version_x' },
    { action: 'rollback', targetVersionId: 'version_x' },
  ]) {
    const reply = await server.call('/api/versions', { body });
    assert.deepEqual([reply.status, reply.message], [404, 'Version not found: version_x']);
  }
  assert.equal((await server.call('/api/versions/version_x')).message, 'Version not found: version_x');
});

test('wherever a version is named, its number in decimal and live are accepted', async () => {
  for (const reference of ['1', 'live']) {
    const read = await server.call(`/api/versions/${reference}`);
    assert.equal((read.body as { version: { id: string } }).version.id, FIRST, reference);
    await server.call(`/api/versions?cursor=${reference}`);
    assert.equal(server.shop.history.queries.at(-1)?.cursor, FIRST);
    const simulated = await server.call(`/api/simulate?version=${reference}`, { body: CART });
    assert.deepEqual([simulated.status, simulated.headers['x-config-version']], [200, FIRST]);
    const compared = await server.call('/api/versions', {
      body: { action: 'compare', versionA: reference, versionB: FIRST },
    });
    assert.equal(compared.status, 200);
    const group = (headers: Record<string, string>) =>
      server.call('/api/groups', { body: { name: 'A' }, headers });
    assert.equal((await group({ 'if-match': `"${reference}"` })).status, 201);
    assert.equal((await group({ 'if-match': '7, "x"' })).status, 409);
    const current = server.shop.state.version.id;
    assert.notEqual(current, FIRST);
    const rollback = { action: 'rollback', targetVersionId: reference };
    assert.equal((await server.call('/api/versions', { body: rollback })).status, 200);
    assert.deepEqual(server.shop.writes.at(-1)?.command, {
      kind: 'rollback',
      targetVersionId: reference === 'live' ? current : FIRST,
    });
    server.restoreShop();
    server.shop.history.versions.splice(1);
  }
});

test('the 404 of an unknown version number or of another text repeats it', async () => {
  for (const reference of ['2', '007', '99999999999999999999', 'staged', 'Live']) {
    for (const reply of [
      await server.call(`/api/versions/${reference}`),
      await server.call(`/api/versions?cursor=${reference}`),
      await server.call(`/api/simulate?version=${reference}`, { body: CART }),
      await server.call('/api/versions', { body: { action: 'rollback', targetVersionId: reference } }),
    ]) {
      assert.deepEqual([reply.status, reply.message], [404, `Version not found: ${reference}`]);
    }
  }
});

test('reads of records show the changeset while one is active, and the live configuration with view=live', async () => {
  const paths = ['/api/zones', '/api/groups', '/api/methods', '/api/rules', '/api/blended', '/api/config'];
  for (const path of paths) {
    const refused = await server.call(`${path}?view=staged`);
    assert.deepEqual([refused.status, refused.message], [409, 'no staging changeset is active']);
    assert.equal((await server.call(`${path}?view=live`)).status, 200);
    assert.equal((await server.call(`${path}?view=both`)).status, 400);
  }
  const before = new Map(
    await Promise.all(paths.map(async (path) => [path, await server.call(path)] as const)),
  );
  server.shop.stage();
  const { state } = server.shop;
  assert.ok(state.staging !== null);
  const config = JSON.parse(
    JSON.stringify(state.config).replaceAll('"id":"', '"id":"new_'),
  ) as typeof state.config;
  server.shop.state = { ...state, staging: { ...state.staging, config } };
  for (const path of paths) {
    const live = before.get(path)?.text ?? '';
    const [byDefault, staged, asked] = await Promise.all([
      server.call(path),
      server.call(`${path}?view=staged`),
      server.call(`${path}?view=live`),
    ]);
    assert.equal(asked.text, live, path);
    assert.notEqual(staged.text, live, path);
    assert.equal(byDefault.text, staged.text, path);
    assert.equal(staged.headers['x-config-version'], FIRST);
  }
  for (const path of [
    '/api/zones/new_zone_us',
    '/api/groups/new_group_default',
    '/api/methods/new_method_std',
    '/api/rules/new_rule_hide',
    '/api/blended/new_blended_all',
  ]) {
    assert.equal((await server.call(path)).status, 200, path);
    assert.equal((await server.call(`${path}?view=live`)).status, 404, path);
    assert.equal((await server.call(`${path.replace('new_', '')}?view=live`)).status, 200, path);
  }
});

test('the answer of GET /api/staging names the version, and its tag guards the end of the changeset', async () => {
  const none = await server.call('/api/staging');
  assert.deepEqual(none.body, { staging: null });
  assert.equal(none.headers['x-config-version'], FIRST);
  assert.equal(none.headers['etag'], `"${FIRST}"`);
  const entered = await server.call('/api/staging', { body: { action: 'enter' } });
  assert.equal(entered.status, 200);
  const read = await server.call('/api/staging');
  const { staging } = entered.body as { staging: object };
  const effects = { probes: 0, changed: 0, lost: 0, gained: 0, samples: [], limited: false };
  assert.deepEqual(read.body, { staging: { ...staging, effects } });
  const discard = (tag: string) =>
    server.call('/api/staging', { body: { action: 'discard' }, headers: { 'if-match': tag } });
  assert.equal((await discard(`"${FIRST}.staging_other.0"`)).status, 409);
  assert.equal((await discard(String(read.headers['etag']))).status, 200);
  await server.call('/api/staging', { body: { action: 'enter' } });
  const promoted = await server.call('/api/staging', { body: { action: 'promote' } });
  assert.deepEqual(Object.keys(promoted.body as object), ['staging', 'version', 'summary', 'dropped']);
  const again = await server.call('/api/staging', { body: { action: 'discard' } });
  assert.equal(again.status, 409);
});

test('the answer of a simulation names its version', async () => {
  const send = (query: string) => server.call(`/api/simulate${query}`, { body: CART });
  assert.equal((await send('')).headers['x-config-version'], FIRST);
  assert.equal((await send(`?version=${FIRST}&view=live`)).headers['x-config-version'], FIRST);
  server.shop.state = {
    ...server.shop.state,
    version: { ...server.shop.state.version, id: 'version_later', number: 2 },
  };
  assert.equal((await send(`?version=${FIRST}`)).headers['x-config-version'], FIRST);
  assert.equal((await send('')).headers['x-config-version'], 'version_later');
  assert.equal((await send('?version=version_x')).status, 404);
  assert.equal((await send('?view=staged')).status, 409);
  const both = await send(`?view=staged&version=${FIRST}`);
  assert.equal(both.status, 400);
  assert.match(both.message, /exclude each other/);
});

test('a name and a note are taken by enter alone, and reach the command', async () => {
  for (const action of ['promote', 'discard', 'replay']) {
    const { status, message } = await server.call('/api/staging', { body: { action, note: '' } });
    assert.deepEqual([status, message], [400, '/note is accepted only with enter']);
  }
  const long = await server.call('/api/staging', { body: { action: 'enter', name: 'x'.repeat(201) } });
  assert.match(long.message, /^\/name must be text of 0 to 200 characters/);
  const texts = { name: 'Autumn', note: 'New tariffs' };
  const entered = await server.call('/api/staging', { body: { action: 'enter', ...texts } });
  assert.equal(entered.status, 200);
  assert.deepEqual(server.shop.writes.at(-1)?.command, { kind: 'enterStaging', ...texts });
});
