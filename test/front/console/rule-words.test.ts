/** Rules in sentences. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONDITION_TYPES, OPERATOR_NAMES, SCOPE_NAMES } from '../../../src/engine/domain/condition.ts';
import {
  changedRules,
  conditionSentence,
  expectedText,
  measureOf,
  operatorText,
  ruleSentence,
  subjectText,
  typeText,
} from '../../../src/front/console/rule-words.ts';
import { kindOfNumber } from '../../../src/front/console/words.ts';

const NAMES = new Map([['group_big', 'Oversized']]);
const CONTEXT = { currency: 'USD', nameOf: (id: string) => NAMES.get(id) };

test('of many values a sentence about a cart names the one that the cart has', () => {
  const sanctions = {
    ...{ conditionType: 'destination_country', operator: 'equals', actual: 'ru' },
    value: 'BY, CU, IR, KP, RU, SY',
  };
  assert.equal(conditionSentence(sanctions, CONTEXT), 'the country is Russia, Belarus, Cuba or 3 others');
  assert.equal(
    conditionSentence({ ...sanctions, actual: null }, CONTEXT),
    'the country is Belarus, Cuba, Iran or 3 others',
  );
  const skus = { conditionType: 'product_sku', operator: 'equals', value: 'a, b, c, d, e' };
  assert.match(conditionSentence({ ...skus, actual: ['x', 'e'] }, CONTEXT), /is “e”, “a”, “b” or 2 others$/);
});

test('a condition is a sentence, with its scope, its unit and the names behind ids', () => {
  const sentences: readonly (readonly [text: string, value: string, sentence: string])[] = [
    ['product_weight greater_than_or_equal any_product_in_order', '20000', 'an item weighs 20 kg or more'],
    ['product_weight less_than sum_of_group', '500', 'all items of its group together weigh less than 500 g'],
    [
      'product_quantity between no_product_in_group',
      '2, 5',
      'no item of its group has between 2 and 5 pieces',
    ],
    [
      'product_longest_side greater_than all_products_in_order',
      '1200',
      'the longest side of every item is more than 120 cm',
    ],
    [
      'product_tag equals no_product_in_order',
      'sale, clearance',
      'no item has the tag “sale” or “clearance”',
    ],
    ['product_tag not_contains any_product_in_order', 'art', 'an item has no tag that contains “art”'],
    ['product_sku starts_with any_product_in_order', 'GLASS-', 'the SKU of an item starts with “GLASS-”'],
    ['product_group equals any_product_in_order', 'group_big', 'the product group of an item is Oversized'],
    ['cart_total greater_than', '12000', 'the cart costs more than $120.00'],
    ['cart_quantity equals', '1', 'the cart has exactly 1 piece'],
    ['cart_unique_items less_than_or_equal', '3', 'the cart has 3 different items or less'],
    ['order_total not_equals', '0', 'the order after discounts costs anything but $0.00'],
    ['destination_country equals', 'DE, AT', 'the country is Germany or Austria'],
    ['destination_state not_equals', 'AK, HI', 'the state is not “AK” or “HI”'],
    ['destination_company is_empty', '', 'the company is empty'],
    ['destination_subzone is_not_empty', '', 'the address is in a subzone'],
    ['destination_subzone is_empty', '', 'the address is in no subzone'],
    [
      'destination_postal_code equals',
      '590*, 591*, 592*, 593*, 594*',
      'the postal code is 590*, 591*, 592* or 2 others',
    ],
    ['customer_tag is_not_empty', '', 'the customer has a tag'],
    ['day_of_week equals', 'saturday, sunday', 'it is Saturday or Sunday'],
    ['time_of_day greater_than_or_equal', '14:00', 'it is 14:00 or later'],
    ['date between', '2026-03-20, 2026-04-05', 'it is between Mar 20, 2026 and Apr 5, 2026'],
    ['date less_than', 'soon', 'it is before soon'],
    ['cart_weight equals', '', 'the cart weighs exactly …'],
    ['moon_phase is_like', 'full', 'the moon phase is like “full”'],
  ];
  for (const [text, value, sentence] of sentences) {
    const [conditionType = '', operator = '', scope = ''] = text.split(' ');
    assert.equal(conditionSentence({ conditionType, operator, value, scope }, CONTEXT), sentence);
  }
});

test('a rule is titled by what it does and when', () => {
  const heavy = { conditionType: 'cart_weight', operator: 'greater_than_or_equal', value: '20000' };
  const alaska = { conditionType: 'destination_state', operator: 'equals', value: 'AK' };
  const rule = { action: 'adjust_add', adjustmentType: 'flat', adjustmentValue: 300 };
  assert.equal(
    ruleSentence({ ...rule, conditions: [heavy, alaska] }, CONTEXT),
    'Add $3.00 if the cart weighs 20 kg or more, and the state is “AK”',
  );
  assert.equal(
    ruleSentence({ ...rule, adjustmentType: 'percentage', adjustmentValue: 5, conditions: [] }, CONTEXT),
    'Add 5 % always',
  );
  assert.equal(
    ruleSentence({ action: 'hide', conditions: [heavy] }, CONTEXT),
    'Hide if the cart weighs 20 kg or more',
  );
  assert.equal(ruleSentence({ ...rule, adjustmentValue: null, conditions: [] }, CONTEXT), 'Add always');
});

test('every type of the service has words, with the measure of its numbers', () => {
  const types = Object.entries(CONDITION_TYPES);
  assert.equal(new Set(types.map(([name]) => typeText(name))).size, types.length);
  for (const [name, { kind, subject }] of types) {
    assert.match(subjectText(subject), /^(?:Item|Order|Place|Customer|Time)$/);
    if (kind === 'number') assert.equal(measureOf(name), kindOfNumber(name), name);
    for (const operator of OPERATOR_NAMES) {
      assert.doesNotMatch(operatorText(name, operator), /_/);
      for (const scope of SCOPE_NAMES)
        assert.doesNotMatch(
          conditionSentence({ conditionType: name, operator, value: '1', scope }, CONTEXT),
          /_/,
        );
    }
  }
});

test('the values of a condition are read in their unit, days by name, and both bounds with “and”', () => {
  const texts: readonly (readonly [conditionType: string, operator: string, value: string, text: string])[] =
    [
      ['cart_total', 'between', '1000, 2500', '$10.00 and $25.00'],
      ['product_weight', 'equals', '500, 18000', '500 g or 18 kg'],
      ['destination_postal_code', 'equals', '590*, 591*', '590* or 591*'],
    ];
  for (const [conditionType, operator, value, text] of texts)
    assert.equal(expectedText({ conditionType, operator, value }, CONTEXT), text);
});

test('a save tells what the rules do that it added or changed, and what hides from everybody', () => {
  const hidden = { action: 'hide', conditions: [], enabled: true };
  const added = {
    action: 'adjust_add',
    adjustmentType: 'flat',
    adjustmentValue: 300,
    conditions: [],
    enabled: true,
  };
  assert.deepEqual(changedRules([hidden], [hidden, added, { ...added, enabled: false }], CONTEXT), [
    'Add $3.00 always',
  ]);
  assert.deepEqual(changedRules([], [hidden], CONTEXT), ['Hide from every customer']);
});
