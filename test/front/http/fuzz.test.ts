/**
 * Random bodies: any JSON, any bytes, and documented bodies with changes. The answer is 400 in the envelope or an answer
 * of the route, never anything else. The long form: `RATEWRIGHT_FUZZ_BODIES=100000 npm test -- http/fuzz`.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import { ErrorEnvelope } from '../../../src/engine/wire/answer-schemas.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import { bodyOf, type Route } from '../../../src/front/http/route.ts';
import { createRouteTable } from '../../../src/front/http/route-table.ts';
import { mutated, nasty, scratched, spoilt } from '../../support/odd-bodies.ts';
import { pathTo } from '../../support/route-requests.ts';
import { valuesOf, withUnlisted } from '../../support/schema-arbitrary.ts';
import { startServerOfFile } from '../../support/server-of-file.ts';
import type { Reply } from '../../support/test-server.ts';

/** Bodies per route in each of the first four tests, and in each of the other two, whose bodies are larger. */
const RUNS = Math.ceil(Number(process.env['RATEWRIGHT_FUZZ_BODIES'] ?? 1_500) / 100);
const RUNS_OF_SCHEMA = Math.ceil(RUNS / 4);

const server = await startServerOfFile();

const envelope = compileSchema(ErrorEnvelope);
const routes = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT }).filter(
  (route) => bodyOf(route) !== undefined,
);

const targetOf = (route: Route): string =>
  route.kind === 'shop' && route.target !== undefined ? 'nope' : '';

const answers = new Map(
  routes.map((route) => {
    const read = route.kind === 'shop' ? route.readAnswer : undefined;
    const shapes = [
      [route.success.status, route.success.schema] as const,
      ...(read ? [[200, read.schema] as const] : []),
    ];
    return [route, new Map(shapes.map(([status, schema]) => [status as number, compileSchema(schema)]))];
  }),
);

/** Sends the body and checks that the route may answer the reply. */
async function ask(route: Route, body: string | Uint8Array): Promise<Reply> {
  server.restoreShop();
  const path = pathTo(route.paths.at(-1) ?? '', targetOf(route));
  const reply = await server.call(path, { verb: route.verb, body });
  const answer = answers.get(route)?.get(reply.status);
  if (answer !== undefined) {
    assert.deepEqual(answer.defects(reply.body), []);
    return reply;
  }
  assert.deepEqual(envelope.defects(reply.body), [], reply.text);
  // 404: the path or a changed body names an unknown record. 409: there is no changeset.
  assert.ok([400, 404, 409].includes(reply.status), reply.text);
  return reply;
}

const check = async (route: Route, body: string | Uint8Array): Promise<void> => {
  await ask(route, body);
};

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

    test('the text of a documented body with one change', () =>
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

    test('the bytes of a documented body, corrupted', () =>
      fc.assert(
        fc.asyncProperty(fc.oneof(...examples.map((one) => spoilt(JSON.stringify(one)))), (bytes) =>
          check(route, bytes),
        ),
        { numRuns: RUNS_OF_SCHEMA },
      ));

    if (body === undefined || route.kind === 'callback') return;
    test('a valid body is accepted; an extra field is refused by its path or dropped', () =>
      fc.assert(
        fc.asyncProperty(valuesOf(body.schema), fc.nat(), async (value, choice) => {
          assert.deepEqual(body.check.defects(value), []);
          await check(route, JSON.stringify(value));
          const places = withUnlisted(JSON.parse(JSON.stringify(value)), body.schema);
          const place = places[choice % places.length];
          if (place === undefined) return;
          const reply = await ask(route, JSON.stringify(place.value));
          const isNamed = reply.text.includes(`${place.path} is not a field that is accepted here`);
          assert.equal(isNamed, place.isRefused, reply.text);
          if (isNamed) assert.equal(reply.status, 400);
        }),
        { numRuns: RUNS_OF_SCHEMA },
      ));
  });
}

describe('bodies that are expensive to check', () => {
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
