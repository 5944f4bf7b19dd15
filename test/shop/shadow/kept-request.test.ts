/** The fields of a request that are kept: only those that a rule reads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import { CONDITION_TYPE_NAMES, CONDITION_TYPES } from '../../../src/engine/domain/condition.ts';
import { bitsOf, keptRequest } from '../../../src/shop/shadow/kept-request.ts';

const REQUEST: SimulateRequest = {
  destination: { country: 'US' },
  items: [{ quantity: 1, grams: 1, price: 1, length: 5 }],
  customer: { id: 7, tags: ['vip'] },
  orderTotals: { subtotalPrice: 3, totalPrice: 2, discountAmount: 1 },
};

test('of a customer the id and the tags are kept only if a rule reads them', () => {
  const kept = (fields: number) => keptRequest(REQUEST, fields).customer;
  assert.equal(kept(0), undefined);
  assert.equal(kept(bitsOf(['destination_name'])), undefined);
  assert.deepEqual(kept(bitsOf(['customer_tag'])), { tags: ['vip'] });
  assert.deepEqual(kept(bitsOf(['customer_id'])), { id: 7 });
});

test('the sides of items and the total of the order are kept; fields that no condition reads are not', () => {
  const kept = keptRequest(REQUEST, 0);
  const reads = CONDITION_TYPE_NAMES.flatMap((type) => CONDITION_TYPES[type].reads);
  assert.equal(kept.orderTotals?.totalPrice, 2);
  for (const field of Object.keys(REQUEST.orderTotals ?? {})) {
    assert.equal(field in (kept.orderTotals ?? {}), reads.includes(field), field);
  }
  assert.deepEqual(kept.items[0]?.length, 5);
  const plain = keptRequest(
    { destination: REQUEST.destination, items: [{ quantity: 1, grams: 1, price: 1 }] },
    0,
  );
  assert.ok(!('orderTotals' in plain) && !('customer' in plain) && !('length' in (plain.items[0] ?? {})));
});
