import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  canonicalPostalCode,
  matchesPostalPattern,
  postalFormOf,
  readPostalPattern,
} from '../../../src/engine/domain/postal-code.ts';
import { patternsOfWoo as patternsOf } from '../../../src/engine/import/woo-postcode.ts';
import { takesPostcode } from '../../support/foreign/woo-zones.ts';

const patternsOfWoo = (line: string, isDutch = false) => patternsOf(line, isDutch);

/** True when one of the patterns matches the code. */
function isTaken(patterns: readonly string[], country: string, code: string): boolean {
  const form = postalFormOf(country);
  return patterns.some((text) => {
    const pattern = readPostalPattern(form, text);
    return pattern !== null && matchesPostalPattern(pattern, canonicalPostalCode(form, code));
  });
}

test('a range of letters becomes the prefixes between its ends', () => {
  assert.deepEqual(patternsOfWoo('KW15*...KW17*'), ['KW16*', 'KW1F*', 'KW15*', 'KW17']);
  assert.deepEqual(patternsOfWoo('500...20000'), ['500-999', '0500-9999', '00500-20000']);
  assert.deepEqual(patternsOfWoo('90210...99000'), ['90210-99000']);
  assert.deepEqual(patternsOfWoo('ec1a 1bb'), ['EC1A 1BB']);
  assert.deepEqual(patternsOfWoo('1000...1099', true), ['1000-1098', '1099']);
  assert.deepEqual(patternsOfWoo('10*...12*', true), ['11*', '10*', '12']);
  assert.deepEqual(patternsOfWoo('1000...1099', false), ['1000-1099']);
});

test('a postcode that cannot be imported is refused with the reason', () => {
  for (const line of ['9*1', 'A#1', '...', '1...2...3', '200...100', 'B1...A1', '*1', '1...2*3']) {
    assert.equal(typeof patternsOfWoo(line), 'string', line);
  }
});

test('both systems match the same codes', () => {
  const districts = fc.constantFrom('KW1', 'KW15', 'KW17', 'AB1', 'AB10', 'EC1A', 'SW1A');
  const numbers = fc.integer({ min: 10_000, max: 99_999 }).map(String);
  const dutch = fc.integer({ min: 1_000, max: 9_999 }).map(String);
  const rangeOf = (each: fc.Arbitrary<string>) =>
    fc.tuple(each, each).map((ends) => ends.sort((a, b) => Number(a) - Number(b)).join('...'));
  const line = fc.oneof(
    districts,
    districts.map((each) => `${each}*`),
    fc.tuple(districts, districts).map((ends) => ends.sort().join('...')),
    numbers,
    numbers.map((each) => `${each}*`),
    rangeOf(numbers),
    rangeOf(dutch),
  );
  const lettered = fc.tuple(districts, fc.constantFrom('1AA', '9ZZ', '0AA')).map((parts) => parts.join(' '));
  const codes: Readonly<Record<string, fc.Arbitrary<string>>> = {
    US: numbers,
    GB: lettered,
    CA: lettered,
    NL: fc.tuple(dutch, fc.constantFrom(' AA', ' ZZ')).map((parts) => parts.join('')),
  };
  const asked = fc
    .constantFrom('US', 'GB', 'CA', 'NL')
    .chain((country) =>
      fc.tuple(fc.constant(country), fc.array(codes[country] as fc.Arbitrary<string>, { minLength: 20 })),
    );
  fc.assert(
    fc.property(line, asked, (text, [country, list]) => {
      // Codes of digits are in no such range; a British code keeps its space, which WooCommerce drops.
      if (country !== 'CA' && /[A-Z].*\.\.\./.test(text)) return;
      const patterns = patternsOfWoo(text, country === 'NL');
      if (typeof patterns === 'string') return;
      for (const code of list) {
        assert.equal(isTaken(patterns, country, code), takesPostcode(text, country, code), `${text} ${code}`);
      }
    }),
    { numRuns: 2_000 },
  );
});
