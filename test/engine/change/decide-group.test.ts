/** Writes of product groups (contract section 3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shopWithZones, TrialShop } from './trial-shop.ts';

const defaultsOf = (shop: TrialShop) =>
  shop.config.productGroups.filter(({ isDefault }) => isDefault).map(({ id }) => id);

test('a new shop has one group, Default, which is the default', () => {
  const { config } = new TrialShop();
  assert.deepEqual(
    config.productGroups.map(({ name, isDefault }) => [name, isDefault]),
    [['Default', true]],
  );
});

test('a created group has its defaults and is last', () => {
  const shop = new TrialShop();
  const group = shop.createGroup({ name: 'Heavy' });
  assert.match(group.id, /^group_/);
  assert.deepEqual(group, {
    id: group.id,
    name: 'Heavy',
    isDefault: false,
    variantIds: [],
    productIds: [],
    skus: [],
    tags: [],
    vendors: [],
    position: 1,
  });
  assert.equal(shop.state.version.description, 'Product group "Heavy" created');
});

test('a position puts a new record among its siblings, one beyond the end at the end', () => {
  const shop = new TrialShop();
  assert.equal(shop.createGroup({ name: 'A', position: 0 }).position, 0);
  assert.equal(shop.createGroup({ name: 'B', position: 99 }).position, 2);
  assert.equal(shop.createGroup({ name: 'C', position: 1 }).position, 1);
  assert.deepEqual(
    shop.config.productGroups.map(({ name }) => name),
    ['A', 'C', 'Default', 'B'],
  );
});

test('an id in the body of a new record is ignored', () => {
  const shop = new TrialShop();
  assert.notEqual(shop.createGroup({ name: 'Heavy', id: shop.defaultGroupId }).id, shop.defaultGroupId);
});

test('a PUT is partial: what is absent stays, arrays are replaced whole', () => {
  const shop = new TrialShop();
  const { id } = shop.createGroup({ name: 'Heavy', tags: ['a', 'b'], skus: ['s'] });
  const { group } = shop.resultOf('group', { kind: 'updateGroup', id, body: { tags: ['c'] } });
  assert.deepEqual([group.name, group.tags, group.skus], ['Heavy', ['c'], ['s']]);
});

test('a record that was read can be sent back unchanged', () => {
  const shop = new TrialShop();
  const group = shop.createGroup({ name: 'Heavy', tags: ['a'] });
  const before = shop.config;
  const result = shop.resultOf('group', { kind: 'updateGroup', id: group.id, body: group });
  assert.deepEqual(result.group, group);
  assert.deepEqual(shop.config, before);
  assert.deepEqual(shop.state.version.changes, { added: 0, modified: 0, removed: 0 });
});

test('setting isDefault moves it to a new or an existing group', () => {
  const shop = new TrialShop();
  const old = shop.defaultGroupId;
  const { id } = shop.createGroup({ name: 'Heavy', isDefault: true });
  assert.deepEqual(defaultsOf(shop), [id]);
  assert.deepEqual(shop.state.version.changes, { added: 1, modified: 1, removed: 0 });
  shop.accept({ kind: 'updateGroup', id: old, body: { isDefault: true } });
  assert.deepEqual(defaultsOf(shop), [old]);
  assert.deepEqual(shop.state.version.changes, { added: 0, modified: 2, removed: 0 });
});

test('isDefault cannot be cleared on the default group; false on another and true on the default change nothing', () => {
  const shop = new TrialShop();
  const heavy = shop.createGroup({ name: 'Heavy' });
  const id = shop.defaultGroupId;
  shop.refuse({ kind: 'updateGroup', id, body: { isDefault: false } }, 'CONFLICT', 'Default', 'another');
  shop.accept({ kind: 'updateGroup', id, body: { isDefault: true } });
  shop.accept({ kind: 'updateGroup', id: heavy.id, body: { isDefault: false } });
  assert.deepEqual(defaultsOf(shop), [id]);
});

test('a matcher of nothing but spaces is refused by its path', () => {
  const shop = new TrialShop();
  const body = { name: 'Heavy', skus: ['a', ' '] };
  shop.refuse({ kind: 'createGroup', body }, 'VALIDATION_ERROR', '/skus/1 ');
  const id = shop.defaultGroupId;
  shop.refuse({ kind: 'updateGroup', id, body: { tags: ['  '] } }, 'VALIDATION_ERROR', '/tags/0 ');
});

test('a group can be deleted unless it is the default or in use, and the refusal names the user', () => {
  const shop = shopWithZones();
  const heavy = shop.createGroup({ name: 'Heavy' });
  const remove = { kind: 'deleteGroup' as const, id: heavy.id };
  shop.refuse({ kind: 'deleteGroup', id: shop.defaultGroupId }, 'CONFLICT', 'Default');

  const method = shop.createMethod({ name: 'Freight', productGroupId: heavy.id });
  shop.refuse(remove, 'CONFLICT', 'method "Freight"', method.id);
  shop.accept({ kind: 'deleteMethod', id: method.id });

  const blended = shop.createBlended({ name: 'Mixed', preferences: [{ productGroupId: heavy.id }] });
  shop.refuse(remove, 'CONFLICT', 'blended rate "Mixed"', blended.id);
  shop.accept({ kind: 'updateBlended', id: blended.id, body: { preferences: [] } });

  assert.deepEqual(shop.accept(remove).result, { kind: 'deleted', id: heavy.id });
  assert.equal(shop.config.productGroups.length, 1);
  assert.equal(shop.state.version.description, 'Product group "Heavy" deleted');
});

test('an unknown group is not found, whatever the body holds', () => {
  const shop = new TrialShop();
  const message = 'Product group not found: group_x';
  shop.refuse({ kind: 'updateGroup', id: 'group_x', body: { tags: [' '] } }, 'NOT_FOUND', message);
  shop.refuse({ kind: 'deleteGroup', id: 'group_x' }, 'NOT_FOUND', message);
});
