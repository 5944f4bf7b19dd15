import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimalText, readConditions } from '../../src/change/condition-input.ts';
import { Defects } from '../../src/change/defects.ts';

test('a number is written in decimal digits, however large or small', () => {
  const texts = [
    [0, '0'],
    [-0, '0'],
    [1500, '1500'],
    [-2.5, '-2.5'],
    [1e21, '1000000000000000000000'],
    [1.5e22, '15000000000000000000000'],
    [1e-7, '0.0000001'],
    [-1.25e-9, '-0.00000000125'],
  ] as const;
  for (const [value, text] of texts) assert.equal(decimalText(value), text);
});

test('the decimal text of a number is digits and reads back as the number', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = decimalText(value);
      assert.match(text, /^-?\d+(\.\d+)?$/);
      assert.equal(Number(text), value + 0);
    }),
  );
});

test('a number beyond all bounds, which JSON can spell, is refused', () => {
  const defects = new Defects(5);
  const condition = { conditionType: 'destination_city' as const, operator: 'equals' as const };
  readConditions([{ ...condition, value: JSON.parse('1e999') }], '/conditions', defects);
  assert.match(defects.failure().message, /^\/conditions\/0\/value must be text or a finite number/);
});
