import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceReport } from '../../../src/engine/import/source-report.ts';
import { rateOfCost as rateWith } from '../../../src/engine/import/woo-cost.ts';

const rateOfCost = (cost: string, report = new SourceReport()) => rateWith(cost, { report, row: 'row' });

test('a cost becomes the rate type that gives its prices', () => {
  const rates: readonly [string, string, object, number][] = [
    ['0', 'flat', { price: 0 }, 0],
    ['12.5', 'flat', { price: 1250 }, 0],
    ['4,95', 'flat', { price: 495 }, 0],
    ['8.325', 'flat', { price: 833 }, 0],
    ['10 + ( 2 * [qty] )', 'by_items', { firstItemPrice: 1200, additionalItemPrice: 200 }, 0],
    ['[qty] * 1.5 + 0.5', 'by_items', { firstItemPrice: 200, additionalItemPrice: 150 }, 0],
    ['[qty]', 'by_items', { firstItemPrice: 100, additionalItemPrice: 100 }, 0],
    ['0.333 * [qty]', 'by_items', { firstItemPrice: 33, additionalItemPrice: 33 }, 0],
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
    ['-5', /no amount/],
    ['10 - 2', /no amount/],
    ['[qty] * [qty]', /no amount/],
    ['10 / [qty]', /"10\/\[qty\]" in it is no amount/],
    ['2 * [fee percent="10"]', /no amount/],
    ['[qty] + [fee percent="10"]', /cannot be joined/],
    ['[fee percent="1"] + [fee percent="2"]', /cannot be joined/],
    ['[fee percent="1001"]', /0 to 1000/],
    ['[fee min_fee="1"]', /needs a percent/],
    ['[fee percent="1" min_fee="5" max_fee="2"]', /above max_fee/],
    ['10 +', /no amount/],
    ['(10', /no amount/],
    ['10 % 3', /no amount/],
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

test('a cost that is rounded is named once with its first example', () => {
  const report = new SourceReport();
  for (const cost of ['8.325', '4.0909', '5.50']) rateOfCost(cost, report);
  const message = '"8.325" is rounded half up to whole cents, and so is 1 more of this column';
  assert.deepEqual(report.finish().remarks, [{ row: 'row', column: 'cost', code: 'rounded', message }]);
});
