import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldText } from '../../../src/front/console/labels.ts';
import { differentValues, namesOf } from '../../../src/front/console/parts/different-values.ts';
import { namedValue, referredKinds, WAITING } from '../../../src/front/console/parts/referred-records.ts';
import { valueText } from '../../../src/front/console/words.ts';

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
  assert.deepEqual(read({ adjustmentValue: 300 }, { adjustmentValue: 400 }), [
    'Amount: $3.00 or 300 % → $4.00 or 400 %',
  ]);
  assert.deepEqual(read({ discountAmount: null }, { discountAmount: 250 }), [
    'Discount amount: nothing → $2.50',
  ]);
});

test('a list of texts is shown by what was removed and added, a condition as one value', () => {
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
    ['Condition 1: the cart costs more than $120.00 → the cart costs more than $150.00'],
  );
});

test('a record that another one refers to is shown by its name, with its id where records share the name', () => {
  const condition = { operator: 'equals', scope: 'any_product_in_order' };
  const inSubzone = (value: string) => [{ ...condition, conditionType: 'destination_subzone', value }];
  const values = differentValues(
    { zoneId: 'z1', preferences: [], conditions: inSubzone('s1'), subtitle: 'z1' },
    {
      zoneId: 'z2',
      preferences: [{ productGroupId: 'g1', preferredMethodId: 'gone' }],
      conditions: inSubzone('s1, s2'),
      subtitle: '',
    },
  );
  assert.deepEqual(referredKinds(values), ['groups', 'methods', 'zones']);
  assert.deepEqual(referredKinds(differentValues({ name: 'z1' }, { name: 'z2' })), []);
  const names = namesOf([
    ...([
      ['z1', 'Germany'],
      ['z2', 'Islands'],
      ['s1', 'Islands'],
      ['s2', 'Coast'],
      ['g1', 'Oversized'],
    ] as const),
  ]);
  const told = values.map(({ path, field, from, to }) => [
    fieldText(path),
    ...[from, to].map((value) => namedValue(field, value, 'USD', names)),
  ]);
  assert.deepEqual(told, [
    ['Zone or subzone', { text: 'Germany', ids: 'z1' }, { text: 'Islands (z2)', ids: 'z2' }],
    ['Preference 1, product group', { text: 'nothing' }, { text: 'Oversized', ids: 'g1' }],
    ['Preference 1, method', { text: 'nothing' }, { text: 'gone' }],
    [
      'Condition 1',
      { text: 'the subzone is Islands (s1)', ids: 's1' },
      { text: 'the subzone is Islands (s1) or Coast', ids: 's1, s2' },
    ],
    ['Description', { text: 'z1' }, { text: 'nothing' }],
  ]);
  assert.equal(namedValue('zoneId', 'z1', 'USD', null).text, WAITING);
});

test('what another editor changed is shown by record and field', () => {
  const from = { name: 'Economy', rules: ['a', 'b', 'c'].map((id) => ({ id, name: id, enabled: true })) };
  const [a, b] = from.rules;
  const to = { name: 'Slow', rules: [{ ...a, enabled: false }, b, { id: 'n', name: '', enabled: true }] };
  assert.deepEqual(read(from, to), [
    'Name: Economy → Slow',
    'Rule “a”, active: yes → no',
    'Rule “c”: c → nothing',
    'Rule “n”: nothing → n',
  ]);
  // Rules without a name are called by what they do, and told apart by their ids.
  const hides = ['a', 'b'].map((id) => ({ id, name: '', action: 'hide', enabled: true }));
  const turnedOff = hides.map((rule) => ({ ...rule, enabled: rule.id === 'b' }));
  assert.deepEqual(read({ rules: hides }, { rules: turnedOff }), ['Rule “Hide (a)”, active: yes → no']);
});
