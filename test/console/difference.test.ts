import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldText } from '../../src/console/labels.ts';
import { differentValues } from '../../src/console/parts/different-values.ts';
import { valueText } from '../../src/console/words.ts';

/** As a reader sees them. */
const read = (from: object, to: object): readonly string[] =>
  differentValues(from, to).map(({ path, field, from: before, to: after }) => {
    const [left, right] = [before, after].map((value) => valueText(field, value, 'USD'));
    return `${fieldText(path)}: ${left} → ${right}`;
  });

test('of a changed record only the values that differ are shown, each in the words of its editor', () => {
  const before = { rateType: 'flat', config: { tiers: [{ minWeight: 0, price: 495 }] }, delivery: null };
  const after = {
    rateType: 'by_weight_table',
    config: {
      tiers: [
        { minWeight: 0, price: 595 },
        { minWeight: 500, price: 900 },
      ],
    },
    delivery: { minDays: 1, maxDays: 3 },
  };
  assert.deepEqual(read(before, after), [
    'Priced by: Flat price → Weight table',
    'Tier 1, price: $4.95 → $5.95',
    'Tier 2, from: nothing → 500 g',
    'Tier 2, price: nothing → $9.00',
    'Delivery, working days, at least: nothing → 1',
    'Delivery, working days, at most: nothing → 3',
  ]);
  assert.deepEqual(read({ name: 'Economy' }, { name: 'Economy' }), []);
  assert.deepEqual(read({ subtitle: null, enabled: true }, { subtitle: 'Slow', enabled: false }), [
    'Description: nothing → Slow',
    'Active: yes → no',
  ]);
  assert.deepEqual(read({ freeShippingThreshold: null }, { freeShippingThreshold: 9_900 }), [
    'Free from: nothing → $99.00',
  ]);
});

test('a list of texts is told by those that left and came, a condition as a whole', () => {
  assert.deepEqual(differentValues({ skus: ['A', 'B'] }, { skus: ['B', 'C', 'D'] }), [
    { path: ['skus'], field: 'skus', from: ['A'], to: ['C', 'D'] },
  ]);
  const skus = Array.from({ length: 100 }, (_, index) => `SKU-${index}`);
  const [change] = differentValues({ skus: [] }, { skus });
  const came = change?.to as readonly string[];
  assert.deepEqual([came.length, came.at(-1)], [21, '80 more']);
  const condition = { conditionType: 'cart_total', operator: 'greater_than', scope: 'any_product_in_order' };
  assert.deepEqual(
    read(
      { conditions: [{ ...condition, value: '12000' }] },
      { conditions: [{ ...condition, value: '15000' }] },
    ),
    ['Condition 1: cart total greater than $120.00 → cart total greater than $150.00'],
  );
});

test('what another editor changed is told by record and field', () => {
  const from = { name: 'Economy', rules: ['a', 'b', 'c'].map((id) => ({ id, name: id, enabled: true })) };
  const [a, b] = from.rules;
  const to = { name: 'Slow', rules: [{ ...a, enabled: false }, b, { id: 'n', name: '', enabled: true }] };
  assert.deepEqual(read(from, to), [
    'Name: Economy → Slow',
    'Rule “a”, active: yes → no',
    'Rule “c”: c → nothing',
    'Rule “n”: nothing → n',
  ]);
});
