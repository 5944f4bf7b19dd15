import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PlacedConfig } from '../../../src/engine/domain/shop-event.ts';
import { appliedUnmarked, changeBetween } from './changes-applied.ts';
import { placedConfig } from './placed-config-arbitraries.ts';
import { deepFreeze, shopWithZones } from './trial-shop.ts';

test('a diff applied to the first configuration gives the second exactly, order and placement included', () => {
  fc.assert(
    fc.property(placedConfig, placedConfig, (from, to) => {
      deepFreeze([from, to]);
      assert.deepEqual(appliedUnmarked(from, changeBetween(from, to)), to);
    }),
    { numRuns: 1_000 },
  );
});

test('a diff read back from JSON gives the same configuration', () => {
  fc.assert(
    fc.property(placedConfig, placedConfig, (from, to) => {
      const stored = JSON.parse(JSON.stringify(changeBetween(from, to)));
      assert.deepEqual(appliedUnmarked(from, stored), to);
    }),
    { numRuns: 500 },
  );
});

test('the diff of equal configurations is empty, whether or not they share records', () => {
  fc.assert(
    fc.property(placedConfig, (config) => {
      const copy: PlacedConfig = structuredClone(config);
      assert.deepEqual(changeBetween(config, config), {});
      assert.deepEqual(changeBetween(config, copy), {});
    }),
  );
});

test('the order of fields does not count as a difference', () => {
  const shop = shopWithZones();
  shop.createMethod({ rateType: 'by_items', config: { firstItemPrice: 1, additionalItemPrice: 2 } });
  const turned = shop.config.methods.map((method) =>
    Object.fromEntries(Object.entries(method).reverse()),
  ) as unknown as PlacedConfig['methods'];
  assert.deepEqual(changeBetween(shop.config, { ...shop.config, methods: turned }), {});
});

test('a moved record is the only one that is placed, and records that change in place are replaced', () => {
  const shop = shopWithZones();
  const [first, second, third] = ['A', 'B', 'C'].map((name) => shop.createMethod({ name }));
  assert.ok(first && second && third);
  const before = shop.config;
  shop.accept({ kind: 'updateMethod', id: first.id, body: { position: 2 } });
  shop.accept({ kind: 'updateMethod', id: third.id, body: { name: 'C2' } });
  const { methods } = changeBetween(before, shop.config);
  assert.deepEqual(
    methods?.placed?.map(({ index, record }) => [index, record.id]),
    [[2, first.id]],
  );
  assert.deepEqual(
    methods?.replaced?.map(({ id }) => id),
    [third.id],
  );
  assert.equal(methods?.removed, undefined);
});

test('a change of one rule names neither its method nor its neighbours', () => {
  const shop = shopWithZones();
  const method = shop.createMethod();
  const rule = shop.createRule(method.id);
  shop.createRule(method.id);
  const before = shop.config;
  shop.accept({ kind: 'updateRule', id: rule.id, body: { enabled: false } });
  const change = changeBetween(before, shop.config);
  assert.deepEqual(Object.keys(change), ['rules']);
  assert.deepEqual(
    change.rules?.[method.id]?.replaced?.map(({ id }) => id),
    [rule.id],
  );
});

test('records in a change carry no rules of their method', () => {
  fc.assert(
    fc.property(placedConfig, placedConfig, (from, to) => {
      const { methods } = changeBetween(from, to);
      const named = [...(methods?.replaced ?? []), ...(methods?.placed ?? []).map(({ record }) => record)];
      for (const method of named) assert.ok(!('rules' in method));
    }),
    { numRuns: 200 },
  );
});
