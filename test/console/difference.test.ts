import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differentValues } from '../../src/console/parts/different-values.ts';

test('of a changed record only the values that differ are shown, each with its path', () => {
  const before = { tiers: [{ from: 0, price: 495 }], unit: 'g' };
  const after = {
    tiers: [
      { from: 0, price: 595 },
      { from: 500, price: 900 },
    ],
    unit: 'g',
  };
  assert.deepEqual(differentValues('config', before, after), [
    ['config tiers 1 price', 495, 595],
    ['config tiers 2 from', undefined, 500],
    ['config tiers 2 price', undefined, 900],
  ]);
  assert.deepEqual(differentValues('name', 'Economy', 'Economy'), []);
  assert.deepEqual(differentValues('subtitle', null, 'Slow'), [['subtitle', null, 'Slow']]);
});
