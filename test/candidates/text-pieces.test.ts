/** Proposed texts against every short text over a small alphabet: they have every combination of outcomes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { joinedTexts, piecesOf, proposedTexts } from '../../src/candidates/text-search.ts';
import { compilePredicate, testText } from '../../src/compile/predicate.ts';
import { OPERATORS_BY_KIND, type Operator, positiveTwin } from '../../src/domain/condition.ts';

const POSITIVE = OPERATORS_BY_KIND.text.filter((operator) => !positiveTwin(operator).negated);

const predicate = fc
  .record({
    operator: fc.constantFrom<Operator>(...POSITIVE),
    value: fc
      .array(fc.constantFrom('a', 'b', 'ab', 'ba', 'aab', 'a*', 'ab*', '*', 'b'), {
        minLength: 1,
        maxLength: 2,
      })
      .map(String),
  })
  .map((each) =>
    compilePredicate({ ...each, conditionType: 'destination_state', scope: 'any_product_in_order' }),
  );

const textsUpTo = (length: number): string[] =>
  length === 0 ? [''] : ['', ...textsUpTo(length - 1).flatMap((text) => [...'abq'].map((c) => c + text))];
const TEXTS = [...new Set(textsUpTo(7))];

describe('the texts that are proposed for conditions', () => {
  it('have every combination of outcomes that a text other than the empty one can have', () => {
    const property = fc.property(fc.array(predicate, { minLength: 1, maxLength: 4 }), (predicates) => {
      const outcomesOf = (text: string) => predicates.map((each) => Number(testText(each, text))).join('');
      const proposed = [...proposedTexts(predicates.map(piecesOf), [])];
      assert.ok(!proposed.includes(''));
      const outcomes = new Set(proposed.map(outcomesOf));
      for (const text of TEXTS) if (text !== '') assert.ok(outcomes.has(outcomesOf(text)), text);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('begin with the texts that the conditions name, followed by the given ones', () => {
    const lists = [[{ kind: 'whole', text: 'ny' } as const], [{ kind: 'part', text: 'c' } as const]];
    assert.deepEqual([...proposedTexts(lists, ['zz'])].slice(0, 4), ['ny', 'c', 'zz', 'x']);
  });
});

describe('pieces of a text', () => {
  it('are joined only if one beginning and one end contain all shorter ones', () => {
    const beginning = (text: string) => ({ kind: 'beginning', text }) as const;
    const end = (text: string) => ({ kind: 'end', text }) as const;
    const part = (text: string) => ({ kind: 'part', text }) as const;
    assert.deepEqual(joinedTexts([beginning('a'), part('c'), end('z'), beginning('ab'), end('yz')], '-'), [
      'ab-c-yz',
      'ab-c-yz',
    ]);
    assert.deepEqual(joinedTexts([part('c')], '-'), ['c', '-c-']);
    assert.deepEqual(joinedTexts([beginning('a'), beginning('b')], '-'), []);
    assert.deepEqual(joinedTexts([end('a'), end('b')], '-'), []);
  });
});
