import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedText, pathText } from '../../src/console/words.ts';

test('a JSON path is read as words', () => {
  assert.equal(pathText('/freeShippingThreshold'), 'Free shipping threshold');
  assert.equal(pathText('/preferences/0/productGroupId'), 'Preferences, entry 1, product group id');
});

test('the days of a condition are names', () => {
  const condition = { conditionType: 'day_of_week', operator: 'equals', value: 'saturday, sunday' };
  assert.equal(expectedText(condition, 'USD'), 'Saturday or Sunday');
});
