/** Counts of records held against the plan (contract section 2). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Command } from '../../../src/engine/change/command.ts';
import { type PlanLimits, type PlanTable, SHOP_MAX } from '../../../src/engine/domain/plan.ts';
import type { PlacedConfig } from '../../../src/engine/domain/shop-event.ts';
import type { ConfigData } from '../../../src/engine/wire/write-bodies.ts';
import { CHECK, PLANS, shopWithZones, TrialShop } from './trial-shop.ts';

/** `small` allows one more than `shopWithZones` has of each. */
const SMALL: PlanTable = {
  ...PLANS,
  small: {
    ...(PLANS['enterprise'] as PlanLimits),
    zones: 3,
    groups: 2,
    methods: 1,
    rulesPerMethod: 1,
    blendedRates: 1,
    checks: 1,
  },
};

const smallShop = () => shopWithZones('small', SMALL);
type CountedLimit = 'zones' | 'groups' | 'methods' | 'rulesPerMethod' | 'blendedRates' | 'checks';
const CODE = 'PLAN_LIMIT_EXCEEDED';

test('the data file holds the plan table of the contract', () => {
  const rows = Object.entries(PLANS).map(([plan, limits]) => [plan, ...Object.values(limits)]);
  assert.deepEqual(rows, [
    ['starter', 20, 5, 10, 2, 20, 10, 2, 120, 20, 7],
    ['pro', 200, 50, 100, 20, 200, 50, 5, 1_200, 500, 90],
    ['enterprise', 5_000, 2_000, 2_000, 200, 1_000, 500, 50, null, null, 365],
  ]);
});

test('a refusal above a count names the limit and the plan', () => {
  const shop = smallShop();
  shop.createGroup({ name: 'Heavy' });
  shop.refuse({ kind: 'createGroup', body: { name: 'More' } }, CODE, 'small', '2 groups');
  const { id } = shop.createMethod();
  const body = { name: 'More', zoneId: 'zone_us', rateType: 'free' as const };
  shop.refuse({ kind: 'createMethod', body }, CODE, 'small', '1 methods');
  shop.createRule(id);
  shop.refuse(
    { kind: 'createRule', methodId: id, body: { action: 'hide' } },
    CODE,
    'small',
    '1 rules per method',
  );
  shop.refuse({ kind: 'createZone', body: { name: 'More', countries: [] } }, CODE, 'small', '3 zones');
  shop.createBlended();
  const blended = { name: 'More', zoneId: 'zone_us' };
  shop.refuse({ kind: 'createBlended', body: blended }, CODE, 'small', '1 blended rates');
});

test('config execute enforces the counts', () => {
  const shop = smallShop();
  const data = shop.snapshot();
  const execute = (more: object) => ({ kind: 'executeConfig' as const, data: { ...data, ...more } });
  const zone = { name: 'More', countries: [] };
  shop.refuse(execute({ zones: [...data.zones, zone] }), CODE, '3 zones');
  const groups = ['A', 'B'].map((name) => ({ name }));
  shop.refuse(execute({ productGroups: [...data.productGroups, ...groups] }), CODE, '2 groups');
  shop.refuse(execute({ productGroups: groups }), CODE, '2 groups');
  const method = { name: 'A', zoneId: 'zone_us', rateType: 'free' as const };
  shop.refuse(execute({ methods: [method, method] }), CODE, '1 methods');
  const rules = [{ action: 'hide' }, { action: 'show' }];
  shop.refuse(execute({ methods: [{ ...method, rules }] }), CODE, '1 rules per method');
  const blended = { name: 'A', zoneId: 'zone_us' };
  shop.refuse(execute({ blendedRates: [blended, blended] }), CODE, '1 blended rates');
  assert.deepEqual(shop.snapshot(), data);
});

const FREE = { zoneId: 'zone_us', rateType: 'free' as const };
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const US = { id: 'zone_us', name: 'US', countries: ['US'] };

/** Of each count: data that has so many, and the write that adds one more. */
const COUNTS: Readonly<Record<CountedLimit, (count: number) => { data: ConfigData; one: Command }>> = {
  zones: (count) => ({
    data: { zones: times(count, (index) => (index === 0 ? US : { name: `Z${index}`, countries: [] })) },
    one: { kind: 'createZone', body: { name: 'More', countries: [] } },
  }),
  groups: (count) => ({
    data: { productGroups: times(count, (index) => ({ name: `G${index}`, isDefault: index === 0 })) },
    one: { kind: 'createGroup', body: { name: 'More' } },
  }),
  methods: (count) => ({
    data: { methods: times(count, (index) => ({ name: `M${index}`, ...FREE })) },
    one: { kind: 'createMethod', body: { name: 'More', ...FREE } },
  }),
  rulesPerMethod: (count) => ({
    data: {
      methods: [
        { id: 'method_a', name: 'A', ...FREE, rules: times(count, () => ({ action: 'hide' as const })) },
      ],
    },
    one: { kind: 'createRule', methodId: 'method_a', body: { action: 'hide' } },
  }),
  checks: (count) => ({
    data: {
      checks: times(count, (index) => ({
        ...CHECK,
        expectations: [...CHECK.expectations],
        name: `C${index}`,
      })),
    },
    one: { kind: 'createCheck', body: CHECK },
  }),
  blendedRates: (count) => ({
    data: { blendedRates: times(count, (index) => ({ name: `B${index}`, zoneId: 'zone_us' })) },
    one: { kind: 'createBlended', body: { name: 'More', zoneId: 'zone_us' } },
  }),
};

describe('each count of each plan, one below it, at it and one above', () => {
  for (const [plan, limits] of Object.entries(PLANS)) {
    for (const limit of Object.keys(COUNTS) as CountedLimit[]) {
      const most = limits[limit];
      if (most === null) continue;
      test(`${plan}: ${limit}`, () => {
        const shop = new TrialShop(plan);
        shop.execute({ zones: [US] });
        const executeWith = (count: number): Command => ({
          kind: 'executeConfig',
          data: COUNTS[limit](count).data,
        });
        shop.refuse(executeWith(most + 1), CODE, plan, String(most), `limit ${limit}`);
        shop.accept(executeWith(most - 1));
        const { one } = COUNTS[limit](most);
        shop.accept(one);
        shop.refuse(one, CODE, plan, String(most), `limit ${limit}`);
        shop.refuse(executeWith(most + 1), CODE, plan, String(most), `limit ${limit}`);
      });
    }
    test(`${plan}: keys`, () => {
      const shop = new TrialShop(plan);
      const print = { prefix: 'p', secretSha256: 'a'.repeat(64) };
      const key = { kind: 'createKey', label: 'K', permission: 'admin', ...print } as const;
      for (let count = 0; count < (limits.keys ?? 0); count++) shop.accept(key);
      shop.refuse(key, CODE, plan, String(limits.keys), 'limit keys');
      shop.accept({ kind: 'revokeKey', id: shop.state.keys[0]?.id ?? '' });
      shop.accept(key);
      shop.refuse(key, CODE, plan);
    });
  }
});

describe('whatever its plan, a shop has at most', () => {
  const unlimited = Object.fromEntries(Object.keys(PLANS['pro'] ?? {}).map((limit) => [limit, null]));
  const open = { open: unlimited as unknown as PlanLimits };
  const patterns = (count: number): string => times(count, (at) => `${100_000 + at}`).join(',');
  const subzone = (count: number) => ({ id: 'sub_a', name: 'A', postalCodes: patterns(count) });
  const methodsOf = (rules: number) => times(10, (at) => rulesOf(`m${at}`, rules / 10));
  const rulesOf = (id: string, count: number) => ({
    id,
    name: 'M',
    ...FREE,
    rules: times(count, () => ({ action: 'hide' as const })),
  });

  type Grown = (config: PlacedConfig) => PlacedConfig;

  /** Of each limit: data that has so many, a write that adds one more, and a stored configuration with one more. */
  const LIMITS: Readonly<
    Record<keyof typeof SHOP_MAX, readonly [(count: number) => ConfigData, Command, Grown]>
  > = {
    methods: [
      (count) => ({ methods: times(count, (at) => ({ name: `M${at}`, ...FREE })) }),
      { kind: 'createMethod', body: { name: 'More', ...FREE } },
      (config) => ({
        ...config,
        methods: [
          ...config.methods,
          ...config.methods.slice(0, 1).map((method) => ({ ...method, id: 'm_x' })),
        ],
      }),
    ],
    rules: [
      (count) => ({ methods: methodsOf(count) }),
      { kind: 'createRule', methodId: 'm1', body: { action: 'hide' } },
      (config) => ({
        ...config,
        methods: config.methods.map((method) =>
          method.id === 'm2'
            ? {
                ...method,
                rules: [...method.rules, ...method.rules.slice(0, 1).map((rule) => ({ ...rule, id: 'r_x' }))],
              }
            : method,
        ),
      }),
    ],
    postalPatterns: [
      (count) => ({ zones: [{ ...US, subzones: [subzone(count)] }] }),
      {
        kind: 'createZone',
        body: { name: 'More', countries: [], subzones: [{ name: 'B', postalCodes: '9*' }] },
      },
      (config) => ({
        ...config,
        zones: config.zones.map((zone) => ({
          ...zone,
          subzones: zone.subzones.map((each) => ({ ...each, postalCodes: `${each.postalCodes}, 8*` })),
        })),
      }),
    ],
  };

  for (const limit of Object.keys(LIMITS) as (keyof typeof SHOP_MAX)[]) {
    const { most, words } = SHOP_MAX[limit];
    const [dataOf, one, grown] = LIMITS[limit];
    test(`${most} ${words}; a stored shop beyond that may change and shrink, and not grow`, () => {
      const shop = new TrialShop('open', open);
      shop.execute({ zones: [US] });
      const execute = (data: ConfigData): Command => ({ kind: 'executeConfig', data });
      const text = `at most ${most.toLocaleString('en-US')} ${words}`;
      shop.refuse(execute(dataOf(most + 10)), CODE, text);
      shop.accept(execute(dataOf(most)));
      shop.refuse(one, CODE, text);
      shop.accept({ kind: 'enterStaging' });
      shop.refuse(one, CODE, text);
      shop.accept({ kind: 'discardStaging' });
      shop.state = { ...shop.state, config: grown(shop.config) };
      shop.accept({ kind: 'updateZone', id: 'zone_us', body: { name: 'Changed' } });
      shop.refuse(one, CODE, text);
      shop.accept(execute(dataOf(most - 10)));
      shop.accept(one);
    });
  }
});

test('an invalid body is refused as invalid even when the plan limit is exceeded', () => {
  const shop = smallShop();
  shop.createMethod();
  const body = { name: 'More', zoneId: 'zone_x', rateType: 'free' as const };
  shop.refuse({ kind: 'createMethod', body }, 'VALIDATION_ERROR');
});

test('on a smaller plan existing records keep working and can be deleted, but not added', () => {
  const shop = shopWithZones('enterprise', SMALL);
  const methods = ['A', 'B', 'C'].map((name) => shop.createMethod({ name }));
  const [first] = methods;
  assert.ok(first);
  for (let count = 0; count < 3; count++) shop.createRule(first.id);
  shop.accept({ kind: 'setPlan', plan: 'small' });

  shop.accept({ kind: 'updateMethod', id: first.id, body: { name: 'A2', position: 2 } });
  shop.execute(shop.snapshot());
  const data = shop.snapshot();
  const body = { name: 'D', zoneId: 'zone_us', rateType: 'free' as const };
  shop.refuse({ kind: 'createMethod', body }, CODE, 'small');
  shop.refuse({ kind: 'createRule', methodId: first.id, body: { action: 'hide' } }, CODE, 'small');
  shop.refuse({ kind: 'executeConfig', data: { methods: [...data.methods, body] } }, CODE, 'small');
  shop.execute({ methods: data.methods.slice(1) });
  assert.equal(shop.config.methods.length, 2);
  shop.accept({ kind: 'deleteMethod', id: first.id });
  shop.refuse({ kind: 'createMethod', body }, CODE, 'small');
});

test('a plan that the operator took out of the table allows no growth', () => {
  const shop = new TrialShop('pro');
  const { pro: _, ...rest } = PLANS;
  shop.context = { plans: rest };
  shop.refuse({ kind: 'createGroup', body: { name: 'Heavy' } }, CODE, 'pro');
  shop.accept({ kind: 'updateGroup', id: shop.defaultGroupId, body: { name: 'All' } });
});

test('null in the table means no limit', () => {
  const unlimited = Object.fromEntries(Object.keys(PLANS['pro'] ?? {}).map((limit) => [limit, null]));
  const shop = shopWithZones('free', { free: unlimited as unknown as PlanLimits });
  for (let count = 0; count < 30; count++) shop.createMethod();
  assert.equal(shop.config.methods.length, 30);
});
