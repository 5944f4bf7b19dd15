/** A table of texts, few or many: it says of each what was said of it first. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextTable } from '../../src/compile/text-table.ts';

test('tens of thousands of texts have the value that each was given first, and other texts none', () => {
  const table = new TextTable();
  assert.ok(table.isEmpty);
  const count = 30_000;
  for (let at = 0; at < count; at++) table.claim(`text ${at}`, at);
  for (let at = 0; at < count; at++) table.claim(`text ${at}`, -1);
  assert.ok(!table.isEmpty);
  for (let at = 0; at < count; at++) assert.equal(table.get(`text ${at}`), at);
  for (const text of ['', 'text', `text ${count}`, 'Text 0']) assert.equal(table.get(text), undefined);
});
