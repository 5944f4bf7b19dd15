/**
 * Access control of the whole service: keys, records and versions of two shops in one log. Every request is generated
 * from the route table, so a new route is tested too (contract section 2).
 */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { ITEMS_MAX_DEFAULT } from '../../src/engine/domain/cart.ts';
import { PERMISSIONS, type Permission, permits } from '../../src/engine/domain/permission.ts';
import { createRouteTable } from '../../src/front/http/route-table.ts';
import { callCommand } from '../cli/run-command.ts';
import { type IdKind, isKeyed, type RouteRequest, requestsOf, withNoise } from '../support/route-requests.ts';
import { DEMO_KEY, type Reply, ServerProcess, temporaryFolder } from '../support/server-process.ts';

const keyedRoutes = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT }).filter(isKeyed);

type Ids = Readonly<Record<IdKind, string>>;
interface Snapshot {
  readonly productGroups: readonly { readonly id: string }[];
  readonly zones: readonly { readonly id: string; readonly subzones: readonly { readonly id: string }[] }[];
  readonly methods: readonly { readonly id: string; readonly rules: readonly { readonly id: string }[] }[];
  readonly blendedRates: readonly { readonly id: string }[];
  readonly checks: readonly { readonly id: string }[];
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ServerProcess;
let theirKey: string;
let ours: Ids;
let theirs: Ids;
let ourConfig: Snapshot;

before(async () => {
  folder = await temporaryFolder();
  server = await ServerProcess.start(folder.path);
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await callCommand(folder.path, args);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  await run(
    'shop',
    'create',
    '--id',
    'shop_other',
    '--name',
    'Marker',
    '--currency',
    'USD',
    '--plan',
    'enterprise',
  );
  const made = await run(
    'key',
    'create',
    '--shop',
    'shop_other',
    '--label',
    'Marker',
    '--permission',
    'admin',
    '--json',
  );
  theirKey = (JSON.parse(made) as { secret: string }).secret;
  ourConfig = await configOf(DEMO_KEY);
  // The same configuration with other ids and names.
  const renamed = JSON.stringify(ourConfig)
    .replace(/"(zone|sub|group|method|rule|blended|check)_/g, '"$1_marker_')
    .replace(/"name":"/g, '"name":"Marker ');
  await execute(theirKey, JSON.parse(renamed));
  ours = await idsOf(DEMO_KEY);
  theirs = await idsOf(theirKey);
});
after(async () => {
  await server?.stop('SIGKILL');
  await folder?.discard();
});

async function configOf(key: string): Promise<Snapshot> {
  const { versionId: _, ...data } = (await server.call('/api/config', { key })).body as Snapshot & {
    readonly versionId: string;
  };
  return data;
}

async function execute(key: string, data: unknown): Promise<void> {
  const reply = await server.call('/api/config', { key, body: { action: 'execute', data } });
  assert.equal(reply.status, 200, reply.text);
}

async function idsOf(key: string): Promise<Ids> {
  const { zones, productGroups, methods, blendedRates, checks } = await configOf(key);
  const { versions } = (await server.call('/api/versions', { key })).body as { versions: { id: string }[] };
  const { keys } = (await server.call('/api/keys', { key })).body as { keys: { id: string }[] };
  const ids = {
    zone: zones[0]?.id,
    sub: zones.flatMap(({ subzones }) => subzones)[0]?.id,
    group: productGroups[0]?.id,
    method: methods[0]?.id,
    rule: methods.flatMap(({ rules }) => rules)[0]?.id,
    blended: blendedRates[0]?.id,
    check: checks[0]?.id,
    version: versions[0]?.id,
    key: keys[0]?.id,
  };
  assert.ok(Object.values(ids).every((id) => id !== undefined));
  return ids as Ids;
}

const send = ({ verb, path, body }: RouteRequest, key: string | null, headers = {}): Promise<Reply> =>
  server.call(path, { method: verb, key, headers, ...(body === undefined ? {} : { body }) });

/** The expected status for a key with this permission: 401, 403, or neither. */
const expectedOf = (held: Permission | null, needed: Permission): string => {
  if (held === null) return '401';
  return permits(held, needed) ? 'let in' : '403';
};

async function newKey(
  permission: Permission,
  expiresAt: string | null = null,
): Promise<{ secret: string; id: string }> {
  const reply = await server.call('/api/keys', { body: { label: permission, permission, expiresAt } });
  assert.equal(reply.status, 201, reply.text);
  const { secret, key } = reply.body as { secret: string; key: { id: string } };
  return { secret, id: key.id };
}

test('keys: none, malformed, unknown, revoked, expired and of each permission, before and after a restart', async () => {
  const columns: [name: string, key: string | null, held: Permission | null][] = [
    ['none', null, null],
    ['malformed', 'rw_', null],
    ['cut short', DEMO_KEY.slice(0, -1), null],
    ['in another case', DEMO_KEY.toUpperCase(), null],
    ['unknown', `rw_${randomBytes(32).toString('base64url')}`, null],
  ];
  for (const permission of PERMISSIONS)
    columns.push([permission, (await newKey(permission)).secret, permission]);
  const revoked = await newKey('admin');
  assert.equal((await server.call('/api/keys', { key: revoked.secret })).status, 200);
  const gone = await server.call(`/api/keys/${revoked.id}`, { method: 'DELETE', key: revoked.secret });
  assert.equal(gone.status, 200);
  columns.push(['revoked', revoked.secret, null]);
  columns.push(['expired', (await newKey('admin', '2026-01-01T00:00:00Z')).secret, null]);
  const ending = await newKey('admin');
  const end = { expiresAt: new Date().toISOString() };
  assert.equal((await server.call(`/api/keys/${ending.id}`, { method: 'PUT', body: end })).status, 200);
  columns.push(['given an end', ending.secret, null]);

  const requests = keyedRoutes
    .flatMap((route) => requestsOf(route, (kind) => ours[kind]))
    // If the route takes a body, one that changes nothing.
    .map((request) => (request.body === undefined ? request : withNoise(request)));
  const ask = async (): Promise<Record<string, string>> => {
    const table: Record<string, string> = {};
    for (const request of requests) {
      const row = columns.map(async ([name, key, held]) => {
        const reply = await send(request, key);
        const place = `${request.verb} ${request.path} ${JSON.stringify(request.body)}, ${name}`;
        const seen = [401, 403].includes(reply.status) ? String(reply.status) : 'let in';
        assert.equal(seen, expectedOf(held, request.needed), place);
        if (seen === '401') assert.equal(reply.headers['www-authenticate'], 'Bearer', place);
        table[place] = `${reply.status}`;
      });
      await Promise.all(row);
    }
    return table;
  };
  const first = await ask();
  assert.ok(Object.keys(first).length > 9 * keyedRoutes.length);
  assert.equal(await server.stop(), 0);
  server = await ServerProcess.start(folder.path);
  // The end of a key is known once its shop is in memory.
  assert.equal((await server.call('/api/keys')).status, 200);
  assert.deepEqual(await ask(), first);
});

/** One request for each of our ids in it, with that id replaced. */
function replaced(
  request: RouteRequest,
  by: (kind: IdKind) => string,
): { request: RouteRequest; id: string }[] {
  const { verb, needed, ...rest } = request;
  const text = JSON.stringify(rest);
  const kinds = Object.keys(ours) as IdKind[];
  return kinds.flatMap((kind) => {
    // Whole ids only, because an id may be a prefix of another.
    const places = [...text.matchAll(new RegExp(`(?<![\\w-])${ours[kind]}(?![\\w-])`, 'g'))];
    return places.map(({ index, 0: found }) => {
      const changed = text.slice(0, index) + by(kind) + text.slice(index + found.length);
      return { request: { verb, needed, ...JSON.parse(changed) } as RouteRequest, id: by(kind) };
    });
  });
}

/** An answer without the parts that differ between equal requests. */
const essence = ({ status, text, headers }: Reply, id: string): unknown => {
  const names = Object.keys(headers).sort();
  const same = text
    .replaceAll(id, 'ID')
    .replace(/\b([a-z]+)_01[0-9A-Z]{24}(?:_\d+)?\b/g, '$1')
    .replace(/"\d{4}-[^"]*Z"/g, '"T"');
  return { status, names, text: same.replace(/"(?:number|position)":\d+/g, '') };
};

test("an id of another shop's record, at any place of a request, gets the answer of an unknown id", async () => {
  const unknownOf = (kind: IdKind): string => theirs[kind].replace(/marker|.{6}$/, 'nobody');
  let asked = 0;
  for (const route of keyedRoutes) {
    for (const request of requestsOf(route, (kind) => ours[kind])) {
      const withTheirs = replaced(request, (kind) => theirs[kind]);
      const withUnknown = replaced(request, unknownOf);
      for (const [index, one] of withTheirs.entries()) {
        const other = withUnknown[index];
        assert.ok(other !== undefined);
        const place = `${request.verb} ${one.request.path} ${JSON.stringify(one.request.body)}`;
        const found = await send(one.request, DEMO_KEY);
        if (found.status < 300 && request.verb !== 'GET') await execute(DEMO_KEY, ourConfig);
        const missed = await send(other.request, DEMO_KEY);
        if (missed.status < 300 && request.verb !== 'GET') await execute(DEMO_KEY, ourConfig);
        assert.deepEqual(essence(found, one.id), essence(missed, other.id), place);
        assert.doesNotMatch(found.text, /Marker/, place);
        asked++;
      }
    }
  }
  assert.ok(asked > 40, `${asked} places`);
});

test('If-Match does not accept a version of another shop, and idempotency keys are per shop', async () => {
  const body = { name: 'Guarded' };
  for (const versionId of [theirs.version, 'version_none']) {
    const reply = await server.call('/api/groups', { body, headers: { 'if-match': `"${versionId}"` } });
    assert.equal(reply.status, 409);
    assert.doesNotMatch(reply.text, /Marker/);
  }
  const headers = { 'idempotency-key': 'the-same-for-both' };
  const one = await server.call('/api/groups', { body, headers, key: theirKey });
  const other = await server.call('/api/groups', { body: { name: 'Another' }, headers });
  assert.deepEqual([one.status, other.status], [201, 201]);
  assert.match(other.text, /"Another"/);
});

test('no request with our key has changed the other shop', async () => {
  const { versions } = (await server.call('/api/versions', { key: theirKey })).body as {
    versions: { id: string }[];
  };
  // Everything except the group of the idempotency key existed before.
  assert.equal(versions[1]?.id, theirs.version);
  const { keys } = (await server.call('/api/keys', { key: theirKey })).body as { keys: { id: string }[] };
  assert.deepEqual(
    keys.map(({ id }) => id),
    [theirs.key],
  );
});
