/** Writes of shipping methods (contract section 3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareConfigs } from '../../../src/engine/change/diff.ts';
import type { MethodCreate, MethodUpdate } from '../../../src/engine/wire/write-bodies.ts';
import { rateConfig } from '../../support/arbitrary/rates.ts';
import { shopWithZones } from './trial-shop.ts';

const methodNames = (shop: ReturnType<typeof shopWithZones>) => shop.config.methods.map(({ name }) => name);

test('a created method has its defaults: the default group, enabled, no threshold, a slug', () => {
  const shop = shopWithZones();
  const body = {
    name: 'Standard Shipping',
    zoneId: 'zone_us',
    rateType: 'flat' as const,
    config: { price: 500 },
  };
  const method = shop.createMethod(body);
  assert.match(method.id, /^method_/);
  assert.deepEqual(method, {
    id: method.id,
    name: 'Standard Shipping',
    subtitle: '',
    serviceCode: 'standard-shipping',
    zoneId: 'zone_us',
    productGroupId: shop.defaultGroupId,
    rateType: 'flat',
    config: { price: 500 },
    enabled: true,
    freeShippingThreshold: null,
    thresholdBasis: 'cart_total',
    delivery: null,
    phoneRequired: false,
    position: 0,
    rules: [],
  });
  assert.equal(shop.state.version.description, 'Method "Standard Shipping" created');
});

test('a method may require a phone number, and a comparison shows the change', () => {
  const shop = shopWithZones();
  const { id } = shop.createMethod({ phoneRequired: true });
  assert.equal(shop.config.methods[0]?.phoneRequired, true);
  const before = shop.config;
  shop.accept({ kind: 'updateMethod', id, body: { phoneRequired: false } });
  assert.ok(!('phoneRequired' in (shop.config.methods[0] ?? {})));
  const [modified] = compareConfigs(before, shop.config).modified;
  assert.deepEqual(modified?.changes, [{ field: 'phoneRequired', from: true, to: false }]);
});

test('a method may be bound to a subzone', () => {
  assert.equal(shopWithZones().createMethod({ zoneId: 'sub_ak' }).zoneId, 'sub_ak');
});

test('a reference to a zone or group that does not exist is refused, naming path and id', () => {
  const shop = shopWithZones();
  const body: MethodCreate = { name: 'A', zoneId: 'zone_us', rateType: 'free' };
  const create = (fields: Partial<MethodCreate>) => ({
    kind: 'createMethod' as const,
    body: { ...body, ...fields },
  });
  shop.refuse(create({ zoneId: 'zone_x' }), 'VALIDATION_ERROR', '/zoneId ', 'zone_x');
  shop.refuse(create({ productGroupId: 'group_x' }), 'VALIDATION_ERROR', '/productGroupId ', 'group_x');
  const { id } = shop.createMethod();
  const update = (fields: MethodUpdate) => ({ kind: 'updateMethod' as const, id, body: fields });
  shop.refuse(update({ zoneId: 'zone_x' }), 'VALIDATION_ERROR', '/zoneId ', 'zone_x');
  shop.refuse(update({ productGroupId: 'group_x' }), 'VALIDATION_ERROR', '/productGroupId ', 'group_x');
});

test('every rate type takes its own config', () => {
  const shop = shopWithZones();
  fc.assert(
    fc.property(rateConfig, (value) => {
      const plain = JSON.parse(JSON.stringify(value)) as typeof value;
      const body = { name: 'A', zoneId: 'zone_us', ...plain };
      const outcome = shop.try({ kind: 'createMethod', body });
      assert.ok(outcome.ok && outcome.value.result.kind === 'method');
      assert.deepEqual(outcome.value.result.method.config, plain.config);
    }),
  );
});

const REFUSED_CONFIGS: readonly [MethodCreate['rateType'], object | undefined, string][] = [
  ['flat', undefined, '/config/price is required'],
  ['flat', {}, '/config/price is required'],
  ['flat', { price: -1 }, '/config/price must be whole cents'],
  ['flat', { price: 1.5 }, '/config/price must be whole cents'],
  ['flat', { price: 1, more: 2 }, '/config/more is not a field'],
  ['free', { price: 1 }, '/config/price is not a field'],
  ['free', [], '/config must be'],
  ['by_items', { firstItemPrice: 1 }, '/config/additionalItemPrice is required'],
  [
    'by_weight',
    { firstWeight: 1, firstPrice: 1, additionalWeight: 0, additionalPrice: 1 },
    '/config/additionalWeight must be',
  ],
  ['percentage', { percentage: 1000.5 }, '/config/percentage must be'],
  ['percentage', { percentage: 1.005 }, '/config/percentage must have at most 2 decimals'],
  ['percentage', { percentage: 1, minPrice: 2, maxPrice: 1 }, '/config/minPrice must not be above maxPrice'],
  ['by_price_table', { tiers: [] }, '/config/tiers must be'],
  ['by_weight_table', { tiers: [{ minPrice: 0, maxPrice: 1, price: 1 }] }, '/config/tiers/0/'],
  [
    'by_price_table',
    {
      tiers: [
        { minPrice: 0, maxPrice: 10, price: 1 },
        { minPrice: 9, maxPrice: 20, price: 1 },
      ],
    },
    '/config/tiers/1/minPrice must be at least 10',
  ],
  [
    'by_items_table',
    {
      tiers: [
        { minItems: 0, maxItems: null, price: 1 },
        { minItems: 9, maxItems: 20, price: 1 },
      ],
    },
    '/config/tiers/0/maxItems may be null only in the last tier',
  ],
  [
    'by_weight_table',
    { tiers: [{ minWeight: 5, maxWeight: 5, price: 1 }] },
    '/config/tiers/0/maxWeight must be above minWeight',
  ],
];

test('a config that does not fit its rate type is refused by its path', () => {
  const shop = shopWithZones();
  const { id } = shop.createMethod();
  for (const [rateType, config, message] of REFUSED_CONFIGS) {
    const rateFields = { rateType, ...(config !== undefined && { config }) };
    const body = { name: 'A', zoneId: 'zone_us', ...rateFields };
    shop.refuse({ kind: 'createMethod', body }, 'VALIDATION_ERROR', message);
    if (rateType !== 'free') {
      shop.refuse({ kind: 'updateMethod', id, body: rateFields }, 'VALIDATION_ERROR', message);
    }
  }
});

test('1,000 tiers are accepted and 1,001 are not', () => {
  const shop = shopWithZones();
  const tiers = Array.from({ length: 1_001 }, (_, index) => ({
    minItems: index,
    maxItems: index + 1,
    price: index,
  }));
  const body = (count: number) => ({
    name: 'A',
    zoneId: 'zone_us',
    rateType: 'by_items_table' as const,
    config: { tiers: tiers.slice(0, count) },
  });
  shop.accept({ kind: 'createMethod', body: body(1_000) });
  shop.refuse({ kind: 'createMethod', body: body(1_001) }, 'VALIDATION_ERROR', '/config/tiers ');
});

test('a PUT is partial, and config is replaced whole', () => {
  const shop = shopWithZones();
  const config = { percentage: 10, minPrice: 5, maxPrice: 50 };
  const { id } = shop.createMethod({
    rateType: 'percentage',
    config,
    subtitle: 'slow',
    freeShippingThreshold: 9,
  });
  const { method } = shop.resultOf('method', {
    kind: 'updateMethod',
    id,
    body: { config: { percentage: 20 } },
  });
  assert.deepEqual(method.config, { percentage: 20 });
  assert.deepEqual([method.name, method.subtitle, method.freeShippingThreshold], ['Standard', 'slow', 9]);
  const cleared = { kind: 'updateMethod' as const, id, body: { freeShippingThreshold: null, subtitle: '' } };
  const after = shop.resultOf('method', cleared).method;
  assert.deepEqual([after.freeShippingThreshold, after.subtitle], [null, '']);
});

test('a new rate type discards the old config', () => {
  const shop = shopWithZones();
  const { id } = shop.createMethod({ rateType: 'flat', config: { price: 5 } });
  const toItems = { kind: 'updateMethod' as const, id, body: { rateType: 'by_items' as const } };
  shop.refuse(toItems, 'VALIDATION_ERROR', '/config/firstItemPrice is required');
  const same = { kind: 'updateMethod' as const, id, body: { rateType: 'flat' as const } };
  assert.deepEqual(shop.resultOf('method', same).method.config, { price: 5 });
  const toFree = { kind: 'updateMethod' as const, id, body: { rateType: 'free' as const } };
  assert.deepEqual(shop.resultOf('method', toFree).method.config, {});
});

test('position moves a method among all methods of the shop', () => {
  const shop = shopWithZones();
  const [a, b, c] = ['A', 'B', 'C'].map((name) => shop.createMethod({ name }).id);
  const move = (id = '', position: number) =>
    shop.resultOf('method', { kind: 'updateMethod', id, body: { position } }).method.position;
  assert.equal(move(c, 0), 0);
  assert.deepEqual(methodNames(shop), ['C', 'A', 'B']);
  assert.equal(move(a, 99), 2);
  assert.deepEqual(methodNames(shop), ['C', 'B', 'A']);
  assert.equal(move(b, 1), 1);
  assert.deepEqual(shop.state.version.changes, { added: 0, modified: 0, removed: 0 });
});

test('rules in the body of a method are ignored, so that a method that was read can be sent back', () => {
  const shop = shopWithZones();
  const { id } = shop.createMethod();
  shop.createRule(id);
  const before = shop.config;
  const read = shop.resultOf('method', { kind: 'updateMethod', id, body: {} }).method;
  shop.accept({ kind: 'updateMethod', id, body: read });
  assert.deepEqual(shop.config, before);
  shop.accept({ kind: 'updateMethod', id, body: { rules: [] } });
  assert.equal(shop.config.methods[0]?.rules.length, 1);
});

test('a default service code is unique in its zone and the subzones of it, and nowhere else', () => {
  const shop = shopWithZones();
  const codeIn = (zoneId: string) => shop.createMethod({ name: 'Express!', zoneId }).serviceCode;
  assert.deepEqual(['zone_us', 'sub_ak', 'sub_hi', 'zone_us', 'zone_gb', 'sub_islands'].map(codeIn), [
    'express',
    'express-2',
    'express-3',
    'express-4',
    'express',
    'express-2',
  ]);
});

test('a given service code is stored unchanged, and default codes avoid it', () => {
  const shop = shopWithZones();
  const given = { serviceCode: 'express' };
  assert.equal(shop.createMethod({ name: 'A', ...given }).serviceCode, 'express');
  assert.equal(shop.createMethod({ name: 'B', ...given }).serviceCode, 'express');
  assert.equal(shop.createMethod({ name: 'Express' }).serviceCode, 'express-2');
});

test('a service code stays the same after a rename and after a move to another zone', () => {
  const shop = shopWithZones();
  const { id } = shop.createMethod({ name: 'Express' });
  shop.createMethod({ name: 'Express', zoneId: 'zone_gb' });
  const body = { name: 'Rush', zoneId: 'zone_gb' };
  assert.equal(shop.resultOf('method', { kind: 'updateMethod', id, body }).method.serviceCode, 'express');
});

test('a method that a blended rate prefers cannot be deleted, and the refusal names the blended rate', () => {
  const shop = shopWithZones();
  const { id } = shop.createMethod({ name: 'Express' });
  const preferences = [{ productGroupId: shop.defaultGroupId, preferredMethodId: id }];
  const blended = shop.createBlended({ name: 'Mixed', preferences });
  shop.refuse({ kind: 'deleteMethod', id }, 'CONFLICT', 'blended rate "Mixed"', blended.id);
  shop.accept({ kind: 'deleteBlended', id: blended.id });
  shop.accept({ kind: 'deleteMethod', id });
  assert.equal(shop.state.version.description, 'Method "Express" deleted');
});

test('a preferred method can move only to where its blended rate may prefer it', () => {
  const shop = shopWithZones();
  const heavy = shop.createGroup({ name: 'Heavy' });
  const { id } = shop.createMethod();
  const preferences = [{ productGroupId: shop.defaultGroupId, preferredMethodId: id }];
  const blended = shop.createBlended({ name: 'Mixed', preferences });
  const move = (body: MethodUpdate) => ({ kind: 'updateMethod' as const, id, body });
  shop.refuse(move({ zoneId: 'zone_gb' }), 'CONFLICT', 'Mixed', blended.id);
  shop.refuse(move({ productGroupId: heavy.id }), 'CONFLICT', 'Mixed', blended.id);
  shop.accept(move({ zoneId: 'sub_ak', name: 'Other' }));
});

test('an unknown method is not found', () => {
  const shop = shopWithZones();
  const message = 'Method not found: method_x';
  shop.refuse({ kind: 'updateMethod', id: 'method_x', body: { zoneId: 'zone_x' } }, 'NOT_FOUND', message);
  shop.refuse({ kind: 'deleteMethod', id: 'method_x' }, 'NOT_FOUND', message);
});

test('a delivery is stored and shown, and null removes it again', () => {
  const shop = shopWithZones();
  const stored = (id: string) => shop.config.methods.find((method) => method.id === id);
  const delivery = { minDays: 2, maxDays: 4 };
  const { id, ...created } = shop.createMethod({ delivery });
  assert.deepEqual(created.delivery, delivery);
  const update = (body: MethodUpdate) => ({ kind: 'updateMethod' as const, id, body });
  shop.accept(update({ name: 'Renamed' }));
  assert.deepEqual(stored(id)?.delivery, delivery);
  shop.refuse(update({ delivery: { minDays: 5, maxDays: 4 } }), 'VALIDATION_ERROR', '/delivery/minDays ');
  shop.accept(update({ delivery: null }));
  assert.ok(!('delivery' in (stored(id) ?? {})));
});
