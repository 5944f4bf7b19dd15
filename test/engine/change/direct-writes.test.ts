/** A shop that takes changes in a changeset only (contract section 12.3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../../src/engine/change/command.ts';
import { readImage, writeImage } from '../../../src/engine/change/state-image.ts';
import type { Permission } from '../../../src/engine/domain/permission.ts';
import { shopWithZones, type TrialShop } from './trial-shop.ts';

const set = (directWrites: boolean): Command => ({ kind: 'updateShop', body: { directWrites } });
const ONLY = 'this shop takes changes in a changeset only';

const keyOf = (shop: TrialShop, permission: Permission): string => {
  const print = { prefix: 'rw_abc', secretSha256: 'ab'.repeat(32) };
  return shop.resultOf('key', { kind: 'createKey', label: permission, permission, ...print }).key.id;
};

test('the setting is stored where it is false, kept by other writes, and true again', () => {
  const shop = shopWithZones();
  assert.ok(!('directWrites' in shop.state.settings));
  shop.accept(set(false));
  shop.accept({ kind: 'updateShop', body: { name: 'Other' } });
  shop.accept({ kind: 'setPlan', plan: 'pro' });
  assert.equal(shop.state.settings.directWrites, false);
  assert.deepEqual(readImage(writeImage(shop.state)), shop.state);
  shop.accept(set(true));
  assert.ok(!('directWrites' in shop.state.settings));
});

test('every write of the configuration is refused without a changeset, and accepted in one', () => {
  const shop = shopWithZones();
  const method = shop.createMethod({ name: 'One' });
  const [zone] = shop.config.zones;
  shop.accept(set(false));
  const writes: readonly Command[] = [
    { kind: 'createGroup', body: { name: 'Heavy' } },
    { kind: 'updateZone', id: zone?.id ?? '', body: { name: 'Renamed' } },
    { kind: 'createRule', methodId: method.id, body: { action: 'hide', conditions: [] } },
    { kind: 'executeConfig', data: {} },
    { kind: 'deleteMethod', id: method.id },
  ];
  const { state } = shop;
  for (const keyId of [null, keyOf(shop, 'admin')]) {
    shop.context = { keyId };
    for (const command of writes) shop.refuse(command, 'CONFLICT', ONLY);
    // It is told before what is wrong with the write itself.
    shop.refuse({ kind: 'deleteMethod', id: 'nobody' }, 'CONFLICT', ONLY);
  }
  assert.equal(shop.state.config, state.config);
  shop.accept({ kind: 'enterStaging' });
  for (const command of writes) shop.accept(command);
  shop.accept({ kind: 'promoteStaging' });
  assert.equal(shop.state.version.number, state.version.number + writes.length);
  shop.refuse({ kind: 'createGroup', body: { name: 'Again' } }, 'CONFLICT', ONLY);
  shop.accept(set(true));
  shop.accept({ kind: 'createGroup', body: { name: 'Again' } });
});

test('a rollback needs the permission admin, or the command line', () => {
  const shop = shopWithZones();
  const target = { kind: 'rollback', targetVersionId: shop.state.version.id } as const;
  const [admin, writer] = [keyOf(shop, 'admin'), keyOf(shop, 'write')];
  shop.context = { keyId: writer };
  shop.accept(target);
  shop.accept(set(false));
  shop.refuse(target, 'FORBIDDEN', 'a rollback of this shop needs an API key with the permission admin');
  for (const keyId of [admin, null]) {
    shop.context = { keyId };
    shop.accept(target);
  }
  shop.accept({ kind: 'enterStaging' });
  shop.refuse(target, 'CONFLICT', 'before a rollback');
  shop.context = { keyId: 'key_revoked' };
  shop.accept({ kind: 'discardStaging' });
  shop.refuse(target, 'FORBIDDEN', 'a rollback of this shop');
});
