import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Defects, decimalText, readConditions } from '../../../src/engine/change/record-input.ts';

test('a number is written in decimal digits, however large or small', () => {
  const texts = [
    [0, '0'],
    [-0, '0'],
    [1500, '1500'],
    [-2.5, '-2.5'],
    [9007199254740991, '9007199254740991'],
    [1e-7, '0.0000001'],
    [-1.25e-9, '-0.00000000125'],
  ] as const;
  for (const [value, text] of texts) assert.equal(decimalText(value), text);
});

test('the decimal text of a number is digits and reads back as the number', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
      (value) => {
        const text = decimalText(value);
        assert.match(text, /^-?\d+(\.\d+)?$/);
        assert.equal(Number(text), value + 0);
      },
    ),
  );
});

test('a number that loses digits in JSON is refused', () => {
  const condition = { conditionType: 'cart_total' as const, operator: 'equals' as const };
  for (const literal of ['9007199254740993', '10000000000000000001', '-9007199254740992', '1e21', '1e999']) {
    const defects = new Defects(5);
    readConditions([{ ...condition, value: JSON.parse(literal) }], defects.add);
    assert.equal(
      defects.failure().message,
      '/conditions/0/value must be text, or a number of at most 9007199254740991',
    );
  }
});
