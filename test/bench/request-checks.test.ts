import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRequestChecks } from '../../bench/micro/request-checks.ts';
import { makeSmall } from '../../bench/profiles/small.ts';

const checks = makeRequestChecks();
const good = makeSmall().requests[0] as object;
const items = (change: object) => ({ ...good, items: [{ quantity: 1, grams: 1, price: 1, ...change }] });

const CASES: readonly (readonly [string, unknown, boolean])[] = [
  ['a cart of the profile', good, true],
  ['ids as numbers', items({ sku: 7, productId: 8, variantId: 9 }), true],
  [
    'null for what is optional',
    items({ name: null, vendor: null, properties: null, requiresShipping: null }),
    true,
  ],
  ['a field nobody knows', { ...good, note: 'please' }, true],
  ['no items', { ...good, items: [] }, false],
  ['no quantity', { ...good, items: [{ grams: 1, price: 1 }] }, false],
  ['a quantity of none', items({ quantity: 0 }), false],
  ['half a gram', items({ grams: 0.5 }), false],
  ['a price below nothing', items({ price: -1 }), false],
  ['a sku that is no text', items({ sku: {} }), false],
  ['tags that are no text', items({ properties: { tag: ['a'] } }), false],
  ['a country that is no code', { ...good, destination: { country: 'USA' } }, false],
  ['a currency that is no code', { ...good, currency: 'US' }, false],
  ['no destination', { items: (good as { items: unknown }).items }, false],
  ['a list', [good], false],
  ['nothing', null, false],
];

test('the validators that are timed side by side accept and refuse the same', () => {
  for (const [what, value, expected] of CASES) {
    for (const [name, check] of checks) assert.equal(check(value), expected, `${name}: ${what}`);
  }
});
