/** Countries by their names, regions at once, and which zone gets a country. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ISO_COUNTRIES } from '../../../src/engine/domain/country.ts';
import { countryChoices, countryName, countryReader } from '../../../src/front/console/place-names.ts';
import {
  CONTINENTS,
  countryPresets,
  EEA,
  EU,
  homeCountry,
  neighboursOf,
  takenEarlier,
  unreachedCountries,
} from '../../../src/front/console/zones/country-presets.ts';

test('a country is read by its codes and by its names, English or of the browser', () => {
  const read = countryReader('de-DE');
  for (const text of ['DE', 'de', 'DEU', 'Germany', 'deutschland', ' Germany (DE) '])
    assert.equal(read(text), 'DE');
  for (const text of ['Österreich', 'osterreich', 'Austria']) assert.equal(read(text), 'AT');
  assert.deepEqual(['UK', 'usa', 'Czech Republic', 'Türkei'].map(read), ['GB', 'US', 'CZ', 'TR']);
  assert.deepEqual(['*', 'rest of the world', 'Rest of world'].map(read), ['*', '*', '*']);
  assert.deepEqual(['Atlantis', '', 'D', 'EU'].map(read), [null, null, null, null]);
  assert.equal(countryReader('en-US')('Deutschland'), null);
  for (const [code, text] of countryChoices('en-US')) assert.equal(read(text), code);
  // English, whatever the browser speaks.
  assert.deepEqual(['DE', '*'].map(countryName), ['Germany', 'Rest of world']);
});

test('each country is on one continent, and presets hold countries that there are', () => {
  const all = Object.values(CONTINENTS).flat();
  assert.equal(new Set(all).size, all.length);
  assert.deepEqual([...all, 'AQ'].sort(), [...ISO_COUNTRIES.keys()].sort());
  assert.deepEqual([EU.length, EEA.length], [27, 30]);
  assert.ok(EEA.every((code) => ISO_COUNTRIES.has(code)));
});

test('neighbours are mutual', () => {
  assert.deepEqual(neighboursOf('DE'), ['AT', 'BE', 'CH', 'CZ', 'DK', 'FR', 'LU', 'NL', 'PL']);
  assert.deepEqual(neighboursOf('PT'), ['ES']);
  assert.deepEqual(neighboursOf('JP'), []);
  for (const country of ISO_COUNTRIES.keys())
    for (const other of neighboursOf(country)) {
      assert.ok(ISO_COUNTRIES.has(other) && other !== country, `${country} ${other}`);
      assert.ok(neighboursOf(other).includes(country));
    }
});

test('presets are seen from the own country', () => {
  const namesFor = (home: string | null) => countryPresets(home, countryName).map(({ name }) => name);
  assert.ok(namesFor('DE').includes('European Union without Germany'));
  assert.ok(namesFor('DE').includes('Neighbours of Germany'));
  assert.ok(namesFor(null).every((name) => !/without|Neighbours/.test(name)));
  const presets = countryPresets('DE', countryName);
  assert.equal(presets.find(({ name }) => name.includes('without'))?.countries.length, 26);
  assert.deepEqual(presets.at(-1)?.countries, ['*']);
  const zones = [{ countries: ['FR', 'BE'] }, { countries: ['AT'] }];
  assert.equal(homeCountry(['CH'], zones, 'de-DE'), 'CH');
  assert.equal(homeCountry([], zones, 'de-DE'), 'AT');
  assert.equal(homeCountry([], [{ countries: ['*'] }], 'de-DE'), 'DE');
  assert.equal(homeCountry([], [], 'de'), null);
});

test('a country goes to the first zone that lists it, and to none where none has it', () => {
  const zones = [{ countries: ['DE'] }, { countries: ['AT', 'DE', 'CH'] }];
  assert.deepEqual(takenEarlier(['CH', 'FR', 'DE'], zones), [
    { zone: zones[0], countries: ['DE'] },
    { zone: zones[1], countries: ['CH'] },
  ]);
  assert.deepEqual(
    takenEarlier(['FR', '*'], [{ countries: ['*'] }]).flatMap(({ countries }) => countries),
    ['*'],
  );
  assert.equal(unreachedCountries(zones).length, ISO_COUNTRIES.size - 3);
  assert.deepEqual(unreachedCountries([...zones, { countries: ['*'] }]), []);
});
