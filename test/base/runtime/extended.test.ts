// `src/base/runtime/extended.ts` explains why this is not a spread.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extended } from '../../../src/base/runtime/extended.ts';
import { haveSameShape } from '../../support/same-shape.ts';

const record = (id: string) => ({ id, tags: [id] });

test('the copy has the fields of both in order, and the originals are unchanged', () => {
  const from = Object.freeze(record('a'));
  const more = Object.freeze({ placement: 1, rules: [] });
  const copy = extended(from, more);
  assert.equal(JSON.stringify(copy), '{"id":"a","tags":["a"],"placement":1,"rules":[]}');
  assert.equal(copy.tags, from.tags);
  assert.equal(JSON.stringify(from), '{"id":"a","tags":["a"]}');
});

test('a field of both has the value of the second and the position of the first', () => {
  assert.equal(JSON.stringify(extended(record('a'), { id: 'b' })), '{"id":"b","tags":["a"]}');
});

test('copies of the same kind share their hidden class, whatever the number of fields', () => {
  const many = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`field${at}`, at]));
  for (const more of [{ placement: 1 }, { placement: 1, rules: [] }, many]) {
    assert.ok(haveSameShape(extended(record('a'), more), extended(record('b'), more)));
  }
});
