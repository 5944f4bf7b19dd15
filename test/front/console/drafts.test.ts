/** Edits that are not saved, and names of countries that lead to a zone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Drafts } from '../../../src/front/console/drafts.ts';
import { zoneCountryNames } from '../../../src/front/console/place-names.ts';

test('unsaved edits are counted, and those that a page does not show lead back to it', () => {
  const counts: number[] = [];
  const drafts: Drafts = new Drafts(() => counts.push(drafts.size));
  drafts.set('methods method_1', 1).set('methods method_1', 2).set('settings Rules for publishing', 1);
  assert.deepEqual(counts, [1, 2]);
  assert.deepEqual(drafts.linksElsewhere({ page: 'methods', parameters: { open: 'method_1' } }), [
    '#/settings',
  ]);
  assert.deepEqual(drafts.linksElsewhere({ page: 'methods', parameters: {} }), [
    '#/methods?open=method_1',
    '#/settings',
  ]);
  assert.deepEqual(drafts.linksElsewhere({ page: 'settings', parameters: {} }), ['#/methods?open=method_1']);
  assert.deepEqual(drafts.set('methods prices', 1).linksElsewhere({ page: 'zones', parameters: {} }), [
    ...['#/methods?open=method_1', '#/settings', '#/methods'],
  ]);
  assert.equal(drafts.delete('zones zone_1'), false);
  drafts.clear();
  drafts.clear();
  assert.deepEqual(counts, [1, 2, 3, 0]);
});

test('a country leads to its zone by its names in English and in the language of the browser', () => {
  const names = zoneCountryNames(
    [
      { id: 'de', countries: ['DE'] },
      { id: 'rest', countries: ['*'] },
    ],
    'de',
  );
  assert.match(names.get('de')?.join() ?? '', /Germany.*Deutschland/);
  assert.match(names.get('rest')?.join() ?? '', /United States.*Vereinigte Staaten/);
  assert.doesNotMatch(names.get('rest')?.join() ?? '', /Deutschland/);
});
