/** Fields of a simulate request that are not known: named by their path, with the field that is meant. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SimulateRequest } from '../../src/domain/cart.ts';
import { findUnknownField, UNREAD_MAX, unreadPaths } from '../../src/wire/unknown-field.ts';

const item = { quantity: 1, grams: 1, price: 1 };
const requestWith = (parts: { body?: object; destination?: object; item?: object }): SimulateRequest => ({
  destination: { country: 'US', ...parts.destination },
  items: [item, { ...item, ...parts.item }],
  ...parts.body,
});

const messageOf = (request: SimulateRequest): string | undefined => findUnknownField(request)?.message;

test('every field of the contract is known, whatever its value', () => {
  const text = { name: null, sku: 7, vendor: '', productId: 1, variantId: null, requiresShipping: null };
  const destination = { province: '', city: null, postalCode: '1', name: '', phone: '', company: '' };
  const address = { address1: '', address2: '', address3: '' };
  const full = requestWith({
    body: { currency: 'USD', locale: null },
    destination: { ...destination, ...address },
    item: { ...text, properties: { tag: 'a', gift: 'what a shop puts here' } },
  });
  assert.equal(findUnknownField(full), null);
  assert.deepEqual(unreadPaths(full), []);
});

const MEANT: readonly (readonly [
  where: 'body' | 'destination' | 'item',
  name: string,
  meant: string | null,
])[] = [
  ['destination', 'zip', 'postalCode'],
  ['destination', 'ZIP', 'postalCode'],
  ['destination', 'zip_code', 'postalCode'],
  ['destination', 'postal_code', 'postalCode'],
  ['destination', 'postalCod', 'postalCode'],
  ['destination', 'postcode', 'postalCode'],
  ['destination', 'state', 'province'],
  ['destination', 'country_code', 'country'],
  ['destination', 'adress1', 'address1'],
  ['destination', 'address_2', 'address2'],
  ['destination', 'colour', null],
  ['item', 'qty', 'quantity'],
  ['item', 'quantitiy', 'quantity'],
  ['item', 'weight', 'grams'],
  ['item', 'requires_shipping', 'requiresShipping'],
  ['item', 'product_id', 'productId'],
  ['item', 'tags', 'properties'],
  ['item', 'x', null],
  ['item', 'q'.repeat(500), null],
  ['body', 'curency', 'currency'],
  ['body', 'line_items', 'items'],
  ['body', 'shippingAddress', 'destination'],
  ['body', 'constructor', null],
];

for (const [where, name, meant] of MEANT) {
  test(`${name.slice(0, 20)} of the ${where} ${meant === null ? 'is near to no field' : `means ${meant}`}`, () => {
    const path = { body: '', destination: '/destination', item: '/items/1' }[where];
    const question = meant === null ? '' : `: did you mean ${meant}?`;
    const request = requestWith({ [where]: { [name]: 'x' } });
    assert.equal(messageOf(request), `${path}/${name.slice(0, 64)} is unknown${question}`);
  });
}

test('the first in the order of body, destination, items is named; a path is one of JSON', () => {
  const both = requestWith({ body: { 'a/b~c': 1 }, destination: { zip: 1 } });
  assert.equal(messageOf(both), '/a~1b~0c is unknown');
  assert.deepEqual(unreadPaths(both), ['/a~1b~0c', '/destination/zip']);
});

test(`of many fields the first ${UNREAD_MAX} are listed`, () => {
  const names = Array.from({ length: UNREAD_MAX + 5 }, (_, at) => `field_${at}`);
  const many = requestWith({ item: Object.fromEntries(names.map((name) => [name, 1])) });
  assert.deepEqual(
    unreadPaths(many),
    names.slice(0, UNREAD_MAX).map((name) => `/items/1/${name}`),
  );
});
