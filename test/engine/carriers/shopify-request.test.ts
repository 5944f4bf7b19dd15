import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ShopifyRequest,
  shopifyRequestSchema,
  simulateRequestOf,
} from '../../../src/engine/carriers/shopify-request.ts';
import { ORDER_TOTAL_MAX, PRICE_MAX, SimulateRequest } from '../../../src/engine/domain/cart.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';
import { readCallbacks } from '../../data/demo-files.ts';

const callbacks = readCallbacks();
const check = compileSchema(shopifyRequestSchema(1_000));
const simulateCheck = compileSchema(SimulateRequest);

const mapped = (callback: unknown): SimulateRequest => {
  assert.deepEqual(check.defects(callback, 5), []);
  const outcome = simulateRequestOf(callback as ShopifyRequest, 'USD');
  assert.ok(outcome.ok && outcome.value !== null);
  return outcome.value;
};

const callback = (item: object, rate: object = {}) => ({
  rate: { destination: { country: 'US' }, items: [{ quantity: 1, grams: 5, price: 100, ...item }], ...rate },
});

test('every recorded callback is read, and simulate accepts its cart', () => {
  assert.ok(callbacks.size >= 5);
  for (const [name, recorded] of callbacks) {
    assert.deepEqual(simulateCheck.defects(mapped(recorded), 5), [], name);
  }
});

test('each field of a callback has its field in the cart; ids become texts', () => {
  const cart = mapped(callbacks.get('gb-line-properties'));
  assert.deepEqual(cart.destination, {
    country: 'GB',
    province: 'SCT',
    city: 'Isle of Mull',
    postalCode: 'PA67 6AB',
    name: "Fiona O'Neil",
    address1: '3 Harbour Row',
    address2: 'Tobermory',
    address3: null,
    phone: null,
    company: 'Mull Paddlers',
  });
  assert.deepEqual(cart.items[0], {
    name: 'Stoneware jug',
    sku: 'JUG-STONE',
    quantity: 1,
    grams: 900,
    price: 12900,
    vendor: 'Larkspur & Pine',
    requiresShipping: true,
    productId: '8047225881222',
    variantId: '44704644704005',
    properties: { tag: 'fragile, ceramic' },
  });
  assert.equal(cart.items[1]?.sku, null);
  assert.equal(cart.currency, 'GBP');
  assert.equal(cart.locale, 'en-GB');
});

test('of the properties of a line item only a text tag is used', () => {
  for (const properties of [
    null,
    [],
    'tag',
    7,
    {},
    { tag: 7 },
    { tag: null },
    { Tag: 'x' },
    [{ tag: 'x' }],
  ]) {
    assert.equal(mapped(callback({ properties })).items[0]?.properties, undefined);
  }
});

test('in a currency without a subunit amounts of Shopify are divided by 100, and answers multiplied', () => {
  const cart = mapped(callbacks.get('jp-yen'));
  assert.deepEqual(
    cart.items.map(({ price }) => price),
    [4_200, 3_100],
  );
  const priceOf = (price: number, currency: string | null) =>
    mapped(callback({ price }, { currency })).items[0]?.price;
  assert.equal(priceOf(149, 'JPY'), 1);
  assert.equal(priceOf(150, 'jpy'), 2);
  assert.equal(priceOf(150, 'USD'), 150);
  assert.equal(priceOf(150, null), 150);
});

test('a price is bounded in units, not in hundredths', () => {
  const outcomeOf = (price: number, currency: string) =>
    simulateRequestOf(callback({ price }, { currency }) as ShopifyRequest, 'USD');
  assert.ok(outcomeOf(100 * PRICE_MAX, 'VND').ok);
  const refused = outcomeOf(PRICE_MAX + 1, 'USD');
  assert.ok(!refused.ok && refused.message.startsWith('/rate/items/0/price '));
});

test('optional fields may be absent or null; required fields must be present', () => {
  assert.deepEqual(mapped(callback({})).locale, null);
  for (const [path, bad] of [
    ['/rate', {}],
    ['/rate/destination', { rate: { items: [] } }],
    ['/rate/destination/country', callback({}, { destination: { country: null } })],
    ['/rate/items/0/price', callback({ price: '100' })],
    ['/rate/items/0/quantity', callback({ quantity: 0 })],
    ['/rate/items/0/grams', callback({ grams: null })],
  ] as const) {
    assert.match(check.failure(bad).message, new RegExp(`^${path} `));
  }
});

test('a callback without items has nothing to ship', () => {
  const outcome = simulateRequestOf({ rate: { destination: { country: 'US' }, items: [] } }, 'USD');
  assert.ok(outcome.ok && outcome.value === null);
});

test('the customer and the totals of the order arrive, in units of a currency without subunit', () => {
  const customer = { id: 7_046_122_012_870, tags: ['VIP', 'wholesale, trade'] };
  const order_totals = { subtotal_price: 12_000, total_price: 9_600, discount_amount: 2_400 };
  const cart = mapped(callback({}, { customer, order_totals, currency: 'JPY' }));
  assert.deepEqual(cart.customer, { id: '7046122012870', tags: customer.tags });
  assert.deepEqual(cart.orderTotals, { subtotalPrice: 120, totalPrice: 96, discountAmount: 24 });
  const none = mapped(callback({}, { customer: null, order_totals: null }));
  assert.ok(!('customer' in none) && !('orderTotals' in none));
  const beyond = callback({}, { order_totals: { total_price: ORDER_TOTAL_MAX + 1 }, currency: 'USD' });
  const refused = simulateRequestOf(beyond as ShopifyRequest, 'USD');
  assert.ok(!refused.ok && refused.message.startsWith('/rate/order_totals '));
});
