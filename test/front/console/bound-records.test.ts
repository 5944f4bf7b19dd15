/** What is bound to a zone or a product group, and the configuration without it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundRecords, withoutBound } from '../../../src/front/console/parts/bound-records.ts';

const method = (id: string, zoneId: string, productGroupId: string) => ({
  id,
  zoneId,
  productGroupId,
  rules: [],
});
const CONFIG = {
  zones: [
    { id: 'z1', subzones: [{ id: 's1' }] },
    { id: 'z2', subzones: [] },
  ],
  productGroups: [{ id: 'g1' }, { id: 'g2' }],
  methods: [method('m1', 'z1', 'g1'), method('m2', 's1', 'g2'), method('m3', 'z2', 'g2')],
  blendedRates: [
    { id: 'b1', zoneId: 's1', preferences: [] },
    {
      id: 'b2',
      zoneId: 'z2',
      preferences: [
        { productGroupId: 'g1', preferredMethodId: null },
        { productGroupId: 'g2', preferredMethodId: 'm3' },
      ],
    },
  ],
} as unknown as Parameters<typeof boundRecords>[0];

const ids = (records: readonly { readonly id?: string }[] | undefined) => records?.map(({ id }) => id);

test('a zone goes with what is bound to it and to its subzones', () => {
  const bound = boundRecords(CONFIG, 'z1');
  assert.deepEqual([ids(bound.methods), ids(bound.blends)], [['m1', 'm2'], ['b1']]);
  const left = withoutBound(CONFIG, 'z1', bound);
  assert.deepEqual([ids(left.zones), ids(left.methods), ids(left.blendedRates)], [['z2'], ['m3'], ['b2']]);
  assert.deepEqual(left.blendedRates?.[0]?.preferences, CONFIG.blendedRates[1]?.preferences);
});

test('a group goes with its methods and with the preferences for them; the blended rate stays', () => {
  const bound = boundRecords(CONFIG, 'g2');
  assert.deepEqual([ids(bound.methods), ids(bound.blends)], [['m2', 'm3'], []]);
  const left = withoutBound(CONFIG, 'g2', bound);
  assert.deepEqual([ids(left.productGroups), ids(left.methods)], [['g1'], ['m1']]);
  assert.deepEqual(left.blendedRates?.[1]?.preferences, [{ productGroupId: 'g1', preferredMethodId: null }]);
});
