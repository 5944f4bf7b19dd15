/** Single predicates against texts that a conversion of a missing value could give: only an operand matches. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePredicate, testNumber, testTags, testText } from '../../../src/engine/compile/predicate.ts';
import type { Condition, Operator } from '../../../src/engine/domain/condition.ts';
import { condition } from '../../support/small-shop.ts';

const predicateOf = (operator: Operator, value: string, conditionType: Condition['conditionType']) =>
  compilePredicate(condition(conditionType, operator, value));

/** Texts that JavaScript makes of a missing value, a number or an object. */
const SLIPS = ['undefined', 'null', 'nan', 'false', '0', '-1', '[object object]', '', ' ', ','];

/** Few enough texts for a scan, and enough for a set. */
const LISTS = [['alpha'], ['alpha', 'beta'], Array.from({ length: 20 }, (_, index) => `alpha${index}`)];

/** Each operator on a text and one operand, written plainly. */
const PLAIN: Readonly<Record<string, (subject: string, value: string) => boolean>> = {
  equals: (subject, value) => subject === value,
  contains: (subject, value) => subject.includes(value),
  starts_with: (subject, value) => subject.startsWith(value),
  ends_with: (subject, value) => subject.endsWith(value),
};

test('a text matches its own values and no other text, whatever the operator and however many there are', () => {
  for (const [operator, isMet] of Object.entries(PLAIN)) {
    for (const values of LISTS) {
      const predicate = predicateOf(operator as Operator, values.join(','), 'product_sku');
      const tags = predicateOf(operator as Operator, values.join(','), 'product_tag');
      const subjects = values.flatMap((value) => [
        value,
        `x${value}`,
        `${value}x`,
        `x${value}x`,
        value.slice(1),
      ]);
      for (const subject of [...subjects, ...SLIPS]) {
        const expected = values.some((value) => isMet(subject, value));
        assert.equal(testText(predicate, subject), expected, `${operator} ${values.length} "${subject}"`);
        assert.equal(testTags(tags, [subject]), expected, `tag ${operator} "${subject}"`);
        assert.equal(testTags(tags, ['other', subject]), expected);
      }
      assert.equal(testTags(tags, []), false);
    }
  }
});

test('a prefix matches texts that begin with it, and never the empty text', () => {
  const predicate = predicateOf('equals', 'AB*, C', 'product_sku');
  for (const [subject, expected] of [
    ['ab', true],
    ['abc', true],
    ['a', false],
    ['c', true],
    ['cd', false],
    ...SLIPS.map((slip) => [slip, false] as const),
  ] as const) {
    assert.equal(testText(predicate, subject), expected, subject);
  }
});

test('a text without characters is empty, and so is a list without tags', () => {
  const isEmpty = predicateOf('is_empty', '', 'product_sku');
  for (const slip of SLIPS) assert.equal(testText(isEmpty, slip), slip === '', `"${slip}"`);
  const noTags = predicateOf('is_empty', '', 'product_tag');
  assert.equal(testTags(noTags, []), true);
  assert.equal(testTags(noTags, ['a']), false);
});

test('a number is compared exactly at its bounds', () => {
  const around = [9, 10, 11, 19, 20, 21];
  const met = (operator: Operator, value: string): number[] => {
    const predicate = predicateOf(operator, value, 'product_weight');
    return around.filter((number) => testNumber(predicate, number));
  };
  assert.deepEqual(met('equals', '10'), [10]);
  assert.deepEqual(met('equals', '10, 20'), [10, 20]);
  assert.deepEqual(met('greater_than', '10'), [11, 19, 20, 21]);
  assert.deepEqual(met('greater_than_or_equal', '10'), [10, 11, 19, 20, 21]);
  assert.deepEqual(met('less_than', '20'), [9, 10, 11, 19]);
  assert.deepEqual(met('less_than_or_equal', '20'), [9, 10, 11, 19, 20]);
  assert.deepEqual(met('between', '10, 20'), [10, 11, 19, 20]);
});
