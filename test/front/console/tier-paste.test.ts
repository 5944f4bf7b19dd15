import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTiers } from '../../../src/front/console/methods/tier-paste.ts';

const WEIGHT = ['minWeight', 'maxWeight', 'price'] as const;
const ITEMS = ['minItems', 'maxItems', 'price'] as const;
const tier = (minWeight: number, maxWeight: number | null, price: number) => ({
  minWeight,
  maxWeight,
  price,
});

test('rows of a spreadsheet become tiers, with or without a heading and an end', () => {
  const tiers = [tier(0, 500, 495), tier(500, 2_000, 0), tier(2_000, null, 123_450)];
  const texts = [
    '0\t0.5\t4.95\n0.5\t2\t0\n2\t\t1,234.50\n',
    'From\tTo\tPrice\r\n0 g\t500 g\t$4.95\r\n500 g\t2 kg\t0.00\r\n2 kg\t∞\t$1,234.50',
    'Weight (kg)\tPrice\n0\t4.95\n0.5\t0\n2\t1234.50',
    'Grams\t\tPrice\n0\t500\t4.95\n500\t2,000\t0\n2,000\t\t1,234.50',
    '0; 0,5; 4,95\n0,5; 2; 0\n2; ; 1234,50',
    '0, 0.5, 4.95\n0.5, 2, 0\n2, , 1234.50',
  ];
  for (const text of texts) assert.deepEqual(parseTiers(text, WEIGHT, 'USD', 'kg'), tiers, text);
});

test('bounds of quantity tiers are whole numbers', () => {
  assert.deepEqual(parseTiers('1\t3\t5', ITEMS, 'USD', 'kg'), [{ minItems: 1, maxItems: 3, price: 500 }]);
  assert.match(String(parseTiers('1.5\t3\t5', ITEMS, 'USD', 'kg')), /^Row 1: “1.5” is not a whole number/);
});

test('a text that is not all tiers gives none, and names the row', () => {
  const refused: readonly (readonly [text: string, reason: RegExp])[] = [
    ['', /no rows/],
    ['From\tTo\tPrice', /below the heading/],
    ['0\t500\t4.95\n500\tmuch\t5', /^Row 2: “much” is not a weight/],
    ['0\t500\t4.95\n500\t900\tfree', /^Row 2: “free” is not a price in USD/],
    [
      '0\t500\t4,999',
      /^Row 1: “4,999” can be read in two ways: \$4,999\.00 or 4\.999, with too many decimals\./,
    ],
    ['0\t500\t4.9555', /^Row 1: 4\.9555 has four decimals\./],
    ['0\t500\t5 €', /^Row 1: “5 €” is not a price in USD/],
    ['0\t2,000\t5', /^Row 1: “2,000” can be read in two ways: 2000000 g or 2000 g/],
    ['0\t500\t4.95\textra', /^Row 1 has 4 cells/],
    ['Weight\tPrice\n-1\t5', /^Row 2: “-1”/],
  ];
  for (const [text, reason] of refused)
    assert.match(String(parseTiers(text, WEIGHT, 'USD', 'kg')), reason, text);
});
