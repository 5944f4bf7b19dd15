import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decimalsText,
  moneyText,
  numberIn,
  parseCount,
  parseMoney,
  parseWeight,
  readInUnit,
  readMoney,
  readPercent,
  SIZE_UNITS,
  unitFor,
  WEIGHT_UNITS,
} from '../../../src/front/console/amounts.ts';

test('a typed amount is read in whole cents, whatever separators it has, and nothing is rounded', () => {
  const amounts: readonly (readonly [text: string, cents: number | null])[] = [
    ['4.95', 495],
    ['4,95', 495],
    ['0', 0],
    ['0.00', 0],
    ['4.9', 490],
    ['4,95 EUR', 495],
    ['€4.95', 495],
    ['eur 5', 500],
    ['1.234,50', 123_450],
    ['1 234,50 €', 123_450],
    ['12 345', 1_234_500],
    ['4.9555', null],
    ['0.495', null],
    ["1'234.50", 123_450],
    // Another currency, or what is no currency.
    ['$4.95', null],
    ['1,234.50 USD', null],
    ['CHF 5', null],
    ['5 kg', null],
    ['ab 5', null],
    ['5 Prozent', null],
    ['5 %', null],
    ['€ 5 €', null],
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

test('a price without cents, as price tags have it, is a whole amount', () => {
  for (const text of ['99,-', '99,– €', '€ 99.-', '99,--'])
    assert.equal(parseMoney(text, 'EUR'), 9_900, text);
  for (const text of ['99-', '9-9', ',-']) assert.equal(parseMoney(text, 'EUR'), null, text);
});

test('a text that two readers could read in two ways has both readings', () => {
  assert.deepEqual(readMoney('4,990', 'EUR').numbers, [499_000, 499]);
  assert.deepEqual(readMoney('1.500', 'EUR').numbers, [150_000, 150]);
  assert.deepEqual(readInUnit('1,250', WEIGHT_UNITS, 'kg').numbers, [1_250_000, 1_250]);
  assert.equal(parseMoney('4,990', 'EUR'), null);
  for (const text of ['1,234,567', '1.234.567', '1 234 567'])
    assert.deepEqual(readMoney(text, 'EUR').numbers, [123_456_700]);
  // Nobody groups so, or nothing of it is smaller than a whole.
  assert.deepEqual(readInUnit('0.500', WEIGHT_UNITS, 'kg').numbers, [500]);
  assert.deepEqual(readInUnit('1,250', WEIGHT_UNITS, 'g').numbers, [1_250]);
});

test('a reading with more decimals than the currency has is none, and is not dropped without a word', () => {
  assert.deepEqual(readMoney('4,999', 'EUR'), { numbers: [499_900], fine: '4.999' });
  assert.equal(parseMoney('4,999', 'EUR'), null);
  assert.deepEqual(readMoney('0.4955', 'EUR'), { numbers: [], fine: '0.4955' });
  assert.deepEqual(readMoney('1234567.899', 'EUR'), { numbers: [], fine: '1234567.899' });
  assert.equal(parseMoney('4.9000', 'EUR'), 490);
  assert.equal(decimalsText('4.999'), '4.999 has three decimals');
  assert.equal(decimalsText('1.5'), '1.5 has one decimal');
});

test('a currency without a subunit takes whole units', () => {
  assert.equal(parseMoney('1,500', 'JPY'), 1_500);
  assert.equal(parseMoney('¥1,500', 'JPY'), 1_500);
  assert.equal(parseMoney('$4.95', 'USD'), 495);
  assert.equal(parseMoney("CHF 1'234.50", 'CHF'), 123_450);
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
    ['1.250 kg', null],
    ['2 lb', 907],
    ['1 oz', 28],
    ['2 stone', null],
    ['0.500', null],
    ['1234,567', null],
    ['heavy', null],
    ['', null],
  ];
  for (const [text, grams] of weights) assert.equal(parseWeight(text), grams, text);
});

test('a measure is shown in a unit without a loss, and in the other one where it would have a long fraction', () => {
  assert.deepEqual(
    [numberIn(750, 1_000), numberIn(1_996, WEIGHT_UNITS.lb), numberIn(300, 10)],
    ['0.75', '4.4', '30'],
  );
  assert.equal(unitFor(1_996, WEIGHT_UNITS, 'lb', 'kg'), 'lb');
  assert.equal(unitFor(500, WEIGHT_UNITS, 'lb', 'kg'), 'kg');
  const amount = fc.integer({ min: 0, max: 10 ** 7 });
  for (const units of [WEIGHT_UNITS, SIZE_UNITS]) {
    fc.assert(
      fc.property(amount, fc.constantFrom(...Object.entries(units)), (smallest, [unit, factor]) => {
        assert.ok(
          readInUnit(`${numberIn(smallest, factor)} ${unit}`, units, unit).numbers.includes(smallest),
        );
      }),
      { numRuns: 200 },
    );
  }
});

test('a typed percentage has a point or a comma', () => {
  const texts = ['12.5', '12,25 %', '100%', '12.5.1', '-1', 'half', '', '1.000'];
  assert.deepEqual(
    texts.map((text) => readPercent(text).numbers),
    [[12.5], [12.25], [100], [], [], [], [], [1_000, 1]],
  );
});

test('a typed count is a whole number', () => {
  const texts = ['3', ' 3 ', '0', '1,000', '1.5', '-1', ''];
  assert.deepEqual(texts.map(parseCount), [3, 3, 0, 1_000, null, null, null]);
});
