import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoOfLocal, localOfIso } from '../../../src/front/console/local-time.ts';

test('a local time is the text of its moment, and a text without a moment is none', () => {
  const text = '2026-12-24T18:05';
  assert.equal(isoOfLocal(text), new Date(2026, 11, 24, 18, 5).toISOString());
  assert.equal(localOfIso(isoOfLocal(text)), text);
  for (const none of ['', '20266-12-24T18:05', 'soon']) {
    assert.equal(isoOfLocal(none), '', none);
    assert.equal(localOfIso(none), '', none);
  }
});
