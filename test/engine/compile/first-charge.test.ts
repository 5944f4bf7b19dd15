/** What is known of a rate without a cart: from which totals on it charges, and whether a cart can get a price at all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstCharge, neverHasRate } from '../../../src/engine/compile/rate-function.ts';
import type { CartItem } from '../../../src/engine/domain/cart.ts';
import { FIELD } from '../../../src/engine/domain/condition.ts';
import type { RateConfig } from '../../../src/engine/domain/rate-type.ts';
import { rateConfig } from '../../support/arbitrary/rates.ts';
import { AmountBeyondLimit } from '../../support/reference/amount.ts';
import { readOrder } from '../../support/reference/order.ts';
import { basePrice } from '../../support/reference/price.ts';
import { cart, group, method } from '../../support/small-shop.ts';

const DEFAULT_GROUP = group('default', { isDefault: true });

/** The price by the reference; null outside every tier, the largest number for a price that is too large. */
function priceOf(rate: RateConfig, item: CartItem): bigint | null {
  try {
    return basePrice(method('m', rate), readOrder(cart(item), [DEFAULT_GROUP]).items);
  } catch (error) {
    if (error instanceof AmountBeyondLimit) return BigInt(Number.MAX_SAFE_INTEGER);
    throw error;
  }
}

const NOTHING: CartItem = { quantity: 1, grams: 0, price: 0 };

/** One item, so that its group has this total. */
const itemWith = (field: number, sum: number): CartItem => {
  if (field === FIELD.product_weight) return { ...NOTHING, grams: sum };
  return field === FIELD.product_price ? { ...NOTHING, price: sum } : { ...NOTHING, quantity: sum };
};

const anyItem = fc.record<CartItem>({
  quantity: fc.integer({ min: 1, max: 60 }),
  grams: fc.nat(12_000),
  price: fc.nat(30_000),
});

test('a rate charges at its example, and nothing below the total from which on it charges', () => {
  fc.assert(
    fc.property(rateConfig, anyItem, (rate, item) => {
      const charge = firstCharge(rate);
      const price = priceOf(rate, item) ?? 0n;
      if (charge === null) {
        assert.equal(price, 0n);
        return;
      }
      const { example, fromTotal } = charge;
      assert.ok((priceOf(rate, itemWith(example.field, example.sum)) ?? 0n) > 0n);
      if (item.price * item.quantity < fromTotal) assert.equal(price, 0n);
    }),
    { numRuns: 2_000 },
  );
});

test('a rate that no cart can get gives no cart a price', () => {
  const unreachable: RateConfig = {
    rateType: 'by_items_table',
    config: { tiers: [{ minItems: 0, maxItems: 1, price: 5 }] },
  };
  assert.ok(neverHasRate(unreachable));
  fc.assert(
    fc.property(fc.oneof(rateConfig, fc.constant(unreachable)), anyItem, (rate, item) => {
      if (neverHasRate(rate)) assert.equal(priceOf(rate, item), null);
    }),
    { numRuns: 1_000 },
  );
});
