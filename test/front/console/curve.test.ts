import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cart } from '../../../src/front/console/tester/cart.ts';
import {
  amountIn,
  leastOf,
  linesOf,
  usualReach,
  withValue,
} from '../../../src/front/console/tester/curve.ts';

const CART: Cart = {
  destination: { country: 'US' },
  items: [
    { quantity: 1, grams: 0, price: 1_000, requiresShipping: false },
    { quantity: 3, grams: 100, price: 500 },
    { quantity: 1, grams: 50, price: 200 },
  ],
};

test('the first shipped item gives the cart a value, or the nearest one below that its whole units reach', () => {
  assert.equal(amountIn(CART, 'cart_total'), 2_700);
  assert.equal(amountIn(withValue(CART, 'cart_total', 3_000), 'cart_total'), 3_000);
  assert.equal(amountIn(withValue(CART, 'cart_total', 3_001), 'cart_total'), 3_000);
  assert.deepEqual(withValue(CART, 'cart_weight', 650).items[1], { quantity: 3, grams: 200, price: 500 });
  assert.equal(withValue(CART, 'quantity', 7).items[1]?.quantity, 7);
  // Less than the other items have: the item has nothing of it.
  assert.equal(withValue(CART, 'cart_total', 10).items[1]?.price, 0);
  assert.equal(leastOf(CART, 'cart_total'), 1_200);
  assert.equal(leastOf(CART, 'quantity'), 1);
});

test('a curve goes to twice what the cart has, in round values', () => {
  assert.equal(usualReach(CART, 'cart_total'), 10_000);
  assert.equal(usualReach(withValue(CART, 'cart_total', 12_000), 'cart_total'), 50_000);
  assert.equal(usualReach(CART, 'quantity'), 20);
  assert.equal(usualReach(withValue(CART, 'quantity', 90), 'quantity'), 200);
});

test('a service that is not offered throughout has no price in between', () => {
  const rate = (serviceCode: string, totalPrice: number) => ({
    serviceCode,
    serviceName: serviceCode,
    totalPrice,
  });
  const segments = [
    { from: 0, to: 9, rates: [rate('slow', 5)] },
    { from: 10, to: 19, rates: [rate('fast', 9), rate('slow', 5)] },
    { from: 20, to: 29, rates: [rate('fast', 0)] },
  ];
  assert.deepEqual(
    linesOf(segments).map(({ name, prices }) => [name, prices]),
    [
      ['slow', [5, 5, null]],
      ['fast', [null, 9, 0]],
    ],
  );
});
