/** Config preview (contract section 8). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shopWithZones, TrialShop } from './trial-shop.ts';

function previewOf(shop: TrialShop, data: Parameters<TrialShop['preview']>[0]) {
  const outcome = shop.preview(data);
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.message);
  return outcome.value;
}

test('a preview shows what execute would change, as a comparison with its counts', () => {
  const shop = shopWithZones();
  const { id } = shop.createMethod({ id: 'ignored', name: 'Standard' });
  const [method] = shop.snapshot().methods;
  assert.ok(method);
  const preview = previewOf(shop, {
    methods: [{ ...method, name: 'Renamed' }],
    blendedRates: [{ id: 'blended_mine', name: 'Mixed', zoneId: 'zone_us' }],
  });
  assert.deepEqual(preview, {
    added: [{ kind: 'blendedRate', id: 'blended_mine', name: 'Mixed' }],
    modified: [
      { kind: 'method', id, name: 'Renamed', changes: [{ field: 'name', from: 'Standard', to: 'Renamed' }] },
    ],
    removed: [],
    summary: { added: 1, modified: 1, removed: 0 },
  });
});

test('a preview changes nothing', () => {
  const shop = shopWithZones();
  const before = shop.state;
  previewOf(shop, { zones: [] });
  assert.equal(shop.state, before);
});

test('ids that execute will make are null, also as parents and where a method gets a new default group', () => {
  const shop = shopWithZones();
  shop.createMethod({ name: 'Standard' });
  const [method] = shop.snapshot().methods;
  assert.ok(method);
  const { productGroupId, ...groupless } = method;
  const preview = previewOf(shop, {
    zones: [
      ...shop.snapshot().zones,
      { name: 'New', countries: [], subzones: [{ name: 'Sub', postalCodes: '' }] },
    ],
    productGroups: [],
    methods: [groupless, { name: 'Other', zoneId: 'zone_us', rateType: 'free', rules: [{ action: 'hide' }] }],
  });
  assert.deepEqual(preview.added, [
    { kind: 'zone', id: null, name: 'New' },
    { kind: 'subzone', id: null, name: 'Sub', parentId: null },
    { kind: 'productGroup', id: null, name: 'Default' },
    { kind: 'method', id: null, name: 'Other' },
    { kind: 'rule', id: null, name: 'hide rule', parentId: null },
  ]);
  assert.deepEqual(preview.modified, [
    {
      kind: 'method',
      id: method.id,
      name: 'Standard',
      changes: [{ field: 'productGroupId', from: productGroupId, to: null }],
    },
  ]);
  assert.deepEqual(preview.removed, [{ kind: 'productGroup', id: productGroupId, name: 'Default' }]);
});

test('an id under a given parent is null, the parent is not', () => {
  const shop = shopWithZones();
  const { id } = shop.createMethod();
  const [method] = shop.snapshot().methods;
  assert.ok(method);
  const { added } = previewOf(shop, { methods: [{ ...method, rules: [{ action: 'free' }] }] });
  assert.deepEqual(added, [{ kind: 'rule', id: null, name: 'free rule', parentId: id }]);
});

test('a method that goes to another known group is shown with it', () => {
  const shop = shopWithZones();
  const heavy = shop.createGroup({ name: 'Heavy' });
  shop.createMethod();
  const [method] = shop.snapshot().methods;
  assert.ok(method);
  const { modified } = previewOf(shop, { methods: [{ ...method, productGroupId: heavy.id }] });
  assert.deepEqual(modified[0]?.changes, [
    { field: 'productGroupId', from: shop.defaultGroupId, to: heavy.id },
  ]);
});

test('a preview of the current configuration is empty', () => {
  const shop = shopWithZones();
  shop.createRule(shop.createMethod().id);
  assert.deepEqual(previewOf(shop, shop.snapshot()), {
    added: [],
    modified: [],
    removed: [],
    summary: { added: 0, modified: 0, removed: 0 },
  });
});

test('preview refuses what execute refuses, with the same messages: defects and limits', () => {
  const shop = new TrialShop('starter');
  const tooMany = Array.from({ length: 11 }, (_, index) => ({ name: `Z${index}`, countries: [] }));
  for (const data of [{ zones: tooMany }, { blendedRates: [{ name: 'B', zoneId: 'zone_x' }] }]) {
    const refused = shop.preview(data);
    assert.ok(!refused.ok);
    assert.deepEqual(refused, shop.refuse({ kind: 'executeConfig', data }, refused.code));
  }
});
