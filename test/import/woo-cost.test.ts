import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceReport } from '../../src/import/source-report.ts';
import { rateOfCost as rateWith } from '../../src/import/woo-cost.ts';

const report = new SourceReport();
const rateOfCost = (cost: string) => rateWith(cost, (text) => report.amount(text, 'row', 'cost'));

test('a cost becomes the rate type that gives its prices', () => {
  const rates: readonly [string, string, object, number][] = [
    ['0', 'flat', { price: 0 }, 0],
    ['12.5', 'flat', { price: 1250 }, 0],
    ['4,95', 'flat', { price: 495 }, 0],
    ['(10 + 2) / 4', 'flat', { price: 300 }, 0],
    ['10 + ( 2 * [qty] )', 'by_items', { firstItemPrice: 1200, additionalItemPrice: 200 }, 0],
    ['[qty] * 1.5 - 0.5', 'by_items', { firstItemPrice: 100, additionalItemPrice: 150 }, 0],
    [
      '[fee percent="10" min_fee="20" max_fee="100"]',
      'percentage',
      { percentage: 10, minPrice: 2000, maxPrice: 10_000 },
      0,
    ],
    ["5 + [fee percent='2.5' max_fee='']", 'percentage', { percentage: 2.5 }, 500],
    ['[cost] * 0.1', 'percentage', { percentage: 10 }, 0],
    // To PHP the text "0" is none, and 0.00 is an amount.
    ['[fee percent="10" min_fee="0" max_fee="0"]', 'percentage', { percentage: 10 }, 0],
    ['[fee percent="0" min_fee="3"]', 'percentage', { percentage: 0, minPrice: 300 }, 0],
    ['[fee percent="10" max_fee="0.00"]', 'percentage', { percentage: 10, maxPrice: 0 }, 0],
  ];
  for (const [cost, rateType, config, surchargeCents] of rates) {
    assert.deepEqual(rateOfCost(cost), { rate: { rateType, config }, surchargeCents }, cost);
  }
});

test('a cost that no rate type can express is refused with the reason', () => {
  const refused: readonly [string, RegExp][] = [
    ['0.333 * [qty]', /whole number of cents/],
    ['-5', /negative/],
    ['[qty] * [qty]', /depends on the cart/],
    ['10 / [qty]', /divides by what depends/],
    ['1 / 0', /zero/],
    ['2 * [fee percent="10"]', /fee is multiplied/],
    ['10 - [fee percent="10"]', /fee is subtracted/],
    ['[qty] + [fee percent="10"]', /cannot be joined/],
    ['[fee percent="1"] + [fee percent="2"]', /cannot be joined/],
    ['[fee percent="1.234"]', /at most 2 decimals/],
    ['[fee min_fee="1"]', /needs a percent/],
    ['[fee percent="1" min_fee="5" max_fee="2"]', /above max_fee/],
    ['10 +', /number is missing/],
    ['(10', /not closed/],
    ['10 5', /after its end/],
    ['10 % 3', /is unknown/],
    ['[cost] * 0.3333333333333333', /too many digits/],
    ['1234567890123456', /too many digits/],
    ['1,000.00', /may separate thousands/],
    ['1.000,00', /may separate thousands/],
    ['1,000', /may separate thousands/],
    ['[fee percent="5" min_fee="1,000"]', /may separate thousands/],
    ['1.2.3', /not a decimal number/],
  ];
  for (const [cost, why] of refused) assert.match(String(rateOfCost(cost)), why, cost);
});
