/** The name and the note of a changeset (contract section 12.8). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readImage, writeImage } from '../../../src/engine/change/state-image.ts';
import type { ShopEvent } from '../../../src/engine/domain/shop-event.ts';
import { NO_DIFFERENCES } from '../../../src/engine/domain/version.ts';
import { versionView } from '../../../src/engine/wire/record-view.ts';
import { stagingView } from '../../../src/engine/wire/staging.ts';
import { shopWithZones } from './trial-shop.ts';

const versionsOf = (events: readonly ShopEvent[]) =>
  events.flatMap((event) => (event.kind === 'configChanged' ? [event.version] : []));

/** A changeset with two writes. */
function stagedShop(texts: { readonly name?: string; readonly note?: string }) {
  const shop = shopWithZones();
  const { staging } = shop.resultOf('stagingEntered', { kind: 'enterStaging', ...texts });
  shop.createMethod({ name: 'One' });
  shop.createMethod({ name: 'Two' });
  return { shop, entered: staging };
}

test('name and note are in the changeset, and in each version of its promotion', () => {
  const texts = { name: 'Autumn', note: 'New tariffs' };
  for (const [given, changeset] of [
    [texts, texts],
    [{ name: 'Autumn' }, { name: 'Autumn', note: '' }],
    [
      { note: 'New tariffs', name: '' },
      { name: '', note: 'New tariffs' },
    ],
  ] as const) {
    const { shop, entered } = stagedShop(given);
    assert.deepEqual({ name: entered.name, note: entered.note }, changeset);
    assert.deepEqual(readImage(writeImage(shop.state)), shop.state);
    const versions = versionsOf(shop.accept({ kind: 'promoteStaging' }).events);
    assert.deepEqual(
      versions.map((version) => [version.changeset, versionView(version, []).changeset]),
      [
        [changeset, changeset],
        [changeset, changeset],
      ],
    );
    shop.createMethod({ name: 'Three' });
    assert.ok(!('changeset' in shop.state.version));
  }
});

test('a changeset without texts is stored as before, and so are the versions of its promotion', () => {
  for (const texts of [{}, { name: '', note: '' }]) {
    const { shop, entered } = stagedShop(texts);
    assert.deepEqual({ name: entered.name, note: entered.note }, { name: '', note: '' });
    assert.deepEqual(Object.keys(shop.state.staging ?? {}), [
      ...['id', 'baseVersionId', 'enteredAt', 'enteredBy', 'config', 'writes'],
    ]);
    const versions = versionsOf(shop.accept({ kind: 'promoteStaging' }).events);
    assert.equal(versions.length, 2);
    for (const version of versions)
      assert.ok(!('changeset' in version || 'changeset' in versionView(version, [])));
  }
});

test('who entered is shown with the label of the key, null once it is revoked', () => {
  const shop = shopWithZones();
  const print = { prefix: 'rw_abc', secretSha256: 'ab'.repeat(32) };
  const made = { kind: 'createKey', label: 'Ann', permission: 'write', ...print } as const;
  const { key } = shop.resultOf('key', made);
  shop.context = { keyId: key.id };
  const { staging } = shop.resultOf('stagingEntered', { kind: 'enterStaging' });
  assert.deepEqual(staging.enteredBy, { keyId: key.id, keyLabel: 'Ann' });
  shop.accept({ kind: 'revokeKey', id: key.id });
  const { staging: stored, keys } = shop.state;
  assert.ok(stored !== null);
  assert.deepEqual(stagingView(stored, NO_DIFFERENCES, keys).enteredBy, { keyId: key.id, keyLabel: null });
});
