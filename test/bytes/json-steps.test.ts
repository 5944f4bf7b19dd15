/** JSON text in steps: the very text of `JSON.stringify`, in pieces of bounded work. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonSteps } from '../../src/bytes/json-steps.ts';
import { runUnderSchedules } from '../support/yield-schedules.ts';

/** Characters of a piece of a long text, at most. */
const PIECE_LENGTH = 16_384;

const inSteps = (value: unknown) => runUnderSchedules((shouldYield) => jsonSteps(value, shouldYield));
const textOf = (value: unknown): string => inSteps(value).value.join('');

const letter = fc.constantFrom('a', '"', '\\', '\n', 'é', '\ud83d\ude00', '\ud83d', '\ude00', '\u2028');
/** Texts beyond every bound at which one is cut, and short ones. */
const text = fc
  .tuple(fc.string({ unit: letter, maxLength: 9 }), fc.constantFrom(0, 1, 2_000, 9_000))
  .map(([unit, times]) => unit.repeat(times));

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    text,
    fc.constantFrom(null, true, 0, -1.5, undefined),
    fc.array(
      tie('value').map((one) => one ?? null),
      { maxLength: 6 },
    ),
    fc.dictionary(fc.constantFrom('a', 'b', '"', 'é', '__proto__'), tie('value')),
  ),
}));

test('the parts are the text of JSON.stringify, wherever they are cut', () => {
  fc.assert(
    fc.property(
      value.filter((one) => one !== undefined),
      (one) => assert.equal(textOf(one), JSON.stringify(one)),
    ),
    { numRuns: 150 },
  );
  const list = Array.from({ length: 20_000 }, (_, index) => ({ id: `id_${index}`, none: undefined }));
  assert.equal(textOf({ list, empty: [], also: {} }), JSON.stringify({ list, empty: [], also: {} }));
});

test('writing may yield after each short record and each piece of a long text', () => {
  const records = Array.from({ length: 20_000 }, (_, index) => ({
    id: `id_${index}`,
    of: [index, { index }],
  }));
  assert.ok(inSteps(records).questions >= 20_000);
  assert.ok(inSteps('é'.repeat(1_000_000)).questions >= 1_000_000 / PIECE_LENGTH);
});
