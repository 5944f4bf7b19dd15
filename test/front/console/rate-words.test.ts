/** Rate types as forms. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RATE_TYPES, type RateType } from '../../../src/engine/domain/rate-type.ts';
import {
  type ConfigSchema,
  firstConfig,
  missingNumber,
} from '../../../src/front/console/methods/rate-words.ts';

const schemaFor = (rateType: RateType) => RATE_TYPES[rateType] as ConfigSchema;
const lacking = (rateType: RateType) => missingNumber(schemaFor(rateType), firstConfig(schemaFor(rateType)));

test('a new config has no price, and is not whole without one', () => {
  assert.deepEqual(firstConfig(schemaFor('flat')), { price: null });
  assert.deepEqual(lacking('flat'), ['price']);
  assert.deepEqual(lacking('free'), null);
  assert.deepEqual(lacking('percentage'), ['percentage']);
  assert.deepEqual(lacking('by_price_table'), ['tiers', '0', 'price']);
  assert.deepEqual(firstConfig(schemaFor('by_price_table')), {
    tiers: [{ minPrice: 0, maxPrice: null, price: null }],
  });
  assert.equal(missingNumber(schemaFor('flat'), { price: 0 }), null);
});
