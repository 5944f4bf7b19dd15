// Records that are written one by one share a hidden class of the engine: else each keeps one of its own in memory, and
// whoever reads fields of many of them takes longer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { haveSameShape } from '../../support/same-shape.ts';
import { shopWithZones } from './trial-shop.ts';

function assertAlike(what: string, records: readonly object[]): void {
  const [first, ...others] = records;
  assert.ok(first !== undefined && others.length > 0, what);
  assert.ok(
    others.every((other) => haveSameShape(first, other)),
    `${what} differ in their hidden classes`,
  );
}

test('records of one kind, and their answers, have one hidden class', () => {
  const shop = shopWithZones();
  const names = ['A', 'B', 'C'];
  const groups = names.map((name) => shop.createGroup({ name }));
  const methods = names.map((name) => shop.createMethod({ name }));
  const blended = names.map((name) => shop.createBlended({ name }));
  for (const name of names) shop.accept({ kind: 'createZone', body: { name, countries: [] } });
  assertAlike('zones, of a bulk write and new ones', shop.config.zones);
  assertAlike('answers to new groups', groups);
  assertAlike('answers to new methods', methods);
  assertAlike('answers to new blended rates', blended);
  assertAlike('new groups', shop.config.productGroups.slice(1));
  assertAlike('new methods', shop.config.methods);
  assertAlike('new blended rates', shop.config.blendedRates);
  for (const { id } of shop.config.zones) shop.accept({ kind: 'updateZone', id, body: { name: 'X' } });
  assertAlike('updated zones', shop.config.zones);
  for (const { id } of groups) shop.accept({ kind: 'updateGroup', id, body: { skus: ['X'] } });
  for (const { id } of methods) shop.accept({ kind: 'updateMethod', id, body: { subtitle: 'X' } });
  for (const { id } of blended) shop.accept({ kind: 'updateBlended', id, body: { subtitle: 'X' } });
  assertAlike('updated groups', shop.config.productGroups.slice(1));
  assertAlike('updated methods', shop.config.methods);
  assertAlike('updated blended rates', shop.config.blendedRates);
});

test('records of a replaced configuration have one hidden class', () => {
  const shop = shopWithZones();
  const names = ['A', 'B', 'C'];
  shop.execute({
    productGroups: [{ name: 'All', isDefault: true }, ...names.map((name) => ({ name }))],
    methods: names.map((name) => ({
      name,
      zoneId: 'zone_us',
      rateType: 'free' as const,
      rules: [{ action: 'hide' as const }],
    })),
    blendedRates: names.map((name) => ({ name, zoneId: 'zone_us' })),
  });
  const { productGroups, methods, blendedRates } = shop.config;
  assertAlike('groups', productGroups);
  assertAlike('methods', methods);
  assertAlike(
    'rules',
    methods.flatMap(({ rules }) => rules),
  );
  assertAlike('blended rates', blendedRates);
});
