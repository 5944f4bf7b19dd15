/**
 * Every bound of every body, parameter and rate configuration, derived from the route table: a value at the bound and one
 * within it are accepted, one beyond it is refused by its path. New bounds are included automatically.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ITEMS_MAX_DEFAULT } from '../../../src/engine/domain/cart.ts';
import { RATE_TYPE_NAMES, RATE_TYPES } from '../../../src/engine/domain/rate-type.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import { type BodyRow, bodyOf, type Route } from '../../../src/front/http/route.ts';
import { createRouteTable } from '../../../src/front/http/route-table.ts';
import { RECORDS_PER_PAGE_MAX } from '../../../src/front/http/routes/record-list.ts';
import { readSettings } from '../../../src/front/settings.ts';
import { shopWithZones } from '../../engine/change/trial-shop.ts';
import { pathTo, sampleIdOf } from '../../support/route-requests.ts';
import { type SchemaEdge, schemaEdges } from '../../support/schema-edges.ts';
import { startServerOfFile } from '../../support/server-of-file.ts';
import type { Reply } from '../../support/test-server.ts';

const server = await startServerOfFile();
const { bodyBytesMax } = readSettings({});

const routes = createRouteTable({ itemsMax: ITEMS_MAX_DEFAULT });

const nameOf = ({ path, keyword, limit }: SchemaEdge): string =>
  `${path || 'the value'}: ${keyword} ${limit}`;

function ask(route: Route, body: unknown, query = ''): Promise<Reply> {
  server.restoreShop();
  const path = pathTo(route.paths[0] ?? '', sampleIdOf(route));
  return server.call(path + query, { verb: route.verb, ...(body === undefined ? {} : { body }) });
}

/** True when the text contains the bound that was exceeded; formats such as that of ids have a name instead. */
function namesBound(text: string, { path, keyword, limit }: SchemaEdge): boolean {
  if (keyword.startsWith('^')) return true;
  const words = text.slice(text.indexOf(path) + path.length).replaceAll('2^53-1', '9007199254740991');
  return (words.replaceAll(',', '').match(/\d+/g) ?? []).map(Number).includes(Math.abs(limit));
}

/** True when the refusal names this path. */
const isRefusedAt = (reply: Reply, path: string): boolean =>
  reply.status === 400 && reply.message.startsWith(`${path} must be `);

/** True for a body that is refused for its length before a long text in it is checked. */
const isTooLong = (value: unknown, { limit }: BodyRow): boolean =>
  limit === 'body' && Buffer.byteLength(JSON.stringify(value)) > bodyBytesMax;

const isRefusedByLength = (reply: Reply): boolean =>
  reply.status === 400 && reply.message.startsWith('the body must be at most ');

for (const route of routes) {
  const body = bodyOf(route);
  if (body === undefined) continue;
  // The schema of the whole body; the requests of a batch are checked one by one, like those of `simulate`.
  const edges = schemaEdges(body.checkedSchema);
  if (edges.length === 0) continue;
  test(`${route.name}: each of ${edges.length} bounds of the body`, async () => {
    for (const edge of edges) {
      for (const amount of edge.within) {
        const value = edge.valueWith(amount);
        assert.deepEqual(body.check.defects(value), [], `${nameOf(edge)}, ${amount}`);
        // Callbacks need a signature.
        if (route.kind === 'callback') continue;
        const reply = await ask(route, value);
        assert.ok(!isRefusedAt(reply, edge.path), `${nameOf(edge)}, ${amount}: ${reply.message}`);
        assert.ok([200, 201, 400, 404, 409].includes(reply.status), reply.text);
      }
      for (const amount of edge.beyond) {
        const value = edge.valueWith(amount);
        const [defect = ''] = body.check.defects(value);
        assert.ok(defect.startsWith(`${edge.path} must be `), `${nameOf(edge)}, ${amount}: ${defect}`);
        assert.ok(namesBound(defect, edge), `${nameOf(edge)}, ${amount}: ${defect}`);
        if (route.kind === 'callback') continue;
        const reply = await ask(route, value);
        const isRefused = isTooLong(value, body) ? isRefusedByLength(reply) : isRefusedAt(reply, edge.path);
        assert.ok(isRefused, `${nameOf(edge)}, ${amount}: ${reply.text}`);
      }
    }
  });
}

/** Bounds of numbers in parameters, which are texts: route and parameter -> minimum and maximum. */
const NUMBERS: Readonly<Record<string, readonly [number, number]>> = {
  'listVersions limit': [1, 100],
  'listShops limit': [1, 1_000],
  'listAudit limit': [1, 100],
  ...Object.fromEntries(
    ['Zones', 'Groups', 'Methods', 'Rules', 'BlendedRates', 'Checks'].map((name) => [
      `list${name} limit`,
      [1, RECORDS_PER_PAGE_MAX] as const,
    ]),
  ),
};
/** Parameters with a format instead of a bound. */
const FORMATS = new Set(['simulate at', 'simulateBatch at']);

describe('parameters', () => {
  for (const route of routes) {
    for (const [name, { schema, check }] of Object.entries(route.query)) {
      const what = `${route.name} ${name}`;
      if (FORMATS.has(what)) continue;
      test(what, async () => {
        const isRefused = async (value: string): Promise<boolean> => {
          const reply = await ask(route, undefined, `?${name}=${value}`);
          const isNamed = reply.status === 400 && reply.message.includes(`parameter ${name} must be`);
          assert.equal(check.check(value), !isNamed, `${value}: ${reply.text}`);
          return isNamed;
        };
        const numbers = NUMBERS[what];
        if (numbers !== undefined) {
          const [least, most] = numbers;
          for (const amount of [least, least + 1, most - 1, most]) assert.ok(!(await isRefused(`${amount}`)));
          for (const amount of [least - 1, most + 1]) assert.ok(await isRefused(`${amount}`));
          return;
        }
        for (const edge of schemaEdges(schema)) {
          for (const amount of edge.within) {
            // An empty value counts as absent.
            if (amount === 0) continue;
            assert.ok(!(await isRefused(String(edge.valueWith(amount)))), `${nameOf(edge)}, ${amount}`);
          }
          for (const amount of edge.beyond) {
            assert.ok(await isRefused(String(edge.valueWith(amount))), `${nameOf(edge)}, ${amount}`);
          }
        }
      });
    }
  }
});

describe('configurations of rate types', () => {
  for (const rateType of RATE_TYPE_NAMES) {
    const schema = RATE_TYPES[rateType];
    const edges = schemaEdges(schema);
    test(`${rateType}: each of ${edges.length} bounds`, () => {
      const check = compileSchema(schema);
      const shop = shopWithZones();
      const decide = (config: unknown): string => {
        const body = { name: 'A', zoneId: 'zone_us', rateType, config: config as Record<string, unknown> };
        const outcome = shop.try({ kind: 'createMethod', body });
        return outcome.ok ? '' : outcome.message;
      };
      for (const edge of edges) {
        for (const amount of edge.within) {
          assert.deepEqual(check.defects(edge.valueWith(amount)), [], `${nameOf(edge)}, ${amount}`);
        }
        for (const amount of edge.beyond) {
          const message = decide(edge.valueWith(amount));
          assert.ok(message.startsWith(`/config${edge.path} must be `), `${nameOf(edge)}: ${message}`);
          assert.ok(namesBound(message, edge), `${nameOf(edge)}: ${message}`);
        }
      }
    });
  }
});
