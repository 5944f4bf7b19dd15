/** What is kept of a customer: nothing that no rule reads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SimulateRequest } from '../../src/domain/cart.ts';
import { keptRequest } from '../../src/shadow/kept-request.ts';
import { PERSONAL_FIELD } from '../../src/shadow/personal-fields.ts';

const REQUEST: SimulateRequest = {
  destination: { country: 'US' },
  items: [{ quantity: 1, grams: 1, price: 1, length: 5 }],
  customer: { id: 7, tags: ['vip'] },
  orderTotals: { subtotalPrice: 3, totalPrice: 2, discountAmount: 1 },
};

test('a customer is kept without the id, and without the tags, that no rule reads', () => {
  const kept = (fields: number) => keptRequest(REQUEST, fields).customer;
  assert.equal(kept(0), undefined);
  assert.equal(kept(PERSONAL_FIELD.name), undefined);
  assert.deepEqual(kept(PERSONAL_FIELD.customerTags), { tags: ['vip'] });
  assert.deepEqual(kept(PERSONAL_FIELD.customerId), { id: 7 });
});

test('the sides of items and the total of the order are kept; what no condition reads is not', () => {
  const kept = keptRequest(REQUEST, 0);
  assert.deepEqual(kept.orderTotals, { totalPrice: 2 });
  assert.deepEqual(kept.items[0]?.length, 5);
  const plain = keptRequest(
    { destination: REQUEST.destination, items: [{ quantity: 1, grams: 1, price: 1 }] },
    0,
  );
  assert.ok(!('orderTotals' in plain) && !('customer' in plain) && !('length' in (plain.items[0] ?? {})));
});
