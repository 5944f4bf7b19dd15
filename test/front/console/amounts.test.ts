import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  moneyText,
  parseCount,
  parseMoney,
  parsePercent,
  parseWeight,
} from '../../../src/front/console/amounts.ts';

test('a typed amount is read in whole cents, whatever separators it has, and nothing is rounded', () => {
  const amounts: readonly (readonly [text: string, cents: number | null])[] = [
    ['4.95', 495],
    ['4,95', 495],
    ['0', 0],
    ['0.00', 0],
    ['4.9', 490],
    ['$4.95', 495],
    ['1,234.50 USD', 123_450],
    ['1.234,50', 123_450],
    ['1 234,50 €', 123_450],
    ['12,345', 1_234_500],
    ['4.955', 495_500],
    ['4.9555', null],
    ['0.495', null],
    ["CHF 1'234.50", 123_450],
    ['1e5', null],
    ['1.5k2', null],
    ['1 2', null],
    ['', null],
    ['-1', null],
    ['free', null],
    ['1.2.3', null],
    ['99999999999999999', null],
  ];
  for (const [text, cents] of amounts) assert.equal(parseMoney(text, 'EUR'), cents, text);
});

test('a currency without a subunit takes whole units', () => {
  assert.equal(parseMoney('1,500', 'JPY'), 1_500);
  assert.equal(parseMoney('1500', 'JPY'), 1_500);
  assert.equal(parseMoney('15.5', 'JPY'), null);
  assert.equal(moneyText(1_500, 'JPY'), '1500');
});

test('the text of an amount is read as the same amount', () => {
  const amount = fc.integer({ min: 0, max: 10 ** 12 });
  fc.assert(
    fc.property(amount, fc.constantFrom('USD', 'EUR', 'JPY', 'KRW'), (cents, currency) => {
      assert.equal(parseMoney(moneyText(cents, currency), currency), cents);
    }),
    { numRuns: 200 },
  );
});

test('a typed weight is read in whole grams, in grams or kilograms', () => {
  const weights: readonly (readonly [text: string, grams: number | null])[] = [
    ['750', 750],
    ['750 g', 750],
    ['1.25 kg', 1_250],
    ['1,25kg', 1_250],
    ['2 kg', 2_000],
    ['0.0005 kg', null],
    ['1.5', null],
    ['1.0 g', 1],
    ['1,000', 1_000],
    ['12.500 g', 12_500],
    ['1,234,500 g', 1_234_500],
    ['1.250 kg', 1_250],
    ['0.500', null],
    ['1234,567', null],
    ['heavy', null],
    ['', null],
  ];
  for (const [text, grams] of weights) assert.equal(parseWeight(text), grams, text);
});

test('a typed percentage has a point or a comma', () => {
  const texts = ['12.5', '12,25 %', '100%', '12.5.1', '-1', 'half', ''];
  assert.deepEqual(texts.map(parsePercent), [12.5, 12.25, 100, null, null, null, null]);
});

test('a typed count is a whole number', () => {
  assert.deepEqual(['3', ' 3 ', '0', '1.5', '-1', ''].map(parseCount), [3, 3, 0, null, null, null]);
});
