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
    '0\t500\t4.95\n500\t2000\t0\n2000\t\t1,234.50\n',
    'From\tTo\tPrice\r\n0 g\t500 g\t$4.95\r\n500 g\t2 kg\t0.00\r\n2 kg\t∞\t$1,234.50',
    'Weight (kg)\tPrice\n0\t4.95\n0.5\t0\n2\t1234.50',
    '0\t500\t4.95\n500\t2,000\t0\n2,000\t\t1,234.50',
    '0; 500; 4,95\n500; 2000; 0\n2000; ; 1234,50',
    '0,500, 4.95\n500, 2000, 0\n2000, , 1234.50'.replace('0,500', '0, 500'),
  ];
  for (const text of texts) assert.deepEqual(parseTiers(text, WEIGHT, 'USD'), tiers, text);
});

test('bounds of quantity tiers are whole numbers', () => {
  assert.deepEqual(parseTiers('1\t3\t5', ITEMS, 'USD'), [{ minItems: 1, maxItems: 3, price: 500 }]);
  assert.match(String(parseTiers('1.5\t3\t5', ITEMS, 'USD')), /^Row 1: “1.5” is not a whole number/);
});

test('a text that is not all tiers gives none, and names the row', () => {
  const refused: readonly (readonly [text: string, reason: RegExp])[] = [
    ['', /no rows/],
    ['From\tTo\tPrice', /below the heading/],
    ['0\t500\t4.95\n500\tmuch\t5', /^Row 2: “much” is not a weight/],
    ['0\t500\t4.95\n500\t900\tfree', /^Row 2: “free” is not a price in USD/],
    ['0\t500\t4.95\textra', /^Row 1 has 4 cells/],
    ['Weight\tPrice\n-1\t5', /^Row 2: “-1”/],
  ];
  for (const [text, reason] of refused) assert.match(String(parseTiers(text, WEIGHT, 'USD')), reason, text);
});
