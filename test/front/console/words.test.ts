import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathLabel, pathText } from '../../../src/front/console/labels.ts';
import { expectedText } from '../../../src/front/console/words.ts';

test('a JSON path is read as words', () => {
  assert.equal(pathText('/freeShippingThreshold'), 'Free from');
  assert.equal(pathText('/preferences/0/productGroupId'), 'Preference 1, product group');
  assert.equal(pathText('/config/tiers/1/maxPrice'), 'Tier 2, to below');
  assert.equal(pathText('/rules/0/conditions/1/value'), 'Rule 1, condition 2, value');
  assert.equal(pathText('/skus/3'), 'SKUs, entry 4');
  assert.equal(pathText('/promotionGate/someDayMax'), 'Promotion gate, some day max');
});

test('the label of a field depends on the list that its record is in', () => {
  assert.equal(pathLabel('/config/minPrice'), 'At least');
  assert.equal(pathLabel('/expectations/0/minPrice'), 'From');
  assert.equal(pathLabel('/rules/rule_1/name'), 'Name, for you');
  assert.equal(pathLabel('/name'), 'Name');
});

test('the values of a condition are read in their unit, days by name, and both bounds with “and”', () => {
  const texts: readonly (readonly [conditionType: string, operator: string, value: string, text: string])[] =
    [
      ['day_of_week', 'equals', 'saturday, sunday', 'Saturday or Sunday'],
      ['cart_total', 'between', '1000, 2500', '$10.00 and $25.00'],
      ['product_weight', 'equals', '500, 18000', '500 g or 18 kg'],
      ['date', 'between', '2026-03-20, 2026-04-05', '2026-03-20 and 2026-04-05'],
      ['destination_postal_code', 'equals', '590*, 591*', '590*, 591*'],
    ];
  for (const [conditionType, operator, value, text] of texts)
    assert.equal(expectedText({ conditionType, operator, value }, 'USD'), text);
});
