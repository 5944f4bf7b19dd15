import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyChange, applyEvent } from '../../src/change/apply.ts';
import { diffConfig } from '../../src/change/diff.ts';
import { sameJson } from '../../src/change/same-json.ts';
import type { PlacedConfig, ShopState } from '../../src/domain/shop-event.ts';
import { placedConfig } from './placed-config-arbitraries.ts';
import { shopWithZones } from './trial-shop.ts';

const KINDS = ['zones', 'productGroups', 'methods', 'blendedRates'] as const;

test('records and lists that a change does not touch are shared by identity', () => {
  fc.assert(
    fc.property(placedConfig, placedConfig, (from, to) => {
      const result = applyChange(from, diffConfig(from, to));
      for (const kind of KINDS) {
        if (sameJson(from[kind], to[kind])) assert.equal(result[kind], from[kind]);
        for (const record of result[kind]) {
          const old = from[kind].find(({ id }) => id === record.id);
          const isKept = old !== undefined && sameJson(old, record);
          const isOnlyOrder = diffConfig(from, to)[kind]?.placed?.some(
            (placed) => placed.record.id === record.id,
          );
          if (isKept && !isOnlyOrder) assert.equal(record, old);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('a write into one method shares all other methods, zones, groups and blended rates', () => {
  const shop = shopWithZones();
  const methods = ['A', 'B', 'C'].map((name) => shop.createMethod({ name }));
  const before = shop.config;
  shop.createRule(methods[1]?.id ?? '');
  assert.equal(shop.config.zones, before.zones);
  assert.equal(shop.config.productGroups, before.productGroups);
  assert.equal(shop.config.blendedRates, before.blendedRates);
  assert.equal(shop.config.methods[0], before.methods[0]);
  assert.notEqual(shop.config.methods[1], before.methods[1]);
  assert.equal(shop.config.methods[2], before.methods[2]);
});

test('a method that is changed or moved keeps its rules by identity', () => {
  const shop = shopWithZones();
  const [first] = ['A', 'B'].map((name) => shop.createMethod({ name }));
  assert.ok(first);
  shop.createRule(first.id);
  const rules = shop.config.methods[0]?.rules;
  shop.accept({ kind: 'updateMethod', id: first.id, body: { name: 'A2', position: 1 } });
  assert.equal(shop.config.methods[1]?.id, first.id);
  assert.equal(shop.config.methods[1]?.rules, rules);
});

test('a method id that every object has as a name gets its rules', () => {
  const shop = shopWithZones();
  const methods = ['__proto__', 'constructor', 'toString'].map((id) => ({
    id,
    name: id,
    zoneId: 'zone_us',
    rateType: 'free' as const,
    rules: [{ id: `rule-${id}`, action: 'hide' as const }],
  }));
  shop.execute({ methods });
  shop.accept({ kind: 'updateRule', id: 'rule-__proto__', body: { action: 'show' } });
  assert.deepEqual(
    shop.config.methods.map(({ id, rules }) => [id, rules[0]?.action]),
    [
      ['__proto__', 'show'],
      ['constructor', 'hide'],
      ['toString', 'hide'],
    ],
  );
  const replayed = JSON.parse(JSON.stringify(shop.events)).reduce(applyEvent, null) as ShopState;
  assert.deepEqual(replayed, shop.state);
});

test('a state is never changed in place', () => {
  const shop = shopWithZones();
  const before: PlacedConfig = structuredClone(shop.config);
  const { config } = shop;
  shop.createMethod();
  shop.execute({ zones: [], methods: [], blendedRates: [] });
  assert.deepEqual(config, before);
});

test('a shop begins with its creation, once', () => {
  const [created, changed] = shopWithZones().events;
  assert.ok(created && changed);
  assert.throws(() => applyEvent(null, changed), /first event/);
  const state = applyEvent(null, created);
  assert.throws(() => applyEvent(state, created), /second time/);
});
