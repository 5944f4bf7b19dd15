/** JSON text in steps: the very text of `JSON.stringify`, in pieces of bounded work. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonSteps } from '../../src/bytes/json-steps.ts';
import { finishSteps, PIECE_UNITS, STEP_UNITS, WorkMeter } from '../../src/pace/work-steps.ts';

const textOf = (value: unknown): string => finishSteps(jsonSteps(value, new WorkMeter())).join('');

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
    { numRuns: 300 },
  );
  const list = Array.from({ length: 20_000 }, (_, index) => ({ id: `id_${index}`, none: undefined }));
  assert.equal(textOf({ list, empty: [], also: {} }), JSON.stringify({ list, empty: [], also: {} }));
});

test('no step is longer than a full one and a piece', () => {
  const records = Array.from({ length: 20_000 }, (_, index) => ({
    id: `id_${index}`,
    of: [index, { index }],
  }));
  const steps = jsonSteps({ records, long: 'é'.repeat(1_000_000) }, new WorkMeter());
  let count = 0;
  for (let step = steps.next(); step.done !== true; step = steps.next()) {
    assert.ok(step.value <= STEP_UNITS + 2 * PIECE_UNITS, `a step of ${step.value} units`);
    count++;
  }
  assert.ok(count > 10, `${count} steps`);
});
