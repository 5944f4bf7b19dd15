/** Lists of records in pages and by a text (contract section 12.4), against plain filters of the whole list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PlacedConfig } from '../../../src/engine/domain/shop-event.ts';
import { startServerOfFile } from '../../support/server-of-file.ts';
import { shopCase } from '../../support/shop-arbitraries.ts';

const server = await startServerOfFile();

const FIELD = {
  '/api/methods': 'methods',
  '/api/rules': 'rules',
  '/api/groups': 'groups',
  '/api/zones': 'zones',
  '/api/blended': 'blendedRates',
  '/api/checks': 'checks',
} as const;
const PATHS = Object.keys(FIELD) as readonly (keyof typeof FIELD)[];

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly serviceCode?: string;
  readonly subzones?: readonly Shown[];
}

interface Page {
  readonly records: readonly Shown[];
  /** Undefined when the answer has none. */
  readonly nextCursor: string | null | undefined;
}

async function read(
  path: keyof typeof FIELD,
  query: Readonly<Record<string, string | number>>,
): Promise<Page> {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const reply = await server.call(`${path}?${text}`);
  assert.equal(reply.status, 200, reply.message);
  const { [FIELD[path]]: records, nextCursor } = reply.body as Record<string, unknown>;
  return { records, nextCursor } as Page;
}

/** All records, page by page. */
async function readPages(
  path: keyof typeof FIELD,
  limit: number,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly Shown[]> {
  const all: Shown[] = [];
  let cursor: string | null = null;
  do {
    const { records, nextCursor }: Page = await read(path, { ...query, limit, ...(cursor && { cursor }) });
    assert.ok(nextCursor !== undefined);
    assert.ok(records.length <= limit);
    if (nextCursor !== null) {
      assert.equal(records.length, limit);
      assert.equal(nextCursor, records[limit - 1]?.id);
    }
    all.push(...records);
    cursor = nextCursor;
  } while (cursor !== null);
  return all;
}

function setConfig(config: Partial<PlacedConfig>): void {
  const { state } = server.shop;
  server.shop.state = { ...state, config: { ...state.config, ...config } };
}

const plainly = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
const has = (text: string, { id, name, serviceCode = '', subzones = [] }: Shown): boolean =>
  plainly(id).includes(text) ||
  plainly(name).includes(text) ||
  plainly(serviceCode).includes(text) ||
  subzones.some((subzone) => has(text, subzone));

test('pages together are the whole list, and a search is a plain filter of it', async () => {
  let [several, found, omitted] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(
      shopCase(1),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(),
      fc.nat(),
      async ({ config }, limit, pick, at) => {
        // Type-safe enough: lists read no placement.
        setConfig(config as unknown as PlacedConfig);
        for (const path of PATHS) {
          const whole = await read(path, {});
          assert.equal(whole.nextCursor, undefined);
          assert.deepEqual(await readPages(path, limit), whole.records);
          if (whole.records.length > limit) several++;
          const texts = whole.records.flatMap(({ id, name, serviceCode = '', subzones = [] }) => [
            ...[id, name, serviceCode],
            ...subzones.map((subzone) => subzone.name),
          ]);
          const one = [...(texts[pick % (texts.length || 1)] ?? 'x')];
          const start = at % (one.length || 1);
          const text = one.slice(start, start + 1 + (at % 5)).join('');
          const expected = whole.records.filter((record) => has(plainly(text), record));
          for (const search of [text, text.toUpperCase(), text.toLowerCase()]) {
            // A few letters have another lower case after they were upper case.
            if (plainly(search) !== plainly(text)) continue;
            assert.deepEqual((await read(path, { search })).records, expected, text);
            assert.deepEqual(await readPages(path, limit, { search }), expected, text);
          }
          found += expected.length;
          omitted += whole.records.length - expected.length;
        }
      },
    ),
    { numRuns: 40 },
  );
  assert.ok(several > 20 && found > 50 && omitted > 50, `${several} ${found} ${omitted}`);
});

const [METHOD] = server.shop.state.config.methods;
const methodsOf = (...ids: readonly string[]) => ({
  methods: ids.map((id) => ({ ...(METHOD as PlacedConfig['methods'][number]), id })),
});
const idsOf = ({ records }: Page) => records.map(({ id }) => id);

test('a search looks at names, ids and service codes, and for a zone at its subzones', async () => {
  for (const [path, search, isFound] of [
    ['/api/methods', 'STAND', true],
    ['/api/methods', 'thod_STD', true],
    ['/api/methods', '5-7 days', false],
    ['/api/zones', 'alaska', true],
    ['/api/zones', 'SUB_AK', true],
    ['/api/zones', '995', false],
    ['/api/rules', 'rule_h', true],
    ['/api/rules', 'method', false],
    ['/api/checks', 'mug to', true],
    ['/api/checks', '', true],
  ] as const) {
    assert.equal((await read(path, { search })).records.length, isFound ? 1 : 0, `${path} ${search}`);
  }
});

test('a cursor keeps its place while records are made, moved and deleted', async () => {
  setConfig(methodsOf('a', 'b', 'c', 'd'));
  const first = await read('/api/methods', { limit: 2 });
  assert.deepEqual([idsOf(first), first.nextCursor], [['a', 'b'], 'b']);
  setConfig(methodsOf('new', 'b', 'd', 'e'));
  const rest = await read('/api/methods', { limit: 2, cursor: 'b' });
  assert.deepEqual([idsOf(rest), rest.nextCursor], [['d', 'e'], null]);
  assert.deepEqual(idsOf(await read('/api/methods', { cursor: 'd' })), ['e']);
  // The record of the cursor need not be found by the search, nor be in the zone.
  assert.deepEqual(idsOf(await read('/api/methods', { cursor: 'b', search: 'E' })), ['e']);
  assert.deepEqual(idsOf(await read('/api/methods', { cursor: 'b', search: 'std' })), []);
  assert.deepEqual(idsOf(await read('/api/methods', { cursor: 'b', zoneId: 'zone_x', limit: 1 })), []);
  setConfig(methodsOf('d', 'e'));
  const gone = await server.call('/api/methods?limit=2&cursor=b');
  assert.deepEqual([gone.status, gone.message], [404, 'Method not found: b']);
});

test('the cursor of a list of rules is a rule, of any method or of the one that is named', async () => {
  const rules = (method: string) =>
    ['x', 'y'].map((name) => ({
      ...{ id: `${method}_${name}`, conditions: [], enabled: true, placement: 1 },
      action: 'hide' as const,
    }));
  const { methods } = methodsOf('a', 'b');
  setConfig({ methods: methods.map((method) => ({ ...method, rules: rules(method.id) })) });
  assert.deepEqual(idsOf(await read('/api/rules', { limit: 2, cursor: 'a_x' })), ['a_y', 'b_x']);
  assert.deepEqual(idsOf(await read('/api/rules', { limit: 2, cursor: 'b_x', methodId: 'b' })), ['b_y']);
  const of = await server.call('/api/rules?cursor=a_x&methodId=b');
  assert.deepEqual([of.status, of.message], [404, 'Rule not found: a_x']);
});

test('positions are those in the whole list, and each page has the tag of the configuration', async () => {
  setConfig(methodsOf('a', 'b', 'c'));
  const whole = await server.call('/api/methods');
  const page = await server.call('/api/methods?limit=1&cursor=b');
  assert.deepEqual(
    (page.body as { methods: { position: number }[] }).methods.map(({ position }) => position),
    [2],
  );
  assert.equal(page.headers['etag'], whole.headers['etag']);
  const headers = { 'if-none-match': String(page.headers['etag']) };
  assert.equal((await server.call('/api/methods?limit=1&cursor=b', { headers })).status, 304);
});

test('a limit is 1 to 1,000, a cursor an id, a search a text', async () => {
  for (const [query, accepts] of [
    ['limit=0', 'limit must be a whole number from 1 to 1,000'],
    ['limit=1001', 'limit must be a whole number from 1 to 1,000'],
    ['limit=', 'limit must be a whole number from 1 to 1,000'],
    ['cursor=', 'cursor must be an id: 1 to 64 characters of A-Z, a-z, 0-9, _ and -'],
    ['search=%00', 'search must be text of 0 to 200 characters without control characters'],
  ]) {
    const reply = await server.call(`/api/methods?${query}`);
    assert.deepEqual([reply.status, reply.message], [400, `query parameter ${accepts}`], query);
  }
  for (const limit of ['1', '0999', '1000']) await read('/api/methods', { limit });
});
