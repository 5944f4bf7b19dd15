/** The search for texts and tags against every short text over a small alphabet. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Requirement, RequirementTable } from '../../src/candidates/requirement.ts';
import { Steps } from '../../src/candidates/steps.ts';
import { findTags, findText } from '../../src/candidates/text-search.ts';
import { testTags, testText } from '../../src/compile/predicate.ts';
import type { Condition, Operator } from '../../src/domain/condition.ts';
import { OPERATORS_BY_KIND } from '../../src/domain/condition.ts';
import { condition } from '../support/small-shop.ts';

const table = new RequirementTable();

function requirementsOf(conditions: readonly Condition[]): readonly Requirement[] {
  return conditions.map((each) => table.of(each));
}

const operand = fc.constantFrom('a', 'b', 'ab', 'ba', 'aab', 'a*', 'b*', 'ab*', '*', 'x', 'a\\,b');
const operator = fc.constantFrom<Operator>(...OPERATORS_BY_KIND.text);

const conditionsOn = (conditionType: 'product_sku' | 'product_tag' | 'customer_tag', max: number) =>
  fc.array(
    fc.record({
      conditionType: fc.constant(conditionType),
      operator,
      value: fc.array(operand, { minLength: 1, maxLength: 3 }).map((operands) => operands.join(',')),
      scope: fc.constant('any_product_in_order' as const),
    }),
    { maxLength: max },
  );

/** Every text of at most `length` characters over the letters of the operands and one further letter. */
const textsUpTo = (length: number): string[] =>
  length === 0
    ? ['']
    : ['', ...textsUpTo(length - 1).flatMap((text) => ['a', 'b', 'q', ','].map((c) => c + text))];
const TEXTS = [...new Set(textsUpTo(5))];
const CUSTOMER_TAGS = TEXTS.filter((text) => text !== '' && text.length <= 3);
const ITEM_TAGS = CUSTOMER_TAGS.filter((text) => !text.includes(','));

describe('the search for a text', () => {
  it('finds a text that fits exactly when there is one', () => {
    const property = fc.property(conditionsOn('product_sku', 5), (conditions) => {
      const requirements = requirementsOf(conditions);
      const isFit = (text: string) =>
        requirements.every(({ predicate, negated }) => testText(predicate, text) !== negated);
      const found = findText(requirements, new Steps());
      if (found === null) assert.equal(TEXTS.find(isFit), undefined);
      else assert.ok(isFit(found), found);
    });
    fc.assert(property, { numRuns: 3_000 });
  });

  it('is right when the conditions name the usual fillers', () => {
    const value = [...'xqz07jk_~'].join(',');
    const one = (name: Operator, text: string) => condition('product_sku', name, text);
    const found = findText(
      requirementsOf([one('not_contains', value), one('is_not_empty', '')]),
      new Steps(),
    );
    assert.ok(found !== null && found !== '' && !/[xqz07jk_~]/.test(found));
    assert.equal(
      findText(requirementsOf([one('not_equals', '*'), one('is_not_empty', '')]), new Steps()),
      null,
    );
  });
});

describe('the search for tags', () => {
  for (const [type, tags, ofWhat] of [
    ['product_tag', ITEM_TAGS, 'an item, without commas'],
    ['customer_tag', CUSTOMER_TAGS, 'a customer'],
  ] as const) {
    it(`finds tags of ${ofWhat}, that fit together whenever two tags do`, () => {
      const property = fc.property(conditionsOn(type, 3), (conditions) => {
        const requirements = requirementsOf(conditions);
        const isFit = (some: readonly string[]) =>
          requirements.every(({ predicate, negated }) => testTags(predicate, some) !== negated);
        const found = findTags(requirements, new Steps());
        if (found !== null) {
          assert.ok(isFit(found), found.join());
          assert.ok(found.every((tag) => tag !== '' && (type === 'customer_tag' || !tag.includes(','))));
        } else {
          assert.ok(!isFit([]));
          for (const a of tags) for (const b of tags) assert.ok(!isFit([a, b]), `${a} and ${b}`);
        }
      });
      fc.assert(property, { numRuns: 300 });
    });
  }
});
