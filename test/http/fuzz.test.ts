/**
 * Bodies that nobody would send on purpose: any JSON, any bytes, and documented bodies with something in
 * them changed. The answer is 400 in the envelope or the answer of the route, never anything else.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { ErrorEnvelope } from '../../src/domain/answer-schemas.ts';
import { compileSchema } from '../../src/domain/schema-check.ts';
import { bodyOf, ID_SEGMENT, type Route } from '../../src/http/route.ts';
import { createRouteTable } from '../../src/http/route-table.ts';
import { TestServer } from '../support/test-server.ts';

const RUNS = 100;

let server: TestServer;
let pristine: TestServer['shop']['state'];
before(async () => {
  server = await TestServer.start();
  pristine = server.shop.state;
});
after(async () => {
  await server.stop();
  assert.deepEqual(server.log, []);
});

const envelope = compileSchema(ErrorEnvelope);
const routes = createRouteTable({ itemsMax: 1_000 }).filter((route) => bodyOf(route) !== undefined);

/** Values that have broken servers before. */
const nasty = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    1.5,
    -0,
    2 ** 53,
    1e308,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '__proto__',
    'x'.repeat(300),
    [],
    {},
    [[]],
    Array(200).fill(0),
  ),
);

/** The body with one place in it replaced, removed or added to. */
const mutated = (body: unknown): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.nat(), nasty, fc.constantFrom('replace', 'remove', 'add'), fc.string())
    .map(([place, value, how, name]) => {
      const copy = structuredClone(body);
      const containers = containersOf(copy);
      const container = containers[place % containers.length] ?? {};
      const names = Object.keys(container);
      const chosen = how === 'add' ? name : (names[place % Math.max(1, names.length)] ?? name);
      // Not `=`: a name such as __proto__ is to become a field. The length of an array is none.
      if (chosen === 'length') return copy;
      if (how === 'remove') Reflect.deleteProperty(container, chosen);
      else {
        const field = { value, enumerable: true, configurable: true, writable: true };
        Reflect.defineProperty(container, chosen, field);
      }
      return copy;
    });

function containersOf(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(containersOf)];
}

/** A text with one character cut out, doubled or replaced. */
const scratched = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat({ max: text.length }), fc.string({ maxLength: 3 }), fc.nat({ max: 2 }))
    .map(([at, put, cut]) => text.slice(0, at) + put + text.slice(at + cut));

const targetOf = (route: Route): string =>
  route.kind === 'shop' && route.target !== undefined ? 'nope' : '';

const answers = new Map(routes.map((route) => [route, compileSchema(route.success.schema)]));

async function check(route: Route, body: string | Uint8Array): Promise<void> {
  server.shop.state = pristine;
  const path = (route.paths.at(-1) ?? '').replace(ID_SEGMENT, targetOf(route));
  const reply = await server.call(path, { verb: route.verb, body });
  if (reply.status === route.success.status) {
    assert.deepEqual(answers.get(route)?.defects(reply.body), []);
    return;
  }
  assert.deepEqual(envelope.defects(reply.body), [], reply.text);
  // 404: the record that the path names, or one that a changed body names. 409: there is no changeset.
  assert.ok([400, 404, 409].includes(reply.status), reply.text);
}

for (const route of routes) {
  const body = bodyOf(route);
  const examples = Object.values(body?.examples ?? {});
  describe(`${route.verb} ${route.paths.at(-1)}`, () => {
    test('any JSON value', () =>
      fc.assert(
        fc.asyncProperty(nasty, (value) => check(route, JSON.stringify(value) ?? 'undefined')),
        { numRuns: RUNS },
      ));

    test('a documented body with one place changed', () =>
      fc.assert(
        fc.asyncProperty(fc.oneof(...examples.map(mutated)), (value) => check(route, JSON.stringify(value))),
        { numRuns: RUNS },
      ));

    test('the text of a documented body with a scratch', () =>
      fc.assert(
        fc.asyncProperty(fc.oneof(...examples.map((one) => scratched(JSON.stringify(one)))), (text) =>
          check(route, text),
        ),
        { numRuns: RUNS },
      ));

    test('any bytes', () =>
      fc.assert(
        fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => check(route, bytes)),
        { numRuns: RUNS },
      ));
  });
}

describe('shapes that are costly to look at', () => {
  const some = routes.filter(({ name }) => ['simulate', 'replaceConfig', 'createMethod'].includes(name));
  const depth = 100_000;
  const costly: Readonly<Record<string, string>> = {
    'arrays in arrays': '['.repeat(depth) + ']'.repeat(depth),
    'objects in objects': `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    'depth in an ignored field': `{"destination":{"country":"US"},"items":[{"quantity":1,"grams":1,"price":1}],"x":${'['.repeat(depth)}${']'.repeat(depth)}}`,
    'a hundred thousand unknown fields': `{${Array.from({ length: 80_000 }, (_, index) => `"f${index}":0`)}}`,
    'the same key many times': `{${'"destination":1,'.repeat(50_000)}"items":0}`,
    'numbers beyond all bounds':
      '{"destination":{"country":"US"},"items":[{"quantity":1e400,"grams":-1e400,"price":1e-400}]}',
    'a number of a million digits': `{"items":${'9'.repeat(1_000_000)}}`,
  };
  for (const [what, text] of Object.entries(costly)) {
    test(what, async () => {
      assert.equal(some.length, 3);
      for (const route of some) await check(route, text);
    });
  }
});
