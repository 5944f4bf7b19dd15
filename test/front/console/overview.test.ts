/** What the overview says of a configuration: methods in force by place and group, carts for them, unused records. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
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
      ['Methods', 3, ['express 2026-02-01T00:00:00.000Z', 'sledge (disabled) never']],
      ['Tiers', 1, ['Tier 2 of standard never']],
      ['Zones and subzones', 2, ['United States › Alaska never']],
    ],
  );
});
