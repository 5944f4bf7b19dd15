/** Which product group an item falls into, with the groups as they are typed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProductGroup } from '../../../src/engine/domain/product-group.ts';
import { groupTrial, lostEntries } from '../../../src/front/console/groups/group-trial.ts';

const group = (name: string, fields: Partial<ProductGroup>): ProductGroup => ({
  id: name,
  name,
  isDefault: false,
  ...{ variantIds: [], productIds: [], skus: [], tags: [], vendors: [] },
  ...fields,
});

const GROUPS = [
  group('Rest', { isDefault: true, vendors: ['Acme'] }),
  group('Glass', { skus: ['GLASS-*', 'MIRROR'], tags: ['fragile'] }),
  group('Small', { skus: ['glass-small', 'MIRROR'], productIds: ['7'], tags: ['small', 'Fragile '] }),
];

test('an item falls into the group of its strongest entry, of two groups into the first, else into the default', () => {
  const find = groupTrial(GROUPS);
  assert.deepEqual(find({ skus: ['GLASS-SMALL'] }), { at: 1, by: 'skus' });
  assert.deepEqual(find({ productIds: ['7'], skus: ['GLASS-1'] }), { at: 2, by: 'productIds' });
  assert.deepEqual(find({ tags: ['small', 'fragile'], vendors: ['Acme'] }), { at: 1, by: 'tags' });
  // Listed by the default group, and by none.
  assert.deepEqual(find({ vendors: ['acme'] }), { at: 0, by: 'vendors' });
  assert.deepEqual(find({ skus: ['OTHER'] }), { at: 0, by: null });
  assert.deepEqual(groupTrial(GROUPS.slice(1))({}), { at: -1, by: null });
});

test('entries that an earlier group has decide nothing', () => {
  assert.deepEqual(lostEntries(GROUPS, 2), [
    { field: 'skus', text: 'glass-small', to: 1 },
    { field: 'skus', text: 'MIRROR', to: 1 },
    { field: 'tags', text: 'Fragile ', to: 1 },
  ]);
  assert.deepEqual(lostEntries(GROUPS, 1), []);
});
