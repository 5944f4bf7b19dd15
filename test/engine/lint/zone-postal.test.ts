/** Verdicts on postal patterns against every code of a small universe, in each form. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { postalOwnersOf } from '../../../src/engine/compile/postal-owners.ts';
import {
  canonicalPostalCode,
  POSTAL_FORMS,
  type PostalForm,
} from '../../../src/engine/domain/postal-code.ts';
import type { Subzone } from '../../../src/engine/domain/zone.ts';
import { ZonePostal } from '../../../src/engine/lint/zone-postal.ts';
import { exampleCodes } from '../../../src/engine/probes/postal-examples.ts';

const PATTERNS: Readonly<Record<PostalForm, readonly string[]>> = {
  plain: [
    ...['*', '1*', '11*', '12*', '1', '11', '12', '1-2', '11-12', '10-19', '12-15', '00-99', '110-119'],
    ...['A*'],
  ],
  us: [
    ...['*', '1*', '11*', '11', '11-12', '10-19', '12-15', '110-119', '123456780-123456789', '12345'],
    ...['123450000'],
  ],
  uk: [
    ...['*', 'PA6*', 'PA6 *', 'PA6 7*', 'PA67*', 'PA6 7LN', 'P A6*', 'PA6 7LNX*', '11-12'],
    ...['12345-12349', 'B 1*', 'B1 1AA', 'PA6-PA7', 'PA1-PA67', 'B1-B1'],
  ],
  nl: [
    ...['*', '1*', '11*', '1012', '1012 AB', '1000-1099', '1010-1019', '1012-1012', '10120-10129', '11-12'],
    ...['1012*'],
  ],
};
const DIGITS = ['', ...[...'0123456789'].flatMap((a) => [a, ...[...'0123456789'].map((b) => a + b)])];
const CODES: Readonly<Record<PostalForm, readonly string[]>> = {
  plain: [
    ...DIGITS,
    ...DIGITS.map((code) => `1${code}`),
    ...DIGITS.map((code) => `${code}Z`),
    'A',
    'A1',
    'Z',
  ],
  us: [
    ...DIGITS,
    ...DIGITS.map((code) => `1${code}`),
    ...DIGITS.map((code) => `${code}Z`),
    '12345',
    '123456785',
    '1234567890',
    '123450000',
    '1Z',
    'Z',
  ],
  uk: [
    ...DIGITS,
    ...['PA6', 'PA67', 'PA6 7LN', 'PA6 7', 'PA67 1AA', 'PA6 8AA', 'PA6 7AA', 'PA67LNXX', 'PA678', 'PA', 'PZ'],
    ...['PA67LNX', 'PA67LNXYZ', 'B11AA', 'B12AA', 'B1', '12345', '123456789', 'Z9 9ZZ', 'PA6XXXXXX'],
    ...['PA67XXXXX', 'PA7 1AA', 'PA1', 'PA5A 1AA', 'PA68', 'B1A 1AA', 'B2'],
  ],
  nl: [
    ...DIGITS,
    ...DIGITS.map((code) => `10${code}`),
    ...DIGITS.map((code) => `1012${code}`),
    ...['1012AB', '1012ABZ', '1010 AB', '1015', '1015XY', '1000\u2300', '1099AB', '1100', '1Z', 'Z'],
    ...['1012\u2300', '1019\u2300', '1010\u2300'],
  ],
};

const shopOf = (lists: readonly (readonly string[])[]): readonly Subzone[] =>
  lists.map((patterns, index) => ({ id: `sub_${index}`, name: '', postalCodes: patterns.join(', ') }));

/** The subzone of each code of the universe, as a simulation finds it. */
function ownersOf(subzones: readonly Subzone[], form: PostalForm): readonly number[] {
  const owners = postalOwnersOf(subzones, form);
  return CODES[form].map((code) => owners.find(canonicalPostalCode(form, code)));
}

/**
 * True with a range of beginnings or of districts: the verdicts ignore that it may decide every code of a prefix, or that
 * other patterns may decide every code of it.
 */
const hasWideRanges = ({ patterns }: ZonePostal): boolean =>
  patterns.some(({ pattern: { kind } }) => kind === 'beginnings' || kind === 'districts');

/** The subzones with only the kept patterns. */
function keeping(
  postal: ZonePostal,
  subzones: number,
  isKept: (index: number) => boolean,
): readonly Subzone[] {
  const kept = postal.patterns.map((pattern, index) => ({ ...pattern, isKept: isKept(index) }));
  const lists = Array.from({ length: subzones }, (_, owner) =>
    kept.filter((each) => each.isKept && each.owner === owner).map(({ text }) => text),
  );
  return shopOf(lists);
}

for (const form of POSTAL_FORMS) {
  const lists = fc.array(fc.uniqueArray(fc.constantFrom(...PATTERNS[form]), { maxLength: 4 }), {
    minLength: 1,
    maxLength: 3,
  });

  describe(`postal patterns in the ${form} form`, () => {
    it('that are reported as dead have no effect, one by one and all together; those of the subzone alone are alive', () => {
      let dead = 0;
      const property = fc.property(lists.map(shopOf), (subzones) => {
        const postal = new ZonePostal(subzones, form);
        const before = ownersOf(subzones, form);
        const isAlive = (index: number) => !postal.neverWins[index];
        assert.deepEqual(ownersOf(keeping(postal, subzones.length, isAlive), form), before);
        for (const [index, { owner, text }] of postal.patterns.entries()) {
          if (isAlive(index)) continue;
          dead++;
          const others = keeping(postal, subzones.length, (each) => each !== index);
          assert.deepEqual(ownersOf(others, form), before, text);
          // Of a subzone alone nothing is dead but what no code of the form can match.
          const alone = new ZonePostal(shopOf([[text]]), form);
          assert.ok(postal.patterns.some((each) => each.owner !== owner) || alone.neverWins[0], text);
        }
      });
      fc.assert(property, { numRuns: 1_500 });
      assert.ok(dead > 0);
    });

    it('are reported as dead where an equal exact code or prefix of an earlier subzone decides their codes', () => {
      const property = fc.property(lists.map(shopOf), (subzones) => {
        const postal = new ZonePostal(subzones, form);
        for (const [index, { owner, pattern }] of postal.patterns.entries()) {
          const same = postal.patterns.find((each) => isDeepStrictEqual(each.pattern, pattern));
          if (same !== undefined && same.owner !== owner && !('from' in pattern)) {
            assert.ok(postal.neverWins[index]);
          }
        }
      });
      fc.assert(property, { numRuns: 300 });
    });

    it('give each code the subzone of a simulation, and each subzone that can own a code an example', () => {
      const property = fc.property(lists.map(shopOf), (subzones) => {
        const postal = new ZonePostal(subzones, form);
        const owners = ownersOf(subzones, form);
        const ownerIn = (code: string) => postal.patterns[postal.decider(code)]?.owner ?? -1;
        assert.deepEqual(CODES[form].map(ownerIn), owners);
        for (const index of subzones.keys()) {
          const winning = postal.patterns.filter(({ owner }, at) => owner === index && !postal.neverWins[at]);
          const examples = winning.flatMap(({ pattern }) => exampleCodes(form, pattern));
          const example = examples.find((code) => ownerIn(code) === index) ?? null;
          // Exact codes may decide all codes of a range; the verdicts ignore that.
          const isSure = winning.some(({ pattern: { kind } }) => kind !== 'range');
          if (isSure && !hasWideRanges(postal)) assert.notEqual(example, null);
          if (!postal.canOwn(index)) assert.ok(example === null && !owners.includes(index));
        }
      });
      fc.assert(property, { numRuns: 1_000 });
    });
  });
}

describe('a postal pattern', () => {
  it('that a subzone lists twice, in whatever spelling, is not dead', () => {
    for (const [a = '', b = ''] of [
      ['99501', '995 01'],
      ['995*', '995*'],
      ['10-20', '10 - 20'],
    ]) {
      assert.deepEqual(new ZonePostal(shopOf([[a, b]]), 'us').neverWins, [false, false], a);
    }
  });

  it('never wins if an earlier subzone lists it', () => {
    const { neverWins } = new ZonePostal(
      shopOf([
        ['99501', '995*', '10-20'],
        ['99501', '995*', '10-20'],
      ]),
      'us',
    );
    assert.deepEqual(neverWins, [...Array(3).fill(false), ...Array(3).fill(true)]);
  });
});
