import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { postalFormOf } from '../../src/domain/postal-code.ts';
import { differencesOf, oursTake, patternsOfWoo } from '../../src/import/woo-postcode.ts';
import { takesPostcode } from '../support/foreign/woo-zones.ts';

const patternsFor = (line: string): readonly string[] => {
  const patterns = patternsOfWoo(line);
  assert.ok(typeof patterns !== 'string', line);
  return patterns;
};

test('a range of letters becomes the prefixes between its ends', () => {
  assert.deepEqual(patternsOfWoo('KW15*...KW17*'), ['KW16*', 'KW1F*', 'KW15*', 'KW17']);
  assert.deepEqual(patternsOfWoo('500...20000'), ['500-999', '0500-9999', '00500-20000']);
  assert.deepEqual(patternsOfWoo('90210...99000'), ['90210-99000']);
  assert.deepEqual(patternsOfWoo('ec1a 1bb'), ['EC1A 1BB']);
});

test('a postcode that cannot be imported is refused with the reason', () => {
  for (const line of ['9*1', 'A#1', '...', '1...2...3', '200...100', 'B1...A1', '*1', '1...2*3']) {
    assert.equal(typeof patternsOfWoo(line), 'string', line);
  }
});

test('both systems match the same codes, or a remark has a code that shows the difference', () => {
  const districts = fc.constantFrom('KW1', 'KW15', 'KW17', 'AB1', 'AB10', 'EC1A', 'SW1A');
  const numbers = fc.integer({ min: 0, max: 99_999 }).map(String);
  const line = fc.oneof(
    districts,
    districts.map((each) => `${each}*`),
    fc.tuple(districts, districts).map((ends) => ends.sort().join('...')),
    numbers,
    numbers.map((each) => `${each}*`),
    fc.tuple(numbers, numbers).map(([a, b]) => (Number(a) <= Number(b) ? `${a}...${b}` : `${b}...${a}`)),
  );
  const code = fc.oneof(
    fc.tuple(districts, fc.constantFrom('1AA', '9ZZ', '0AA')).map((parts) => parts.join(' ')),
    numbers.map((each) => each.padStart(5, '0')),
    numbers,
  );
  fc.assert(
    fc.property(
      line,
      fc.constantFrom('US', 'GB', 'CA'),
      fc.array(code, { minLength: 5, maxLength: 20 }),
      (text, country, codes) => {
        const patterns = patternsOfWoo(text);
        if (typeof patterns === 'string') return;
        const form = postalFormOf(country);
        const differences = differencesOf(text, patterns, new Set([form]));
        for (const { witness } of differences) {
          assert.notEqual(
            takesPostcode(text, country, witness),
            oursTake(patterns, form, witness),
            `${text} ${witness}`,
          );
        }
        // Codes of digits do not exist in the United Kingdom, for example.
        const real = codes.filter((each) => /^\d+$/.test(each) === (country === 'US'));
        if (differences.length > 0) return;
        for (const each of real) {
          assert.equal(oursTake(patterns, form, each), takesPostcode(text, country, each), `${text} ${each}`);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test('each kind of difference is found with its witness', () => {
  const found = (line: string, country: string) =>
    differencesOf(line, patternsFor(line), new Set([postalFormOf(country)])).map(({ code, witness }) => [
      code,
      witness,
    ]);
  assert.deepEqual(found('90210', 'US'), [['zip_plus_4', '90210-1234']]);
  assert.deepEqual(found('902*', 'US'), []);
  assert.deepEqual(found('10000...20000', 'DE'), [['leading_zeros', '010000']]);
  assert.deepEqual(found('KW15...KW17', 'GB')[0], ['space_in_code', 'KW1 5AA']);
});
