/** Postal codes: canonical forms per country and the patterns that a merchant may write. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  canonicalPattern,
  canonicalPostalCode,
  canonicalPostalPart,
  POSTAL_FORMS,
  type PostalForm,
  parsePostalPattern,
  postalFormOf,
  postalPartDefect,
  RANGE_DIGITS_MAX,
  splitPostalPatterns,
} from '../../src/domain/postal-code.ts';
import { canonicalCode, canonicalPart, readPattern } from '../support/reference/postal.ts';

const COUNTRY: Readonly<Record<PostalForm, string>> = { plain: 'DE', us: 'US', uk: 'GB' };

/** Texts of characters that postal codes have, and of some that they do not have. */
const codeText = fc
  .array(fc.constantFrom('A', 'b', '1', '1', '9', '0', ' ', '-', '\u00a0', 'ß', '.'), { maxLength: 11 })
  .map((characters) => characters.join(''));

describe('the form in which a country writes its codes', () => {
  it('is uk for GB, GG, JE and IM, us for the US, plain elsewhere', () => {
    for (const country of ['GB', 'GG', 'JE', 'IM']) assert.equal(postalFormOf(country), 'uk');
    assert.equal(postalFormOf('US'), 'us');
    for (const country of ['DE', 'CA', 'IE', 'PR', 'JP']) assert.equal(postalFormOf(country), 'plain');
  });
});

describe('the canonical form of a code', () => {
  it('is upper case without spaces and hyphens', () => {
    assert.equal(canonicalPostalCode('plain', ' k1a-0b6 '), 'K1A0B6');
    assert.equal(canonicalPostalCode('plain', '01310-100'), '01310100');
    assert.equal(canonicalPostalCode('plain', ' - '), '');
  });

  it('has its space before the last three in the UK when 5 to 7 characters remain', () => {
    assert.equal(canonicalPostalCode('uk', 'pa67ln'), 'PA6 7LN');
    assert.equal(canonicalPostalCode('uk', ' P A 6 7 L N'), 'PA6 7LN');
    assert.equal(canonicalPostalCode('uk', 'm11ae'), 'M1 1AE');
    assert.equal(canonicalPostalCode('uk', 'sw1a1aa'), 'SW1A 1AA');
    assert.equal(canonicalPostalCode('uk', 'PA67'), 'PA67');
    assert.equal(canonicalPostalCode('uk', 'ABCD1234'), 'ABCD1234');
    assert.equal(canonicalPostalCode('uk', 'pa6-7ln'), 'PA6- 7LN');
  });

  it('is the first five digits of ZIP+4 in the US', () => {
    assert.equal(canonicalPostalCode('us', '99811-0001'), '99811');
    assert.equal(canonicalPostalCode('us', '998110001'), '99811');
    assert.equal(canonicalPostalCode('us', '9981100011'), '9981100011');
    assert.equal(canonicalPostalCode('us', '99811000A'), '99811000A');
  });

  it('equals that of the reference for any text; in the plain form a second conversion changes nothing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...POSTAL_FORMS), codeText, (form, text) => {
        const canonical = canonicalPostalCode(form, text);
        assert.equal(canonical, canonicalCode(COUNTRY[form], text));
        assert.equal(canonicalPostalPart(form, text), canonicalPart(COUNTRY[form], text));
        if (form === 'plain') assert.equal(canonicalPostalCode(form, canonical), canonical);
      }),
      { numRuns: 5_000 },
    );
  });

  it('keeps spaces of a part only in the UK, where several spaces become one', () => {
    assert.equal(canonicalPostalPart('uk', 'pa6  7'), 'PA6 7');
    assert.equal(canonicalPostalPart('plain', 'k1a 0'), 'K1A0');
    assert.equal(canonicalPostalPart('us', '998-1'), '9981');
  });
});

describe('a pattern', () => {
  it('is a prefix with a trailing star, a range of equally long digits, or an exact code', () => {
    assert.deepEqual(parsePostalPattern(' PA6 7* '), { kind: 'prefix', prefix: 'PA6 7' });
    assert.deepEqual(parsePostalPattern('*'), { kind: 'prefix', prefix: '' });
    assert.deepEqual(parsePostalPattern('998 01 - 998 50'), { kind: 'range', from: '99801', to: '99850' });
    assert.deepEqual(parsePostalPattern('0100-0100'), { kind: 'range', from: '0100', to: '0100' });
    assert.deepEqual(parsePostalPattern('012-3456'), { kind: 'exact', code: '012-3456' });
    assert.deepEqual(parsePostalPattern('1-2-3'), { kind: 'exact', code: '1-2-3' });
    assert.deepEqual(parsePostalPattern('A1-B2'), { kind: 'exact', code: 'A1-B2' });
  });

  it('is refused with a star elsewhere, reversed ends, or no character of a code', () => {
    for (const bad of ['1*2', '**', '*1', '200-100', '-', ' - - ', '-*', '- *', '']) {
      assert.equal(typeof parsePostalPattern(bad), 'string', JSON.stringify(bad));
    }
    assert.equal(typeof postalPartDefect(' - '), 'string');
    assert.equal(postalPartDefect('-1'), null);
  });

  it('is refused as a range of more digits than a number holds exactly', () => {
    const nines = '9'.repeat(RANGE_DIGITS_MAX);
    assert.ok(Number.isSafeInteger(Number(nines)));
    assert.deepEqual(parsePostalPattern(`${nines}-${nines}`), { kind: 'range', from: nines, to: nines });
    assert.equal(typeof parsePostalPattern(`${nines}0-${nines}1`), 'string');
  });

  it('has the canonical form of a code, and keeps the space of a UK prefix, also before the star', () => {
    const canonical = (form: PostalForm, text: string) => {
      const pattern = parsePostalPattern(text);
      return typeof pattern === 'string' ? pattern : canonicalPattern(form, pattern);
    };
    assert.deepEqual(canonical('us', '99811-0001'), { kind: 'exact', code: '99811' });
    assert.deepEqual(canonical('uk', 'pa67ln'), { kind: 'exact', code: 'PA6 7LN' });
    assert.deepEqual(canonical('uk', 'pa6 7*'), { kind: 'prefix', prefix: 'PA6 7' });
    assert.deepEqual(canonical('uk', 'pa6 *'), { kind: 'prefix', prefix: 'PA6 ' });
    assert.deepEqual(canonical('plain', 'k1a 0*'), { kind: 'prefix', prefix: 'K1A0' });
    assert.deepEqual(canonical('us', '99811-0*'), { kind: 'prefix', prefix: '998110' });
    assert.deepEqual(canonical('us', '100-200'), { kind: 'range', from: '100', to: '200' });
  });

  it('matches its own code when it is exact, in every form', () => {
    fc.assert(
      fc.property(fc.constantFrom(...POSTAL_FORMS), codeText, (form, text) => {
        const pattern = parsePostalPattern(text);
        if (typeof pattern === 'string' || pattern.kind !== 'exact') return;
        const code = canonicalPostalCode(form, text);
        assert.deepEqual(canonicalPattern(form, pattern), {
          kind: 'exact',
          code: canonicalPostalCode(form, text.trim()),
        });
        assert.notEqual(readPattern(COUNTRY[form], text)(code), null);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is separated from others by commas; empty patterns are dropped', () => {
    assert.deepEqual(splitPostalPatterns(' 995*, 996* ,,\t, PA6 7*,'), ['995*', '996*', 'PA6 7*']);
    assert.deepEqual(splitPostalPatterns(''), []);
  });
});
