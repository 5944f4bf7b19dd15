/** Files with a configuration as the console reads them: what a text holds, and the rows that a refusal names. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SOURCE_NAMES } from '../../../src/front/command-line/foreign-source.ts';
import {
  type ConfigData,
  countsText,
  faultyRows,
  readConfigText,
  rowName,
  withRecord,
} from '../../../src/front/console/transfer/config-file.ts';
import { foreignSystemOf, translation } from '../../../src/front/console/transfer/foreign-file.ts';

const DATA = {
  zones: [{ name: 'Germany', countries: ['DE'] }],
  methods: [{ id: 'm', name: 'Parcel' }, { id: 'courier' }, { config: {} }],
} as unknown as ConfigData;

test('a text without a configuration is refused with the reason', () => {
  assert.match(String(readConfigText('{"zones": [')), /^The file is not JSON: /);
  for (const text of ['[]', 'null', '3', '{"method": []}']) {
    assert.match(String(readConfigText(text)), /has none of zones, productGroups, methods/, text);
  }
  for (const zones of ['null', '3', '{}'])
    assert.match(String(readConfigText(`{"methods": [], "zones": ${zones}}`)), /: zones is not a list\.$/);
  assert.deepEqual(readConfigText(JSON.stringify(DATA)), DATA);
  assert.equal(countsText(DATA), '1 zone, 3 methods');
});

test('errors stand at the row that their path names, in the order of the file', () => {
  const errors = new Map([
    ['/data/methods/2/config/price', 'is required'],
    ['/data/methods/1/name', 'is required: text'],
    ['/data/methods/2/name', 'is required'],
    ['/data/zones/0/countries/0', 'must be a country'],
    ['/data', 'leaves check "A" (a) as it is\nleaves check "B" (b) as it is'],
  ]);
  const { rows, others } = faultyRows(DATA, errors);
  assert.deepEqual(
    rows.map((row) => [row.kind, row.index, rowName(row), row.errors]),
    [
      ['zones', 0, 'Germany', [['/countries/0', 'must be a country']]],
      ['methods', 1, 'courier', [['/name', 'is required: text']]],
      [
        ...['methods', 2, 'without a name'],
        [
          ['/config/price', 'is required'],
          ['/name', 'is required'],
        ],
      ],
    ],
  );
  assert.deepEqual(others, [
    'The file leaves check "A" (a) as it is',
    'The file leaves check "B" (b) as it is',
  ]);
  const [, second] = rows;
  assert.ok(second !== undefined);
  const corrected = withRecord(DATA, second, { id: 'courier', name: 'Courier' });
  assert.deepEqual(corrected.methods?.[1], { id: 'courier', name: 'Courier' });
  assert.deepEqual(corrected.methods?.[0], DATA.methods?.[0]);
});

test('files of other systems are told from a configuration, each with the command that translates it', () => {
  const sample = (name: string): string =>
    readFileSync(new URL(`../../../../data/migration/${name}`, import.meta.url), 'utf8');
  const files = {
    'magento-tablerates.csv': 'magento-tablerate',
    'webshopapps-matrixrate.csv': 'matrixrate',
    'woocommerce-zones.json': 'woocommerce-zones',
  };
  for (const [name, option] of Object.entries(files)) {
    const system = foreignSystemOf(sample(name));
    assert.ok(system !== undefined, name);
    assert.equal(system.option, option);
    assert.ok(SOURCE_NAMES.includes(system.option));
    assert.equal(translation(system, name), `ratewright import --from ${option} ${name} --out shop.json`);
    assert.match(translation(system, "it's.csv"), / 'it'\\''s\.csv' /);
  }
  assert.equal(foreignSystemOf(`sep=;\r\n${sample('magento-tablerates.csv')}`)?.option, 'magento-tablerate');
  for (const text of ['', '{}', JSON.stringify(DATA), 'name,price\nCountry,3'])
    assert.equal(foreignSystemOf(text), undefined, text);
});
