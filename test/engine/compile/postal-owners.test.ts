/**
 * Postal owners against a linear scan of every pattern: exhaustive where that is possible, then random. The long form:
 * `RATEWRIGHT_POSTAL_ZONES=170000 npm test -- postal-owners` asks ten million codes.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { NO_OWNER } from '../../../src/engine/compile/owner-segments.ts';
import { type PostalOwners, postalOwnersOf } from '../../../src/engine/compile/postal-owners.ts';
import { type PostalForm, RANGE_DIGITS_MAX } from '../../../src/engine/domain/postal-code.ts';
import {
  canonicalCode,
  ownerOf,
  type PatternList,
  readPattern,
  readPatterns,
} from '../../support/reference/postal.ts';

/** A country that writes its codes in each form. */
const COUNTRY: Readonly<Record<PostalForm, string>> = {
  plain: 'DE',
  us: 'US',
  uk: 'GB',
  nl: 'NL',
};
const FORMS = Object.keys(COUNTRY) as PostalForm[];

const ZONES = Number(process.env['RATEWRIGHT_POSTAL_ZONES'] ?? 100);
const CODES_PER_ZONE = 60;
/** Codes that are compared, each with 50,000 patterns. */
const CODES_OF_LARGE_ZONE = Math.min(ZONES / 2, 2_000);

const SYMBOLS = ['A', '1'];
/** Every text of exactly `length` symbols. */
const textsOf = (length: number): string[] =>
  length === 0 ? [''] : textsOf(length - 1).flatMap((text) => SYMBOLS.map((symbol) => text + symbol));
const upTo = (length: number): string[] =>
  Array.from({ length: length + 1 }, (_, each) => textsOf(each)).flat();

/** Every valid pattern of at most 3 characters over A, 1 and *, and the ranges that 1 alone can write. */
const PATTERNS = [
  ...upTo(3).filter((text) => text !== ''),
  ...upTo(2).map((text) => `${text}*`),
  ...['1-1', '11-11', '111-111'],
];
const CODES = upTo(4);

/** All ways to give a sequence of patterns to subzones in order: a cut or none between each two. */
function splits(sequence: readonly string[]): string[][][] {
  const [first, ...rest] = sequence;
  if (first === undefined) return [[]];
  if (rest.length === 0) return [[[first]]];
  return splits(rest).flatMap((split) => {
    const [head = [], ...tail] = split;
    return [
      [[first], ...split],
      [[first, ...head], ...tail],
    ];
  });
}

function assertSameOwners(subzones: readonly (readonly string[])[], form: PostalForm): void {
  const records = subzones.map((patterns) => ({ postalCodes: patterns.join(',') }));
  const owners = postalOwnersOf(records, form);
  const scan = subzones.flatMap((patterns, owner) =>
    patterns.map((text) => ({ owner, pattern: patternOf(form, text) })),
  );
  for (const code of CODES) {
    const found = owners.find(code);
    const expected = ownerOf(scan, code);
    if (found !== expected) {
      assert.equal(found, expected, `${form} code "${code}" among ${JSON.stringify(records)}`);
    }
  }
}

const known = new Map<string, ReturnType<typeof readPattern>>();
/** One pattern as the reference reads it, read once. */
function patternOf(form: PostalForm, text: string): ReturnType<typeof readPattern> {
  const key = `${form} ${text}`;
  const pattern = known.get(key) ?? readPattern(COUNTRY[form], text);
  known.set(key, pattern);
  return pattern;
}

function sequences(length: number): string[][] {
  if (length === 0) return [[]];
  return sequences(length - 1).flatMap((sequence) => PATTERNS.map((pattern) => [...sequence, pattern]));
}

type Random = (below: number) => number;

/** Whole numbers below a bound from one seed (xorshift), so that a large zone follows from a small number. */
function numbersFrom(seed: number): Random {
  let state = (seed ^ 0x9e37_79b9) | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const LETTERS = 'ABCDEFGHIJ';
/** `variety` keeps the alphabet small, so that codes meet patterns. */
const letter = (random: Random, variety: number): string => LETTERS.charAt(random(variety));
const digit = (random: Random, variety: number): string => String(random(variety + 1));
const repeat = (count: number, make: () => string): string => Array.from({ length: count }, make).join('');

/** A code as a customer may write it: any case, spaces and hyphens, ZIP+4, UK codes with and without space. */
function randomCode(form: PostalForm, random: Random, variety: number): string {
  const digits = (count: number) => repeat(count, () => digit(random, variety));
  const letters = (count: number) => repeat(count, () => letter(random, variety));
  if (form === 'us')
    return [digits(5), digits(5), `${digits(5)}-${digits(4)}`, digits(9), digits(3)][random(5)] ?? '';
  if (form === 'uk') {
    const outward = letters(1 + random(2)) + digits(1 + random(2));
    const inward = digits(1) + letters(2);
    return (
      [`${outward} ${inward}`, outward + inward, `${outward} ${inward}`.toLowerCase(), outward][random(4)] ??
      ''
    );
  }
  if (form === 'nl') {
    const [number, rest] = [digits(4), letters(2)];
    return [number, `${number} ${rest}`, number + rest, digits(5), digits(3)][random(5)] ?? '';
  }
  const mixed = repeat(1 + random(6), () =>
    random(2) === 0 ? digit(random, variety) : letter(random, variety),
  );
  return (
    [digits(5), `${digits(3)}-${digits(4)}`, mixed, mixed.toLowerCase(), `${digits(2)} ${digits(3)}`][
      random(5)
    ] ?? ''
  );
}

/** A pattern for such codes: exact, a prefix of one, a lone `*`, a range of 2 to 5 digits or of British districts. */
function randomPattern(form: PostalForm, random: Random, variety: number): string {
  const code = randomCode(form, random, variety);
  const kind = random(20);
  if (kind === 0 && random(50) === 0) return '*';
  if (kind < 7) return code;
  if (kind < 13) return `${code.slice(0, 1 + random(code.length))}*`;
  if (form === 'uk' && kind < 18) {
    const area = repeat(1 + random(2), () => letter(random, variety));
    const [one = 0, other = 0] = [0, 0].map(() => random(10 * variety));
    return `${area}${Math.min(one, other)}-${area}${Math.max(one, other)}`;
  }
  const length = 2 + random(4);
  const [a, b] = [0, 0].map(() => repeat(length, () => digit(random, variety)));
  return a !== undefined && b !== undefined && a > b ? `${b}-${a}` : `${a}-${b}`;
}

function assertSameOwner(owners: PostalOwners, scan: PatternList, form: PostalForm, written: string): void {
  const code = canonicalCode(COUNTRY[form], written);
  assert.equal(owners.find(code), ownerOf(scan, code), `${form} code "${code}"`);
}

describe('a look-up finds the same owner as a scan of every pattern', () => {
  it('for every sequence of up to 3 patterns over A, 1 and *, however it is split into subzones', () => {
    let zones = 0;
    for (const sequence of [1, 2, 3].flatMap(sequences)) {
      for (const split of splits(sequence)) {
        assertSameOwners(split, 'plain');
        zones++;
      }
    }
    const count = PATTERNS.length;
    assert.equal(zones, count + 2 * count ** 2 + 4 * count ** 3);
  });

  it('for each of these sequences with one subzone per pattern, in the other postal forms', () => {
    for (const form of ['us', 'uk'] as const) {
      for (const sequence of sequences(3)) {
        assertSameOwners(
          sequence.map((pattern) => [pattern]),
          form,
        );
      }
    }
  });

  it(`for ${ZONES * CODES_PER_ZONE} codes as people write them, in random zones of a few subzones`, () => {
    fc.assert(
      fc.property(fc.constantFrom(...FORMS), fc.nat(), (form, seed) => {
        const random = numbersFrom(seed);
        const subzones = Array.from({ length: 1 + random(6) }, () => ({
          postalCodes: Array.from({ length: random(12) }, () => randomPattern(form, random, 3)).join(', '),
        }));
        const owners = postalOwnersOf(subzones, form);
        const scan = readPatterns(COUNTRY[form], subzones);
        for (let i = 0; i < CODES_PER_ZONE; i++)
          assertSameOwner(owners, scan, form, randomCode(form, random, 3));
      }),
      { numRuns: ZONES, unbiased: true },
    );
  });

  it('in random zones of few and of many patterns, of small and large alphabets', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FORMS), fc.nat(), fc.constantFrom(12, 600), (form, seed, most) => {
        const random = numbersFrom(seed);
        const variety = 1 + random(9);
        const subzones = Array.from({ length: 1 + random(6) }, () => ({
          postalCodes: Array.from({ length: random(most) }, () =>
            randomPattern(form, random, variety),
          ).join(),
        }));
        const owners = postalOwnersOf(subzones, form);
        const scan = readPatterns(COUNTRY[form], subzones);
        for (let i = 0; i < CODES_PER_ZONE; i++)
          assertSameOwner(owners, scan, form, randomCode(form, random, variety));
      }),
      { numRuns: Math.ceil(ZONES / 5), unbiased: true },
    );
  });

  it('for codes of 11 to 16 digits, also where two codes do not fit into different numbers', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = numbersFrom(seed);
        const digits = () => '1'.repeat(9) + repeat(2 + random(6), () => digit(random, 1));
        const pattern = () => {
          const code = digits();
          if (random(3) === 0) return code;
          if (random(2) === 0 || code.length > RANGE_DIGITS_MAX) return `${code}*`;
          return `${code}-${code.slice(0, -1)}1`;
        };
        const subzones = Array.from({ length: 1 + random(5) }, () => ({
          postalCodes: Array.from({ length: 1 + random(9) }, pattern).join(),
        }));
        const owners = postalOwnersOf(subzones, 'plain');
        const scan = readPatterns(COUNTRY.plain, subzones);
        for (let i = 0; i < CODES_PER_ZONE; i++) assertSameOwner(owners, scan, 'plain', digits());
      }),
      { numRuns: ZONES, unbiased: true },
    );
  });

  for (const form of FORMS) {
    it(`for 50,000 random patterns of the form ${form}: exact codes, ranges and prefixes`, () => {
      fc.assert(
        fc.property(fc.nat(), (seed) => {
          const random = numbersFrom(seed);
          const subzones = Array.from({ length: 500 }, () => ({
            postalCodes: Array.from({ length: 100 }, () => randomPattern(form, random, 9)).join(','),
          }));
          const owners = postalOwnersOf(subzones, form);
          const scan = readPatterns(COUNTRY[form], subzones);
          assert.equal(scan.length, 50_000);
          for (let i = 0; i < CODES_OF_LARGE_ZONE; i++)
            assertSameOwner(owners, scan, form, randomCode(form, random, 9));
        }),
        { numRuns: 1, unbiased: true, endOnFailure: true },
      );
    });
  }

  it('and no owner for an empty code, whatever the patterns', () => {
    for (const form of FORMS) assert.equal(postalOwnersOf([{ postalCodes: '*' }], form).find(''), NO_OWNER);
  });
});

describe('the owner of a postal code', () => {
  const owner = (form: PostalForm, code: string, ...subzones: string[]) =>
    postalOwnersOf(
      subzones.map((postalCodes) => ({ postalCodes })),
      form,
    ).find(canonicalCode(COUNTRY[form], code));

  it('lets exact beat range, range beat prefix, narrower beat wider and longer beat shorter', () => {
    assert.equal(owner('us', '99811', '998*', '99800-99899', '99801-99850', '99811'), 3);
    assert.equal(owner('us', '99812', '998*', '99800-99899', '99801-99850', '99811'), 2);
    assert.equal(owner('us', '99860', '998*', '99800-99899', '99801-99850', '99811'), 1);
    assert.equal(owner('plain', '99801', '9*', '99801-99801', '9980*'), 1);
    assert.equal(owner('plain', '998012', '*', '9*', '9980*', '99801-99850'), 2);
  });

  it('gives ties to the subzone listed first, whatever the order inside a subzone', () => {
    assert.equal(owner('us', '99811', '1,2,99811', '99811'), 0);
    assert.equal(owner('plain', '15', '10-20', '11-21'), 0);
    assert.equal(owner('plain', '15', '11-21,1*', '10-20'), 0);
    assert.equal(owner('uk', 'PA6 7LN', 'PA6 7*', 'pa6 7*'), 0);
    assert.equal(owner('nl', '1015 AB', '1010-1020', '1011-1021'), 0);
    assert.equal(owner('uk', 'IV5', 'IV1-IV9', 'IV2-IV10'), 0);
  });

  it('of a British code without its inward part is that of its district', () => {
    for (const code of ['BN1', 'BN1 ', 'bn1', 'BN1 1AA']) {
      assert.equal(owner('uk', code, 'BN1 *'), 0);
      assert.equal(owner('uk', code, 'BN15*', 'BN1*'), 1);
      assert.equal(owner('uk', code, 'BN1-BN14'), 0);
    }
    assert.equal(owner('uk', 'BN1', 'BN15*'), NO_OWNER);
    assert.equal(owner('uk', 'BN15', 'BN1 *', 'BN1'), NO_OWNER);
    assert.equal(owner('uk', 'E1', 'E1 *'), 0);
  });

  it('lets a range of districts rank as a range, narrower with fewer districts', () => {
    const subzones = ['IV*', 'IV1-IV28', 'IV2-IV9', 'IV5 1AA', 'IV7 *'];
    assert.equal(owner('uk', 'IV5 1AA', ...subzones), 3);
    assert.equal(owner('uk', 'IV7 1AA', ...subzones), 2);
    assert.equal(owner('uk', 'IV1A', ...subzones), 1);
    assert.equal(owner('uk', 'IV30 1AA', ...subzones), 0);
  });

  it('lets a Dutch range decide before prefixes, after exact codes and ranges of whole codes', () => {
    const subzones = ['10*', '1000-1099', '1010-1019', '1012 AB', '10120-10199', '10900-10999'];
    assert.equal(owner('nl', '1012 AB', ...subzones), 3);
    assert.equal(owner('nl', '1012 CD', ...subzones), 2);
    assert.equal(owner('nl', '1050', ...subzones), 1);
    assert.equal(owner('nl', '10125', ...subzones), 4);
    assert.equal(owner('nl', '10999', ...subzones), 5);
    assert.equal(owner('nl', '10', ...subzones), 0);
  });

  it('keeps the space of a UK prefix, also before the star, and ignores spaces elsewhere', () => {
    assert.equal(owner('uk', 'pa67ln', 'PA67*', 'PA6 7*'), 1);
    assert.equal(owner('uk', 'pa671aa', 'PA6 *', 'PA67*'), 1);
    assert.equal(owner('uk', 'pa67ln', 'PA6 *'), 0);
    assert.equal(owner('plain', 'k1a0b6', 'K1A 0*'), 0);
  });

  it('counts ZIP+4 as five digits where it is written, in codes and in exact patterns', () => {
    assert.equal(owner('us', '99811-0001', '99811'), 0);
    assert.equal(owner('us', '99811', '99811-0001'), 0);
    assert.equal(owner('plain', '99811-0001', '99811'), NO_OWNER);
    assert.equal(owner('plain', '998110001', '99811-0001'), 0);
  });

  it('is found by a range only for codes of digits that have the length of its ends', () => {
    assert.equal(owner('plain', '1A345', '10000-20000'), NO_OWNER);
    assert.equal(owner('plain', '0150', '100-200'), NO_OWNER);
    assert.equal(owner('plain', '0150', '0100-0200'), 0);
    assert.equal(owner('plain', '999999999999999', '999999999999998-999999999999999'), 0);
  });

  it('is found for characters beyond U+FFFF and letters whose upper case is longer', () => {
    assert.equal(owner('plain', 'ß1', 'SS1'), 0);
    assert.equal(owner('plain', '\u{1F69A}1', '\u{1F69A}*'), 0);
  });

  it('is found among patterns of digits and of letters, also for codes that are like no exact pattern', () => {
    const digits = Array.from({ length: 1_000 }, (_, at) => String(at).padStart(3, '0'));
    const listed = digits.filter((_, at) => at % 2 === 0).join();
    const subzones = [listed, '1*', '300-399', 'É12, \u{1F69A}1, AB*', '12345678901'];
    assert.deepEqual(
      digits.map((code) => owner('plain', code, ...subzones)),
      digits.map((code, at) => {
        if (at % 2 === 0) return 0;
        return code.startsWith('1') ? 1 : code.startsWith('3') ? 2 : NO_OWNER;
      }),
    );
    const others = ['É12', '\u{1F69A}1', 'ABC', '1BC', '12345678901', '2BC', '3456', '02\u{1F69A}'];
    assert.deepEqual(
      others.map((code) => owner('plain', code, ...subzones)),
      [3, 3, 3, 1, 4, NO_OWNER, NO_OWNER, NO_OWNER],
    );
  });
});
