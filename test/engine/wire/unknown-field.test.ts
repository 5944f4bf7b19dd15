/** Unknown fields of a simulate request: the path, and the field that was probably meant. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SimulateRequest } from '../../../src/engine/domain/cart.ts';
import {
  findUnknownField,
  TOLD_MAX,
  toldUnknown,
  toldUnknownOfBatch,
  UNREAD_MAX,
  unreadPaths,
} from '../../../src/engine/wire/unknown-field.ts';

const item = { quantity: 1, grams: 1, price: 1 };
interface Parts {
  readonly body?: object;
  readonly destination?: object;
  readonly item?: object;
  readonly customer?: object | null;
  readonly orderTotals?: object | null;
}

const requestWith = ({ body, destination, item: inItem, ...others }: Parts): SimulateRequest => ({
  destination: { country: 'US', ...destination },
  items: [item, { ...item, ...inItem }],
  ...others,
  ...body,
});

const messageOf = (request: SimulateRequest): string | undefined => findUnknownField(request)?.message;

test('every field of the contract is known, whatever its value', () => {
  const text = { name: null, sku: 7, vendor: '', productId: 1, variantId: null, requiresShipping: null };
  const sides = { length: 1, width: null, height: 0 };
  const destination = { province: '', city: null, postalCode: '1', name: '', phone: '', company: '' };
  const address = { address1: '', address2: '', address3: '' };
  const full = requestWith({
    body: { currency: 'USD', locale: null },
    destination: { ...destination, ...address },
    item: { ...text, ...sides, properties: { tag: 'a', gift: 'what a shop puts here' } },
    customer: { id: 1, tags: ['a'] },
    orderTotals: { subtotalPrice: 1, totalPrice: null, discountAmount: 0 },
  });
  for (const request of [full, { ...full, customer: null, orderTotals: null }]) {
    assert.equal(findUnknownField(request), null);
    assert.deepEqual(unreadPaths(request), []);
  }
});

const MEANT: readonly (readonly [where: keyof Parts, name: string, meant: string | null])[] = [
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
  ['body', 'order_totals', 'orderTotals'],
  ['body', 'custommer', 'customer'],
  ['customer', 'tag', 'tags'],
  ['customer', 'customer_id', 'id'],
  ['customer', 'email', null],
  ['orderTotals', 'total', 'totalPrice'],
  ['orderTotals', 'subtotal_price', 'subtotalPrice'],
  ['orderTotals', 'discount', 'discountAmount'],
  ['orderTotals', 'currency', null],
];

for (const [where, name, meant] of MEANT) {
  test(`${name.slice(0, 20)} of the ${where} ${meant === null ? 'is near to no field' : `means ${meant}`}`, () => {
    const path = { body: '', item: '/items/1' }[where as string] ?? `/${where}`;
    const question = meant === null ? '' : `: did you mean ${meant}?`;
    const request = requestWith({ [where]: { [name]: 'x' } });
    assert.equal(messageOf(request), `${path}/${name.slice(0, 64)} is unknown${question}`);
  });
}

test('the first in the order of body, destination, customer, totals, items is named, by its JSON path', () => {
  const all = requestWith({
    item: { x: 1 },
    orderTotals: { tax: 1 },
    customer: { email: 1 },
    destination: { zip: 1 },
    body: { 'a/b~c': 1 },
  });
  assert.equal(messageOf(all), '/a~1b~0c is unknown');
  assert.deepEqual(unreadPaths(all), [
    '/a~1b~0c',
    '/destination/zip',
    '/customer/email',
    '/orderTotals/tax',
    '/items/1/x',
  ]);
});

test(`of many fields the first ${UNREAD_MAX} are listed`, () => {
  const names = Array.from({ length: UNREAD_MAX + 5 }, (_, at) => `field_${at}`);
  const many = requestWith({ item: Object.fromEntries(names.map((name) => [name, 1])) });
  assert.deepEqual(
    unreadPaths(many),
    names.slice(0, UNREAD_MAX).map((name) => `/items/1/${name}`),
  );
});

describe('the paths that a header tells', () => {
  const told = (...names: readonly string[]): string =>
    toldUnknown(requestWith({ destination: Object.fromEntries(names.map((name) => [name, 1])) }));

  test('are comma-separated, in the URI form of a JSON Pointer', () => {
    assert.equal(told(), '');
    assert.equal(told('zip', 'postcode'), '/destination/zip,/destination/postcode');
    assert.equal(told('a,b', 'c d', 'e%'), '/destination/a%2Cb,/destination/c%20d,/destination/e%25');
    assert.equal(told('a/b~c'), '/destination/a~1b~0c');
    assert.equal(told('größe', '\u{1f4e6}'), '/destination/gr%C3%B6%C3%9Fe,/destination/%F0%9F%93%A6');
    assert.equal(
      told('a\r\nSet-Cookie: b', '\u0085'),
      '/destination/a%0D%0ASet-Cookie%3A%20b,/destination/%C2%85',
    );
    assert.equal(told('\ud800'), '/destination/%EF%BF%BD');
    assert.equal(told(''), '/destination/');
  });

  test('are bounded in number and length, and whole', () => {
    const names = Array.from({ length: TOLD_MAX + 5 }, (_, at) => `field_${at}`);
    assert.equal(told(...names).split(',').length, TOLD_MAX);
    assert.equal(told(`${'x'.repeat(63)}\u{1f4e6}`), `/destination/${'x'.repeat(63)}`);
    const long = Array.from({ length: TOLD_MAX }, (_, at) => String.fromCodePoint(0x4e00 + at).repeat(64));
    const paths = told(...long).split(',');
    assert.deepEqual(paths, [`/destination/${encodeURIComponent(long[0] ?? '')}`]);
  });

  test('are those of any JSON value, also of one that is no request', () => {
    assert.equal(toldUnknown(null), '');
    assert.equal(toldUnknown([{ zip: 1 }]), '');
    assert.equal(toldUnknown({ zip: 1, destination: 'x', items: { a: 1 }, customer: [1] }), '/zip');
    assert.equal(toldUnknown({ items: [null, { qty: 1 }, 5] }), '/items/1/qty');
    assert.equal(toldUnknownOfBatch(null), '');
    assert.equal(toldUnknownOfBatch({ requests: 5 }), '');
  });

  test('of a batch begin with the index of the request', () => {
    const zip = requestWith({ destination: { zip: 1 } });
    assert.equal(
      toldUnknownOfBatch({ requests: [requestWith({}), zip, zip], carts: [] }),
      '/carts,/requests/1/destination/zip,/requests/2/destination/zip',
    );
    const many = Array.from({ length: 50 }, () => zip);
    assert.equal(toldUnknownOfBatch({ requests: many }).split(',').length, TOLD_MAX);
  });
});
