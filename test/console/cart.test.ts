import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyChange, type Cart, readCart, starterCart } from '../../src/console/tester/cart.ts';

const CART: Cart = {
  destination: { country: 'US', province: 'MT' },
  items: [
    { name: 'Lamp', quantity: 1, grams: 100, price: 500, properties: { tag: 'fragile, Sale' } },
    { name: 'Socks', quantity: 2, grams: 50, price: 900 },
  ],
};

test('each change that an explanation proposes is made in the cart', () => {
  const change = { text: '', itemIndex: 1 };
  assert.equal(applyChange(CART, { ...change, kind: 'cart_total', by: 100, to: 950 }).items[1]?.price, 950);
  assert.equal(applyChange(CART, { ...change, kind: 'cart_weight', by: 9, to: 59 }).items[1]?.grams, 59);
  assert.equal(applyChange(CART, { ...change, kind: 'quantity', by: 1, to: 3 }).items[1]?.quantity, 3);
  const tagged = applyChange(CART, { ...change, kind: 'tag_added', tag: 'club' });
  assert.equal(tagged.items[1]?.properties?.tag, 'club');
  const untagged = applyChange(CART, { text: '', itemIndex: 0, kind: 'tag_removed', tag: 'sale' });
  assert.equal(untagged.items[0]?.properties?.tag, 'fragile');
  assert.deepEqual(
    applyChange(CART, { ...change, kind: 'item_dropped' }).items.map(({ name }) => name),
    ['Lamp'],
  );
  const total = applyChange(CART, { text: '', kind: 'order_total', by: 1, to: 901 });
  assert.equal(total.orderTotals?.totalPrice, 901);
  assert.equal(applyChange(CART, { text: '', kind: 'state', to: 'OR' }).destination.province, 'OR');
  assert.equal(applyChange(CART, { text: '', kind: 'postal_code', to: '1' }).destination.postalCode, '1');
  assert.equal(CART.items.length, 2);
});

test('a text that holds no cart is refused with a sentence', () => {
  const texts = ['', '{', 'null', '[]', '{"items": []}', '{"destination": {}, "items": [null]}'];
  for (const text of texts) assert.equal(typeof readCart(text), 'string', text);
  assert.deepEqual(readCart(JSON.stringify(CART)), CART);
});

test('the first cart of a shop goes to a country that a zone lists', () => {
  const zones = [{ countries: ['*'] }, { countries: ['DE', 'AT'] }];
  assert.equal(starterCart(zones).destination.country, 'DE');
});
