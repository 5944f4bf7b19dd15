// The history of a shop over HTTP: versions, rollback, a changeset that survives SIGKILL, simulations from any
// version, and the rate limits of a small plan.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { callCommand } from '../cli/run-command.ts';
import { type Call, type Reply, ServerProcess, temporaryFolder } from '../support/server-process.ts';
import { CART } from '../support/test-server.ts';

interface Row {
  readonly id: string;
  readonly number: number;
  readonly createdBy: string;
  readonly batch?: { readonly id: string; readonly size: number };
}

let server: ServerProcess;
let folder: { path: string; discard: () => Promise<void> };
before(async () => {
  folder = await temporaryFolder();
  server = await ServerProcess.start(folder.path);
  // Changesets here break the checks of the demo shop.
  await get('/api/shop', { method: 'PUT', body: { promotionGate: null } });
});
after(async () => {
  await server.stop();
  await folder.discard();
});

/** The body of an answer, which must have this status. */
async function get<T>(path: string, call: Call = {}, status = 200): Promise<T> {
  const reply = await server.call(path, call);
  assert.equal(reply.status, status, reply.text);
  return reply.body as T;
}

const createGroup = (name: string, headers = {}) =>
  get<{ group: { id: string } }>('/api/groups', { body: { name }, headers }, 201);
const list = (query = '') => get<{ versions: Row[]; nextCursor: string | null }>(`/api/versions${query}`);
const newest = async (): Promise<Row> => {
  const { versions } = await list('?limit=1&includeBatched=true');
  assert.ok(versions[0] !== undefined);
  return versions[0];
};
const config = (query = '') => get<Record<string, unknown[]>>(`/api/config${query}`);
const act = (path: string, body: object) => get<Record<string, unknown>>(path, { body });

test('a batch is one row, its cursor continues after it, and every version can be read and compared', async () => {
  const start = await newest();
  const before = await config();
  for (const name of ['One', 'Two', 'Three']) await createGroup(name, { 'x-batch-id': 'autumn' });
  const { versions, nextCursor } = await list('?limit=1');
  assert.deepEqual(versions[0]?.batch, { id: 'autumn', size: 3 });
  assert.equal((await list(`?limit=1&cursor=${nextCursor}`)).versions[0]?.id, start.id);

  const { version } = await get<{ version: { diff: { added: { name: string }[] }; config: unknown } }>(
    `/api/versions/${versions[0]?.id}`,
  );
  assert.deepEqual(
    version.diff.added.map(({ name }) => name),
    ['Three'],
  );
  assert.deepEqual(version.config, await config());
  const compared = await act('/api/versions', {
    action: 'compare',
    versionA: start.id,
    versionB: versions[0]?.id,
  });
  assert.equal((compared['added'] as unknown[]).length, 3);

  const rolledBack = await act('/api/versions', { action: 'rollback', targetVersionId: start.id });
  assert.equal((rolledBack['version'] as Row).createdBy, 'rollback');
  const { versionId: _, ...restored } = await config();
  const { versionId: __, ...original } = before;
  assert.deepEqual(restored, original);
});

test('a changeset survives SIGKILL, and its promotion is one batch', async () => {
  const live = await config();
  const entered = await act('/api/staging', { action: 'enter' });
  assert.equal((await server.call('/api/staging', { body: { action: 'enter' } })).status, 409);
  const { group } = await createGroup('Staged');
  await createGroup('Staged too');
  await server.stop('SIGKILL');
  server = await ServerProcess.start(folder.path);

  assert.deepEqual(await config('?view=live'), live);
  assert.equal((await server.call(`/api/groups/${group.id}`)).status, 200);
  assert.equal((await server.call(`/api/groups/${group.id}?view=live`)).status, 404);
  const { staging } = await get<{ staging: { id: string; changes: unknown } }>('/api/staging');
  assert.equal(staging.id, (entered['staging'] as { id: string }).id);
  assert.deepEqual(staging.changes, { added: 2, modified: 0, removed: 0 });
  const refused = await server.call('/api/versions', {
    body: { action: 'rollback', targetVersionId: live['versionId'] },
  });
  assert.equal(refused.status, 409);

  const promoted = await act('/api/staging', { action: 'promote' });
  assert.equal(promoted['staging'], null);
  assert.deepEqual(promoted['summary'], { added: 2, modified: 0, removed: 0 });
  assert.deepEqual((await newest()).batch, { id: staging.id, size: 2 });
  assert.equal((await server.call(`/api/groups/${group.id}?view=live`)).status, 200);
});

test('a discarded changeset leaves no trace', async () => {
  const [live, version] = [await config(), await newest()];
  await act('/api/staging', { action: 'enter' });
  await createGroup('Gone');
  assert.deepEqual(await act('/api/staging', { action: 'discard' }), { staging: null });
  assert.deepEqual([await config(), await newest()], [live, version]);
});

test('simulations use the live configuration, the changeset or any version, and name it', async () => {
  const { methods } = await get<{ methods: { id: string; name: string; rateType: string }[] }>(
    '/api/methods',
  );
  const version = await newest();
  const price = (reply: Reply) => (reply.body as { rates: unknown }).rates;
  const simulate = (query = '') => server.call(`/api/simulate${query}`, { body: CART });
  const original = price(await simulate());
  await act('/api/staging', { action: 'enter' });
  for (const { id } of methods) {
    await get(`/api/methods/${id}`, { method: 'PUT', body: { enabled: false } });
  }
  assert.deepEqual(price(await simulate()), original);
  assert.deepEqual(price(await simulate('?view=staged')), []);
  await act('/api/staging', { action: 'promote' });
  assert.deepEqual(price(await simulate()), []);
  const past = await simulate(`?version=${version.id}`);
  assert.deepEqual(price(past), original);
  assert.equal(past.headers['x-config-version'], version.id);
  assert.equal((await simulate('?version=version_x')).status, 404);
});

test('a decimal number and "live" are accepted as the id of a version, and "staged" is compared', async () => {
  const { id, number } = await newest();
  for (const reference of [id, String(number), 'live']) {
    const { version } = await get<{ version: Row }>(`/api/versions/${reference}`);
    assert.deepEqual([version.id, version.number], [id, number]);
    assert.equal(
      (await list(`?limit=1&includeBatched=true&cursor=${reference}`)).versions[0]?.number,
      number - 1,
    );
    const simulated = await server.call(`/api/simulate?version=${reference}`, { body: CART });
    assert.equal(simulated.headers['x-config-version'], id);
  }
  const compare = (versionA: string, versionB: string) =>
    server.call('/api/versions', { body: { action: 'compare', versionA, versionB } });
  assert.deepEqual(
    (await compare('1', 'live')).body,
    (await compare((await get<{ version: Row }>('/api/versions/1')).version.id, id)).body,
  );
  assert.equal((await compare('live', 'staged')).status, 409);
  await act('/api/staging', { action: 'enter' });
  await createGroup('Compared');
  const compared = await compare('live', 'staged');
  assert.equal(compared.status, 200);
  const { staging } = await get<{ staging: { diff: unknown; changes: unknown } }>('/api/staging');
  assert.deepEqual(staging.diff, compared.body);
  assert.deepEqual(staging.changes, { added: 1, modified: 0, removed: 0 });
  await act('/api/staging', { action: 'discard' });
  const before = await config();
  const rolledBack = (await act('/api/versions', { action: 'rollback', targetVersionId: '2' }))[
    'version'
  ] as Row;
  assert.equal(rolledBack.number, number + 1);
  await act('/api/versions', { action: 'rollback', targetVersionId: String(number) });
  const { versionId: _, ...restored } = await config();
  const { versionId: __, ...original } = before;
  assert.deepEqual(restored, original);
  assert.equal((await server.call(`/api/versions/${number + 9}`)).status, 404);
});

test('zones are written one by one, used at once, and not deleted while a record refers to them', async () => {
  type Zone = { id: string; name: string; countries: string[]; subzones: { id: string; name: string }[] };
  const body = {
    name: 'Iceland',
    countries: ['IS'],
    subzones: [{ name: 'Reykjavik', postalCodes: '101-199' }],
    position: 0,
  };
  const { zone } = await get<{ zone: Zone }>('/api/zones', { body }, 201);
  const [subzone] = zone.subzones;
  assert.deepEqual((await get<{ zones: Zone[] }>('/api/zones')).zones[0], zone);
  const method = { name: 'Courier', zoneId: subzone?.id, rateType: 'flat', config: { price: 1200 } };
  const made = await get<{ method: { id: string } }>('/api/methods', { body: method }, 201);
  const cart = { ...CART, destination: { country: 'IS', postalCode: '101' } };
  const simulated = await get<{ zone: unknown; rates: { totalPrice: number }[] }>('/api/simulate', {
    body: cart,
  });
  assert.deepEqual(simulated.zone, {
    id: zone.id,
    name: 'Iceland',
    subzone: { id: subzone?.id, name: 'Reykjavik' },
  });
  assert.deepEqual(
    simulated.rates.map(({ totalPrice }) => totalPrice),
    [1200],
  );

  const put = (fields: object, status = 200) =>
    get<{ zone: Zone }>('/api/zones', { method: 'PUT', body: { id: zone.id, ...fields } }, status);
  await put({ subzones: [] }, 409);
  await get(`/api/zones?id=${zone.id}`, { method: 'DELETE' }, 409);
  await put({ subzones: [{ id: subzone?.id, name: 'Capital', postalCodes: '1*' }], countries: ['IS', 'GL'] });
  await get(`/api/methods/${made.method.id}`, { method: 'DELETE' });
  assert.deepEqual((await put({ subzones: [] })).zone, { ...zone, countries: ['IS', 'GL'], subzones: [] });
  await get(`/api/zones/${zone.id}`, { method: 'DELETE' });
  await get(`/api/zones/${zone.id}`, {}, 404);
});

test('a version has the label of its key while the key exists', async () => {
  const made = await get<{ key: { id: string }; secret: string }>(
    '/api/keys',
    { body: { label: 'Editor', permission: 'write' } },
    201,
  );
  const key = made.secret;
  type Labelled = Row & { keyId: string | null; keyLabel: string | null };
  const answered = async (path: string, body: object): Promise<Labelled> =>
    (await get<{ version: Labelled }>(path, { body, key })).version;
  const { versionId: _, ...data } = await config();
  await get('/api/groups', { body: { name: 'Edited' }, key }, 201);
  const before = await newest();
  const versions = [
    await answered('/api/config', { action: 'execute', data }),
    await answered('/api/versions', { action: 'rollback', targetVersionId: before.id }),
  ];
  await get('/api/staging', { body: { action: 'enter' }, key });
  await get('/api/groups', { body: { name: 'Edited too' }, key }, 201);
  versions.push(await answered('/api/staging', { action: 'promote' }));
  for (const version of versions)
    assert.deepEqual([version.keyId, version.keyLabel], [made.key.id, 'Editor']);
  const labels = async () => {
    const rows = (await list('?limit=4')).versions as Labelled[];
    const { version } = await get<{ version: Labelled }>(`/api/versions/${before.id}`);
    return [...rows, version].map(({ keyLabel }) => keyLabel);
  };
  assert.deepEqual(
    await labels(),
    Array.from({ length: 5 }, () => 'Editor'),
  );
  await get(`/api/keys/${made.key.id}`, { method: 'DELETE' });
  assert.deepEqual(
    await labels(),
    Array.from({ length: 5 }, () => null),
  );
  // The shop was made by the system.
  assert.equal((await get<{ version: Labelled }>('/api/versions/1')).version.keyLabel, null);
});

test('a shop on a small plan gets its rate, and is refused above it', async () => {
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await callCommand(folder.path, args);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  await run('shop', 'create', '--id', 'shop_small', '--name', 'Small', '--currency', 'USD');
  const made = JSON.parse(
    await run('key', 'create', '--shop', 'shop_small', '--label', 'A', '--permission', 'admin', '--json'),
  ) as { secret: string };
  const key = made.secret;
  const replies = await Promise.all(Array.from({ length: 130 }, () => server.call('/api/shop', { key })));
  const [passed, refused] = [200, 429].map((status) => replies.filter((reply) => reply.status === status));
  assert.equal(passed?.length, 120);
  assert.equal(refused?.length, 10);
  for (const reply of refused ?? []) assert.ok(Number(reply.headers['retry-after']) >= 1);
  const simulations = await Promise.all(
    Array.from({ length: 40 }, () => server.call('/api/simulate', { key, body: CART })),
  );
  assert.ok(simulations.some(({ status }) => status === 429));
  assert.ok(simulations.filter(({ status }) => status === 200).length >= 20);
});

test('the resulting log verifies', async () => {
  const { code, stdout, stderr } = await callCommand(folder.path, ['verify']);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /all whole/);
});
