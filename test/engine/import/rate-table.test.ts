/** What tables come to in a shop, where a random table would seldom hold it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importMagentoTableRate } from '../../../src/engine/import/magento-tablerate.ts';
import { importMatrixRate } from '../../../src/engine/import/matrixrate.ts';
import { offered, shopOf } from '../../support/foreign/imported-shop.ts';

const GRAMS = { weightUnit: 'g', unit: null } as const;
const TABLE = 'Country,Region/State,Zip/Postal Code,Weight (and above),Shipping Price\n';
const MATRIX =
  'Country,Region/State,City,Zip From,Zip To,Weight From,Weight To,Shipping Price,Delivery Type\n';

const to = (country: string, province: string, postalCode: string) => ({
  destination: { country, province, postalCode },
  items: [{ quantity: 1, grams: 100, price: 1_000 }],
});

test('a more specific place applies, in any case of its region', () => {
  const shop = shopOf(importMagentoTableRate(`${TABLE}US,CA,90210,0,5\nUS,ca,*,0,9`, GRAMS));
  assert.deepEqual(offered(shop, to('US', 'CA', '90210')), [['Table Rate', 500]]);
  assert.deepEqual(offered(shop, to('US', 'CA', '90211')), [['Table Rate', 900]]);
});

test('a region that ends in a backslash stays apart from the next one of the same price', () => {
  const shop = shopOf(importMagentoTableRate(`${TABLE}US,C\\,*,0,5\nUS,NY,*,0,5`, GRAMS));
  assert.deepEqual(offered(shop, to('US', 'C\\', '')), [['Table Rate', 500]]);
  assert.deepEqual(offered(shop, to('US', 'NY', '')), [['Table Rate', 500]]);
  assert.deepEqual(offered(shop, to('US', 'C,NY', '')), []);
});

test('a space before a wildcard ends the district of a code that keeps its space', () => {
  const shop = shopOf(
    importMatrixRate(`${MATRIX}GB,*,*,PA6 %,*,0,1000,5,Std\nDE,*,*,10 %,*,0,1000,6,Std`, GRAMS),
  );
  assert.deepEqual(offered(shop, to('GB', '', 'PA6 7LN')), [['Std', 500]]);
  assert.deepEqual(offered(shop, to('GB', '', 'PA67 1AA')), []);
  assert.deepEqual(offered(shop, to('DE', '', '10115')), [['Std', 600]]);
});

test('delivery types in any script have service codes of their own', () => {
  const rows = ['Экспресс', 'Стандарт', '翌日', 'Économique', '!'].map((type) => `FR,*,*,*,,0,9,5,${type}`);
  const { data } = importMatrixRate(MATRIX + rows.join('\n'), GRAMS);
  assert.deepEqual(
    data?.methods?.map(({ serviceCode }) => serviceCode),
    [
      'matrixrate_экспресс',
      'matrixrate_стандарт',
      'matrixrate_翌日',
      'matrixrate_economique',
      'matrixrate_rate',
    ],
  );
});

test('spaces around a cell are ignored, with and without quotes', () => {
  const shop = shopOf(importMatrixRate(`${MATRIX}"US"," ","*"," 90210 ","* ",0,1000,5," Std "`, GRAMS));
  assert.deepEqual(offered(shop, to('US', 'CA', '90210')), [['Std', 500]]);
});
