/** Edits of several methods at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type BulkEdit,
  blendsOf,
  editedMethods,
  methodsData,
  rounded,
  withoutPreferred,
} from '../../../src/front/console/methods/bulk-edits.ts';
import type { Method } from '../../../src/front/console/methods/method-kind.ts';

const method = (id: string, priced: object): Method =>
  ({
    id,
    name: id,
    serviceCode: id,
    zoneId: 'de',
    rules: [{ id: `rule_${id}`, name: '' }],
    ...priced,
  }) as Method;

const FLAT = method('flat', { rateType: 'flat', config: { price: 495 } });
const TABLE = method('table', {
  rateType: 'by_price_table',
  config: {
    tiers: [
      { minPrice: 0, maxPrice: 5_000, price: 490 },
      { minPrice: 5_000, maxPrice: null, price: 0 },
    ],
  },
});
const WEIGHT = method('weight', {
  rateType: 'by_weight',
  config: { firstWeight: 1_000, firstPrice: 400, additionalWeight: 500, additionalPrice: 90 },
});
const SHARE = method('share', {
  rateType: 'percentage',
  config: { percentage: 8, minPrice: 300, maxPrice: 900 },
});
const ALL = [FLAT, TABLE, WEIGHT, SHARE];
const IDS = new Set(ALL.map(({ id }) => id));

const configs = (edit: BulkEdit, ids = IDS): readonly unknown[] =>
  editedMethods(ALL, ids, edit).map(({ config }) => config);

test('a percentage changes prices, and neither bounds of tiers nor weights; cents are rounded half up', () => {
  assert.deepEqual(configs({ kind: 'percent', percent: 5 }), [
    { price: 520 },
    {
      tiers: [
        { minPrice: 0, maxPrice: 5_000, price: 515 },
        { minPrice: 5_000, maxPrice: null, price: 0 },
      ],
    },
    { firstWeight: 1_000, firstPrice: 420, additionalWeight: 500, additionalPrice: 95 },
    { percentage: 8, minPrice: 300, maxPrice: 900 },
  ]);
});

test('an amount is added, never below zero, and what is free stays free', () => {
  assert.deepEqual(configs({ kind: 'add', amount: 50 })[1], {
    tiers: [
      { minPrice: 0, maxPrice: 5_000, price: 540 },
      { minPrice: 5_000, maxPrice: null, price: 0 },
    ],
  });
  assert.deepEqual(configs({ kind: 'add', amount: -600 })[0], { price: 0 });
});

test('a price is rounded to the nearest ending', () => {
  const to90 = [404, 440, 441, 490, 20, 5, 0].map((price) => rounded(price, 90));
  assert.deepEqual(to90, [390, 490, 490, 490, 90, 90, 0]);
  assert.deepEqual(
    [449, 450, 40].map((price) => rounded(price, 0)),
    [400, 500, 100],
  );
});

test('methods that are not chosen stay the same objects', () => {
  const edited = editedMethods(ALL, new Set(['flat']), { kind: 'disable' });
  assert.equal(edited[0]?.enabled, false);
  assert.deepEqual(edited.slice(1), ALL.slice(1));
  assert.equal(edited[1], TABLE);
  const prices = new Map([
    ['flat', 1],
    ['table', 2],
  ]);
  assert.deepEqual(configs({ kind: 'prices', prices }).slice(0, 2), [{ price: 1 }, TABLE.config]);
});

test('copies go to each other zone, without ids and codes, with their rules', () => {
  const edited = editedMethods(ALL, new Set(['flat']), { kind: 'copy', zoneIds: ['de', 'at', 'ch'] });
  assert.deepEqual(
    edited.slice(ALL.length),
    ['at', 'ch'].map((zoneId) => ({
      name: 'flat',
      zoneId,
      rateType: 'flat',
      config: { price: 495 },
      rules: [{ name: '' }],
    })),
  );
  const data = methodsData(edited) ?? [];
  // Rules that are left out stay; those of copies are new.
  assert.deepEqual(
    data.map(({ id, rules }) => [id, rules?.length]),
    [...ALL.map(({ id }) => [id, undefined]), [undefined, 1], [undefined, 1]],
  );
});

test('a deletion names the blended rates that prefer what goes, and takes the preferences away', () => {
  const blends = [
    { id: 'one', preferences: [{ productGroupId: 'a', preferredMethodId: 'flat' }] },
    {
      id: 'two',
      preferences: [
        { productGroupId: 'a', preferredMethodId: null },
        { productGroupId: 'b', preferredMethodId: 'table' },
      ],
    },
  ] as unknown as Parameters<typeof blendsOf>[0];
  const gone = new Set(['table']);
  assert.deepEqual(
    blendsOf(blends, gone).map(({ id }) => id),
    ['two'],
  );
  assert.deepEqual(
    withoutPreferred(blends, gone).map(({ preferences }) => preferences.length),
    [1, 1],
  );
  assert.deepEqual(
    editedMethods(ALL, gone, { kind: 'delete' }).map(({ id }) => id),
    ['flat', 'weight', 'share'],
  );
});
