/** The search for a destination against every country and code of a small universe. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findDestination, hasNoDestination } from '../../src/candidates/place-search.ts';
import { RequirementTable } from '../../src/candidates/requirement.ts';
import { Steps } from '../../src/candidates/steps.ts';
import { OUTSIDE_SUBZONES, placesOf, ZoneFacts } from '../../src/candidates/zone-facts.ts';
import { testPostalCode, testText } from '../../src/compile/predicate.ts';
import type { Condition } from '../../src/domain/condition.ts';
import { canonicalPostalCode, postalFormOf } from '../../src/domain/postal-code.ts';
import { comparable } from '../../src/domain/text.ts';

const table = new RequirementTable();

const PATTERNS = [
  ...['*', '1*', '11*', '12', '11-12', '10-19', '100-119', 'PA6*', 'PA6 7*', 'PA67LN', 'P A6*'],
  ...['123456789'],
];
const PARTS = ['1', '11', '2', 'PA6', '6 7', '7L', 'LN'];
const CODES = [
  ...['', '1', '2', '10', '11', '12', '13', '19', '21', '100', '110', '111', '119', '1111', '11Z'],
  ...['1Z', 'Z', '12345'],
  ...['123456789', '1234567890', 'PA6', 'PA67LN', 'PA6 8AA', 'PA67 1AA', 'PA6 7LN', 'PA6XXXXX'],
  ...['PA678', '7LN', 'Z7L'],
];

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    conditionType: fc.constant('destination_postal_code' as const),
    operator: fc.constantFrom('equals', 'not_equals'),
    value: fc.array(fc.constantFrom(...PATTERNS), { minLength: 1, maxLength: 2 }).map(String),
    scope: fc.constant('any_product_in_order' as const),
  }),
  fc.record({
    conditionType: fc.constant('destination_postal_code' as const),
    operator: fc.constantFrom(
      'contains',
      'starts_with',
      'ends_with',
      'not_contains',
      'not_starts_with',
      'is_not_empty',
    ),
    value: fc.constantFrom(...PARTS),
    scope: fc.constant('any_product_in_order' as const),
  }),
  fc.record({
    conditionType: fc.constantFrom('destination_country', 'destination_subzone'),
    operator: fc.constantFrom('equals', 'not_equals', 'starts_with'),
    value: fc.constantFrom('us', 'GB', 'DE,US', 'fr', 'sub_0', 'sub_1,sub_2', 'sub_9', 'sub*'),
    scope: fc.constant('any_product_in_order' as const),
  }),
);

const zone = fc
  .tuple(
    fc.array(fc.array(fc.constantFrom(...PATTERNS), { maxLength: 3 }), { maxLength: 3 }),
    fc.constantFrom(['US'], ['GB'], ['DE', 'US'], ['GB', 'US']),
  )
  .map(([lists, countries]) => {
    const subzones = lists.map((patterns, s) => ({ id: `sub_${s}`, name: '', postalCodes: patterns.join() }));
    return new ZoneFacts({ id: 'zone', name: '', countries: [...countries], subzones }, countries);
  });

describe('the search for a destination', () => {
  it('finds a destination exactly when a country and code of a small universe satisfy the requirements', () => {
    const verdicts = { found: 0, never: 0, unknown: 0 };
    const property = fc.property(
      zone,
      fc.array(condition, { maxLength: 3 }),
      fc.uniqueArray(fc.constantFrom(OUTSIDE_SUBZONES, 0, 1, 2), { minLength: 1 }),
      (facts, conditions, wanted) => {
        const places = wanted.filter((place) => place < facts.zone.subzones.length);
        const requirements = conditions.map((each) => table.of(each));
        const isFit = (country: string, written: string): boolean => {
          const form = postalFormOf(country);
          const code = canonicalPostalCode(form, written);
          const owner = facts.postal(form).owner(code);
          const isMet = conditions.every(({ conditionType }, i) => {
            const { predicate, negated } = requirements[i] as (typeof requirements)[number];
            if (conditionType === 'destination_postal_code')
              return testPostalCode(predicate, form, code) !== negated;
            const text =
              conditionType === 'destination_country' ? comparable(country) : facts.comparableIdOf(owner);
            return testText(predicate, text) !== negated;
          });
          return places.includes(owner) && isMet;
        };
        const at = { zone: facts, places: placesOf(...places) };
        const found = findDestination(at, requirements, new Steps());
        const isNever = hasNoDestination(at, requirements, new Steps());
        verdicts[found !== null ? 'found' : isNever ? 'never' : 'unknown']++;
        if (found !== null) assert.ok(!isNever && isFit(found.country, found.postalCode));
        if (!isNever) return;
        for (const country of facts.countries) {
          for (const code of CODES) assert.ok(!isFit(country, code), `${country} ${code}`);
        }
      },
    );
    fc.assert(property, { numRuns: 4_000 });
    // Undecided cases must be rare, else the search would be of no use.
    assert.ok(
      verdicts.unknown * 20 < verdicts.never && verdicts.never < verdicts.found,
      JSON.stringify(verdicts),
    );
  });
});
