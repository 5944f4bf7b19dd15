/** The OpenAPI document is valid and complete, and its examples pass their schemas. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { TSchema } from '#typebox';
import { ITEMS_MAX_DEFAULT } from '../../../../src/engine/domain/cart.ts';
import { FAILURE_STATUS, invalid } from '../../../../src/engine/domain/failure.ts';
import { ErrorEnvelope } from '../../../../src/engine/wire/answer-schemas.ts';
import { compileSchema } from '../../../../src/engine/wire/schema-check.ts';
import { isDocumented, openApiDocument } from '../../../../src/front/http/openapi/openapi.ts';
import { SchemaComponents } from '../../../../src/front/http/openapi/openapi-schema.ts';
import { bodyOf, ID_SEGMENT, type Route, SHOP_SEGMENT } from '../../../../src/front/http/route.ts';
import { createRouteTable } from '../../../../src/front/http/route-table.ts';
import { readText } from '../../../house/project-files.ts';
import { isKeyed, requestsOf, SAMPLE_IDS } from '../../../support/route-requests.ts';
import { CART, TestServer } from '../../../support/test-server.ts';

interface Operation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly { readonly name?: string; readonly in?: string; readonly $ref?: string }[];
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, ErrorResponse>>;
  };
}
interface ErrorResponse {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content: { readonly 'application/json': { readonly example: unknown } };
}

const all = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT });
const routes = all.filter(isDocumented);
const document = JSON.parse(JSON.stringify(openApiDocument(all))) as Document;

const operationOf = ({ verb, paths: [path] }: Route): Operation => {
  const operation =
    document.paths[path.replace(ID_SEGMENT, '{id}').replace(SHOP_SEGMENT, '{shopId}')]?.[verb.toLowerCase()];
  assert.ok(operation !== undefined, path);
  return operation;
};

/** The documented headers of an answer of a route. */
const headersOf = (route: Route, status: number): Readonly<Record<string, unknown>> =>
  (operationOf(route).responses[status] as { readonly headers: Readonly<Record<string, unknown>> }).headers;

test('the version of the interface is that of the package', () => {
  const { version } = JSON.parse(readText('package.json')) as { version: string };
  assert.equal(document.info.version, version);
});

/** Every object in the document, with its path. */
function* objectsOf(value: unknown, path = '#'): Generator<[string, Readonly<Record<string, unknown>>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Readonly<Record<string, unknown>>];
  for (const [name, part] of Object.entries(value)) yield* objectsOf(part, `${path}/${name}`);
}

test('the document is valid OpenAPI 3.1 for an independent validator', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  assert.ok(valid, JSON.stringify(errors, null, 2));
  assert.match(document.openapi, /^3\.1\./);
});

test('it is served at /openapi.json without a key', async () => {
  const server = await TestServer.start();
  const reply = await server.call('/openapi.json', { key: '' });
  await server.stop();
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.body, document);
});

for (const itemsMax of [5, 2_000]) {
  test(`with carts of up to ${itemsMax} items, every body has this limit`, () => {
    const made = JSON.parse(JSON.stringify(openApiDocument(createRouteTable({ itemsMax })))) as Document;
    const itemsOf = ({ properties }: { readonly properties?: unknown }) =>
      (properties as { readonly items?: { readonly maxItems?: number } } | undefined)?.items?.maxItems;
    const { schemas } = made.components;
    for (const name of ['SimulateRequest', 'CheckRequest'])
      assert.equal(itemsOf(schemas[name] ?? {}), itemsMax);
    const all = [...objectsOf(made)].map(([, object]) => object);
    const carts = all.filter(({ required }) => isDeepStrictEqual(required, ['destination', 'items']));
    assert.ok(carts.length > 2);
    for (const cart of carts) assert.ok([undefined, itemsMax].includes(itemsOf(cart)), JSON.stringify(cart));
  });
}

test('every path and verb of the table is in it, except pages and their parts', () => {
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((verb) => `${verb.toUpperCase()} ${path}`),
  );
  const expected = routes.flatMap(({ verb, paths }) =>
    paths.map((path) => `${verb} ${path.replace(ID_SEGMENT, '{id}').replace(SHOP_SEGMENT, '{shopId}')}`),
  );
  assert.deepEqual(documented.sort(), expected.sort());
  const undocumented = all.filter((route) => !isDocumented(route)).map(({ paths: [path] }) => path);
  assert.ok(undocumented.length > 5 && undocumented.every((path) => /^\/(?:docs|console)\b/.test(path)));
});

test('every query parameter that a route takes is at each of its paths', () => {
  for (const { verb, paths, query } of routes) {
    for (const path of paths) {
      const template = path.replace(ID_SEGMENT, '{id}').replace(SHOP_SEGMENT, '{shopId}');
      const { parameters = [] } = document.paths[template]?.[verb.toLowerCase()] ?? {};
      const named = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      assert.deepEqual(named, Object.keys(query), `${verb} ${template}`);
    }
  }
});

test('operation ids are unique', () => {
  const ids = Object.values(document.paths).flatMap((operations) =>
    Object.values(operations).map(({ operationId }) => operationId),
  );
  assert.equal(new Set(ids).size, ids.length);
});

test('every reference resolves', () => {
  for (const [path, { $ref }] of objectsOf(document)) {
    if ($ref === undefined) continue;
    assert.equal(typeof $ref, 'string');
    const target = String($ref)
      .slice(2)
      .split('/')
      .reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>> | undefined)?.[name], document);
    assert.ok(target !== undefined, `${path} refers to ${$ref}`);
  }
});

test('x-accepts appears in descriptions, and every titled schema is a component', () => {
  const text = JSON.stringify(document);
  assert.doesNotMatch(text, /x-accepts/);
  assert.match(text, /Accepts an ISO 3166-1 alpha-2 country code/);
  for (const [path, object] of objectsOf(document.paths)) {
    assert.ok(typeof object['title'] !== 'string' || object['type'] === undefined, path);
  }
  for (const name of ['SimulateRequest', 'SimulateAnswer', 'MethodRecord', 'ConfigData', 'Error']) {
    assert.ok(name in document.components.schemas, name);
  }
});

test('each route documents every failure that it can answer with', () => {
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [verb, operation] of Object.entries(operations)) {
      const statuses = Object.keys(operation.responses).map(Number);
      if (operation.security?.length === 0) continue;
      if (path.startsWith('/carriers/')) {
        assert.deepEqual(statuses, [200, 400, 401, 404, 429, 500, 503]);
        continue;
      }
      if (path.startsWith('/operator/')) {
        const isOfShop = operation.parameters.some(({ $ref }) => $ref?.endsWith('/IfMatch'));
        for (const status of [400, 401, 404, 500, 503, ...(isOfShop ? [409] : [])])
          assert.ok(statuses.includes(status), `${verb} ${path}`);
        continue;
      }
      for (const status of [400, 401, 403, 429, 500, 503])
        assert.ok(statuses.includes(status), `${verb} ${path}`);
      const isWrite = operation.parameters.some(({ $ref }) => $ref?.endsWith('/IfMatch'));
      assert.equal(isWrite, verb !== 'get' && !path.includes('/simulate'), `${verb} ${path}`);
      if (isWrite) assert.ok(statuses.includes(409), `${verb} ${path}`);
      if (path.includes('{id}')) {
        assert.ok(statuses.includes(404));
        assert.ok(operation.parameters.some(({ name }) => name === 'id'));
      }
    }
  }
});

test('the headers of a refusal are documented: version, Retry-After, WWW-Authenticate', async (context) => {
  const server = await TestServer.start();
  context.after(() => server.stop());
  server.shop.simulateWith = () => invalid('/items must come to less');
  const calls: readonly [code: string, header: string, ...Parameters<TestServer['call']>][] = [
    ['NOT_FOUND', 'x-config-version', '/api/methods/method_none'],
    ['NOT_FOUND', 'etag', '/api/zones/zone_none'],
    ['CONFLICT', 'x-config-version', '/api/staging', { verb: 'POST', body: { action: 'promote' } }],
    ['VALIDATION_ERROR', 'x-config-version', '/api/simulate', { body: CART }],
    ['UNAUTHORIZED', 'www-authenticate', '/api/methods', { key: 'wrong' }],
  ];
  for (const [code, header, ...call] of calls) {
    const { status, headers, text } = await server.call(...call);
    assert.equal(status, FAILURE_STATUS[code as keyof typeof FAILURE_STATUS], text);
    assert.ok(header in headers, `${code} ${header}: ${Object.keys(headers)}`);
    const documented = Object.keys(document.components.responses[code]?.headers ?? {});
    assert.ok(documented.map((name) => name.toLowerCase()).includes(header), `${code} ${header}`);
  }
});

test('a success carries the headers of version and tag where they are documented, and nowhere else', async (context) => {
  const server = await TestServer.start();
  context.after(() => server.stop());
  for (const route of routes.filter(isKeyed)) {
    server.restoreShop();
    const [request] = requestsOf(route, (kind) => SAMPLE_IDS[kind]);
    assert.ok(request !== undefined, route.name);
    const { verb, path, body, needsChangeset } = request;
    if (needsChangeset) server.shop.stage();
    const { status, headers } = await server.call(path, { verb, ...(body === undefined ? {} : { body }) });
    assert.equal(status, route.success.status, route.name);
    const documented = Object.keys(headersOf(route, status));
    for (const name of ['X-Config-Version', 'ETag']) {
      assert.equal(documented.includes(name), name.toLowerCase() in headers, `${route.name} ${name}`);
    }
  }
});

test('a read with a tag documents If-None-Match and what it answers, and no other route does', () => {
  for (const route of routes) {
    const operation = operationOf(route);
    const takesIt = operation.parameters.some(({ $ref }) => $ref?.endsWith('/IfNoneMatch') === true);
    // The results of a changeset change without a write.
    const hasTag = 'ETag' in headersOf(route, route.success.status) && route.name !== 'getStaging';
    assert.equal(takesIt, hasTag, route.name);
    assert.equal('304' in operation.responses, hasTag, route.name);
    if (!hasTag) continue;
    const unchanged = operation.responses['304'] as { readonly content?: unknown };
    assert.equal(unchanged.content, undefined, route.name);
    assert.deepEqual(headersOf(route, 304), headersOf(route, 200), route.name);
  }
});

test('every route documents 400, because it can have a wrong query parameter', () => {
  for (const route of routes) assert.ok('400' in operationOf(route).responses, route.name);
});

describe('examples', () => {
  for (const route of routes) {
    test(`${route.name}: examples of bodies and answers pass their schemas`, () => {
      assert.deepEqual(compileSchema(route.success.schema).defects(route.success.example, 5), []);
      const body = bodyOf(route);
      if (body === undefined) return;
      assert.ok(Object.keys(body.examples).length > 0);
      for (const [name, example] of Object.entries(body.examples)) {
        assert.deepEqual(body.check.defects(example, 5), [], name);
      }
    });
  }

  test('examples of failures are envelopes with the right code', () => {
    const envelope = compileSchema(ErrorEnvelope);
    assert.deepEqual(Object.keys(document.components.responses), Object.keys(FAILURE_STATUS));
    for (const [code, { content }] of Object.entries(document.components.responses)) {
      const { example } = content['application/json'];
      assert.deepEqual(envelope.defects(example), []);
      assert.equal((example as { error: { code: string } }).error.code, code);
    }
  });

  test('examples within schemas pass them', () => {
    let count = 0;
    const schemas = routes.flatMap((route) => [route.success.schema, bodyOf(route)?.schema ?? {}]);
    for (const [path, schema] of objectsOf(schemas)) {
      const { examples } = schema;
      if (!Array.isArray(examples)) continue;
      for (const example of examples) {
        assert.deepEqual(compileSchema(schema as TSchema).defects(example), [], path);
        count++;
      }
    }
    assert.ok(count > 0);
  });
});

test('wherever a version is named, its number and live are documented', () => {
  const named = [...objectsOf(document)].filter(([path, { name, in: place, schema }]) => {
    if (place === 'query') {
      return name === 'version' || (name === 'cursor' && path.includes('/api/versions/'));
    }
    if (place === 'path') return path.includes('/api/versions/');
    return schema === undefined && /\/properties\/(version[AB]|targetVersionId)$/.test(path);
  });
  assert.ok(named.length >= 6, named.map(([path]) => path).join());
  for (const [path, { schema, description }] of named) {
    const text = (schema as { readonly description?: string } | undefined)?.description ?? description;
    assert.match(String(text), /number in decimal.*live/, path);
  }
});

test('two different schemas with the same title throw', () => {
  const components = new SchemaComponents();
  const named = { type: 'object', title: 'Thing', properties: { title: { type: 'string' } } };
  components.add(named);
  assert.deepEqual(components.add(structuredClone(named)), { $ref: '#/components/schemas/Thing' });
  assert.throws(() => components.add({ ...named, properties: {} }), /title Thing/);
  assert.deepEqual(components.all(), {
    Thing: { type: 'object', properties: { title: { type: 'string' } } },
  });
});
