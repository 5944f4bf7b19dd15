// Why this is no spread: src/runtime/extended.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extended } from '../../src/runtime/extended.ts';
import { haveSameShape } from '../support/same-shape.ts';

const record = (id: string) => ({ id, tags: [id] });

test('the copy has the fields of both in order, and what it was made of stays as it was', () => {
  const from = Object.freeze(record('a'));
  const more = Object.freeze({ placement: 1, rules: [] });
  const copy = extended(from, more);
  assert.equal(JSON.stringify(copy), '{"id":"a","tags":["a"],"placement":1,"rules":[]}');
  assert.equal(copy.tags, from.tags);
  assert.equal(JSON.stringify(from), '{"id":"a","tags":["a"]}');
});

test('a field that both have is that of the second, in its place in the first', () => {
  assert.equal(JSON.stringify(extended(record('a'), { id: 'b' })), '{"id":"b","tags":["a"]}');
});

test('copies of one make share their hidden class, however many fields they get', () => {
  const many = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`field${at}`, at]));
  for (const more of [{ placement: 1 }, { placement: 1, rules: [] }, many]) {
    assert.ok(haveSameShape(extended(record('a'), more), extended(record('b'), more)));
  }
});
