import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countriesOfContinent, twoLetterCode } from '../../../src/engine/import/country-codes.ts';
import { importMagentoTableRate } from '../../../src/engine/import/magento-tablerate.ts';
import { importMatrixRate } from '../../../src/engine/import/matrixrate.ts';
import type { Imported } from '../../../src/engine/import/source-report.ts';
import { importWooZones } from '../../../src/engine/import/woo-zones.ts';

const found = ({ errors }: Imported) => errors.map(({ row, column, code }) => [row, column, code]);
const KG = { weightUnit: 'kg', unit: null } as const;
const HEADER = 'Country,Region/State,"Zip/Postal Code","Weight (and above)","Shipping Price"\n';

test('every row of a table that cannot be read is named by line, column and code', () => {
  const text = `${HEADER}XX,*,*,0,1\nUS,*,*,x,1\n*,CA,*,0,1\nUS,*,"9*1",0,1\nUS,*,*,0\n\nUS,*,*,-2,1\nUS,*,*,-1,1\nDE,*,*,1,1\nDEU,,,1.0,2\n"US","a\nb","*",1,y`;
  const imported = importMagentoTableRate(text, KG);
  assert.equal(imported.data, null);
  assert.deepEqual(found(imported), [
    [2, 'Country', 'unknown_country'],
    [3, 'Weight (and above)', 'not_a_decimal'],
    [4, 'Region/State', 'place_without_country'],
    [5, 'Zip/Postal Code', 'not_a_postal_code'],
    [6, null, 'missing_column'],
    [8, 'Weight (and above)', 'not_a_decimal'],
    [12, 'Shipping Price', 'not_a_decimal'],
    [11, null, 'duplicate_row'],
  ]);
});

test('a table whose bounds have no unit is refused', () => {
  assert.deepEqual(found(importMagentoTableRate(HEADER, { weightUnit: null, unit: null })), [
    [1, 'Weight (and above)', 'no_weight_unit'],
  ]);
  const { errors } = importMagentoTableRate(HEADER, { weightUnit: null, unit: null });
  assert.equal(errors[0]?.message, 'weights need a unit: --weight-unit with one of g, kg, lb, oz');
  const odd = HEADER.replace('Weight (and above)', 'Menge');
  assert.deepEqual(found(importMagentoTableRate(odd, KG)), [[1, 'Menge', 'unknown_condition']]);
  assert.deepEqual(found(importMagentoTableRate(odd, { weightUnit: 'lb', unit: 'weight' })), []);
  assert.deepEqual(found(importMagentoTableRate('', KG)), [[1, null, 'not_a_table']]);
  assert.deepEqual(found(importMagentoTableRate('a,b\n1,2', KG)), [[1, null, 'missing_column']]);
  assert.deepEqual(found(importMagentoTableRate(`${HEADER}"open`, KG)), [[2, null, 'not_a_table']]);
});

test('bounds are exact: a pound is not rounded, and the next whole gram fits', () => {
  const { data } = importMagentoTableRate(`${HEADER}*,*,*,0,1\n*,*,*,1,2\n*,*,*,2.2046226218,3\n`, {
    weightUnit: 'lb',
    unit: null,
  });
  assert.deepEqual(data?.methods?.[0]?.config, {
    tiers: [
      { minWeight: 0, maxWeight: 454, price: 100 },
      { minWeight: 454, maxWeight: 1_000, price: 200 },
      { minWeight: 1_000, maxWeight: null, price: 300 },
    ],
  });
});

test('a table of semicolons is read whatever ends its lines, and after empty lines', () => {
  const lines = ['', HEADER.trim().replaceAll(',', ';'), 'US;*;*;0;4,90', 'US;*;*;1;9,90'];
  for (const end of ['\n', '\r\n', '\r']) {
    const { data, errors } = importMagentoTableRate(lines.join(end), KG);
    assert.deepEqual(errors, []);
    assert.equal(data?.methods?.length, 1);
  }
});

test('a ZIP+4 row is left out with a remark', () => {
  const { data, remarks } = importMagentoTableRate(`${HEADER}US,*,90210-1234,0,1\nUS,*,*,0,2`, KG);
  assert.equal(data?.methods?.length, 1);
  assert.match(remarks[0]?.message ?? '', / \(for example 90210-0000\)$/);
  assert.deepEqual(
    remarks.map(({ row, code }) => [row, code]),
    [[2, 'zip_plus_4']],
  );
});

test('a ZIP+4 row of a matrix is left out with a remark', () => {
  const header = 'Country,Region,City,Zip From,Zip To,Price From,Price To,Price,Delivery\n';
  const rows = ['US,*,*,90210-1234,,0,9,1,A', 'US,*,*,902100000,902109999,0,9,2,A', 'US,*,*,*,,0,9,3,A'];
  const { data, remarks } = importMatrixRate(header + rows.join('\n'), { weightUnit: null, unit: null });
  assert.equal(data?.methods?.length, 1);
  assert.deepEqual(
    remarks.map(({ row, column, code }) => [row, column, code]),
    [
      [1, 'Price From', 'after_discounts'],
      [2, 'Zip From', 'zip_plus_4'],
      [3, 'Zip From', 'zip_plus_4'],
    ],
  );
});

test('every row of a matrix that cannot be read is named', () => {
  const header = 'Country,Region,City,Zip From,Zip To,Price From,Price To,Price,Delivery\n';
  const rows = [
    'US,*,*,*,,0,0,1,A',
    'US,*,*,100,20,0,9,1,A',
    'US,*,*,AB1,AB9,0,9,1,A',
    'US,*,*,300,200,0,9,1,A',
    '*,*,*,10115,,0,9,1,A',
    'US,*,Bonn,53111,,0,9,1,A',
    'US,*,*,*,,0,9,1,*',
    'US,*,*,*,999,0,9,1,A',
    'US,*,*,*,,0,9,1',
  ];
  assert.deepEqual(found(importMatrixRate(header + rows.join('\n'), { weightUnit: null, unit: null })), [
    [2, 'Price To', 'empty_interval'],
    [3, 'Zip To', 'not_a_range'],
    [4, 'Zip To', 'not_a_range'],
    [5, 'Zip To', 'not_a_range'],
    [6, 'Zip From', 'place_without_country'],
    [7, null, 'unknown_place'],
    [8, 'Delivery', 'no_delivery_type'],
    [9, 'Zip From', 'no_range_start'],
    [10, null, 'missing_column'],
  ]);
});

test('parts of WooCommerce zones that cannot be imported are left out with a remark', () => {
  const flat = (title: string, settings: object) => ({ method_id: 'flat_rate', title, settings });
  const { data, remarks } = importWooZones({
    zones: [
      {
        id: 1,
        name: 'California',
        locations: [
          { code: 'US:CA', type: 'state' },
          { code: '9*1', type: 'postcode' },
          { code: '90210', type: 'postcode' },
        ],
        methods: [
          flat('By class', { cost: { value: '5' }, class_cost_7: { value: '2' } }),
          flat('Blank', { cost: { value: '' } }),
          flat('Odd', { cost: '10 / [qty]' }),
          flat('Flat', { cost: { id: 'cost', value: '5' } }),
          { method_id: 'free_shipping', title: 'Coupon', settings: { requires: 'coupon' } },
          { method_id: 'free_shipping', title: 'Either', settings: { requires: 'either', min_amount: '50' } },
          { method_id: 'usps', title: 'Post' },
          { method_id: 'free_shipping', title: 'Plugin', settings: { requires: 'role', min_amount: '50' } },
        ],
      },
    ],
  });
  assert.deepEqual(
    data?.methods?.map(({ name }) => name),
    ['Flat', 'Either'],
  );
  assert.deepEqual(
    remarks.map(({ row, column, code }) => [row, column, code]),
    [
      ['/zones/0/locations/1', 'code', 'postcode_left_out'],
      ['/zones/0/methods/0', 'class_cost_7', 'class_costs'],
      ['/zones/0/methods/1', 'cost', 'no_cost'],
      ['/zones/0/methods/2', 'cost', 'cost_not_expressible'],
      ['/zones/0/methods/4', 'requires', 'coupon'],
      ['/zones/0/methods/5', 'requires', 'coupon'],
      ['/zones/0/methods/6', 'method_id', 'unknown_method'],
      ['/zones/0/methods/7', 'requires', 'unknown_requirement'],
      ['/zones/0', 'locations', 'states_as_conditions'],
    ],
  );
});

test('an export of another form and places that do not exist are refused', () => {
  assert.deepEqual(found(importWooZones([])), [['', null, 'not_an_export']]);
  assert.deepEqual(found(importWooZones({ zones: [{ id: 1 }] })), [['/zones/0/name', null, 'not_an_export']]);
  const places = [
    { code: 'XX', type: 'country' },
    { code: 'US', type: 'state' },
    { code: 'ZZ', type: 'continent' },
  ];
  assert.deepEqual(
    found(importWooZones({ zones: [{ id: 1, name: 'A', locations: places }] })).map(([, , code]) => code),
    ['unknown_country', 'unknown_state', 'unknown_continent'],
  );
});

test('countries are found by codes of two and three letters, and by continent', () => {
  assert.equal(twoLetterCode('usa'), 'US');
  assert.equal(twoLetterCode('DE'), 'DE');
  assert.equal(twoLetterCode('XYZ'), null);
  assert.equal(twoLetterCode('U'), null);
  assert.ok(countriesOfContinent('EU')?.includes('CY') && countriesOfContinent('AS')?.includes('CY'));
  assert.equal(countriesOfContinent('constructor'), null);
});

test('a comma that can only be a decimal comma is read with a remark; any other comma is refused', () => {
  const table = (...rows: readonly string[]) =>
    importMagentoTableRate(HEADER + rows.map((row) => `US,*,*,${row}\n`).join(''), KG);
  const read = table('0,"4,90"', '"0,500","12,5"');
  assert.deepEqual(found(read), []);
  assert.deepEqual(read.remarks, [
    {
      row: 2,
      column: 'Shipping Price',
      code: 'decimal_comma',
      message: '"4,90" is read as 4.90, and so are 2 more amounts with a comma',
    },
  ]);
  const messageOf = (...rows: readonly string[]) => table(...rows).remarks[0]?.message;
  assert.equal(messageOf('0,"4,90"'), '"4,90" is read as 4.90');
  assert.equal(
    messageOf('0,"4,90"', '5,"9,90"'),
    '"4,90" is read as 4.90, and so is 1 more amount with a comma',
  );
  assert.deepEqual(read.data?.methods?.[0]?.config, {
    tiers: [
      { minWeight: 0, maxWeight: 500, price: 490 },
      { minWeight: 500, maxWeight: null, price: 1_250 },
    ],
  });
  for (const amount of ['1,234', '1.234,90', '1,234.90', '12,345', '1,2,3']) {
    assert.deepEqual(found(table(`0,"${amount}"`)), [[2, 'Shipping Price', 'not_a_decimal']], amount);
  }
});

test('a point that may separate thousands is refused in a source with decimal commas, and only there', () => {
  const table = (price: string) =>
    found(importMagentoTableRate(`${HEADER}US,*,*,0,1\nUS,*,*,1.234,"${price}"\n`, KG));
  assert.deepEqual(table('4.90'), []);
  assert.deepEqual(table('4,90'), [[3, 'Weight (and above)', 'mixed_separators']]);
  const matrix = `Country,Region,City,Zip From,Zip To,Price From,Price To,Price,Delivery\nUS,*,*,*,,0,1.234,"4,90",A\n`;
  assert.deepEqual(found(importMatrixRate(matrix, { weightUnit: null, unit: null })), [
    [2, 'Price To', 'mixed_separators'],
  ]);
});

test("amounts of WooCommerce's methods follow the same rule", () => {
  const shopWith = (cost: string, min: string) =>
    importWooZones({
      zones: [
        {
          id: 0,
          name: 'Rest',
          methods: [
            { method_id: 'flat_rate', title: 'Flat', settings: { cost } },
            {
              method_id: 'free_shipping',
              title: 'Free',
              settings: { requires: 'min_amount', min_amount: min },
            },
          ],
        },
      ],
    });
  const codes = ({ remarks }: Imported) => remarks.map(({ column, code }) => [column, code]);
  const read = shopWith('4,90 + 1,5 * [qty]', '50,00');
  assert.equal(read.data?.methods?.length, 2);
  assert.equal(
    read.remarks.find(({ code }) => code === 'decimal_comma')?.message,
    '"4,90" is read as 4.90, and so are 2 more amounts with a comma',
  );
  assert.deepEqual(codes(shopWith('1,234', '1.234,90')), [
    ['cost', 'cost_not_expressible'],
    ['min_amount', 'not_a_decimal'],
  ]);
  assert.deepEqual(found(shopWith('4,90', '1.234')).at(0)?.at(2), 'mixed_separators');
});

const GRAMS = { weightUnit: 'g', unit: null } as const;
const MATRIX =
  'Country,Region/State,City,Zip/Postal Code From,Zip/Postal Code To,Weight From,Weight To,Shipping Price,Delivery Type\n';
const remarked = ({ remarks }: Imported) => remarks.map(({ row, column, code }) => [row, column, code]);

test('* and -1 are no lower bound, and * is no upper one', () => {
  for (const none of ['*', '-1', '-1.0000']) {
    const rows = [`USA,*,*,*,*,${none},10,4.95,Ground`, 'USA,*,*,*,*,10,*,9.95,Ground'];
    const { data, errors } = importMatrixRate(MATRIX + rows.join('\n'), GRAMS);
    assert.deepEqual(errors, []);
    assert.deepEqual(data?.methods?.[0]?.config, {
      tiers: [
        { minWeight: 0, maxWeight: 11, price: 495 },
        { minWeight: 11, maxWeight: null, price: 995 },
      ],
    });
    const table = importMagentoTableRate(`${HEADER}US,*,*,${none},4.95\nUS,*,*,10,9.95`, GRAMS);
    assert.deepEqual(table.errors, []);
    assert.deepEqual(table.data?.methods?.[0]?.config, {
      tiers: [
        { minWeight: 0, maxWeight: 10, price: 495 },
        { minWeight: 10, maxWeight: null, price: 995 },
      ],
    });
  }
});

test('prices of more than two decimals are rounded half up, with one remark', () => {
  const { data, remarks } = importMagentoTableRate(
    `${HEADER}US,*,*,0,4.0909\nUS,*,*,1,8.325\nUS,*,*,2,9.5000`,
    GRAMS,
  );
  assert.deepEqual(data?.methods?.[0]?.config, {
    tiers: [
      { minWeight: 0, maxWeight: 1, price: 409 },
      { minWeight: 1, maxWeight: 2, price: 833 },
      { minWeight: 2, maxWeight: null, price: 950 },
    ],
  });
  const message = '"4.0909" is rounded half up to whole cents, and so is 1 more of this column';
  assert.deepEqual(remarks, [{ row: 2, column: 'Shipping Price', code: 'rounded', message }]);
});

test('columns are told apart by what stands between them outside of quotes', () => {
  const cells = [
    ['Country', 'Region/State', '"Zip, Postal Code"', 'Weight (and above)', 'Shipping Price'],
    ['US', '*', '*', '0', '4.90'],
  ];
  for (const delimiter of [',', ';', '\t', '|']) {
    const text = cells.map((row) => row.join(delimiter)).join('\r\n');
    for (const table of [text, `sep=${delimiter}\r\n${text}`, `\uFEFFsep=${delimiter}\n${text}`]) {
      const { data, errors } = importMagentoTableRate(table, GRAMS);
      assert.deepEqual(errors, [], JSON.stringify(table));
      assert.deepEqual(data?.methods?.[0]?.config, { price: 490 });
    }
  }
  const broken = importMagentoTableRate(`sep=;\n${HEADER.replaceAll(',', ';')}\n\nXX;*;*;0;1`, GRAMS);
  assert.deepEqual(found(broken), [[5, 'Country', 'unknown_country']]);
  const [other] = importMagentoTableRate('Country:Region:Zip:Weight:Price\nUS:*:*:0:1', GRAMS).errors;
  assert.match(other?.message ?? '', /save the file as CSV in UTF-8/);
});

test('a table by subtotal has a remark that the source counts after discounts', () => {
  const table = HEADER.replace('Weight (and above)', 'Order Subtotal (and above)');
  const imported = importMagentoTableRate(`${table}*,*,*,0,6.99\n*,*,*,13,5.99`, GRAMS);
  assert.deepEqual(remarked(imported), [[1, 'Order Subtotal (and above)', 'after_discounts']]);
  assert.deepEqual(remarked(importMagentoTableRate(`${HEADER}*,*,*,0,6.99`, GRAMS)), []);
});

test('a region of Magento is compared by its ISO code, and a remark says so', () => {
  const rows = [
    'ES,Las Palmas,*,0,1',
    'DE,BAY,*,0,2',
    'AT,WI,*,0,3',
    'FR,1,*,0,4',
    'DE,BE,*,0,5',
    'US,CA,*,0,6',
  ];
  const imported = importMagentoTableRate(`${HEADER}${[...rows, 'DE,XYZ,*,0,7'].join('\n')}`, GRAMS);
  const regions = imported.data?.methods?.flatMap(({ rules = [] }) =>
    rules.flatMap(({ action, conditions = [] }) =>
      action === 'show' ? conditions.map(({ value }) => value) : [],
    ),
  );
  assert.deepEqual(regions?.sort(), ['01', '9', 'BE', 'BY', 'CA', 'GC', 'XYZ']);
  assert.deepEqual(remarked(imported), [
    ...[2, 3, 4, 5].map((line) => [line, 'Region/State', 'region_code']),
    [8, 'Region/State', 'unknown_region'],
  ]);
});

test('free shipping by an amount counts discounts unless WooCommerce ignores them', () => {
  const settings = { requires: 'min_amount', min_amount: '50' };
  const basisOf = (more: object) => {
    const methods = [{ method_id: 'free_shipping', title: 'Free', settings: { ...settings, ...more } }];
    const [method] = importWooZones({ zones: [{ id: 0, name: 'Rest', methods }] }).data?.methods ?? [];
    return [method?.thresholdBasis, method?.rules?.[0]?.conditions?.[0]?.conditionType];
  };
  assert.deepEqual(basisOf({}), ['order_total', 'order_total']);
  assert.deepEqual(basisOf({ ignore_discounts: 'no' }), ['order_total', 'order_total']);
  assert.deepEqual(basisOf({ ignore_discounts: { value: 'yes' } }), ['cart_total', 'cart_total']);
});
