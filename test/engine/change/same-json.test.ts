import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { sameJson } from '../../../src/engine/change/diff.ts';

const json = fc
  .jsonValue({ maxDepth: 3, noUnicodeString: true })
  .map((value) => JSON.parse(JSON.stringify(value)));

test('JSON values are the same exactly when they are deeply equal', () => {
  fc.assert(
    fc.property(json, json, (a, b) => {
      assert.equal(sameJson(a, b), isDeepStrictEqual(a, b));
      assert.ok(sameJson(a, structuredClone(a)));
    }),
    { numRuns: 2_000 },
  );
});

test('the order of fields does not matter, that of elements does', () => {
  assert.ok(sameJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }));
  assert.ok(!sameJson([1, 2], [2, 1]));
});

test('arrays, objects and null are told apart, and inherited names do not count as fields', () => {
  const different: [unknown, unknown][] = [
    [[], {}],
    [{}, null],
    [null, 0],
    ['', null],
    [{ toString: 1 }, { a: 1 }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [[1], [1, 2]],
  ];
  for (const [a, b] of different) {
    assert.ok(!sameJson(a, b));
    assert.ok(!sameJson(b, a));
  }
});
