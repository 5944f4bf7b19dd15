import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathLabel, pathText } from '../../../src/front/console/labels.ts';
import { isolated, withoutDirection } from '../../../src/front/console/words.ts';

test('a JSON path is read as words', () => {
  assert.equal(pathText('/freeShippingThreshold'), 'Free from');
  assert.equal(pathText('/preferences/0/productGroupId'), 'Preference 1, product group');
  assert.equal(pathText('/config/tiers/1/maxPrice'), 'Tier 2, to below');
  assert.equal(pathText('/rules/0/conditions/1/value'), 'Rule 1, condition 2, value');
  assert.equal(pathText('/skus/3'), 'SKUs, entry 4');
  assert.equal(pathText('/promotionGate/someDayMax'), 'Rules for publishing, some day max');
});

test('the label of a field depends on the list that its record is in', () => {
  assert.equal(pathLabel('/config/minPrice'), 'At least');
  assert.equal(pathLabel('/expectations/0/minPrice'), 'From');
  assert.equal(pathLabel('/rules/rule_1/name'), 'Name, for you');
  assert.equal(pathLabel('/name'), 'Name');
});

test('a name with marks of direction turns no words around it', () => {
  assert.equal(isolated('Alps'), 'Alps');
  assert.equal(isolated('\u202eAlps'), '\u2068\u202eAlps\u2069');
  assert.equal(isolated('حلب 7'), '\u2068حلب 7\u2069');
  assert.equal(withoutDirection('Method "\u202eAlps" changed'), 'Method "Alps" changed');
});
