/** One refusal of a malformed bulk body names all of its defects (contract section 8). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { refuseConfigSteps } from '../../src/change/refuse-config.ts';
import {
  CartItem,
  Customer,
  Destination,
  ITEMS_MAX_DEFAULT,
  OrderTotals,
  SimulateRequest,
} from '../../src/domain/cart.ts';
import type { ShopState } from '../../src/domain/shop-event.ts';
import { finishSteps, NEVER } from '../../src/pace/work-steps.ts';
import { compileSchema } from '../../src/wire/schema-check.ts';
import { CONFIG_DEFECTS_MAX, ConfigData, configActionSchema } from '../../src/wire/write-bodies.ts';
import { filled } from '../support/schema-fields.ts';
import type { SchemaNode } from '../support/schema-node.ts';
import { runUnderSchedules } from '../support/yield-schedules.ts';
import { malformedCase, subjectOf } from './malformed-data.ts';
import { deepFreeze, fullShop, shopWithZones } from './trial-shop.ts';

const check = compileSchema(configActionSchema(ITEMS_MAX_DEFAULT));
/** Long: `RATEWRIGHT_WRONG_BODIES=100000 npm test -- refuse-config`. */
const WRONG_BODIES = Number(process.env['RATEWRIGHT_WRONG_BODIES'] ?? 500);

/** The lines of the refusal of `data`. */
function refusal({ state }: { readonly state: ShopState }, data: unknown): readonly string[] {
  const body = deepFreeze({ action: 'execute', data });
  const defects = check.shapeDefects(body, CONFIG_DEFECTS_MAX);
  assert.ok(defects.length > 0, 'the body has its shape');
  const { code, message } = finishSteps(refuseConfigSteps(state, body, defects, NEVER));
  assert.equal(code, 'VALIDATION_ERROR');
  const lines = message.split('; ');
  assert.deepEqual(
    lines.slice(0, defects.length),
    defects.map(({ line }) => line),
  );
  return lines;
}

const pathsOf = (lines: readonly string[]): string[] => lines.map((line) => line.slice(0, line.indexOf(' ')));

const METHOD = { name: 'M', zoneId: 'zone_us', rateType: 'free' };
const GROUPS = [
  { id: 'group_all', name: 'All', isDefault: true },
  { id: 'group_heavy', name: 'Heavy' },
];

test('schema errors come first, then the defects of the well-formed parts, in the order of the records', () => {
  const tiers = [
    { minPrice: 0, maxPrice: 10, price: 1 },
    { minPrice: 5, maxPrice: null, price: 1 },
  ];
  const condition = { conditionType: 'product_tag', operator: 'greater_than', value: 'x' };
  const lines = refusal(shopWithZones(), {
    methods: [
      { ...METHOD, name: '', zoneId: 'zone_x' },
      { ...METHOD, id: 'm', rateType: 'by_price_table', config: { tiers } },
      { ...METHOD, id: 'm', rules: [{ action: 'vanish' }, { action: 'hide', conditions: [condition, {}] }] },
      7,
    ],
    productGroups: [...GROUPS, { name: 'C', isDefault: true, tags: [0, ' '] }],
    zones: [
      { id: 'zone_us', name: 'US', countries: ['us'], subzones: [{ name: 'S', postalCodes: '9*9' }, {}] },
    ],
    blendedRates: [{ name: 'B', zoneId: 'zone_y', colour: 'red' }],
  });
  assert.deepEqual(pathsOf(lines), [
    '/data/methods/0/name',
    '/data/methods/2/rules/0/action',
    '/data/methods/2/rules/1/conditions/1/conditionType',
    '/data/methods/2/rules/1/conditions/1/operator',
    '/data/methods/3',
    '/data/productGroups/2/tags/0',
    '/data/zones/0/countries/0',
    '/data/zones/0/subzones/1/name',
    '/data/zones/0/subzones/1/postalCodes',
    '/data/blendedRates/0/colour',
    '/data/zones/0/subzones/0/postalCodes',
    '/data/productGroups/2/isDefault',
    '/data/productGroups/2/tags/1',
    // One subzone has no id that could be read, but it has none at all: no reference can mean it.
    '/data/methods/0/zoneId',
    '/data/methods/1/config/tiers/1/minPrice',
    '/data/methods/2/id',
    '/data/methods/2/rules/1/conditions/0/operator',
    '/data/blendedRates/0/zoneId',
  ]);
});

describe('defects that a malformed part may have caused are not named', () => {
  const cases: readonly (readonly [what: string, data: unknown, ...paths: string[]])[] = [
    [
      'a reference to a record that is malformed but for its id',
      {
        zones: [{ id: 'zone_n', name: 7, countries: [] }],
        productGroups: [...GROUPS, { id: 'group_n', name: 7 }],
        methods: [{ ...METHOD, id: 'method_n', name: 7, zoneId: 'zone_n', productGroupId: 'group_n' }],
        blendedRates: [
          {
            name: 'B',
            zoneId: 'zone_n',
            preferences: [{ productGroupId: 'group_n', preferredMethodId: 'method_n' }],
          },
        ],
      },
      '/data/zones/0/name',
      '/data/productGroups/2/name',
      '/data/methods/0/name',
    ],
    [
      'a reference to a zone, where the id of a zone could not be read',
      {
        zones: [{ id: 5, name: 'Z', countries: [] }],
        methods: [{ ...METHOD, zoneId: '5' }],
        blendedRates: [],
      },
      '/data/zones/0/id',
    ],
    [
      'a reference to a subzone of a zone whose subzones could not be read',
      {
        zones: [{ id: 'zone_us', name: 'Z', countries: [], subzones: 1 }],
        methods: [{ ...METHOD, zoneId: 's' }],
        blendedRates: [],
      },
      '/data/zones/0/subzones',
    ],
    [
      'a reference to a group, where a group is no object',
      {
        productGroups: [...GROUPS, null],
        methods: [{ ...METHOD, productGroupId: 'group_x' }],
        blendedRates: [],
      },
      '/data/productGroups/2',
    ],
    [
      'a reference to a method, where the methods are no array',
      {
        methods: {},
        productGroups: GROUPS,
        blendedRates: [
          {
            name: 'B',
            zoneId: 'zone_us',
            preferences: [{ productGroupId: 'group_all', preferredMethodId: 'method_x' }],
          },
        ],
      },
      '/data/methods',
    ],
    [
      'an omitted field beside an unknown field name, which may be a misspelling',
      {
        zone: [{ id: 'zone_n', name: 'N', countries: [] }],
        methods: [{ ...METHOD, id: 'method_n', zoneId: 'zone_n' }],
        blendedRates: [
          {
            name: 'B',
            zoneId: 'zone_n',
            preferences: [{ productGroupId: 'group_x', preferredMethodId: 'method_n' }],
          },
        ],
      },
      '/data/zone',
    ],
    [
      'references of kept records, where their targets could not be read',
      { zones: [7], productGroups: [{ id: 5, name: 'A' }], methods: 'none' },
      '/data/zones/0',
      '/data/productGroups/0/id',
      '/data/methods',
    ],
    [
      'the group of a method that has none, where the default group could not be read',
      {
        productGroups: [{ id: 'group_a', name: 'A', isDefault: 'yes' }],
        methods: [{ ...METHOD, id: 'method_n' }],
        blendedRates: [
          {
            name: 'B',
            zoneId: 'zone_us',
            preferences: [{ productGroupId: 'group_a', preferredMethodId: 'method_n' }],
          },
        ],
      },
      '/data/productGroups/0/isDefault',
    ],
    [
      'the group of a method that has none, where a group could not be read that may be the default before another',
      {
        productGroups: [7, { id: 'group_all', name: 'All', isDefault: true }],
        methods: [
          { ...METHOD, id: 'method_freight' },
          { ...METHOD, id: 'method_std', productGroupId: 'group_all' },
        ],
      },
      '/data/productGroups/0',
    ],
    [
      'a second default group, where the first may not be a default group',
      {
        productGroups: [
          { name: 'A', isDefault: 'yes' },
          { name: 'B', isDefault: true },
        ],
        methods: [],
        blendedRates: [],
      },
      '/data/productGroups/0/isDefault',
    ],
    [
      'where a preferred method is, where its zone or that of the blended rate could not be read',
      {
        productGroups: GROUPS,
        methods: [
          { ...METHOD, id: 'method_a', zoneId: 'zone us' },
          { ...METHOD, id: 'method_b', zoneId: 'zone_gb' },
        ],
        blendedRates: [
          {
            name: 'B',
            zoneId: 'zone_us',
            preferences: [{ productGroupId: 'group_all', preferredMethodId: 'method_a' }],
          },
          {
            name: 'C',
            zoneId: null,
            preferences: [
              { productGroupId: 'group_all', preferredMethodId: 'method_b' },
              { productGroupId: 'a b' },
              { productGroupId: 'a b' },
            ],
          },
        ],
      },
      '/data/methods/0/zoneId',
      '/data/blendedRates/1/zoneId',
      '/data/blendedRates/1/preferences/1/productGroupId',
      '/data/blendedRates/1/preferences/2/productGroupId',
    ],
    [
      'a config whose rate type could not be read, an adjustment whose action could not be',
      {
        methods: [
          {
            ...METHOD,
            rateType: 'cheap',
            config: { price: -1 },
            rules: [{ action: 'add', adjustmentValue: 1 }],
          },
          { ...METHOD, rateType: 'flat', config: [], rules: [{ action: 'adjust_add', adjustment: 1 }] },
        ],
        blendedRates: [],
      },
      '/data/methods/0/rateType',
      '/data/methods/0/rules/0/action',
      '/data/methods/1/config',
      '/data/methods/1/rules/0/adjustment',
    ],
    [
      'the stored rules of a method, where the rules in the body could not be read',
      {
        methods: [
          { ...METHOD, id: 'method_std', rules: {} },
          { ...METHOD, id: 'method_freight', rules: [{ id: 'rule_a', action: 'hide' }] },
        ],
        blendedRates: [],
      },
      '/data/methods/0/rules',
    ],
    ['anything, where there is no data', undefined, '/data'],
    ['anything, where the data is no object', [{ methods: 1 }], '/data'],
  ];
  for (const [what, data, ...paths] of cases) {
    test(what, () => assert.deepEqual(pathsOf(refusal(fullShop(), data)), paths));
  }
});

test('defects that no malformed part can have caused are named: two known default groups, unknown groups', () => {
  const lines = refusal(fullShop(), {
    productGroups: [{ name: 'A', isDefault: 1 }, ...GROUPS, { name: 'C', isDefault: true }],
    methods: [{ ...METHOD, id: 'method_n', colour: 1 }],
    blendedRates: [
      {
        name: 'B',
        zoneId: 'zone_us',
        preferences: [
          { productGroupId: 'group_heavy', preferredMethodId: 'method_n' },
          { productGroupId: 'group_heavy' },
          { productGroupId: 'group_x' },
        ],
      },
    ],
  });
  assert.deepEqual(pathsOf(lines), [
    '/data/productGroups/0/isDefault',
    '/data/methods/0/colour',
    '/data/productGroups/3/isDefault',
    // Which group a method is in that left it out beside an unknown name is not known: 0/preferredMethodId stays out.
    '/data/blendedRates/0/preferences/1/productGroupId',
    '/data/blendedRates/0/preferences/2/productGroupId',
  ]);
});

test('an unknown zone is named where it is referenced, and not again in preferences for methods there', () => {
  const blended = (zoneId: string) => ({
    name: 'B',
    zoneId,
    preferences: [{ productGroupId: 'group_all', preferredMethodId: 'method_n' }],
  });
  const lines = refusal(fullShop(), {
    productGroups: GROUPS,
    methods: [{ ...METHOD, id: 'method_n', zoneId: 'zone_x' }, 7],
    blendedRates: [blended('zone_us'), blended('zone_y')],
  });
  assert.deepEqual(pathsOf(lines), [
    '/data/methods/1',
    '/data/methods/0/zoneId',
    '/data/blendedRates/1/zoneId',
  ]);
});

test('a refusal names twenty defects of both kinds together, and counts the other known defects', () => {
  const shop = shopWithZones();
  const wrong = (count: number) => Array.from({ length: count }, () => ({ ...METHOD, zoneId: 'zone_x' }));
  const misshapen = (count: number) => Array.from({ length: count }, () => ({ ...METHOD, name: '' }));
  for (const [shapes, others, rest] of [
    [1, 18, undefined],
    [1, 19, undefined],
    [1, 20, 'and 1 more'],
    [19, 30, 'and 29 more'],
    [20, 5, undefined],
    [25, 5, undefined],
  ] as const) {
    const lines = refusal(shop, { methods: [...wrong(others), ...misshapen(shapes)] });
    assert.equal(lines[CONFIG_DEFECTS_MAX], rest);
    const named = pathsOf(lines.slice(0, CONFIG_DEFECTS_MAX));
    const shapesNamed = Math.min(shapes, CONFIG_DEFECTS_MAX);
    assert.equal(named.filter((path) => path.endsWith('/name')).length, shapesNamed);
    assert.equal(named.length, Math.min(shapes + others, CONFIG_DEFECTS_MAX));
  }
});

test('no defect is named that correcting the malformed parts would remove', () => {
  let found = 0;
  fc.assert(
    fc.property(malformedCase, ({ meant, written }) => {
      const shop = fullShop();
      const { message = '' } = { message: '', ...shop.try({ kind: 'executeConfig', data: meant }) };
      fc.pre(!/and \d+ more$/.test(message));
      const lines = refusal(shop, written);
      const shapes = check.defects({ action: 'execute', data: written }, CONFIG_DEFECTS_MAX).length;
      if (shapes === CONFIG_DEFECTS_MAX) return;
      // Of two records with one id each may be the one that is meant: only that there are two is certain.
      const isAmbiguous = message.includes('must be unique');
      const certain = lines
        .slice(shapes, CONFIG_DEFECTS_MAX)
        .filter((line) => !isAmbiguous || line.includes('must be unique'));
      // Of a preference the method is looked at once the group is there, or cannot be told.
      const subjects = message
        .split('; ')
        .map(subjectOf)
        .flatMap((subject) => [subject, subject.replace('/productGroupId', '/preferredMethodId')]);
      found += certain.length;
      for (const line of certain) assert.ok(subjects.includes(subjectOf(line)), `${line}, not: ${message}`);
    }),
    { numRuns: WRONG_BODIES },
  );
  assert.ok(found > 100, `${found} errors beside those of the shape`);
});

/** Every field that is read stands in `value`; what is read-only has no type. */
const FULL_REQUEST = {
  ...filled(SimulateRequest),
  destination: {
    ...filled(Destination),
    country: 'US',
    province: 'CA',
    city: 'Here',
    postalCode: '90210',
    name: 'Ada Example',
    address1: '1 Street',
    address2: null,
    address3: null,
    phone: null,
    company: null,
  },
  items: [
    {
      ...filled(CartItem),
      name: 'Mug',
      sku: 'MUG',
      quantity: 1,
      grams: 1,
      price: 1,
      vendor: null,
      productId: 1,
      variantId: 2,
      properties: { tag: 'a' },
      requiresShipping: true,
      length: 1,
      width: 1,
      height: 1,
    },
  ],
  currency: 'USD',
  locale: 'en',
  customer: { ...filled(Customer), id: 'c', tags: 'vip' },
  orderTotals: { ...filled(OrderTotals), subtotalPrice: 1, totalPrice: 1, discountAmount: 0 },
};

function assertFull(node: SchemaNode, value: unknown): void {
  if (Array.isArray(value)) assertFull(node.items ?? {}, value[0]);
  for (const [name, part] of Object.entries(node.properties ?? {})) {
    if (part.type === undefined && part.anyOf === undefined && part.enum === undefined) continue;
    assert.ok(typeof value === 'object' && value !== null && Object.hasOwn(value, name), name);
    assertFull(part, (value as Readonly<Record<string, unknown>>)[name]);
  }
}

test('a malformed value in any field is not read again after the schema check', () => {
  const full = {
    zones: [{ id: 'z', name: 'Z', countries: ['US'], subzones: [{ id: 's', name: 'S', postalCodes: '9*' }] }],
    productGroups: [
      {
        id: 'g',
        name: 'G',
        isDefault: true,
        variantIds: ['1'],
        productIds: ['1'],
        skus: ['1'],
        tags: ['1'],
        vendors: ['1'],
      },
    ],
    methods: [
      {
        id: 'm',
        name: 'M',
        subtitle: '',
        serviceCode: 'm',
        zoneId: 'z',
        productGroupId: 'g',
        delivery: { minDays: 1, maxDays: 2 },
        rateType: 'flat',
        config: { price: 1 },
        enabled: true,
        freeShippingThreshold: null,
        thresholdBasis: 'order_total',
        rules: [
          {
            id: 'r',
            action: 'adjust_add',
            adjustmentValue: 1,
            adjustmentType: 'flat',
            enabled: true,
            name: 'R',
            conditions: [
              { conditionType: 'product_tag', operator: 'equals', value: 'a', scope: 'sum_of_order' },
            ],
          },
        ],
      },
    ],
    blendedRates: [
      {
        id: 'b',
        name: 'B',
        subtitle: '',
        serviceCode: 'b',
        zoneId: 'z',
        freeShippingThreshold: null,
        thresholdBasis: 'order_total',
        preferences: [{ productGroupId: 'g', preferredMethodId: 'm' }],
        enabled: true,
      },
    ],
    checks: [
      {
        id: 'c',
        name: 'C',
        request: FULL_REQUEST,
        at: '2026-01-07T17:00:00Z',
        expectations: [{ kind: 'rates', rates: [{ serviceCode: 'm', totalPrice: 1 }] }],
        enabled: true,
      },
    ],
  };
  assertFull(ConfigData as unknown as SchemaNode, full);
  const state = fullShop().state;
  let places = 0;
  const walk = (value: unknown, put: (alien: unknown) => unknown): void => {
    let isJudged = false;
    const once = (): void => assert.ok(!isJudged, 'a malformed value is looked at');
    const alien = new Proxy(() => {}, { get: () => once(), has: () => once() ?? false });
    for (const wrong of [alien, Symbol('wrong')]) {
      isJudged = false;
      const body = { action: 'preview', data: put(wrong) };
      const defects = check.shapeDefects(body, CONFIG_DEFECTS_MAX);
      isJudged = true;
      // A config is any object to the schema of the body.
      if (defects.length === 0) continue;
      places++;
      const refused = finishSteps(refuseConfigSteps(state, body, defects, NEVER));
      assert.ok(refused.message.startsWith(defects[0]?.line ?? '?'));
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [name, part] of Object.entries(value)) {
      walk(part, (alien) =>
        put(Array.isArray(value) ? value.with(Number(name), alien) : { ...value, [name]: alien }),
      );
    }
  };
  walk(full, (alien) => alien);
  assert.ok(places > 80, `${places} places`);
});

test('checking a large body may yield after each method', () => {
  const shop = fullShop();
  const methods = Array.from({ length: 2_000 }, (_, at) => ({
    ...METHOD,
    id: `method_${at}`,
    zoneId: at === 1_999 ? 'zone_x' : 'zone_us',
    rules: Array.from({ length: 40 }, () => ({ action: 'hide' })),
  }));
  const body = {
    action: 'execute',
    data: { methods: [...methods, { ...METHOD, name: '' }], blendedRates: [] },
  };
  const defects = check.shapeDefects(body, CONFIG_DEFECTS_MAX);
  const { value, questions } = runUnderSchedules((shouldYield) =>
    refuseConfigSteps(shop.state, body, defects, shouldYield),
  );
  assert.ok(questions >= methods.length, `${questions} questions`);
  assert.deepEqual(pathsOf(value.message.split('; ')), [
    '/data/methods/2000/name',
    '/data/methods/1999/zoneId',
  ]);
});

test('the rest of the body is checked against the configuration of the changeset', () => {
  const shop = fullShop();
  shop.accept({ kind: 'enterStaging' });
  shop.accept({
    kind: 'executeConfig',
    data: { zones: [{ id: 'zone_new', name: 'N', countries: ['FR'] }], methods: [], blendedRates: [] },
  });
  const methods = [
    { ...METHOD, zoneId: 'zone_new', name: '' },
    { ...METHOD, zoneId: 'zone_us' },
  ];
  assert.deepEqual(pathsOf(refusal(shop, { methods })), ['/data/methods/0/name', '/data/methods/1/zoneId']);
});
