import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paintAnsi, paintFor, paintNothing } from '../../../src/front/command-line/terminal.ts';

test('colours are used only on a terminal that supports them', () => {
  assert.equal(paintFor({}), paintNothing);
  assert.equal(paintFor({ isTTY: true, hasColors: () => false }), paintNothing);
  assert.equal(paintFor({ isTTY: false, hasColors: () => true }), paintNothing);
  assert.equal(paintFor({ isTTY: true, hasColors: () => true }), paintAnsi);
});
