/** The table of methods: search, filters, order and the texts of prices. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schemas } from '../../../src/front/client/call-table.ts';
import {
  fittingRows,
  methodRows,
  priceText,
  sortedRows,
} from '../../../src/front/console/methods/method-rows.ts';

const method = (id: string, more: object) => ({
  id,
  name: id,
  subtitle: '',
  serviceCode: id,
  zoneId: 'de',
  productGroupId: 'all',
  enabled: true,
  freeShippingThreshold: null,
  rules: [],
  ...more,
});

const CONFIG = {
  zones: [
    { id: 'de', name: 'Germany', subzones: [{ id: 'alps', name: 'Alps' }] },
    { id: 'at', name: 'Austria', subzones: [] },
  ],
  productGroups: [{ id: 'all', name: 'Everything' }],
  methods: [
    method('Letter 10', { zoneId: 'at', rateType: 'flat', config: { price: 350 } }),
    method('Letter 9', { rateType: 'flat', config: { price: 900 }, enabled: false }),
    method('Bulky', {
      zoneId: 'alps',
      rateType: 'by_weight_table',
      config: {
        tiers: [
          { minWeight: 0, maxWeight: 1_000, price: 495 },
          { minWeight: 1_000, maxWeight: null, price: 1_295 },
        ],
      },
      freeShippingThreshold: 5_000,
      rules: [{ name: 'Not on Sundays' }],
    }),
    method('Pick up', { rateType: 'free', config: {} }),
  ],
} as unknown as Schemas['ConfigSnapshot'];
const COVERAGE = { methods: [{ methodId: 'Bulky', lastOfferedAt: '2026-11-01T00:00:00Z' }] } as never;
const ROWS = methodRows(CONFIG, COVERAGE);
const ALL = { find: '', zone: '', group: '', state: '' };

const names = (rows: typeof ROWS): readonly string[] => rows.map(({ method: { name } }) => name);

test('rows stand by zone and subzone, in the order of the shop', () => {
  assert.deepEqual(names(ROWS), ['Letter 9', 'Pick up', 'Bulky', 'Letter 10']);
  assert.deepEqual(
    ROWS.map(({ zone }) => zone),
    ['Germany', 'Germany', 'Germany › Alps', 'Austria'],
  );
});

test('a search looks at names, places and rules; filters add to it', () => {
  assert.deepEqual(names(fittingRows(ROWS, { ...ALL, find: ' LETTER' })), ['Letter 9', 'Letter 10']);
  assert.deepEqual(names(fittingRows(ROWS, { ...ALL, find: 'austria' })), ['Letter 10']);
  assert.deepEqual(names(fittingRows(ROWS, { ...ALL, find: 'sundays' })), ['Bulky']);
  assert.deepEqual(names(fittingRows(ROWS, { ...ALL, zone: 'de', state: 'on' })), ['Pick up']);
  assert.deepEqual(names(fittingRows(ROWS, { ...ALL, state: 'unseen' })), [
    'Letter 9',
    'Pick up',
    'Letter 10',
  ]);
  // What is not known yet is not "never".
  assert.deepEqual(fittingRows(methodRows(CONFIG, null), { ...ALL, state: 'unseen' }), []);
});

test('columns sort both ways, numbers in names as numbers', () => {
  assert.deepEqual(names(sortedRows(ROWS, 'name')), ['Bulky', 'Letter 9', 'Letter 10', 'Pick up']);
  assert.deepEqual(names(sortedRows(ROWS, '-price')), ['Letter 9', 'Bulky', 'Letter 10', 'Pick up']);
  assert.deepEqual(names(sortedRows(ROWS, 'threshold'))[0], 'Bulky');
  assert.equal(sortedRows(ROWS, 'odd'), ROWS);
});

test('a price is one amount, a span, or what follows from the cart', () => {
  const text = (at: number) => priceText(CONFIG.methods[at] as never, 'EUR');
  assert.match(text(0), /3[.,]50/);
  assert.match(text(2), /4[.,]95.* – .*12[.,]95/);
  assert.equal(text(3), 'Free');
});
