/** The length of JSON that nobody makes: about right, and bounded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonLength } from '../../../src/base/bytes/json-length.ts';

const ALL = Number.MAX_SAFE_INTEGER;
/** Plain data without what is told to count for more or less: numbers, literals and characters that are escaped. */
const text = fc.string({ unit: fc.constantFrom('a', 'é', '\ud83d\ude00', ' '), maxLength: 30 });
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    text,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(text, tie('value'), { maxKeys: 6 }),
  ),
}));

const entriesOf = (one: unknown): number =>
  typeof one === 'object' && one !== null
    ? Object.values(one).reduce((sum: number, below) => sum + 1 + entriesOf(below), 0)
    : 0;

test('it is the length of JSON.stringify plus at most one character for each entry', () => {
  fc.assert(
    fc.property(value, (one) => {
      const [length, made] = [jsonLength(one, ALL), JSON.stringify(one).length];
      assert.ok(length >= made && length <= made + entriesOf(one), `${length} for ${made}`);
    }),
    { numRuns: 500 },
  );
  assert.equal(jsonLength([1, null, false], ALL), 2 + 3 * 9);
});

test('beyond the bound the count stops, whatever is left', () => {
  const list = Array.from({ length: 10_000 }, () => ({ text: 'x'.repeat(100) }));
  const record = Object.fromEntries(list.map((one, at) => [`field_${at}`, one]));
  for (const max of [0, 1_000, 20_000, 100_000]) {
    for (const one of [list, record]) {
      const length = jsonLength(one, max);
      // At most one text more, and the names of the fields or the commas of one list.
      assert.ok(length > max && length <= Math.max(2 * max, max + 20_000), `${length} for ${max}`);
    }
  }
});
