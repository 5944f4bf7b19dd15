/**
 * `CartReader` compared with `JSON.parse` and the schema: a body that it reads has the same meaning and passes the schema.
 * It may leave any body to them.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compileShop } from '../../../../src/engine/compile/compiled-shop.ts';
import {
  CartItem,
  Customer,
  Destination,
  GRAMS_MAX,
  ORDER_TOTAL_MAX,
  OrderTotals,
  PRICE_MAX,
  QUANTITY_MAX,
  SIDE_MAX,
  SimulateRequest,
  simulateRequestSchema,
} from '../../../../src/engine/domain/cart.ts';
import { evaluate } from '../../../../src/engine/evaluate/evaluate.ts';
import { explain } from '../../../../src/engine/explain/explain.ts';
import { compileSchema } from '../../../../src/engine/wire/schema-check.ts';
import { CartReader } from '../../../../src/front/http/body/cart-reader.ts';
import { parseJsonBody } from '../../../../src/front/http/body/json-body.ts';
import { pick } from '../../../support/arbitrary/alphabets.ts';
import { cartPlan, palette, requestOf } from '../../../support/arbitrary/requests.ts';
import { mutated } from '../../../support/odd-bodies.ts';
import { filled, inFull } from '../../../support/schema-fields.ts';
import { shopCase } from '../../../support/shop-arbitraries.ts';
import { CART } from '../../../support/test-server.ts';

const BODIES = Number(process.env['RATEWRIGHT_CART_BODIES'] ?? 1_500);
const ITEMS_MAX = 70;

const check = compileSchema(simulateRequestSchema(ITEMS_MAX));
// One for all tests: the order of fields that it remembers must not change how it reads later bodies.
const reader = new CartReader(ITEMS_MAX);

const quickly = (bytes: Buffer): SimulateRequest | null => reader.read(bytes, bytes.toString('utf8'));

/** The request as `JSON.parse` reads it; null when parser or schema refuse it. */
function usually(bytes: Buffer): SimulateRequest | null {
  const parsed = parseJsonBody(bytes);
  return parsed.ok && check.check(parsed.value) ? parsed.value : null;
}

/** The request with all fields of the schema, null if absent. */
const fullRequest = (request: SimulateRequest): SimulateRequest => ({
  ...inFull(SimulateRequest, request),
  destination: inFull(Destination, request.destination),
  items: request.items.map(fullItem),
  customer: orNull(Customer, request.customer),
  orderTotals: orNull(OrderTotals, request.orderTotals),
});

/** An object without fields counts as absent. */
const orNull = <T extends object>(schema: { readonly properties: object }, given: T | null | undefined) =>
  !given || Object.keys(given).length === 0 ? null : inFull(schema, given);

const fullItem = (item: CartItem): CartItem => ({
  ...inFull(CartItem, item),
  properties: typeof item.properties?.tag === 'string' ? { tag: item.properties.tag } : null,
});

/** True when `CartReader` reads the body; fails when `JSON.parse` and the schema disagree with it. */
function isReadAlike(bytes: Buffer): boolean {
  const quick = quickly(bytes);
  if (quick === null) return false;
  const usual = usually(bytes);
  assert.ok(usual !== null, 'it read a body that is refused');
  assert.deepEqual(fullRequest(quick), fullRequest(usual));
  assert.ok(check.check(quick));
  return true;
}

const request = fc.tuple(palette, cartPlan).map(([items, plan]) => requestOf(plan, items));

/** A number as a string. */
const asText = (id: string | number | null | undefined) =>
  typeof id === 'number' ? String(id) : (id ?? null);

/** The name, or another where JSON writes an escape: a cart of many items would nearly always have one. */
const withoutEscape = (name: string | null | undefined) =>
  JSON.stringify(name)?.includes('\\') ? 'Widget' : name;

/** Most clients send ids as strings. */
const requestWithTexts = request.map(({ items, ...head }) => ({
  ...head,
  items: items.map((item) => ({
    ...item,
    name: withoutEscape(item.name),
    sku: asText(item.sku),
    productId: asText(item.productId),
    variantId: asText(item.variantId),
  })),
}));

/** The value with the fields of every object in another order, which the numbers decide. */
function shuffled(value: unknown, order: readonly number[]): unknown {
  if (Array.isArray(value)) return value.map((each) => shuffled(each, order));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, each], at) => ({ name, each, rank: order[at] ?? 0 }));
  fields.sort((a, b) => a.rank - b.rank);
  return Object.fromEntries(fields.map(({ name, each }) => [name, shuffled(each, order)]));
}

/** JSON as the libraries of various languages write it. */
const STYLES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(JSON.parse(text), null, 2),
  (text) => JSON.stringify(JSON.parse(text), null, '\t').replaceAll('\n', '\r\n'),
  (text) => ` ${text}\n`,
];
const SPELLINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) =>
    text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  (text) => text.replaceAll('/', '\\/'),
];
const written = fc
  .tuple(
    fc.oneof(request, requestWithTexts, requestWithTexts),
    fc.array(fc.nat(9), { minLength: 10, maxLength: 10 }),
    pick(STYLES),
    pick(SPELLINGS),
  )
  .map(([cart, order, style, spelling]) =>
    Buffer.from(spelling(style(JSON.stringify(shuffled(cart, order))))),
  );

const STRUCTURE = [...'"\\{}[],:-+.eE0179 \n\t\r\u0000\u0001\u001f\u007fntfu/'].map((each) =>
  each.charCodeAt(0),
);
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'].map((each) => each.charCodeAt(0));
const BYTES = [...STRUCTURE, ...LETTERS, 0x80, 0xbf, 0xc3, 0xe2, 0xed, 0xef, 0xf0, 0xff];
const PIECES = [
  'null',
  'true',
  'false',
  '{}',
  '[]',
  '""',
  '1e3',
  '1.0',
  '-0',
  '01',
  ',,',
  '\u00e9',
  '\u20ac',
  '\ud83d\ude80',
];

/** A cart with every field, which `CartReader` reads. */
const FULL = {
  ...filled(SimulateRequest),
  destination: {
    ...filled(Destination),
    name: 'Zoë \u{1f680} Ünal',
    company: 'Açaí €uro',
    phone: '+1 555',
    address1: '1 Main St',
    address2: '',
    address3: 'c/o \u007f',
    city: 'São Paulo',
    province: 'SP',
    postalCode: '01310-100',
    country: 'BR',
  },
  items: [
    {
      ...filled(CartItem),
      name: 'Jalapeño',
      sku: 'J',
      quantity: QUANTITY_MAX,
      grams: GRAMS_MAX,
      price: PRICE_MAX,
      vendor: '蝦夷',
      productId: 'p',
      variantId: 'v',
      properties: { tag: 'a, b' },
      requiresShipping: false,
      length: SIDE_MAX,
      width: 1,
      height: 0,
    },
    {
      ...filled(CartItem),
      name: 'last',
      sku: null,
      quantity: 1,
      grams: 0,
      price: 0,
      vendor: null,
      productId: null,
      variantId: null,
      properties: null,
      requiresShipping: true,
      length: null,
      width: null,
      height: null,
    },
  ],
  currency: 'eur',
  locale: 'pt-BR',
  customer: { ...filled(Customer), id: '7', tags: 'vip, b' },
  orderTotals: {
    ...filled(OrderTotals),
    subtotalPrice: ORDER_TOTAL_MAX,
    totalPrice: 0,
    discountAmount: null,
  },
};

/** A change of bytes: how many are removed at a place, and which are inserted. */
const damage = fc.record({
  at: fc.nat(),
  taken: pick([0, 0, 1, 1, 1, 2, 5]),
  put: fc.oneof(
    pick(BYTES).map((byte) => Buffer.from([byte])),
    pick(PIECES).map((text) => Buffer.from(text)),
    fc.constant(Buffer.alloc(0)),
  ),
});
const sound = fc.oneof(written, pick(STYLES.map((style) => Buffer.from(style(JSON.stringify(FULL))))));
const damaged = fc.tuple(sound, fc.array(damage, { minLength: 1, maxLength: 3 })).map(([bytes, damages]) =>
  damages.reduce((body, { at, taken, put }) => {
    const place = at % (body.length + 1);
    return Buffer.concat([body.subarray(0, place), put, body.subarray(place + taken)]);
  }, bytes),
);

const body = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const withItem = (item: object): Buffer =>
  body({ ...CART, items: [{ quantity: 1, grams: 500, price: 2999, ...item }] });
/** A body whose only item has this text after its fields. */
const itemText = (fields: string): Buffer =>
  Buffer.from(`{"destination":{"country":"US"},"items":[{"quantity":1,"grams":2,"price":3${fields}}]}`);

describe('CartReader', () => {
  it(`reads a body as JSON.parse does, in any style of writing: ${BODIES} bodies`, () => {
    let read = 0;
    const property = fc.property(written, (bytes) => {
      assert.notEqual(usually(bytes), null);
      if (isReadAlike(bytes)) read++;
    });
    fc.assert(property, { numRuns: BODIES, unbiased: true });
    assert.ok(read > BODIES / 10, `${read} of ${BODIES} were read quickly`);
  });

  it(`reads no body that is refused: ${BODIES} with bytes inserted, removed and replaced`, () => {
    let read = 0;
    const property = fc.property(damaged, (bytes) => {
      // The server passes only valid UTF-8 to it.
      if (parseJsonBody(bytes).ok || bytes.equals(Buffer.from(bytes.toString('utf8')))) {
        if (isReadAlike(bytes)) read++;
      }
    });
    fc.assert(property, { numRuns: BODIES, unbiased: true });
    assert.ok(read > BODIES / 100, `${read} of ${BODIES} were read quickly`);
  });

  it('reads no value that is refused', () => {
    const property = fc.property(request.chain(mutated), (value) => {
      const text = JSON.stringify(value);
      if (text !== undefined) isReadAlike(Buffer.from(text));
    });
    fc.assert(property, { numRuns: BODIES, unbiased: true });
  });

  it('reads a cart that gets the same answer, explained or not', () => {
    const property = fc.property(shopCase(10), ({ config, settings, carts }) => {
      const shop = compileShop(config, settings);
      for (const cart of carts) {
        const quick = quickly(body(cart.request));
        if (quick === null) continue;
        assert.deepEqual(evaluate(shop, quick, cart.nowMs), evaluate(shop, cart.request, cart.nowMs));
        assert.deepEqual(explain(shop, quick, cart.nowMs), explain(shop, cart.request, cart.nowMs));
      }
    });
    fc.assert(property, { numRuns: BODIES / 100 });
  });
});

describe('CartReader reads', () => {
  it('every field, with text in any language, compact or with white space', () => {
    for (const style of STYLES) {
      const bytes = Buffer.from(style(JSON.stringify(FULL)));
      assert.deepEqual(quickly(bytes), FULL, bytes.toString());
    }
  });

  it('a cart with the required fields alone, and makes the others null', () => {
    const quick = quickly(body(CART));
    assert.ok(quick !== null);
    assert.deepEqual(Object.keys(quick.destination).sort(), Object.keys(FULL.destination).sort());
    assert.deepEqual(Object.keys(quick.items[0] ?? {}).sort(), Object.keys(FULL.items[0] ?? {}).sort());
    assert.deepEqual(quick, fullRequest(CART));
  });

  it('null for every optional field', () => {
    const { destination, items } = fullRequest(CART);
    assert.deepEqual(quickly(body({ ...fullRequest(CART), destination, items })), fullRequest(CART));
    assert.deepEqual(quickly(withItem({ properties: { tag: null } }))?.items[0]?.properties, { tag: null });
    assert.deepEqual(quickly(withItem({ properties: {} }))?.items[0]?.properties, null);
  });

  it('as many items as the operator allows, and not one more', () => {
    const [item] = CART.items;
    const items = (count: number) => body({ ...CART, items: Array(count).fill(item) });
    assert.equal(quickly(items(ITEMS_MAX))?.items.length, ITEMS_MAX);
    assert.equal(quickly(items(ITEMS_MAX + 1)), null);
    assert.equal(quickly(items(0)), null);
  });
});

describe('CartReader leaves to JSON.parse', () => {
  const LEFT: Readonly<Record<string, Buffer>> = {
    'an empty body': Buffer.alloc(0),
    'a body that ends early': body(CART).subarray(0, -1),
    'a body followed by another character': Buffer.concat([body(CART), Buffer.from('x')]),
    'an array': body([CART]),
    'a body without a destination': body({ items: CART.items }),
    'a body without items': body({ destination: CART.destination }),
    'items that are not an array': body({ ...CART, items: {} }),
    'an item that is not an object': body({ ...CART, items: [1] }),
    'a destination that is not an object': body({ ...CART, destination: null }),
    'a destination without a country': body({ ...CART, destination: { city: 'Rome' } }),
    'a country of three letters': body({ ...CART, destination: { country: 'USA' } }),
    'a currency of two letters': body({ ...CART, currency: 'US' }),
    'an unknown field': withItem({ colour: 'red' }),
    'a field with the name of a built-in property': itemText(',"__proto__":{}'),
    'an unknown property': withItem({ properties: { note: 'x' } }),
    'two properties': withItem({ properties: { tag: 'x', note: 'x' } }),
    'properties that are not an object': withItem({ properties: 'x' }),
    'a field given twice': itemText(',"price":4'),
    'a number in place of a text': withItem({ sku: 12 }),
    'a text with an escape': withItem({ name: '5" nails' }),
    'a text with a control character': itemText(',"sku":"\u0001"'),
    'a text that does not end': Buffer.from('{"locale":"en'),
    'a text in place of a flag': withItem({ requiresShipping: 'no' }),
    'an item without a price': body({ ...CART, items: [{ quantity: 1, grams: 1 }] }),
    'null in place of a number': withItem({ price: null }),
    'a text in place of a number': withItem({ price: '1' }),
    'a negative number': withItem({ price: -1 }),
    'a fraction': withItem({ price: 1.5 }),
    'an exponent': Buffer.from(body(CART).toString().replace('2999', '2e3')),
    'a leading zero': Buffer.from(body(CART).toString().replace('2999', '02999')),
    'a quantity of zero': withItem({ quantity: 0 }),
    'a quantity above the limit': withItem({ quantity: QUANTITY_MAX + 1 }),
    'a weight above the limit': withItem({ grams: GRAMS_MAX + 1 }),
    'a price above the limit': withItem({ price: PRICE_MAX + 1 }),
    'a number of many digits': Buffer.from(body(CART).toString().replace('2999', '9'.repeat(400))),
    'a comma without a field': itemText(','),
    'a space before a colon': itemText(',"sku" :"a"'),
  };

  for (const [what, bytes] of Object.entries(LEFT)) {
    it(what, () => {
      assert.equal(quickly(bytes), null);
      // The next cart is read as usual.
      assert.notEqual(quickly(body(CART)), null);
    });
  }
});
