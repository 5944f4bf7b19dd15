import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { cartFor } from '../../../src/front/console/methods/trial-cart.ts';
import { homeOf } from '../../../src/front/console/shops/sample.ts';
import {
  applyChange,
  type Cart,
  changeText,
  type ProposedChange,
  readCart,
  starterCart,
} from '../../../src/front/console/tester/cart.ts';

const DEMO_SHOP = new URL('../../../../data/demo-shop.json', import.meta.url);

type WithoutText<C> = C extends unknown ? Omit<C, 'text'> : never;

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

test('a proposed change is described with its item and the value that the cart has now', () => {
  const text = (change: WithoutText<ProposedChange>, cart = CART) =>
    changeText(cart, { text: '', ...change } as ProposedChange, 'USD');
  const itemIndex = 1;
  assert.equal(
    text({ kind: 'cart_total', by: 100, itemIndex, to: 950 }),
    'Raise the price of Socks from $9.00 to $9.50',
  );
  assert.equal(
    text({ kind: 'cart_weight', by: -10, itemIndex, to: 45 }),
    'Lower the weight of Socks from 50 g to 45 g',
  );
  // A bound is named as a person would.
  assert.equal(
    text({ kind: 'cart_weight', by: -10, itemIndex, to: 39 }),
    'Lower the weight of Socks from 50 g to below 40 g',
  );
  assert.equal(
    text({ kind: 'cart_total', by: 100, itemIndex, to: 1_001 }),
    'Raise the price of Socks from $9.00 to more than $10.00',
  );
  assert.equal(
    text({ kind: 'quantity', by: 1, itemIndex, to: 3 }),
    'Raise the quantity of Socks from 2 to 3',
  );
  assert.equal(text({ kind: 'order_total', by: 1, to: 901 }), 'Set the order total to $9.01');
  assert.equal(text({ kind: 'tag_added', itemIndex, tag: 'club' }), 'Give Socks the tag “club”');
  assert.equal(text({ kind: 'tag_removed', itemIndex: 0, tag: 'sale' }), 'Take the tag “sale” from Lamp');
  const unnamed = { ...CART, items: [{ quantity: 1, grams: 1, price: 1 }] };
  assert.equal(text({ kind: 'item_dropped', itemIndex: 0 }, unnamed), 'Leave item 1 out');
  assert.equal(text({ kind: 'state', to: 'OR' }), 'Change the state to Oregon (OR)');
  assert.equal(text({ kind: 'state', to: '' }), 'Take the state away');
  assert.equal(text({ kind: 'postal_code', to: '97201' }), 'Change the postal code to 97201');
});

test('a method is tried with a known cart of its zone, or with one that reaches its subzone and group', () => {
  const { config } = JSON.parse(readFileSync(DEMO_SHOP, 'utf8'));
  const method = (zoneId: string, productGroupId = 'group_standard') => ({ zoneId, productGroupId });
  assert.deepEqual(cartFor(config, method('zone_us'), [CART]), CART);
  assert.equal(cartFor(config, method('zone_ca'), [CART]).destination.country, 'CA');
  const remote = cartFor(config, method('sub_us_alaska_hawaii'), [CART]).destination;
  assert.deepEqual(remote, { country: 'US', postalCode: '995' });
  const chilled = cartFor(config, method('zone_us', 'group_chilled'), [CART]);
  assert.deepEqual(
    chilled.items.map(({ sku }) => sku),
    ['SMOKE-1'],
  );
});

test('a text that holds no cart is refused with a sentence', () => {
  const texts = ['', '{', 'null', '[]', '{"items": []}', '{"destination": {}, "items": []}'];
  for (const text of texts) assert.equal(typeof readCart(text), 'string', text);
  const { destination, items } = CART;
  const faulty: readonly (readonly [fields: object, reason: RegExp])[] = [
    [{ destination: { country: 1 } }, /^The country/],
    [{ destination: { ...destination, province: 5 } }, /^The country or the state/],
    [{ items: [null] }, /^Item 1 lacks/],
    [{ items: [...items, { quantity: 1, grams: '100', price: 1 }] }, /^Item 3 lacks/],
    [{ currency: 'EURO' }, /^The currency/],
    [{ currency: 978 }, /^The currency/],
  ];
  for (const [fields, reason] of faulty)
    assert.match(String(readCart(JSON.stringify({ ...CART, ...fields }))), reason);
  for (const cart of [CART, { ...CART, currency: 'eur' }, { ...CART, currency: null }])
    assert.deepEqual(readCart(JSON.stringify(cart)), cart);
});

test('the first cart of a shop goes to a country that a zone lists', () => {
  const zones = [{ countries: ['*'] }, { countries: ['DE', 'AT'] }];
  assert.equal(starterCart(zones).destination.country, 'DE');
});

test('the first cart of an empty shop goes to its home: by time zone and currency', () => {
  const home = (currency: string, timezone: string): string => homeOf({ currency, timezone });
  assert.equal(starterCart([], home('EUR', 'Europe/Vienna')).destination.country, 'AT');
  assert.equal(home('EUR', 'Europe/Berlin'), 'DE');
  assert.equal(home('EUR', 'America/New_York'), 'DE');
  assert.equal(home('CHF', 'Europe/Zurich'), 'CH');
  // The currency of a country that is not known here says nothing.
  assert.equal(home('ISK', 'Atlantic/Reykjavik'), 'IS');
  assert.equal(home('XAF', 'Etc/UTC'), 'US');
});
