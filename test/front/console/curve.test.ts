import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cart } from '../../../src/front/console/tester/cart.ts';
import { amountIn, leastOf, usualReach, withValue } from '../../../src/front/console/tester/curve.ts';
import { linesOf, niceTop, versionSteps } from '../../../src/front/console/tester/steps.ts';

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

test('the price through the versions has a step for each version that changed it', () => {
  const version = (number: number) => ({ number, id: `version_${number}` }) as never;
  const rates = (totalPrice: number) => [{ serviceCode: 'slow', totalPrice }];
  const flip = (number: number, before: number, after: number) => ({
    ...{ version: version(number), before: rates(before), after: rates(after), diff: {} as never },
  });
  const answer = {
    ...{ from: version(2), to: version(20), evaluated: 4, limited: false },
    flips: [flip(5, 400, 500), flip(12, 500, 450)],
  };
  const steps = versionSteps(answer);
  assert.deepEqual(
    steps.map(({ from, to }) => [from, to]),
    [
      [2, 4],
      [5, 11],
      [12, 20],
    ],
  );
  assert.deepEqual(linesOf(steps, new Map([['slow', 'By mail']])), [
    { id: 'slow', name: 'By mail', prices: [400, 500, 450] },
  ]);
  // Nothing is said of versions after the last change of an answer that has not all of them.
  assert.equal(versionSteps({ ...answer, limited: true }).at(-1)?.to, 12);
});

test('the scale of a chart ends at a round price', () => {
  assert.deepEqual([1, 495, 1_250, 1_495, 10_000].map(niceTop), [1, 500, 1_600, 1_600, 10_000]);
});
