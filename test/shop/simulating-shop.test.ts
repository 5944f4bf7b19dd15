/** What is compiled of a large shop in steps, while it changes, is what would be compiled of it at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulationMicroseconds } from '../../src/shop/simulating-shop.ts';
import { accepted, openShop, request } from '../actor/shop-stage.ts';
import { cart, item } from '../support/small-shop.ts';

const CART = cart(item());

test('the estimate of a cart is that of its place and groups, and explained it is many times as much', async () => {
  const { shop } = await openShop();
  const placed = shop.prepare('live', CART);
  assert.ok(!(placed instanceof Promise) && placed.ok);
  const plain = shop.simulationCost(placed.value, CART, 'all');
  assert.equal(plain, simulationMicroseconds(placed.value.shop, CART));
  assert.ok(shop.simulationCost(placed.value, CART, 'explained') > 10 * plain);
});

test('the compiled form of a changeset is dropped with it', async () => {
  const { shop } = await openShop();
  accepted(await shop.write(request({ kind: 'enterStaging' })));
  const { state } = shop;
  const compiled = () => {
    const made = shop.compiled('staged');
    assert.ok(made.ok);
    return made.value;
  };
  const before = compiled();
  shop.publish(state, shop.sequenceNumber);
  assert.equal(compiled(), before);
  accepted(await shop.write(request({ kind: 'discardStaging' })));
  const refused = shop.compiled('staged');
  assert.ok(!refused.ok && refused.code === 'CONFLICT');
  shop.publish(state, shop.sequenceNumber);
  assert.notEqual(compiled(), before);
});
