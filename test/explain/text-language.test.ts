/** Text languages against the plain comparisons that they stand for, and the sorts of texts found with them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc, { type Arbitrary } from 'fast-check';
import { canonicalPostalCode } from '../../src/domain/postal-code.ts';
import { distinctLanguages, distinctTexts, type TextQuestion } from '../../src/explain/distinct-texts.ts';
import { SearchLimits, WorkBudget } from '../../src/explain/search-limits.ts';
import {
  digitRange,
  EMPTY_TEXT,
  sortOf,
  type TextLanguage,
  TRIMMED_TEXT,
  textPart,
  textPrefix,
  UK_CODE,
  US_CODE,
  wholeText,
} from '../../src/explain/text-language.ts';

const over = (letters: string, minLength: number, maxLength: number): Arbitrary<string> =>
  fc.array(fc.constantFrom(...letters), { minLength, maxLength }).map((each) => each.join(''));

/** The language and the comparison hold for the same texts. */
function same(
  language: (operand: string) => TextLanguage,
  compare: (text: string, operand: string) => boolean,
) {
  fc.assert(
    fc.property(over('ab', 1, 5), over('ab', 0, 9), (operand, text) => {
      assert.equal(sortOf([language(operand)], text) === '1', compare(text, operand));
    }),
    { numRuns: 2_000 },
  );
}

describe('a text language', () => {
  it('holds the texts that equal its text, begin with it, hold it or end with it', () => {
    same(wholeText, (text, operand) => text === operand);
    same(textPrefix, (text, operand) => text.startsWith(operand));
    same(
      (operand) => textPart(operand, false),
      (text, operand) => text.includes(operand),
    );
    same(
      (operand) => textPart(operand, true),
      (text, operand) => text.endsWith(operand),
    );
  });

  it('of an empty prefix holds what is not empty, and the empty one what is', () => {
    for (const text of ['', 'a', 'ab']) {
      assert.equal(sortOf([textPrefix(''), EMPTY_TEXT], text), text === '' ? '01' : '10');
    }
  });

  it('of trimmed texts holds those without a space at either end', () => {
    fc.assert(
      fc.property(over('a ', 0, 5), (text) => {
        assert.equal(sortOf([TRIMMED_TEXT], text) === '1', text.trim() === text);
      }),
    );
  });

  it('of a range holds the digit strings of its length between its ends', () => {
    const ends = fc.tuple(fc.nat(999), fc.nat(999)).map((pair) => pair.sort((a, b) => a - b));
    fc.assert(
      fc.property(ends, over('0123456789A', 0, 4), ([from = 0, to = 0], text) => {
        const pad = (number: number) => String(number).padStart(3, '0');
        const isIn = /^[0-9]{3}$/.test(text) && Number(text) >= from && Number(text) <= to;
        assert.equal(sortOf([digitRange(pad(from), pad(to))], text) === '1', isIn);
      }),
      { numRuns: 2_000 },
    );
  });

  it('of the codes of a country holds exactly its canonical codes', () => {
    fc.assert(
      fc.property(over('A1 ', 0, 10), (text) => {
        assert.equal(sortOf([UK_CODE], text) === '1', canonicalPostalCode('uk', text) === text);
      }),
      { numRuns: 5_000 },
    );
    fc.assert(
      fc.property(over('123456789A', 0, 12), (text) => {
        assert.equal(sortOf([US_CODE], text) === '1', canonicalPostalCode('us', text) === text);
      }),
      { numRuns: 2_000 },
    );
  });
});

const question = (languages: readonly TextLanguage[], known: readonly string[] = []): TextQuestion => ({
  languages,
  form: null,
  known,
  canonical: (text) => text,
  familiar: (text) => text,
  others: ['z', 'y', '1'],
  forbidden: [],
});

const textsOf = (asked: TextQuestion, present: string | null = null) => {
  const limits = new SearchLimits(new WorkBudget());
  return { texts: [...distinctTexts(asked, present, limits)], wasLimited: limits.wasLimited };
};

describe('distinct texts', () => {
  const language = fc
    .tuple(fc.nat(3), over('ab', 1, 3))
    .map(
      ([kind, operand]) =>
        [wholeText(operand), textPrefix(operand), textPart(operand, false), textPart(operand, true)][kind] ??
        EMPTY_TEXT,
    );

  it('are one of each sort that any text has', () => {
    const words = [''];
    for (const word of words)
      if (word.length < 7) words.push(...['a', 'b', 'z'].map((letter) => word + letter));
    fc.assert(
      fc.property(fc.array(language, { minLength: 1, maxLength: 4 }), (each) => {
        const languages = distinctLanguages(each);
        const { texts, wasLimited } = textsOf(question(languages));
        assert.equal(wasLimited, false);
        const sorts = texts.map((text) => sortOf(languages, text));
        assert.equal(new Set(sorts).size, sorts.length);
        for (const word of words) assert.ok(sorts.includes(sortOf(languages, word)), word);
      }),
      { numRuns: 200 },
    );
  });

  it('begin with those that are known, leave out the sort of the present one, and end with the empty one', () => {
    const languages = [wholeText('ny'), wholeText('ca'), EMPTY_TEXT];
    assert.deepEqual(textsOf(question(languages, ['ca', 'tx', 'ny', 'ca']), 'wa').texts, ['ca', 'ny', '']);
    assert.deepEqual(textsOf(question(languages, ['ca', 'tx']), 'ny').texts, ['ca', 'tx', '']);
    assert.deepEqual(textsOf(question(languages), 'ny').texts, ['z', 'ca', '']);
  });

  it('say so when there are too many patterns or too long texts to look at all', () => {
    const many = Array.from({ length: 300 }, (_, index) => wholeText(`w${index}`));
    assert.equal(textsOf(question(many)).wasLimited, true);
    const long = 'a'.repeat(300);
    const { texts, wasLimited } = textsOf(question([wholeText(long)], [long]));
    assert.deepEqual([texts, wasLimited], [['z'], true]);
  });
});
