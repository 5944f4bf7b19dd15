import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Defects } from '../../../src/engine/change/record-input.ts';

test('the first defect is the message of a single write', () => {
  const defects = new Defects();
  assert.ok(!defects.found);
  defects.add('/name must be text');
  defects.add('/zoneId must be an id');
  assert.ok(defects.found);
  assert.deepEqual(defects.failure(), { ok: false, code: 'VALIDATION_ERROR', message: '/name must be text' });
});

test('a bulk write names its first defects and counts the rest', () => {
  const defects = new Defects(2);
  for (const index of [0, 1, 2, 3]) defects.at(`/data/methods/${index}`)('/name is bad');
  assert.equal(
    defects.failure().message,
    '/data/methods/0/name is bad; /data/methods/1/name is bad; and 2 more',
  );
});

test('a long defect is cut between two characters', () => {
  for (const padding of ['', 'x']) {
    const defects = new Defects();
    defects.add(`/value ${padding}${'😀'.repeat(5_000)}`);
    const { message } = defects.failure();
    assert.ok(message.length <= 400);
    assert.equal(Buffer.from(message).toString(), message);
    assert.match(message, /\.\.\.$/);
  }
});
