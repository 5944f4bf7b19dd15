/** Bulk writes that config execute refuses (contract section 8). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONFIG_DEFECTS_MAX, type ConfigData } from '../../../src/engine/wire/write-bodies.ts';
import { fullShop, shopWithZones, TrialShop } from './trial-shop.ts';

const FREE = { rateType: 'free' as const };

const refuse = (shop: TrialShop, data: ConfigData, ...words: string[]) =>
  shop.refuse({ kind: 'executeConfig', data }, 'VALIDATION_ERROR', ...words);

test('two default groups are refused by the path of the second', () => {
  const shop = new TrialShop();
  const group = { name: 'A', isDefault: true };
  refuse(
    shop,
    { productGroups: [group, { name: 'B' }, group] },
    '/data/productGroups/2/isDefault ',
    '/data/productGroups/0',
  );
});

test('an id that occurs twice within a kind is refused by its path; zones and subzones are one kind', () => {
  const shop = shopWithZones();
  const zone = { id: 'z', name: 'Z', countries: [] };
  const sub = { id: 's', name: 'S', postalCodes: '' };
  const method = { id: 'm', name: 'M', zoneId: 'zone_us', ...FREE };
  const rule = { id: 'r', action: 'hide' as const };
  const duplicates: readonly [ConfigData, string][] = [
    [{ zones: [zone, zone] }, '/data/zones/1/id '],
    [{ zones: [{ ...zone, subzones: [sub, sub] }] }, '/data/zones/0/subzones/1/id '],
    [{ zones: [{ ...zone, subzones: [{ ...sub, id: 'z' }] }] }, '/data/zones/0/subzones/0/id '],
    [
      {
        productGroups: [
          { id: 'g', name: 'A' },
          { id: 'g', name: 'B' },
        ],
      },
      '/data/productGroups/1/id ',
    ],
    [{ methods: [method, method] }, '/data/methods/1/id '],
    [
      {
        methods: [
          { ...method, rules: [rule] },
          { ...method, id: 'm2', rules: [rule] },
        ],
      },
      '/data/methods/1/rules/0/id ',
    ],
    [
      {
        blendedRates: [
          { id: 'b', name: 'B', zoneId: 'zone_us' },
          { id: 'b', name: 'B', zoneId: 'zone_us' },
        ],
      },
      '/data/blendedRates/1/id ',
    ],
  ];
  for (const [data, path] of duplicates) refuse(shop, data, `${path}must be unique`);
  shop.execute({
    productGroups: [{ id: 'same', name: 'A', isDefault: true }],
    methods: [{ ...method, id: 'same' }],
  });
});

test('a rule kept because its method omits rules cannot also appear elsewhere', () => {
  const shop = fullShop();
  const { methods } = shop.snapshot();
  const [{ rules, ...standard }, freight] = methods as [(typeof methods)[0], (typeof methods)[0]];
  const other = { ...freight, rules };
  const keeps = (path: string, keeper: string) =>
    `${path}/rules/0/id must be unique: ${keeper} keeps its rule_a`;
  const [first, second] = ['/data/methods/0', '/data/methods/1'];
  refuse(shop, { methods: [standard, other] }, keeps(second, first));
  refuse(shop, { methods: [other, standard] }, keeps(first, second));
});

test('a subzone kept because its zone omits subzones cannot also appear elsewhere', () => {
  const shop = fullShop();
  const { zones } = shop.snapshot();
  const at = zones.findIndex(({ subzones }) => subzones.length > 0);
  const { subzones, ...zone } = zones[at] as (typeof zones)[0];
  const id = subzones[0]?.id;
  const other = { id: 'zone_other', name: 'Other', countries: ['FR'], subzones };
  const others = zones.toSpliced(at, 1);
  const data = { zones: [...others, other, zone] };
  const [first, second] = [`/data/zones/${others.length}`, `/data/zones/${others.length + 1}`];
  refuse(shop, data, `${first}/subzones/0/id must be unique: ${second} keeps its ${id}`);
});

test('every defect is named by its path below data, at any depth', () => {
  const shop = shopWithZones();
  const method = { name: 'M', zoneId: 'zone_us', ...FREE };
  const tiers = [
    { minPrice: 0, maxPrice: 10, price: 1 },
    { minPrice: 5, maxPrice: null, price: 1 },
  ];
  const condition = { conditionType: 'cart_total' as const, operator: 'equals' as const, value: 5 };
  const bad: readonly [ConfigData, string][] = [
    [
      { zones: [{ name: 'Z', countries: [], subzones: [{ name: 'S', postalCodes: '99*, 9*9' }] }] },
      '/data/zones/0/subzones/0/postalCodes ',
    ],
    [{ productGroups: [{ name: 'G', tags: ['a', ' '] }] }, '/data/productGroups/0/tags/1 '],
    [{ methods: [method, { ...method, zoneId: 'zone_x' }] }, '/data/methods/1/zoneId '],
    [{ methods: [{ ...method, productGroupId: 'group_x' }] }, '/data/methods/0/productGroupId '],
    [{ methods: [{ ...method, rateType: 'flat' }] }, '/data/methods/0/config/price is required'],
    [
      { methods: [{ ...method, rateType: 'by_price_table', config: { tiers } }] },
      '/data/methods/0/config/tiers/1/minPrice ',
    ],
    [
      {
        methods: [
          { ...method, rules: [{ action: 'hide', conditions: [condition, { ...condition, value: 'x' }] }] },
        ],
      },
      '/data/methods/0/rules/0/conditions/1/value ',
    ],
    [
      { methods: [{ ...method, rules: [{ action: 'adjust_add' }] }] },
      '/data/methods/0/rules/0/adjustmentValue ',
    ],
    [{ blendedRates: [{ name: 'B', zoneId: 'zone_x' }] }, '/data/blendedRates/0/zoneId '],
    [
      { blendedRates: [{ name: 'B', zoneId: 'zone_us', preferences: [{ productGroupId: 'group_x' }] }] },
      '/data/blendedRates/0/preferences/0/productGroupId ',
    ],
  ];
  for (const [data, path] of bad) refuse(shop, data, path);
});

test('one refusal names all defects, up to twenty', () => {
  const shop = shopWithZones();
  const methods = Array.from({ length: 25 }, (_, index) => ({
    name: `M${index}`,
    zoneId: `zone_x${index}`,
    ...FREE,
  }));
  const { message } = refuse(shop, { methods });
  const named = message.match(/\/data\/methods\/\d+\/zoneId/g) ?? [];
  assert.deepEqual(
    named,
    methods.slice(0, 20).map((_, index) => `/data/methods/${index}/zoneId`),
  );
  assert.match(message, /and 5 more$/);
  for (const [count, rest] of [
    [CONFIG_DEFECTS_MAX - 1, undefined],
    [CONFIG_DEFECTS_MAX, undefined],
    [CONFIG_DEFECTS_MAX + 1, 'and 1 more'],
  ] as const) {
    const parts = refuse(shop, { methods: methods.slice(0, count) }).message.split('; ');
    assert.equal(parts[CONFIG_DEFECTS_MAX], rest);
    assert.equal(parts.filter((part) => part.includes('zoneId')).length, Math.min(count, CONFIG_DEFECTS_MAX));
  }
  const few = refuse(shop, { methods: methods.slice(0, 2), blendedRates: [{ name: 'B', zoneId: 'zone_y' }] });
  assert.equal(few.message.split('; ').length, 3);
});

test('the config of one method may have several defects', () => {
  const shop = shopWithZones();
  const method = {
    name: 'M',
    zoneId: 'zone_us',
    rateType: 'by_items' as const,
    config: { firstItemPrice: -1 },
  };
  refuse(
    shop,
    { methods: [method] },
    '/data/methods/0/config/firstItemPrice ',
    '/data/methods/0/config/additionalItemPrice ',
  );
});

test('references of kept records must exist in the result', () => {
  const shop = fullShop();
  const { zones, methods, productGroups } = shop.snapshot();
  refuse(shop, { zones: [] }, '/data leaves method "Standard" (method_std) as it is', '/zoneId', 'zone_us');
  refuse(shop, { zones: zones.map((zone) => ({ ...zone, subzones: [] })) }, 'method "Freight"', 'sub_ak');
  refuse(
    shop,
    { productGroups: productGroups.slice(0, 1) },
    'method "Freight"',
    '/productGroupId',
    'group_heavy',
  );
  refuse(
    shop,
    { methods: [] },
    'blended rate "Mixed" (blended_mixed)',
    '/preferences/0/preferredMethodId',
    'method_std',
  );
  const [standard, freight] = methods;
  assert.ok(standard && freight);
  const elsewhere = { ...freight, zoneId: 'zone_gb' };
  refuse(
    shop,
    { methods: [standard, elsewhere] },
    'blended rate "Mixed"',
    '/preferences/1/preferredMethodId',
    'zone_gb',
  );
  assert.deepEqual(shop.snapshot(), { ...shop.snapshot(), methods, zones });
});

test('a refused execute changes nothing', () => {
  const shop = fullShop();
  const before = shop.state;
  refuse(shop, {
    methods: [
      { name: 'Good', zoneId: 'zone_us', ...FREE },
      { name: 'Bad', zoneId: 'zone_x', ...FREE },
    ],
  });
  assert.equal(shop.state, before);
});
