/** Config execute (contract section 8). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PlanLimits } from '../../../src/engine/domain/plan.ts';
import { snapshotOf } from '../../../src/engine/wire/record-view.ts';
import type { ConfigData } from '../../../src/engine/wire/write-bodies.ts';
import { readDemoShop } from '../../data/demo-files.ts';
import { shopConfig } from '../../support/arbitrary/config.ts';
import { assertValidState } from './state-invariants.ts';
import { fullShop, PLANS, shopWithZones, TrialShop } from './trial-shop.ts';

const FREE = { rateType: 'free' as const };

const ids = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);

test('execute makes one version by import and answers with it and its counts', () => {
  const shop = shopWithZones();
  const { number } = shop.state.version;
  const { version, summary } = shop.execute({ methods: [{ name: 'A', zoneId: 'zone_us', ...FREE }] });
  assert.equal(version.number, number + 1);
  assert.equal(version.createdBy, 'import');
  assert.equal(version.description, 'Configuration imported');
  assert.deepEqual(summary, { added: 1, modified: 0, removed: 0 });
  assert.deepEqual(shop.state.version, version);
});

test('records are completed by the same defaults as single writes', () => {
  const shop = new TrialShop();
  shop.execute({
    zones: [{ name: 'US', countries: ['US'] }],
    productGroups: [{ name: 'All', isDefault: true }],
  });
  const [zone] = shop.config.zones;
  assert.deepEqual(zone?.subzones, []);
  shop.execute({
    methods: [
      {
        name: 'Standard Shipping',
        zoneId: zone?.id ?? '',
        ...FREE,
        rules: [
          { action: 'hide', conditions: [{ conditionType: 'cart_total', operator: 'less_than', value: 5 }] },
        ],
      },
    ],
    blendedRates: [{ name: 'Mixed', zoneId: zone?.id ?? '' }],
  });
  const [method] = shop.config.methods;
  assert.equal(method?.productGroupId, shop.defaultGroupId);
  assert.deepEqual(
    [method?.subtitle, method?.serviceCode, method?.enabled, method?.freeShippingThreshold, method?.config],
    ['', 'standard-shipping', true, null, {}],
  );
  assert.deepEqual(method?.rules[0]?.conditions, [
    { conditionType: 'cart_total', operator: 'less_than', value: '5', scope: 'any_product_in_order' },
  ]);
  const [blended] = shop.config.blendedRates;
  assert.deepEqual([blended?.serviceCode, blended?.enabled, blended?.preferences], ['mixed', true, []]);
});

test('ids given are kept, missing ones are made with the prefix of their kind', () => {
  const shop = new TrialShop();
  shop.execute({
    zones: [
      { id: 'mine', name: 'US', countries: ['US'], subzones: [{ name: 'AK', postalCodes: '' }] },
      { name: 'CA', countries: ['CA'] },
    ],
    productGroups: [{ name: 'All', isDefault: true }],
    methods: [
      { name: 'A', zoneId: 'mine', ...FREE, rules: [{ action: 'hide' }, { id: 'my_rule', action: 'show' }] },
    ],
    blendedRates: [{ name: 'B', zoneId: 'mine' }],
  });
  const { zones, productGroups, methods, blendedRates } = shop.config;
  assert.equal(zones[0]?.id, 'mine');
  assert.match(zones[0]?.subzones[0]?.id ?? '', /^sub_/);
  assert.match(zones[1]?.id ?? '', /^zone_/);
  assert.match(productGroups[0]?.id ?? '', /^group_/);
  assert.match(methods[0]?.id ?? '', /^method_/);
  assert.match(methods[0]?.rules[0]?.id ?? '', /^rule_/);
  assert.equal(methods[0]?.rules[1]?.id, 'my_rule');
  assert.match(blendedRates[0]?.id ?? '', /^blended_/);
});

test('an array that is left out leaves its kind as it is, an empty one clears it', () => {
  const shop = fullShop();
  const before = shop.config;
  shop.execute({ blendedRates: [] });
  assert.deepEqual(shop.config.blendedRates, []);
  assert.equal(shop.config.methods, before.methods);
  shop.execute({ methods: [] });
  assert.deepEqual(shop.config.methods, []);
  assert.equal(shop.config.zones, before.zones);
  shop.execute({ zones: [], productGroups: [] });
  assert.deepEqual(shop.config.zones, []);
  shop.execute({});
  assert.deepEqual(shop.state.version.changes, { added: 0, modified: 0, removed: 0 });
});

test('rules and subzones that a known record leaves out stay, an empty array clears them', () => {
  const shop = fullShop();
  const { zones, methods } = shop.snapshot();
  const [{ subzones: _, ...us }, ...others] = zones as [(typeof zones)[0], ...typeof zones];
  const [{ rules: __, ...standard }, freight] = methods as [(typeof methods)[0], (typeof methods)[0]];
  shop.execute({ zones: [us, ...others], methods: [{ ...standard, name: 'Renamed' }, freight] });
  assert.deepEqual(shop.state.version.changes, { added: 0, modified: 1, removed: 0 });
  assert.deepEqual(ids(shop.config.zones[0]?.subzones ?? []), ['sub_ak', 'sub_hi']);
  assert.deepEqual(ids(shop.config.methods[0]?.rules ?? []), ['rule_a', 'rule_b']);
  shop.execute({ methods: [{ ...standard, rules: [] }, freight] });
  assert.deepEqual(shop.config.methods[0]?.rules, []);
  assert.equal(shop.state.version.changes.removed, 2);
});

test('a record is replaced whole: fields that are left out fall back to their defaults', () => {
  const shop = fullShop();
  shop.execute({ blendedRates: [{ id: 'blended_mixed', name: 'Mixed', zoneId: 'zone_us' }] });
  assert.deepEqual(shop.config.blendedRates[0]?.preferences, []);
  assert.deepEqual(shop.state.version.changes, { added: 0, modified: 1, removed: 0 });
});

test('sending back the configuration that was read changes nothing and shares every list', () => {
  const shop = fullShop();
  const { config } = shop;
  const { summary } = shop.execute(shop.snapshot());
  assert.deepEqual(summary, { added: 0, modified: 0, removed: 0 });
  for (const kind of ['zones', 'productGroups', 'methods', 'blendedRates'] as const) {
    assert.equal(shop.config[kind], config[kind]);
  }
});

test('the demo configuration is accepted and can be sent back', () => {
  const shop = new TrialShop();
  const { config } = readDemoShop() as { config: ConfigData };
  shop.execute(config);
  assert.equal(shop.config.methods.length, config.methods?.length);
  const { summary } = shop.execute(shop.snapshot());
  assert.deepEqual(summary, { added: 0, modified: 0, removed: 0 });
});

test('records are matched by id, whatever their place, and only those that moved are placed anew', () => {
  const shop = shopWithZones();
  const named = (name: string) => ({ id: `method_${name}`, name, zoneId: 'zone_us', ...FREE });
  shop.execute({ methods: ['a', 'b', 'c', 'd'].map(named) });
  const before = shop.config.methods;
  shop.execute({ methods: ['b', 'c', 'new', 'd', 'a'].map(named) });
  const { number } = shop.state.version;
  assert.deepEqual(
    shop.config.methods.map(({ name, placement }) => [name, placement === number]),
    [
      ['b', false],
      ['c', false],
      ['new', true],
      ['d', false],
      ['a', true],
    ],
  );
  assert.equal(shop.config.methods[0], before[1]);
  assert.deepEqual(shop.state.version.changes, { added: 1, modified: 1, removed: 0 });
});

test('a rule id under another method is a removal there and an addition here', () => {
  const shop = fullShop();
  const { methods } = shop.snapshot();
  const [standard, freight] = methods;
  assert.ok(standard && freight);
  shop.execute({
    methods: [
      { ...standard, rules: [] },
      { ...freight, rules: standard.rules },
    ],
  });
  assert.deepEqual(shop.state.version.changes, { added: 2, modified: 0, removed: 2 });
  assert.deepEqual(ids(shop.config.methods[1]?.rules ?? []), ['rule_a', 'rule_b']);
  assert.equal(
    shop.resultOf('rule', { kind: 'updateRule', id: 'rule_a', body: {} }).rule.methodId,
    'method_freight',
  );
});

test('a result without a default group gets a group named Default at the end', () => {
  const shop = new TrialShop();
  shop.execute({ productGroups: [{ id: 'group_heavy', name: 'Heavy' }] });
  assert.deepEqual(
    shop.config.productGroups.map(({ name, isDefault }) => [name, isDefault]),
    [
      ['Heavy', false],
      ['Default', true],
    ],
  );
  shop.execute({ productGroups: [] });
  assert.deepEqual(
    shop.config.productGroups.map(({ name, isDefault }) => [name, isDefault]),
    [['Default', true]],
  );
});

test('a method that names no group goes to the default group of the result', () => {
  const shop = shopWithZones();
  const method = { name: 'A', zoneId: 'zone_us', ...FREE };
  shop.execute({ productGroups: [{ id: 'g1', name: 'New default', isDefault: true }], methods: [method] });
  assert.equal(shop.config.methods[0]?.productGroupId, 'g1');
  shop.execute({ productGroups: [], methods: [method] });
  assert.equal(shop.config.methods[0]?.productGroupId, shop.defaultGroupId);
});

test('new records may refer to each other', () => {
  const shop = fullShop();
  shop.execute({
    zones: [
      {
        id: 'zone_new',
        name: 'New',
        countries: ['*'],
        subzones: [{ id: 'sub_new', name: 'Sub', postalCodes: '1*' }],
      },
    ],
    productGroups: [{ id: 'group_new', name: 'New', isDefault: true }],
    methods: [{ id: 'method_new', name: 'New', zoneId: 'sub_new', productGroupId: 'group_new', ...FREE }],
    blendedRates: [
      {
        id: 'blended_new',
        name: 'New',
        zoneId: 'zone_new',
        preferences: [{ productGroupId: 'group_new', preferredMethodId: 'method_new' }],
      },
    ],
  });
  assert.deepEqual(ids(shop.config.methods), ['method_new']);
});

test('default service codes avoid the codes given earlier or later in the data', () => {
  const shop = shopWithZones();
  const method = { name: 'Express', zoneId: 'zone_us', ...FREE };
  shop.execute({
    methods: [
      method,
      { ...method, zoneId: 'sub_ak' },
      { ...method, name: 'Other', serviceCode: 'express' },
      { ...method, zoneId: 'zone_gb' },
    ],
  });
  assert.deepEqual(
    shop.config.methods.map(({ serviceCode }) => serviceCode),
    ['express-2', 'express-3', 'express', 'express'],
  );
});

test('execute of a shop of thousands names no record that stayed as it was', () => {
  const shop = shopWithZones();
  const methods = Array.from({ length: 3_000 }, (_, index) => ({
    id: `method_${index}`,
    name: 'Same name',
    zoneId: 'zone_us',
    ...FREE,
    rules: [{ id: `rule_${index}`, action: 'hide' as const }],
  }));
  shop.execute({ methods });
  assert.equal(shop.config.methods[2_999]?.serviceCode, 'same-name-3000');
  const data = shop.snapshot().methods;
  const { events } = shop.accept({
    kind: 'executeConfig',
    data: { methods: [...data.slice(1), ...data.slice(0, 1)] },
  });
  const change = events[0]?.kind === 'configChanged' ? events[0].change : {};
  assert.equal(change.methods?.placed?.length, 1);
  assert.deepEqual(Object.keys(change), ['methods']);
});

/** A plan that random configurations never meet. */
const UNLIMITED = { ...PLANS, unlimited: { ...(PLANS['enterprise'] as PlanLimits), rulesPerMethod: null } };

test('any valid configuration replaces any other, and reads back as it was sent', () => {
  fc.assert(
    fc.property(shopConfig, shopConfig, (first, second) => {
      const shop = new TrialShop('unlimited', UNLIMITED);
      for (const config of [first, second, first]) {
        const data = JSON.parse(JSON.stringify(snapshotOf(config, 'version_any'))) as ConfigData;
        shop.execute(data);
        assert.deepEqual(shop.snapshot(), { ...data, versionId: shop.state.version.id });
        assertValidState(shop.state);
      }
    }),
    { numRuns: 50 },
  );
});
