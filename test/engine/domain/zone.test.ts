/** Zones: the countries that a zone may list, and the records in force at a place (contract section 4.5). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ISO_COUNTRIES } from '../../../src/engine/domain/country.ts';
import { recordsInForce, Zone } from '../../../src/engine/domain/zone.ts';
import { compileSchema } from '../../../src/engine/wire/schema-check.ts';

const { check, failure } = compileSchema(Zone);
const zoneOf = (country: string) => ({ id: 'zone', name: 'Zone', countries: [country], subzones: [] });

test('a zone accepts the country codes of the table and *, and no other pair of letters', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const taken = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => check(zoneOf(code)));
  assert.deepEqual(taken, [...ISO_COUNTRIES.keys()].sort());
  assert.equal(taken.length, 250);
  assert.ok(check(zoneOf('*')));
  for (const other of ['us', 'USA', 'U', '', '**', 'US ', 'A[', 'US|CA'])
    assert.ok(!check(zoneOf(other)), other);
});

test('a zone that lists UK is refused, and the message names GB', () => {
  assert.match(failure(zoneOf('UK')).message, /^\/countries\/0 must be .*the United Kingdom is GB/);
});

test('Kosovo has the code XK, which checkouts send', () => {
  assert.ok(check(zoneOf('XK')));
});

test('a zone that lists a country twice is refused', () => {
  const listing = (...countries: readonly string[]) => ({ ...zoneOf('US'), countries });
  assert.ok(check(listing('US', 'CA', '*')));
  for (const countries of [
    ['US', 'US'],
    ['US', 'CA', 'US'],
    ['*', '*'],
  ])
    assert.match(
      failure(listing(...countries)).message,
      /^\/countries must be up to \d+ different country codes/,
    );
});

test('records of a subzone replace those of its zone, which stay in force where it has none', () => {
  assert.deepEqual(recordsInForce(['own'], ['a', 'b']), ['own']);
  assert.deepEqual(recordsInForce([], ['a', 'b']), ['a', 'b']);
  assert.deepEqual(recordsInForce(undefined, ['a']), ['a']);
  assert.deepEqual(recordsInForce(undefined, undefined), []);
});
