/** Countries: what a zone may list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ISO_COUNTRIES } from '../../src/domain/country.ts';
import { Zone } from '../../src/domain/zone.ts';
import { compileSchema } from '../../src/wire/schema-check.ts';

const { check, failure } = compileSchema(Zone);
const zoneOf = (country: string) => ({ id: 'zone', name: 'Zone', countries: [country], subzones: [] });

test('a zone lists the codes of the table and *, and no other two letters', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const taken = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => check(zoneOf(code)));
  assert.deepEqual(taken, [...ISO_COUNTRIES.keys()].sort());
  assert.equal(taken.length, 250);
  assert.ok(check(zoneOf('*')));
  for (const other of ['us', 'USA', 'U', '', '**', 'US ', 'A[', 'US|CA'])
    assert.ok(!check(zoneOf(other)), other);
});

test('the refusal of UK names GB', () => {
  assert.match(failure(zoneOf('UK')).message, /^\/countries\/0 must be .*the United Kingdom is GB/);
});

test('Kosovo has the code that checkouts send', () => {
  assert.ok(check(zoneOf('XK')));
});
