/** Refusals of the service in words of people. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRateConfigDefect } from '../../../src/engine/domain/rate-type.ts';
import { refusalText } from '../../../src/front/console/refusal-words.ts';

const defectOf = (tiers: readonly object[]): string => {
  const defect = findRateConfigDefect({ rateType: 'by_weight_table', config: { tiers } } as never) ?? '';
  return refusalText(defect.replace(/^\S+ /, ''));
};

test('a refusal names the field as the form does, and no number in a unit that the form does not show', () => {
  assert.equal(defectOf([{ minWeight: 4_536, maxWeight: 4_000, price: 1 }]), 'must be more than “From”');
  assert.equal(
    defectOf([
      { minWeight: 0, maxWeight: 4_536, price: 1 },
      { minWeight: 4_000, maxWeight: null, price: 1 },
    ]),
    'must not be less than where the tier before ends',
  );
  assert.equal(
    defectOf([
      { minWeight: 0, maxWeight: null, price: 1 },
      { minWeight: 4_000, maxWeight: null, price: 1 },
    ]),
    'may be empty in the last tier only',
  );
  assert.equal(refusalText('is required: whole cents, 0 to 9,007,199,254,740,991'), 'is required');
  assert.equal(
    refusalText('must be whole cents, 0 to 9,007,199,254,740,991, or null'),
    'must be an amount of 0 or more, or empty',
  );
  assert.equal(
    refusalText('must be text of 1 to 200 characters without control characters'),
    'must not be empty, and have at most 200 characters',
  );
  assert.equal(
    refusalText('must be a whole number from 0 to 1,000,000 (grams of one piece)'),
    'must be a weight from 0 g to 1000 kg',
  );
  assert.equal(refusalText('is the id of another method'), 'is the id of another method');
});
