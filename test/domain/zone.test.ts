/** Which records are in force at a place (contract section 4.5). */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { recordsInForce } from '../../src/domain/zone.ts';

it('records of a subzone replace those of its zone, which stay in force where it has none', () => {
  assert.deepEqual(recordsInForce(['own'], ['a', 'b']), ['own']);
  assert.deepEqual(recordsInForce([], ['a', 'b']), ['a', 'b']);
  assert.deepEqual(recordsInForce(undefined, ['a']), ['a']);
  assert.deepEqual(recordsInForce(undefined, undefined), []);
});
