/** `If-None-Match` (RFC 9110, section 13.1.2) on every read that supports it, and entity tags. */

import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import type { ShopState, StagedWrite } from '../../../src/engine/domain/shop-event.ts';
import { ID_SEGMENT, type Route, type ShopRoute } from '../../../src/front/http/route.ts';
import { createRouteMatcher } from '../../../src/front/http/route-matcher.ts';
import { createRouteTable } from '../../../src/front/http/route-table.ts';
import { DispatchedShop } from '../../support/dispatched-shop.ts';
import { sampleIdOf } from '../../support/route-requests.ts';
import { requestText, TestServer } from '../../support/test-server.ts';

const routes = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT });
const match = createRouteMatcher(routes);
const tagged = routes.filter(
  (route): route is ShopRoute =>
    route.kind === 'shop' && route.tagOf !== null && route.changesUnwritten !== true,
);
const STAGED: StagedWrite = {
  change: {},
  description: '',
  counts: { added: 0, modified: 0, removed: 0 },
  keyId: null,
  at: '2026-11-18T17:00:00.000Z',
  size: 2,
};
const pathOf = (route: ShopRoute): string => route.paths[0].replace(ID_SEGMENT, sampleIdOf(route));

const server = await TestServer.start();
after(() => server.stop());
beforeEach(() => server.restoreShop());

const read = async (server: TestServer, path: string, ifNoneMatch?: string, verb = 'GET') => {
  const headers = {
    'x-request-id': 'req-of-this-test',
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
  };
  const reply = await server.call(path, { verb, headers });
  return { ...reply, tag: String(reply.headers['etag']) };
};

test('every read of records of the configuration carries a tag', () => {
  const paths = tagged.map(({ verb, paths: [path] }) => `${verb} ${path}`);
  for (const path of ['zones', 'groups', 'methods', 'rules', 'blended', 'checks', 'config']) {
    assert.ok(paths.includes(`GET /api/${path}`), path);
  }
  assert.ok(paths.every((path) => path.startsWith('GET ')));
});

for (const route of tagged) {
  const path = pathOf(route);

  test(`${route.paths[0]}: 304 without a body, with the headers of the answer, for a matching If-None-Match`, async () => {
    const { tag, headers, text } = await read(server, path);
    assert.match(tag, /^"[\w.-]+"$/);
    for (const named of [tag, `W/${tag}`, `"other", ${tag}`, `"a,b" ,, W/${tag},"c"`, '*', ' * ']) {
      for (const verb of ['GET', 'HEAD']) {
        const reply = await read(server, path, named, verb);
        assert.deepEqual([reply.status, reply.text], [304, ''], `${verb} ${named}`);
        const { date: _date, ...actual } = reply.headers;
        const { date: _other, 'content-type': _type, 'content-length': _length, ...expected } = headers;
        assert.deepEqual(actual, expected, named);
      }
    }
    for (const named of ['"other"', `"${tag.slice(1, -1)}x"`, 'W/"*"', `"${tag}`, '"', '', ',', 'no tag']) {
      const reply = await read(server, path, named);
      assert.deepEqual([reply.status, reply.text], [200, text], named);
    }
  });

  test(`${route.paths[0]}: a request that is invalid is refused whatever If-None-Match says`, async () => {
    const { tag } = await read(server, path);
    for (const named of [tag, '*']) {
      const headers = { 'if-none-match': named };
      assert.equal((await server.call(path, { headers, key: '' })).status, 401);
      assert.equal((await read(server, `${path}?unknown=1`, named)).status, 400);
      if ('view' in route.query) {
        assert.equal((await read(server, `${path}?view=staged`, named)).status, 409);
      }
      if (route.target === undefined) continue;
      const missing = await read(server, route.paths[0].replace(ID_SEGMENT, 'none'), named);
      assert.equal(missing.status, 404, named);
    }
  });
}

test('a list of an unknown record is refused whatever If-None-Match says', async () => {
  for (const path of ['/api/rules?methodId=none', '/api/versions?cursor=none']) {
    assert.equal((await read(server, path, '*')).status, 404, path);
  }
});

test('the connection stays in sync after a 304', async () => {
  const connection = server.connect();
  connection.send(requestText('GET /api/config', ['If-None-Match: *']));
  await connection.until(({ statuses }) => statuses.length === 1);
  connection.send(requestText('GET /healthz'));
  const reply = await connection.until(({ text }) => text.endsWith('{"status":"ok"}'));
  connection.destroy();
  assert.deepEqual(reply.statuses, [304, 200]);
});

test('an answer without a tag, and one that changes without a write, is always sent whole', async () => {
  for (const path of [
    ...['/api/shop', '/api/keys', '/api/vocabulary', '/healthz', '/api/coverage'],
    // Findings depend on the date, versions on what the plan keeps.
    ...['/api/config/lint', '/api/versions', '/api/versions/1'],
  ]) {
    const reply = await read(server, path, '*');
    assert.deepEqual([reply.status, reply.tag], [200, 'undefined'], path);
  }
  const live = `"${server.shop.state.version.id}"`;
  for (const isStaged of [false, true]) {
    if (isStaged) server.shop.stage();
    const { tag } = await read(server, '/api/groups');
    assert.equal(tag === live, !isStaged);
    for (const named of ['*', tag]) {
      const staging = await read(server, '/api/staging', named);
      assert.deepEqual([staging.status, staging.tag], [200, tag], named);
    }
  }
});

describe('a tag', () => {
  const change = (part: Partial<ShopState>): void => {
    server.shop.state = { ...server.shop.state, ...part };
  };

  test('of the live configuration is its version', async () => {
    for (const path of ['/api/zones', '/api/config', '/api/methods/method_std']) {
      assert.equal((await read(server, path)).tag, `"${server.shop.state.version.id}"`);
    }
  });

  test('of a changeset changes with each write to it, and never equals the live tag', async () => {
    const live = (await read(server, '/api/groups')).tag;
    server.shop.stage();
    const tags = [live];
    for (let write = 0; write < 3; write++) {
      const { staging } = server.shop.state;
      assert.ok(staging !== null);
      change({ staging: { ...staging, writes: [...staging.writes, STAGED] } });
      const { tag } = await read(server, '/api/groups');
      assert.ok(!tags.includes(tag), tag);
      assert.equal((await read(server, '/api/groups', tags.join(','))).status, 200);
      tags.push(tag);
    }
    assert.equal((await read(server, '/api/groups?view=live', live)).status, 304);
    change({ staging: null });
    assert.equal((await read(server, '/api/groups', tags.slice(1).join(','))).status, 200);
    assert.equal((await read(server, '/api/groups', live)).status, 304);
  });

  test('of a changeset guards a write alone, in a list and weak; the live version passes beside it', async () => {
    server.shop.stage();
    const { tag } = await read(server, '/api/groups');
    const guarded = async (ifMatch: string) => {
      const sending = { body: { name: 'A' }, headers: { 'if-match': ifMatch } };
      server.restoreShop();
      server.shop.stage();
      const { status } = await server.call('/api/groups', sending);
      return [status, server.shop.writes.at(-1)?.ifMatch];
    };
    const text = tag.slice(1, -1);
    const live = server.shop.state.version.id;
    for (const named of [tag, `W/${tag}`, `"other.a.1", ${tag}`, `"other", W/${tag}`]) {
      assert.deepEqual(await guarded(named), [201, text], named);
    }
    for (const named of [`"${live}"`, live, `${tag}, "${live}"`]) {
      assert.deepEqual(await guarded(named), [201, live], named);
    }
    assert.deepEqual(await guarded('*'), [201, null]);
    const old = text.replace(/\d+$/, '7');
    assert.deepEqual(await guarded(`"${old}"`), [409, old]);
  });
});

test('different answers never have the same tag, whatever is written in between', async () => {
  const served = await DispatchedShop.open(routes);
  const routeOf = (verb: string, path: string): Route => {
    const route = match(verb, path)?.route;
    assert.ok(route !== undefined, path);
    return route;
  };
  const ask = async (verb: string, path: string, body?: unknown) => {
    const parts = body === undefined ? [] : [Buffer.from(JSON.stringify(body))];
    const sending = { path, parts, isChunked: false, idempotencyKey: null };
    const response = served.send(routeOf(verb, path), sending);
    await response.over();
    return response;
  };
  const first = served.shop.state.version.id;
  const [group] = served.shop.state.config.productGroups;
  const [method] = served.shop.state.config.methods;
  assert.ok(group !== undefined && method !== undefined);
  const lists = ['zones', 'groups', 'methods', 'rules', 'blended', 'config'];
  const paths = [...lists, `groups/${group.id}`, `methods/${method.id}`];
  const known = new Map<string, string>();
  const look = async (): Promise<void> => {
    for (const path of paths) {
      const { status, headers, text } = await ask('GET', `/api/${path}`);
      assert.equal(status, 200, path);
      const named = `${path} ${headers.get('etag')}`;
      assert.equal(known.get(named) ?? text, text, named);
      known.set(named, text);
    }
  };
  await look();
  const rename = (name: string) => ['PUT', `/api/groups/${group.id}`, { name }] as const;
  const staging = (action: string) => ['POST', '/api/staging', { action }] as const;
  const writes: readonly (readonly [verb: string, path: string, body: unknown])[] = [
    rename('A'),
    staging('enter'),
    rename('B'),
    rename('C'),
    ['POST', '/api/keys', { label: 'K', permission: 'read' }],
    staging('discard'),
    staging('enter'),
    rename('D'),
    ['PUT', '/api/shop', { currency: 'JPY', timezone: 'Asia/Tokyo' }],
    staging('promote'),
    rename('A'),
    ['POST', '/api/versions', { action: 'rollback', targetVersionId: first }],
  ];
  for (const [verb, path, body] of writes) {
    const { status, text } = await ask(verb, path, body);
    assert.ok(status < 300, `${verb} ${path} ${JSON.stringify(body)}: ${text}`);
    await look();
    await look();
  }
  // Each write, except those to shop and keys, changes the list of groups.
  const ofGroups = [...known.keys()].filter((named) => named.startsWith('groups '));
  assert.ok(ofGroups.length >= 8, ofGroups.join('\n'));
  assert.deepEqual(served.errors, []);
});
