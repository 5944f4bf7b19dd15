/** What was imported gives the prices that the source gives, on random tables, zones and carts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { importMagentoTableRate } from '../../../src/engine/import/magento-tablerate.ts';
import { importMatrixRate } from '../../../src/engine/import/matrixrate.ts';
import { importWooZones } from '../../../src/engine/import/woo-zones.ts';
import { offered, shopOf, sorted } from '../../support/foreign/imported-shop.ts';
import { type TableRow, tableRate, tableText } from '../../support/foreign/magento-tablerate.ts';
import { type MatrixRow, matrixRates, matrixText } from '../../support/foreign/matrixrate.ts';
import { type WooShippingMethod, wooRates } from '../../support/foreign/woo-zones.ts';

const RUNS = Number(process.env['RATEWRIGHT_TEST_IMPORTS'] ?? 150);

const COUNTRIES = ['US', 'DE', 'GB', 'BR', 'CA'];
const REGIONS = ['CA', 'NY', 'BE'];
const ZIPS: Readonly<Record<string, readonly string[]>> = {
  US: ['90210', '90211', '10001'],
  DE: ['10115', '80331'],
  GB: ['SW1A 1AA', 'KW15 1AA', 'KW1 5AA'],
  BR: ['01310-100', '01310-200', '20040-020'],
  CA: ['K1A 0B1', 'M5V 3L9'],
};

const price = fc.integer({ min: 0, max: 5_000 }).map((cents) => (cents / 100).toFixed(2));
const regionOf = (country: string) =>
  country === '*' ? fc.constant('*') : fc.constantFrom('*', '', ...REGIONS);
const place = fc.constantFrom(...COUNTRIES, 'JP').chain((country) =>
  fc.record({
    country: fc.constant(country),
    region: fc.constantFrom('', 'XX', ...REGIONS),
    zip: fc.constantFrom('', '99999', ...(ZIPS[country] ?? [])),
  }),
);

test('a table of Magento gives the same price at every place and value', () => {
  const bounds = {
    weight: ['0', '0.5', '1.2345', '2', '10'],
    subtotal: ['0', '9.99', '50', '50.0000'],
    items: ['0', '1', '2.5', '5'],
  };
  const headers = {
    weight: 'Weight (and above)',
    subtotal: 'Order Subtotal (and above)',
    items: '# of Items (and above)',
  };
  const table = fc.constantFrom('weight', 'subtotal', 'items').chain((unit) => {
    const row = fc.constantFrom('*', ...COUNTRIES).chain((country) =>
      fc.record({
        country: fc.constant(country),
        region: regionOf(country),
        zip: fc.constantFrom(
          '*',
          '',
          ...(country === '*'
            ? ['10115']
            : [...(ZIPS[country] ?? []), ...(country === 'BR' ? ['01310'] : [])]),
        ),
        bound: fc.constantFrom(...bounds[unit as 'weight']),
        price,
      }),
    );
    const key = ({ country, region, zip, bound }: TableRow) =>
      [country, region || '*', zip || '*', Number(bound)].join();
    return fc.record({
      unit: fc.constant(unit as 'weight' | 'subtotal' | 'items'),
      rows: fc.uniqueArray(row, { selector: key, minLength: 1, maxLength: 25 }),
    });
  });
  const cart = fc.record({
    quantity: fc.integer({ min: 1, max: 6 }),
    grams: fc.constantFrom(0, 100, 499, 500, 617, 618, 1234, 1235, 2000, 5000),
    cents: fc.constantFrom(0, 998, 999, 2500, 4999, 5000, 10_000),
  });
  fc.assert(
    fc.property(
      table,
      fc.array(fc.tuple(place, cart), { minLength: 1, maxLength: 20 }),
      ({ unit, rows }, asked) => {
        const shop = shopOf(
          importMagentoTableRate(tableText(headers[unit], rows), { weightUnit: 'kg', unit: null }),
        );
        for (const [{ country, region, zip }, { quantity, grams, cents }] of asked) {
          const value = {
            weight: (grams * quantity) / 1_000,
            subtotal: (cents * quantity) / 100,
            items: quantity,
          }[unit];
          const expected = tableRate(rows, { country, region, zip }, value);
          const found = offered(shop, {
            destination: { country, province: region, postalCode: zip },
            items: [{ quantity, grams, price: cents }],
          });
          assert.deepEqual(
            found,
            expected === null ? [] : [['Table Rate', Math.round(Number(expected) * 100)]],
          );
        }
      },
    ),
    { numRuns: RUNS },
  );
});

test('a matrix gives the same delivery types and prices at every place and value', () => {
  const interval = fc.constantFrom<readonly [number, number]>(
    [0, 1_000],
    [0, 50],
    [50, 100],
    [25, 75],
    [100, 9_999],
  );
  const row = fc.constantFrom('*', 'US', 'DE').chain((country) =>
    fc.record({
      country: fc.constant(country),
      named: country === '*' ? fc.constant('') : fc.constantFrom('', 'r', 'c', 'z', 'rc', 'rz', 'rcz'),
      region: fc.constantFrom(...REGIONS),
      city: fc.constantFrom('Springfield', 'Berlin'),
      zips: fc.constantFrom(
        ['10115', ''],
        ['10000', '10999'],
        ['10100', '10120'],
        ['102%', ''],
        ['90210', '90211'],
      ),
      interval,
      price,
      delivery: fc.constantFrom('Ground', 'Express'),
    }),
  );
  const rowOf = ({
    country,
    named,
    region,
    city,
    zips,
    interval: [from, to],
    price: cost,
    delivery,
  }: typeof row extends fc.Arbitrary<infer T> ? T : never): MatrixRow => ({
    country,
    region: named.includes('r') ? region : '*',
    city: named.includes('c') ? city : '*',
    zipFrom: named.includes('z') ? (zips[0] ?? '') : '*',
    zipTo: named.includes('z') ? (zips[1] ?? '') : '',
    from,
    to,
    price: cost,
    delivery,
  });
  const destination = fc.record({
    country: fc.constantFrom('US', 'DE', 'JP'),
    region: fc.constantFrom('', ...REGIONS),
    city: fc.constantFrom('', 'berlin', 'Springfield'),
    zip: fc.constantFrom('', '10115', '10119', '10250', '10999', '90211'),
  });
  const cents = fc.constantFrom(0, 1, 2500, 2501, 5000, 5001, 7500, 10_000, 10_001);
  fc.assert(
    fc.property(
      fc.array(row.map(rowOf), { minLength: 1, maxLength: 15 }),
      fc.array(fc.tuple(destination, cents), { minLength: 1, maxLength: 15 }),
      (rows, asked) => {
        const shop = shopOf(importMatrixRate(matrixText(rows), { weightUnit: null, unit: null }));
        for (const [at, value] of asked) {
          const expected = matrixRates(rows, at, value / 100).map(
            ({ delivery, price: cost }): [string, number] => [delivery, Math.round(Number(cost) * 100)],
          );
          const found = offered(shop, {
            destination: { country: at.country, province: at.region, city: at.city, postalCode: at.zip },
            items: [{ quantity: 1, grams: 1, price: value }],
          });
          assert.deepEqual(found, sorted(expected));
        }
      },
    ),
    { numRuns: RUNS },
  );
});

test('zones of WooCommerce give the same rates', () => {
  const location = fc.oneof(
    fc.constantFrom('US', 'CA', 'DE', 'GB', 'NL').map((code) => ({ type: 'country' as const, code })),
    fc.constantFrom('US:CA', 'US:NY', 'CA:ON').map((code) => ({ type: 'state' as const, code })),
    fc.constantFrom('EU', 'NA').map((code) => ({ type: 'continent' as const, code })),
  );
  const postcode = fc
    .constantFrom(
      '90210',
      '90*',
      '10000...20000',
      '500...20000',
      'SW1A 1AA',
      'KW15*',
      'KW1 *',
      'KW15*...KW17*',
      'K1A0*',
      'K1A...K2B',
      'sw1a*',
      '1000...1099',
      '1000*...1099*',
      '1099...1099',
    )
    .map((code) => ({ type: 'postcode' as const, code }));
  const cost = fc.constantFrom(
    '',
    '0',
    '5.50',
    '10 + 2 * [qty]',
    '1.25 * [qty]',
    '[fee percent="10" min_fee="2" max_fee="20"]',
    '3 + [fee percent="2.5"]',
    '[cost] * 0.05',
  );
  const method = fc.oneof(
    cost.map((each) => ({ method_id: 'flat_rate', settings: { cost: each } })),
    cost.map((each) => ({ method_id: 'local_pickup', settings: { cost: each } })),
    fc.constantFrom('', 'min_amount').chain((requires) =>
      fc.constantFrom('yes', 'no').map((ignored) => ({
        method_id: 'free_shipping',
        settings: { requires, min_amount: '49.99', ignore_discounts: ignored },
      })),
    ),
  );
  const methods = fc
    .array(fc.tuple(method, fc.boolean()), { maxLength: 3 })
    .map((list) =>
      list.map(([each, enabled], index): WooShippingMethod => ({ ...each, enabled, title: `M${index}` })),
    );
  const zones = fc
    .array(
      fc.record({
        places: fc.array(location, { maxLength: 3 }),
        postcodes: fc.oneof(fc.constant([]), fc.array(postcode, { maxLength: 3 })),
        order: fc.integer({ min: 0, max: 3 }),
        methods,
        isRest: fc.constant(false),
      }),
      { minLength: 1, maxLength: 5 },
    )
    .chain((list) =>
      methods.map((rest) => [
        ...list.map(({ places, postcodes, order, methods: own }, index) => ({
          id: index + 1,
          name: `Z${index}`,
          order,
          locations: [...places, ...postcodes],
          methods: own,
        })),
        { id: 0, name: 'Rest', order: 0, locations: [], methods: rest },
      ]),
    );
  const destination = fc.constantFrom(
    ...['90210', '90211', '10001', '00501'].flatMap((postcode) =>
      ['CA', 'NY'].map((state) => ({ country: 'US', state, postcode })),
    ),
    ...['SW1A 1AA', 'SW1A 2AA', 'KW15 1AA', 'KW16 3AA', 'KW17 2AA', 'KW1 4AA'].map((postcode) => ({
      country: 'GB',
      state: '',
      postcode,
    })),
    ...['K1A 0B1', 'K2A 1A1', 'K2B 1A1', 'M5V 3L9'].map((postcode) => ({
      country: 'CA',
      state: 'ON',
      postcode,
    })),
    ...['10115', '80331'].map((postcode) => ({ country: 'DE', state: '', postcode })),
    ...['0999 ZZ', '1000 AA', '1012 AB', '1098 ZZ', '1099 AB', '1100 AA'].map((postcode) => ({
      country: 'NL',
      state: '',
      postcode,
    })),
    { country: 'JP', state: '', postcode: '100-0001' },
    { country: 'XK', state: '', postcode: '10000' },
  );
  const cart = fc.record({
    quantity: fc.integer({ min: 1, max: 5 }),
    price: fc.constantFrom(0, 99, 1_000, 4_999, 33_333),
    discount: fc.constantFrom(0, 99, 1_000),
  });
  fc.assert(
    fc.property(
      zones,
      fc.array(fc.tuple(destination, cart), { minLength: 1, maxLength: 20 }),
      (list, asked) => {
        const shop = shopOf(importWooZones({ zones: list }));
        for (const [at, { quantity, price: each, discount }] of asked) {
          const cents = quantity * each;
          const discountedCents = Math.max(0, cents - discount);
          const found = offered(shop, {
            destination: { country: at.country, province: at.state, postalCode: at.postcode },
            items: [{ quantity, grams: 1, price: each }],
            orderTotals: { totalPrice: discountedCents },
          });
          assert.deepEqual(
            found,
            sorted(wooRates(list, at, { quantity, cents, discountedCents })),
            JSON.stringify(at),
          );
        }
      },
    ),
    { numRuns: RUNS },
  );
});
