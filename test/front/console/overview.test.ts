/** What the overview and the price map say of a configuration: methods in force, carts for them, unused records, prices. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countryRows,
  type Places,
  readPrices,
  shadeOf,
  shadesOf,
} from '../../../src/front/console/map/country-prices.ts';
import { figuresOf, percentText } from '../../../src/front/console/overview/coverage-figures.ts';
import { type Config, type Coverage, PlaceGrid } from '../../../src/front/console/overview/place-grid.ts';
import { unusedRecords } from '../../../src/front/console/overview/unused-records.ts';
import { samplePostalCode } from '../../../src/front/console/tester/sample-cart.ts';

const group = (id: string, lists: Partial<Config['productGroups'][number]> = {}) => ({
  ...{ id, name: id, isDefault: false, variantIds: [], productIds: [], skus: [], tags: [], vendors: [] },
  ...lists,
});
const method = (id: string, zoneId: string, productGroupId: string, enabled = true) =>
  ({ id, name: id, zoneId, productGroupId, enabled, rules: [] }) as unknown as Config['methods'][number];

const CONFIG: Config = {
  versionId: 'version_1',
  productGroups: [
    group('parcels', { isDefault: true }),
    group('canoes', { skus: ['CANOE-*'] }),
    group('ice'),
  ],
  zones: [
    {
      id: 'us',
      name: 'United States',
      countries: ['US', 'PR'],
      subzones: [{ id: 'alaska', name: 'Alaska', postalCodes: '995*, 996*' }],
    },
    { id: 'pr', name: 'Puerto Rico', countries: ['PR'], subzones: [] },
    { id: 'world', name: 'World', countries: ['*'], subzones: [] },
  ],
  methods: [
    method('standard', 'us', 'parcels'),
    method('express', 'us', 'parcels'),
    method('freight', 'us', 'canoes'),
    method('barge', 'alaska', 'canoes'),
    method('sledge', 'alaska', 'ice', false),
    method('post', 'world', 'parcels'),
  ],
  blendedRates: [],
  checks: [],
};
const COVERAGE: Coverage = {
  since: '2026-01-01T00:00:00.000Z',
  simulations: 10,
  days: [],
  zones: [
    { zoneId: 'us', subzoneId: null, count: 9 },
    { zoneId: 'us', subzoneId: 'alaska', count: 0 },
  ],
  methods: [
    {
      methodId: 'standard',
      considered: 9,
      visible: 9,
      offered: 9,
      lastOfferedAt: '2026-06-01T00:00:00.000Z',
    },
    { methodId: 'express', considered: 9, visible: 9, offered: 2, lastOfferedAt: '2026-02-01T00:00:00.000Z' },
    { methodId: 'sledge', considered: 0, visible: 0, offered: 0, lastOfferedAt: null },
  ],
  rules: [],
  tiers: [{ methodId: 'standard', index: 1, count: 0 }],
  groups: [{ productGroupId: 'parcels', count: 9 }],
};

test('a cell has the methods in force: those of the zone where the subzone has none of the group', () => {
  const grid = new PlaceGrid(CONFIG, COVERAGE);
  assert.deepEqual(
    grid.rows.map((row) => [
      (row.subzone ?? row.zone).id,
      row.gaps,
      ...grid.groups.map(({ id }) => {
        const { methods, isOfZone } = grid.cell(row, id);
        return isOfZone ? 'zone' : methods;
      }),
    ]),
    [
      ['us', 1, 2, 1, 0],
      ['alaska', 1, 'zone', 1, 0],
      ['pr', 3, 0, 0, 0],
      ['world', 2, 1, 0, 0],
    ],
  );
  assert.equal(grid.gaps, 7);
  const [us, alaska] = grid.rows;
  assert.ok(us !== undefined && alaska !== undefined);
  assert.equal(grid.cell(us, 'parcels').lastOfferedAt, '2026-06-01T00:00:00.000Z');
  assert.equal(grid.cell(alaska, 'parcels').lastOfferedAt, null);
  assert.equal(grid.cell(alaska, 'ice').disabled, 1);
});

test('the cart of a cell goes to the place and holds an item of the group', () => {
  const grid = new PlaceGrid(CONFIG, null);
  const cartOf = (row: number, at: number) => {
    const [place, group] = [grid.rows[row], grid.groups[at]];
    assert.ok(place !== undefined && group !== undefined);
    return grid.cart(place, group);
  };
  assert.deepEqual(cartOf(1, 1)?.destination, { country: 'US', postalCode: '995' });
  assert.equal(cartOf(1, 1)?.items[0]?.sku, 'CANOE-1');
  // The first zone has Puerto Rico.
  assert.equal(cartOf(2, 0), null);
  const elsewhere = cartOf(3, 0)?.destination.country;
  assert.ok(elsewhere !== undefined && !['US', 'PR'].includes(elsewhere));
});

test('a sample postal code matches the first pattern of its subzone', () => {
  const cases = [
    ['18565, 25845-25849', 'DE', '18565'],
    ['25845-25849', 'DE', '25845'],
    ['X*', 'CA', 'X'],
    ['IV1 1*', 'GB', 'IV1 1AA'],
    ['KA27 *', 'GB', 'KA27 1AA'],
    ['HS*', 'GB', 'HS1 1AA'],
    ['*', 'FR', '1'],
    ['', 'FR', ''],
  ] as const;
  for (const [patterns, country, code] of cases) assert.equal(samplePostalCode(patterns, country), code);
});

test('what was used too long ago or never is listed by kind, disabled methods as such', () => {
  assert.deepEqual(
    unusedRecords(CONFIG, COVERAGE, Date.parse('2026-05-01')).map(({ kind, total, records }) => [
      kind,
      total,
      records.map(({ name, lastUsedAt }) => `${name} ${lastUsedAt ?? 'never'}`),
    ]),
    [
      ['Methods never offered', 3, ['sledge (disabled) never']],
      ['Methods not offered lately', 3, ['express 2026-02-01T00:00:00.000Z']],
      ['Tiers', 1, ['Tier 2 of standard never']],
      ['Zones and subzones', 2, ['United States › Alaska never']],
    ],
  );
});

test('the figures are of today, of thirty days, and of the last day that had a rate', () => {
  const day = (date: string, simulations: number, withoutRate: number, cheapestMedian: number | null) => ({
    date,
    simulations,
    withoutRate,
    cheapestMedian,
  });
  const days = [day('2026-11-26', 5, 1, 495), day('2026-11-27', 3, 0, 595), day('2026-11-28', 2, 2, null)];
  assert.deepEqual(figuresOf(days), {
    ...{ today: 2, yesterday: 3, carts: 10, withoutRate: 3, withoutRateToday: 2 },
    cheapest: { date: '2026-11-27', amount: 595, low: 495, high: 595 },
  });
  assert.deepEqual(figuresOf([]), {
    ...{ today: 0, yesterday: 0, carts: 0, withoutRate: 0, withoutRateToday: 0, cheapest: null },
  });
  const shares = [
    percentText(0, 0),
    percentText(0, 9),
    percentText(1, 9_999),
    percentText(1, 30),
    percentText(1, 3),
  ];
  assert.deepEqual(shares, ['–', '0 %', '< 0.1 %', '3.3 %', '33 %']);
});

test('the cheapest rate of each country is asked for at the pace of the plan, once for those with the same rates', async () => {
  const asked: string[][] = [];
  const waits: number[] = [];
  const rate = (serviceName: string, totalPrice: number) => ({ serviceName, totalPrice });
  const calls = {
    simulateBatch: async ({ requests }: { requests: readonly { destination: { country: string } }[] }) => {
      asked.push(requests.map(({ destination: { country } }) => country));
      const answers = requests.map(({ destination: { country } }) =>
        country === 'PR'
          ? { rates: [] }
          : { rates: [rate('Dear', 900), rate('Cheap', 500), rate('Same', 500)] },
      );
      return { ok: true, status: 200, value: { answers }, versionId: 'version_1' };
    },
  } as unknown as Parameters<typeof readPrices>[0];
  const cart = { destination: { country: 'US' }, items: [] };
  const sleep = async (ms: number): Promise<void> => void waits.push(ms);
  const readAt = (perSecond: number | null, places: Places) =>
    readPrices(calls, cart, places, { perSecond, sleep }, new AbortController().signal);
  // A rule of a subzone that looks at the country: each country of that zone is asked for.
  const rules = [{ conditions: [{ conditionType: 'destination_country' }] }];
  const looking = { ...method('ferry', 'alaska', 'parcels'), rules } as unknown as Config['methods'][number];
  const read = await readAt(4, { zones: CONFIG.zones, methods: [...CONFIG.methods, looking] });
  assert.ok(read.ok);
  assert.equal(asked.flat().length, 3);
  assert.ok(['US', 'PR'].every((code) => asked.flat().includes(code)));
  // Half of what the plan allows, a second apart.
  assert.deepEqual([asked.map(({ length }) => length), waits], [[2, 1], [1_000]]);
  const rows = countryRows(CONFIG.zones, read.value);
  const row = (code: string) => rows.find((each) => each.code === code);
  assert.deepEqual(row('FR')?.cheapest, { service: 'Cheap', price: 500 });
  assert.equal(row('FR')?.zone?.id, 'world');
  assert.equal(row('PR')?.cheapest, null);
  assert.equal(row('PR')?.zone?.id, 'us');
  const [us] = countryRows(CONFIG.zones.slice(0, 1), read.value).filter(({ zone }) => zone === null);
  assert.equal(us?.code, 'AF');

  asked.length = 0;
  waits.length = 0;
  const world = CONFIG.zones.slice(2);
  const everywhere = { zones: world, methods: [{ ...looking, zoneId: 'world' }] };
  assert.ok((await readAt(null, everywhere)).ok);
  assert.deepEqual([asked.map(({ length }) => length), waits.length], [[100, 100, read.value.size - 200], 0]);
  asked.length = 0;
  assert.ok((await readAt(1, { zones: world, methods: [] })).ok);
  assert.equal(asked.flat().length, 1);
  assert.ok((await readAt(1, { zones: [], methods: [] })).ok);
  assert.equal(asked.flat().length, 1);
});

test('prices have at most five shades, which leave out none', () => {
  assert.deepEqual(shadesOf([]), []);
  assert.deepEqual(shadesOf([500, 500]), [{ from: 500, to: 500 }]);
  const prices = [900, 100, 300, 300, 200, 700, 800, 1_000];
  const shades = shadesOf(prices);
  assert.equal(shades.length, 5);
  assert.deepEqual([shades[0]?.from, shades.at(-1)?.to], [100, 1_000]);
  for (const price of prices) {
    const shade = shades[shadeOf(shades, price)];
    assert.ok(shade !== undefined && shade.from <= price && price <= shade.to, String(price));
  }
});
