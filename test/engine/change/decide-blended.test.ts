/** Writes of blended rates (contract section 3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../../src/engine/change/command.ts';
import type { BlendedCreate, BlendedUpdate } from '../../../src/engine/wire/write-bodies.ts';
import { shopWithZones } from './trial-shop.ts';

function shopWithMethods() {
  const shop = shopWithZones();
  const group = shop.defaultGroupId;
  const idIn = (zoneId: string) => shop.createMethod({ name: zoneId, zoneId }).id;
  const [us, ak, hi, gb] = ['zone_us', 'sub_ak', 'sub_hi', 'zone_gb'].map(idIn);
  const prefer = (
    zoneId: string,
    preferredMethodId: string | null = null,
    productGroupId = group,
  ): Command => {
    const preferences = [{ productGroupId, preferredMethodId }];
    return { kind: 'createBlended', body: { name: 'Mixed', zoneId, preferences } };
  };
  return { shop, group, us, ak, hi, gb, prefer };
}

test('a created blended rate has its defaults', () => {
  const shop = shopWithZones();
  const blended = shop.createBlended({ name: 'Mixed Cart' });
  assert.match(blended.id, /^blended_/);
  assert.deepEqual(blended, {
    id: blended.id,
    name: 'Mixed Cart',
    subtitle: '',
    serviceCode: 'mixed-cart',
    zoneId: 'zone_us',
    freeShippingThreshold: null,
    thresholdBasis: 'cart_total',
    preferences: [],
    enabled: true,
    position: 0,
  });
  assert.equal(shop.state.version.description, 'Blended rate "Mixed Cart" created');
});

test('a preference without a method is stored with null, the lowest rate', () => {
  const { shop, group } = shopWithMethods();
  const { preferences } = shop.createBlended({ preferences: [{ productGroupId: group }] });
  assert.deepEqual(preferences, [{ productGroupId: group, preferredMethodId: null }]);
});

test('a blended rate of a zone may prefer methods of the zone and of its subzones', () => {
  const { shop, us, ak, hi, gb, prefer } = shopWithMethods();
  for (const id of [us, ak, hi]) assert.ok(shop.try(prefer('zone_us', id)).ok);
  shop.refuse(
    prefer('zone_us', gb),
    'VALIDATION_ERROR',
    '/preferences/0/preferredMethodId ',
    `${gb}`,
    'zone_gb',
  );
});

test('a blended rate of a subzone may prefer methods of the subzone and of its zone, not of its neighbour', () => {
  const { shop, us, ak, hi, gb, prefer } = shopWithMethods();
  for (const id of [us, ak]) assert.ok(shop.try(prefer('sub_ak', id)).ok);
  for (const id of [hi, gb]) {
    shop.refuse(prefer('sub_ak', id), 'VALIDATION_ERROR', '/preferences/0/preferredMethodId ', `${id}`);
  }
});

test('a preferred method must belong to the group of the preference', () => {
  const { shop, us, prefer } = shopWithMethods();
  const heavy = shop.createGroup({ name: 'Heavy' });
  const command = prefer('zone_us', us, heavy.id);
  shop.refuse(command, 'VALIDATION_ERROR', '/preferences/0/preferredMethodId ', heavy.id);
});

test('references that do not exist are refused, naming path and id', () => {
  const { shop, us, prefer } = shopWithMethods();
  shop.refuse(prefer('zone_x'), 'VALIDATION_ERROR', '/zoneId ', 'zone_x');
  shop.refuse(
    prefer('zone_us', 'method_x'),
    'VALIDATION_ERROR',
    '/preferences/0/preferredMethodId ',
    'method_x',
  );
  const unknownGroup = prefer('zone_us', us, 'group_x');
  shop.refuse(unknownGroup, 'VALIDATION_ERROR', '/preferences/0/productGroupId ', 'group_x');
});

test('a group stands at most once among the preferences', () => {
  const { shop, group, us } = shopWithMethods();
  const preferences = [{ productGroupId: group }, { productGroupId: group, preferredMethodId: us ?? '' }];
  const body: BlendedCreate = { name: 'Mixed', zoneId: 'zone_us', preferences };
  shop.refuse({ kind: 'createBlended', body }, 'VALIDATION_ERROR', '/preferences/1/productGroupId ', group);
});

test('a PUT is partial, and preferences are replaced whole', () => {
  const { shop, group, us, gb } = shopWithMethods();
  const preferences = [{ productGroupId: group, preferredMethodId: us ?? '' }];
  const { id } = shop.createBlended({ name: 'Mixed', preferences });
  const update = (body: BlendedUpdate) => ({ kind: 'updateBlended' as const, id, body });
  const renamed = shop.resultOf('blendedRate', update({ name: 'Other' })).blendedRate;
  assert.deepEqual([renamed.name, renamed.serviceCode, renamed.preferences], ['Other', 'mixed', preferences]);
  const emptied = shop.resultOf('blendedRate', update({ preferences: [] })).blendedRate;
  assert.deepEqual(emptied.preferences, []);
  const wrong = update({ preferences: [{ productGroupId: group, preferredMethodId: gb ?? '' }] });
  shop.refuse(wrong, 'VALIDATION_ERROR', '/preferences/0/preferredMethodId ');
});

test('a new zone that breaks stored preferences is refused with the path of the zone', () => {
  const { shop, group, us } = shopWithMethods();
  const { id } = shop.createBlended({
    preferences: [{ productGroupId: group, preferredMethodId: us ?? '' }],
  });
  const toGb = { kind: 'updateBlended' as const, id, body: { zoneId: 'zone_gb' } };
  assert.match(shop.refuse(toGb, 'VALIDATION_ERROR').message, /^\/zoneId /);
  shop.refuse(
    { ...toGb, body: { zoneId: 'zone_x' } },
    'VALIDATION_ERROR',
    '/zoneId must be the id of a zone',
  );
  shop.accept({ ...toGb, body: { zoneId: 'sub_ak' } });
  shop.accept({ ...toGb, body: { zoneId: 'zone_gb', preferences: [] } });
});

test('service codes of blended rates are unique among blended rates, apart from methods', () => {
  const shop = shopWithZones();
  shop.createMethod({ name: 'Express' });
  const codeIn = (zoneId: string) => shop.createBlended({ name: 'Express', zoneId }).serviceCode;
  assert.deepEqual(['zone_us', 'sub_ak', 'zone_gb'].map(codeIn), ['express', 'express-2', 'express']);
});

test('blended rates have an order of their own', () => {
  const shop = shopWithZones();
  const [a] = ['A', 'B'].map((name) => shop.createBlended({ name }).id);
  assert.equal(shop.createBlended({ name: 'C', position: 0 }).position, 0);
  const move = { kind: 'updateBlended' as const, id: a ?? '', body: { position: 2 } };
  assert.equal(shop.resultOf('blendedRate', move).blendedRate.position, 2);
  assert.deepEqual(
    shop.config.blendedRates.map(({ name }) => name),
    ['C', 'B', 'A'],
  );
});

test('a deleted blended rate is removed, an unknown blended rate is not found', () => {
  const shop = shopWithZones();
  const { id } = shop.createBlended({ name: 'Mixed' });
  shop.accept({ kind: 'deleteBlended', id });
  assert.deepEqual(shop.config.blendedRates, []);
  const message = `Blended rate not found: ${id}`;
  shop.refuse({ kind: 'deleteBlended', id }, 'NOT_FOUND', message);
  shop.refuse({ kind: 'updateBlended', id, body: { zoneId: 'zone_x' } }, 'NOT_FOUND', message);
});
