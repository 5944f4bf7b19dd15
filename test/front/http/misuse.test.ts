/**
 * Requests of an attacker: texts that could be taken for code, markup, paths or headers in every place of a request, and
 * invalid paths and verbs. All are generated from the route table.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import { bodyOf, ID_SEGMENT } from '../../../src/front/http/route.ts';
import { createRouteTable } from '../../../src/front/http/route-table.ts';
import { isKeyed, pathTo, type RouteRequest, requestsOf, SAMPLE_IDS } from '../../support/route-requests.ts';
import { startServerOfFile } from '../../support/server-of-file.ts';
import { type Reply, requestText } from '../../support/test-server.ts';

const routes = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT });

const server = await startServerOfFile();

const TEXTS: readonly string[] = [
  "' OR '1'='1",
  '"; DROP TABLE shops; --',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '{{7*7}}#{7*7}<%= 7*7 %>',
  '$(id) `id` | id ; id && id',
  '../../../../etc/passwd',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  '%0d%0aSet-Cookie: a=b',
  'a\r\nSet-Cookie: a=b\r\n\r\nHTTP/1.1 200 OK',
  '\u0000',
  '\u202etxt.exe',
  '\u2028\u2029',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '=cmd|calc!A0',
  '(a+)+$',
  '*'.repeat(300),
  'a'.repeat(20_000),
];

const INJECTIONS: readonly unknown[] = [
  ...TEXTS,
  '\ud800',
  { $gt: '' },
  { __proto__: null, toString: 1 },
  ['a'],
  true,
  null,
];

/** One copy of the body for each text in it, with this text replaced. */
function* withText(body: unknown, value: unknown): Generator<unknown> {
  if (typeof body === 'string') yield value;
  if (typeof body !== 'object' || body === null) return;
  for (const [name, part] of Object.entries(body)) {
    for (const changed of withText(part, value)) {
      yield Array.isArray(body) ? body.with(Number(name), changed) : { ...body, [name]: changed };
    }
  }
}

/** The names of all headers of answers; no request can add one. */
const OUR_HEADERS = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'etag',
  'keep-alive',
  'location',
  'retry-after',
  'uwebsockets',
  'www-authenticate',
  'x-config-version',
  'x-content-type-options',
  'x-request-id',
  'x-unknown-fields',
]);

/** The test server has already checked the body of the reply against its route. */
function checkPlain(reply: Reply, request: RouteRequest): void {
  const place = `${request.verb} ${request.path} ${JSON.stringify(request.body)?.slice(0, 300)}`;
  const { status, headers } = reply;
  assert.ok([200, 201, 400, 404, 409, 422, 429].includes(status), `${status} ${place}`);
  assert.equal(headers['content-type'], 'application/json', place);
  const strangers = Object.keys(headers).filter((name) => !OUR_HEADERS.has(name));
  assert.deepEqual(strangers, [], place);
}

const send = async (request: RouteRequest, headers: Record<string, string> = {}): Promise<Reply> => {
  server.restoreShop();
  const { verb, path, body } = request;
  const reply = await server.call(path, {
    verb,
    ...(body === undefined ? {} : { body }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  });
  checkPlain(reply, request);
  return reply;
};

const requests = routes.filter(isKeyed).flatMap((route) => requestsOf(route, (kind) => SAMPLE_IDS[kind]));

describe('values that try to be interpreted as something else', () => {
  for (const route of routes.filter((one) => isKeyed(one) && bodyOf(one) !== undefined)) {
    test(`${route.verb} ${route.paths[0]}: in every text of its bodies`, async () => {
      const ofRoute = isKeyed(route) ? requestsOf(route, (kind) => SAMPLE_IDS[kind]) : [];
      for (const request of ofRoute) {
        for (const value of INJECTIONS) {
          const bodies = [...withText(request.body, value)];
          await Promise.all(bodies.map((body) => send({ ...request, body })));
        }
      }
    });
  }

  test('in place of an id in paths and queries: not found or refused, and repeated only as text', async () => {
    const texts = TEXTS.map((text) => encodeURIComponent(text.slice(0, 500)));
    let places = 0;
    for (const request of requests) {
      for (const id of Object.values(SAMPLE_IDS).filter((one) => request.path.includes(one))) {
        places++;
        const tried = [...texts, '%', '%00', '%2e%2e%2f', '%c0%ae', '..;', '%ff'].map(async (text) => {
          const { status } = await send({ ...request, path: request.path.replace(id, text) });
          if (request.verb !== 'GET' || !request.path.includes('?')) assert.ok(status >= 400, text);
        });
        await Promise.all(tried);
      }
    }
    assert.ok(places > 10, `${places} places`);
  });

  test('in headers that are read: no answer gets an additional header', async () => {
    const names = ['x-request-id', 'x-batch-id', 'idempotency-key', 'if-match', 'content-type', 'accept'];
    const values = [
      '%0d%0aSet-Cookie: a=b',
      '<script>',
      '__proto__',
      '\u00e9\u00ff',
      '\'"',
      'a\tSet-Cookie: a=b',
    ];
    const [write] = requests.filter(({ path, verb }) => verb === 'POST' && path === '/api/groups');
    assert.ok(write !== undefined);
    for (const name of names) {
      for (const value of values) {
        const { headers } = await send(write, { [name]: value });
        assert.match(String(headers['x-request-id']), /^(?:[\w-]{12}-[0-9a-z]+|__proto__)$/);
      }
    }
  });

  test('line ends within a header: bytes after them are never answered as a request', async () => {
    for (const end of ['\r', '\n', '\r\n ', '\r\n\t', '\u0000', '\u000b', '\u0085']) {
      for (const name of ['X-Request-Id', 'X-Batch-Id', 'Idempotency-Key', 'If-Match']) {
        const { text, statuses } = await server.raw(
          requestText('GET /api/zones', [`${name}: a${end}Set-Cookie: a=b${end}${end}HTTP/1.1 200 OK`]),
          50,
        );
        assert.ok(statuses.length <= 1);
        assert.doesNotMatch(text, /set-cookie/i, JSON.stringify(end));
      }
    }
  });
});

const CONNECTIONS = 200;

describe('invalid paths and verbs', () => {
  const listed = new Set(routes.flatMap(({ verb, paths }) => paths.map((path) => `${verb} ${path}`)));
  const VERBS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH', 'get'];
  const paths = [...new Set(routes.flatMap((route) => route.paths))];

  const isNotFound = async (verb: string, path: string): Promise<void> => {
    const head = requestText(`${verb} ${path}`);
    const { text, statuses, isClosed } = await server.raw(head, 40);
    // The parser refuses an invalid path with 505, or closes the connection.
    assert.ok([404, 505].includes(statuses[0] ?? (isClosed ? 505 : 0)), `${verb} ${path} ${text}`);
    assert.doesNotMatch(text, /zone_us|node_modules|\/src\//);
  };

  test('every verb that the table does not have for a path', async () => {
    for (const path of paths) {
      for (const verb of VERBS.filter((one) => !listed.has(`${one} ${path}`))) {
        // The last segment of a literal path may count as the id of another row, which wants a body.
        const body = verb === 'PUT' ? { body: {} } : {};
        const reply = await server.call(pathTo(path, 'zone_us'), { verb, ...body });
        assert.equal(reply.status, 404, `${verb} ${path}`);
      }
    }
  });

  test('every path in other spellings', async () => {
    const tricks: readonly ((path: string) => string)[] = [
      (path) => `${path}/`,
      (path) => `/${path}`,
      (path) => `${path}//`,
      (path) => `${path};a=b`,
      (path) => `${path}%00`,
      (path) => `${path}.json`,
      (path) => `${path}/..`,
      (path) => `/x/..${path}`,
      (path) => `/.${path}`,
      (path) => path.replace(/[a-z](?=[^a-z]*$)/, (last) => last.toUpperCase()),
      (path) => path.replace(/[a-z](?=[^a-z]*$)/, (last) => `%${last.charCodeAt(0).toString(16)}`),
      (path) => path.replaceAll('/', '%2f'),
      (path) => path.replaceAll('/', '\\'),
    ];
    const literal = paths.filter((path) => !path.endsWith(ID_SEGMENT));
    // A path without letters is unchanged in some spellings.
    const unlisted = literal
      .flatMap((path) => tricks.map((trick) => trick(path)))
      .filter((path) => !paths.includes(path));
    // One more segment after a listed path counts as an id, which is not found.
    const withoutIds = unlisted.filter(
      (path) => !paths.includes(`${path.slice(0, path.lastIndexOf('/'))}/${ID_SEGMENT}`),
    );
    // As many connections as may wait to be accepted.
    for (let at = 0; at < withoutIds.length; at += CONNECTIONS) {
      await Promise.all(withoutIds.slice(at, at + CONNECTIONS).map((path) => isNotFound('GET', path)));
    }
  });

  test('every content type that is not JSON is refused on every route that takes a body', async () => {
    const types = [
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
    ];
    for (const request of requests.filter(({ body }) => body !== undefined)) {
      for (const type of types) {
        const { status } = await send(request, { 'content-type': type });
        assert.equal(status, 400, `${request.verb} ${request.path} ${type}`);
      }
    }
  });
});
