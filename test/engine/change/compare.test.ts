/** Comparisons of two configurations (contract section 6). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareConfigs } from '../../../src/engine/change/diff.ts';
import type { PlacedConfig } from '../../../src/engine/domain/shop-event.ts';
import { Comparison } from '../../../src/engine/domain/version.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import { changeBetween } from './changes-applied.ts';
import { placedConfig } from './placed-config-arbitraries.ts';
import { shopWithZones, type TrialShop } from './trial-shop.ts';

const keysOf = (entries: readonly { kind: string; id: string | null; parentId?: string | null }[]) =>
  entries.map(({ kind, id, parentId }) => `${kind} ${id} ${parentId ?? ''}`).sort();

/** What a write changed. */
function changesOf(shop: TrialShop, write: () => void) {
  const before = shop.config;
  write();
  return compareConfigs(before, shop.config);
}

test('a comparison has the shape that the contract gives it', () => {
  const check = compileSchema(Comparison);
  fc.assert(
    fc.property(placedConfig, placedConfig, (from, to) => {
      const comparison = compareConfigs(from, to);
      assert.deepEqual(check.defects(comparison, 5), []);
      assert.deepEqual(JSON.parse(JSON.stringify(comparison)), comparison);
    }),
  );
});

test('a reversed comparison removes the records that the comparison adds', () => {
  fc.assert(
    fc.property(placedConfig, placedConfig, (from, to) => {
      const there = compareConfigs(from, to);
      const back = compareConfigs(to, from);
      assert.deepEqual(keysOf(there.added), keysOf(back.removed));
      assert.deepEqual(keysOf(there.removed), keysOf(back.added));
    }),
  );
});

test('a configuration compared with itself or its copy differs in nothing', () => {
  fc.assert(
    fc.property(placedConfig, (config) => {
      const copy: PlacedConfig = structuredClone(config);
      for (const other of [config, copy]) {
        assert.deepEqual(compareConfigs(config, other), { added: [], modified: [], removed: [] });
      }
    }),
  );
});

test('every field that differs is named once with both values, and no other', () => {
  fc.assert(
    fc.property(placedConfig, placedConfig, (from, to) => {
      const { modified } = compareConfigs(from, to);
      for (const group of to.productGroups) {
        const old = from.productGroups.find(({ id }) => id === group.id);
        if (old === undefined) continue;
        const changes =
          modified.find(({ kind, id }) => kind === 'productGroup' && id === group.id)?.changes ?? [];
        const named = changes.filter(({ field }) => field !== 'position');
        const expected = (['name', 'isDefault', 'skus'] as const)
          .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(group[field]))
          .map((field) => ({ field, from: old[field], to: group[field] }));
        assert.deepEqual(named, expected);
      }
    }),
  );
});

test('a comparison is empty exactly when nothing but placements differs', () => {
  const withoutPlacement = (config: PlacedConfig) =>
    JSON.stringify(config, (field, value) => (field === 'placement' ? undefined : value));
  fc.assert(
    fc.property(placedConfig, placedConfig, (from, to) => {
      // Configurations of one history: who moved has another placement.
      const stamped = JSON.parse(JSON.stringify(to)) as PlacedConfig;
      for (const kind of ['zones', 'productGroups', 'methods', 'blendedRates'] as const) {
        for (const { index } of changeBetween(from, stamped)[kind]?.placed ?? []) {
          Object.assign(stamped[kind][index] ?? {}, { placement: 9 });
        }
      }
      for (const method of stamped.methods) {
        for (const { index } of changeBetween(from, stamped).rules?.[method.id]?.placed ?? []) {
          Object.assign(method.rules[index] ?? {}, { placement: 9 });
        }
      }
      const { added, modified, removed } = compareConfigs(from, stamped);
      const isEmpty = added.length + modified.length + removed.length === 0;
      assert.equal(isEmpty, withoutPlacement(from) === withoutPlacement(stamped));
    }),
    { numRuns: 500 },
  );
});

test('a record that was moved explicitly changes its position, its neighbours do not', () => {
  const shop = shopWithZones();
  const [first] = ['A', 'B', 'C'].map((name) => shop.createMethod({ name }));
  assert.ok(first);
  const move = () => shop.accept({ kind: 'updateMethod', id: first.id, body: { position: 2 } });
  assert.deepEqual(changesOf(shop, move).modified, [
    { kind: 'method', id: first.id, name: 'A', changes: [{ field: 'position', from: 0, to: 2 }] },
  ]);
});

test('records that only shift, because another comes or goes, are not modified', () => {
  const shop = shopWithZones();
  const [first] = ['A', 'B', 'C'].map((name) => shop.createMethod({ name }));
  const remove = () => shop.accept({ kind: 'deleteMethod', id: first?.id ?? '' });
  assert.deepEqual(changesOf(shop, remove).modified, []);
  assert.deepEqual(changesOf(shop, () => shop.createMethod({ name: 'D', position: 0 })).modified, []);
});

test('a record that was moved away and back is not modified', () => {
  const shop = shopWithZones();
  const [first] = ['A', 'B'].map((name) => shop.createMethod({ name }));
  const there = { kind: 'updateMethod' as const, id: first?.id ?? '', body: { position: 1 } };
  const changes = changesOf(shop, () => {
    shop.accept(there);
    shop.accept({ ...there, body: { position: 0 } });
  });
  assert.deepEqual(changes.modified, []);
});

test('a rule is named by its action and its method, and a method that changed only in its rules is not modified', () => {
  const shop = shopWithZones();
  const method = shop.createMethod();
  const { added, modified } = changesOf(shop, () => shop.createRule(method.id, { action: 'free' }));
  const id = shop.config.methods[0]?.rules[0]?.id;
  assert.deepEqual(added, [{ kind: 'rule', id, name: 'free rule', parentId: method.id }]);
  assert.deepEqual(modified, []);
});

test('a field that a rule gains or loses reads as null on the other side', () => {
  const shop = shopWithZones();
  const rule = shop.createRule(shop.createMethod().id, { action: 'adjust_add', adjustmentValue: 500 });
  const update = () => shop.accept({ kind: 'updateRule', id: rule.id, body: { action: 'hide' } });
  assert.deepEqual(changesOf(shop, update).modified[0]?.changes, [
    { field: 'action', from: 'adjust_add', to: 'hide' },
    { field: 'adjustmentValue', from: 500, to: null },
    { field: 'adjustmentType', from: 'flat', to: null },
  ]);
});

test('a method that is deleted counts with its rules', () => {
  const shop = shopWithZones();
  const method = shop.createMethod();
  const rule = shop.createRule(method.id);
  const { removed } = changesOf(shop, () => shop.accept({ kind: 'deleteMethod', id: method.id }));
  assert.deepEqual(keysOf(removed), [`method ${method.id} `, `rule ${rule.id} ${method.id}`]);
  assert.deepEqual(shop.state.version.changes, { added: 0, modified: 0, removed: 2 });
});

test('zones are compared without their subzones, which have the zone as parent', () => {
  const shop = shopWithZones();
  const { zones } = shop.snapshot();
  const [us, ...others] = zones;
  assert.ok(us);
  const [alaska] = us.subzones;
  assert.ok(alaska);
  const changes = changesOf(shop, () =>
    shop.execute({
      zones: [{ ...us, subzones: [{ ...alaska, postalCodes: '99*' }] }, ...others],
    }),
  );
  assert.deepEqual(changes, {
    added: [],
    modified: [
      {
        kind: 'subzone',
        id: 'sub_ak',
        name: 'Alaska',
        parentId: 'zone_us',
        changes: [{ field: 'postalCodes', from: '995*, 99811', to: '99*' }],
      },
    ],
    removed: [{ kind: 'subzone', id: 'sub_hi', name: 'Hawaii', parentId: 'zone_us' }],
  });
});

test('subzones that change places are seen, because ties go to the one listed first', () => {
  const shop = shopWithZones();
  const [us, ...others] = shop.snapshot().zones;
  assert.ok(us);
  const turn = () => shop.execute({ zones: [{ ...us, subzones: us.subzones.toReversed() }, ...others] });
  const { modified } = changesOf(shop, turn);
  assert.deepEqual(
    modified.map(({ kind, changes }) => [kind, changes.map(({ field }) => field)]),
    [['subzone', ['position']]],
  );
});

test('subzones that change places are seen also where the records themselves are the same ones', () => {
  const from = shopWithZones().config;
  const zones = from.zones.map((zone) => ({ ...zone, subzones: zone.subzones.toReversed() }));
  const { modified } = compareConfigs(from, { ...from, zones });
  assert.deepEqual(
    modified.map(({ kind, changes }) => [kind, changes.map(({ field }) => field)]),
    [['subzone', ['position']]],
  );
});

test('a rule under another method counts as removed there and added here', () => {
  const shop = shopWithZones();
  const [first, second] = ['A', 'B'].map((name) => shop.createMethod({ name }));
  const rule = shop.createRule(first?.id ?? '');
  const data = shop.snapshot();
  const [from, to] = data.methods;
  assert.ok(from && to);
  const changes = changesOf(shop, () =>
    shop.execute({
      methods: [
        { ...from, rules: [] },
        { ...to, rules: from.rules },
      ],
    }),
  );
  assert.deepEqual(keysOf(changes.added), [`rule ${rule.id} ${second?.id}`]);
  assert.deepEqual(keysOf(changes.removed), [`rule ${rule.id} ${first?.id}`]);
  assert.deepEqual(changes.modified, []);
});
