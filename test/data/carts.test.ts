/** The example carts: what the README sends, what benches load and what other tests answer must be valid. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimulateRequest } from '../../src/engine/domain/cart.ts';
import { compileSchema } from '../../src/engine/wire/schema-check.ts';
import { readCarts } from './demo-files.ts';

const carts = readCarts() as ReadonlyMap<string, SimulateRequest>;

// Numbers that regulators keep free for fiction: 555-01xx in North America, 01632 960xxx and 020 7946 0xxx
// in the United Kingdom, (0)30 23125xxx in Germany.
const FICTIONAL_PHONE =
  /^(?:\+1 \d{3}-555-01\d\d|\+44 (?:1632 960\d{3}|20 7946 0\d{3})|\+49 30 23125 \d{3})$/;

test('every example cart passes the schema of a simulate request', () => {
  const schema = compileSchema(SimulateRequest);
  assert.ok(carts.size >= 12);
  for (const [name, cart] of carts) assert.deepEqual(schema.defects(cart, 20), [], name);
});

test('every example cart is complete: names, address, tags, and a phone number that is not assigned', () => {
  for (const [name, { destination, items, currency, locale }] of carts) {
    assert.match(name, /^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    for (const field of ['name', 'address1', 'city', 'postalCode'] as const) {
      assert.ok(destination[field], `${name}: ${field}`);
    }
    if (destination.phone !== undefined) assert.match(String(destination.phone), FICTIONAL_PHONE, name);
    assert.ok(currency && locale, name);
    for (const item of items) {
      for (const field of ['name', 'sku', 'vendor', 'productId', 'variantId'] as const) {
        assert.ok(item[field], `${name}: ${field}`);
      }
      assert.ok(item.properties?.tag, `${name}: ${item.sku}`);
    }
  }
});

test('one product has one name, weight, price and vendor in every cart', () => {
  const known = new Map<unknown, unknown>();
  for (const [name, { items }] of carts) {
    for (const { quantity: _quantity, ...product } of items) {
      const { variantId } = product;
      if (known.has(variantId)) assert.deepEqual(product, known.get(variantId), `${name}: ${variantId}`);
      known.set(variantId, product);
    }
  }
});
