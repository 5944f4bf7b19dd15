/** The id of a version leads to its number, and an id that only looks like one to no other version. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idsFromSeed } from '../../src/domain/id.ts';
import { isId } from '../../src/domain/id-pattern.ts';
import { namesItsNumber, numberInVersionId, versionIdOf } from '../../src/domain/version-id.ts';

test('an id ends with the number of its version', () => {
  const ids = idsFromSeed('x'.repeat(26));
  for (const number of [1, 2, 10, 4_294_967_296, Number.MAX_SAFE_INTEGER]) {
    const id = versionIdOf(ids, number);
    assert.ok(isId(id), id);
    assert.ok(namesItsNumber({ id, number }));
    assert.equal(numberInVersionId(id), number);
  }
});

test('an id of an earlier release, or without a number after its last underscore, has no version number', () => {
  const seed = '01JD3V8RZK6Q9W5T7X2Y4B8N0C';
  for (const end of ['', '-0001', '_', '_0', '_07', '_-1', '_1e3', '_7x', `_${'9'.repeat(17)}`]) {
    assert.equal(numberInVersionId(`version_${seed}${end}`), null, end);
  }
  assert.equal(namesItsNumber({ id: `version_${seed}_12`, number: 2 }), false);
});
