/** Postal codes: canonical forms per country and the patterns that a merchant may write. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  canonicalPattern,
  canonicalPostalCode,
  canonicalPostalPart,
  matchesPostalPattern,
  POSTAL_FORMS,
  type PostalForm,
  parsePostalPattern,
  postalFormOf,
  postalPartDefect,
  RANGE_DIGITS_MAX,
  readPostalPattern,
  splitPostalPatterns,
} from '../../../src/engine/domain/postal-code.ts';
import { canonicalCode, canonicalPart, readPattern } from '../../support/reference/postal.ts';

const COUNTRY: Readonly<Record<PostalForm, string>> = {
  plain: 'DE',
  us: 'US',
  uk: 'GB',
  nl: 'NL',
};

const USUAL = ['A', 'b', '1', '1', '9', '0', ' ', '-', '\u00a0', 'ß', '.'];
/** Characters that count as another one, or as none. */
const SPELLINGS = [
  ...['\uff11', '\uff21', '\uff42', '\uff0d', '\uff70', '\u3000', '\t', '\u2003'],
  ...[
    '\u2010',
    '\u2011',
    '\u2013',
    '\u2212',
    '\u30fc',
    '\u3012',
    '\u3036',
    '\u301c',
    '\u200b',
    '\u200e',
    '\u00ad',
  ],
  ...['\ufeff', 'é', 'e\u0301', '\u0301', '\u0390', '\u{1f69a}', '\ud800'],
];
const textOf = (characters: readonly string[]) =>
  fc.array(fc.constantFrom(...characters), { maxLength: 11 }).map((each) => each.join(''));
/** Texts of characters that postal codes have, and of some that they do not have. */
const codeText = fc.oneof(textOf(USUAL), textOf([...USUAL, ...SPELLINGS]), fc.string({ unit: 'binary' }));

describe('the form in which a country writes its codes', () => {
  it('is uk for GB, GG, JE and IM, us where ZIP+4 is written, nl for the Netherlands, plain elsewhere', () => {
    for (const country of ['GB', 'GG', 'JE', 'IM']) assert.equal(postalFormOf(country), 'uk');
    for (const country of ['US', 'PR', 'GU', 'VI', 'AS', 'MP', 'FM', 'MH', 'PW'])
      assert.equal(postalFormOf(country), 'us');
    assert.equal(postalFormOf('NL'), 'nl');
    for (const country of ['DE', 'CA', 'IE', 'BE', 'JP']) assert.equal(postalFormOf(country), 'plain');
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
    assert.equal(canonicalPostalCode('uk', 'ABCD1234'), 'ABCD1234');
    assert.equal(canonicalPostalCode('uk', 'pa6-7ln'), 'PA6 7LN');
  });

  it('of a whole outward part has one space behind it', () => {
    for (const outward of ['E1', 'E12', 'BN1', 'BN15', 'W1A', 'EC1A']) {
      assert.equal(canonicalPostalCode('uk', outward), `${outward} `);
      assert.equal(canonicalPostalCode('uk', ` ${outward.toLowerCase()} `), `${outward} `);
    }
    for (const other of ['B', 'BN', 'BNA', '1', '12', 'B1AA', 'BN1AA', 'BN123'])
      assert.ok(!canonicalPostalCode('uk', other).endsWith(' '), other);
    for (const form of ['plain', 'us', 'nl'] as const) assert.equal(canonicalPostalCode(form, 'BN1'), 'BN1');
  });

  it('is the same for a code with other characters for digits, letters, dashes and spaces, or with more of them', () => {
    for (const written of [
      ...[
        '９００−０００１',
        '〒900-0001',
        '〒９００ー０００１',
        '900\u20110001',
        '900\u20130001',
        '900\u30fc0001',
      ],
      ...[
        '900 \u30fc 0001',
        '900\u22120001',
        '900\uff700001',
        '900\u3000０００１',
        '9\u200b00\u200e-00\u00ad01',
        '\ufeff9000001',
      ],
    ])
      assert.equal(canonicalPostalCode('plain', written), '9000001', written);
    assert.equal(canonicalPostalCode('us', '9\u200b02\u00ad10'), '90210');
    assert.equal(canonicalPostalCode('uk', 'ｂｎ１\u00a0\u20131aa'), 'BN1 1AA');
    assert.equal(canonicalPostalCode('plain', 'ラー9'), 'ラー9');
  });

  it('is the first five digits of ZIP+4 in the US', () => {
    assert.equal(canonicalPostalCode('us', '99811-0001'), '99811');
    assert.equal(canonicalPostalCode('us', '998110001'), '99811');
    assert.equal(canonicalPostalCode('us', '9981100011'), '9981100011');
    assert.equal(canonicalPostalCode('us', '99811000A'), '99811000A');
  });

  it('equals that of the reference for any text, and a second conversion changes nothing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...POSTAL_FORMS), codeText, (form, text) => {
        const canonical = canonicalPostalCode(form, text);
        assert.equal(canonical, canonicalCode(COUNTRY[form], text));
        assert.equal(canonicalPostalPart(form, text), canonicalPart(COUNTRY[form], text));
        if (form !== 'us') assert.equal(canonicalPostalCode(form, canonical), canonical);
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
    assert.deepEqual(parsePostalPattern('９０＊'), { kind: 'prefix', prefix: '90' });
    assert.deepEqual(parsePostalPattern('１０００〜1099'), { kind: 'range', from: '1000', to: '1099' });
  });

  it('is a range of British districts when both ends have the same letters', () => {
    const districts = { kind: 'districts', area: 'IV', from: '1', to: '28' };
    for (const written of ['IV1-IV28', ' iv1 - iv28 ', 'IV 1\u2013IV 28'])
      assert.deepEqual(parsePostalPattern(written), districts);
    for (const written of ['IV1-XX9', 'IV1-28', 'IV1-IV128', 'IV1A-IV2A', 'ABC1-ABC2', 'IV-IV'])
      assert.equal((parsePostalPattern(written) as { kind: string }).kind, 'exact', written);
    assert.equal(typeof parsePostalPattern('IV28-IV1'), 'string');
  });

  it('is refused with a line break inside, as a list without its comma has', () => {
    for (const bad of ['1000\n2000', '10*\r\n20*'])
      assert.equal(typeof parsePostalPattern(bad), 'string', bad);
    assert.deepEqual(parsePostalPattern('\n10\t00 '), { kind: 'exact', code: '10\t00' });
  });

  it('is refused with a star elsewhere, reversed ends, or no character of a code', () => {
    for (const bad of [
      '1*2',
      '**',
      '*1',
      '200-100',
      '-',
      ' - - ',
      '-*',
      '- *',
      '',
      '\u200b',
      '\u3012\u2013*',
    ]) {
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

  it('of districts has each outward code of these, with an inward part or without one', () => {
    const matched = (form: PostalForm, codes: readonly string[]) => {
      const pattern = readPostalPattern(form, 'IV1-IV28') ?? assert.fail('no pattern');
      return codes.filter((code) => matchesPostalPattern(pattern, canonicalPostalCode(form, code)));
    };
    const own = ['IV1 1AA', 'iv281aa', 'IV1', 'IV28', 'IV1A', 'IV1A 1AA', 'IV17 3XX'];
    const others = ['IV29 1AA', 'IV30', 'IV', 'I1 1AA', 'IVA 1AA', 'V1 1AA', 'IV011AA', 'IV1AA 1AA'];
    assert.deepEqual(matched('uk', [...own, ...others]), own);
    assert.deepEqual(matched('plain', [...own, ...others, 'iv1 - iv28']), ['iv1 - iv28']);
  });

  it('of four digits has the Dutch codes that begin with such digits, and elsewhere the codes of four digits', () => {
    const matched = (form: PostalForm, codes: readonly string[]) => {
      const pattern = readPostalPattern(form, '1000-1099') ?? assert.fail('no pattern');
      return codes.filter((code) => matchesPostalPattern(pattern, canonicalPostalCode(form, code)));
    };
    const codes = [
      '1012 AB',
      '1012ab',
      '1012',
      '1000',
      '1099 ZZ',
      '10125',
      '1100 AA',
      '101',
      '0999',
      'AB1012',
    ];
    assert.deepEqual(matched('nl', codes), ['1012 AB', '1012ab', '1012', '1000', '1099 ZZ', '10125']);
    assert.deepEqual(matched('plain', codes), ['1012', '1000']);
  });

  it('matches a canonical code exactly when it does so in the reference', () => {
    const texts = [
      'IV1-IV28',
      'iv3 - iv3',
      'E0-E9',
      '1000-1099',
      '10-99',
      '10000-10999',
      'BN1*',
      'BN1 *',
      '*',
      'BN1',
    ];
    const codes = [
      'IV1',
      'IV3A',
      'IV28 1AA',
      'IV29',
      'E1',
      'E1W',
      'E0 9ZZ',
      '1012 AB',
      '1012',
      '10125',
      '55',
      'BN1',
      'BN1 1AA',
      'BN15',
    ];
    for (const form of POSTAL_FORMS) {
      for (const text of texts) {
        const pattern = readPostalPattern(form, text) ?? assert.fail(text);
        const inReference = readPattern(COUNTRY[form], text);
        for (const written of codes) {
          const code = canonicalPostalCode(form, written);
          assert.equal(
            matchesPostalPattern(pattern, code),
            inReference(code) !== null,
            `${form} ${text} ${code}`,
          );
        }
      }
    }
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
