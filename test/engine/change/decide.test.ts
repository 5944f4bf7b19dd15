/** The version that every accepted configuration write makes (contract section 6). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shopWithZones, TrialShop } from './trial-shop.ts';

test('a write makes the next version, with the author and key of the request', () => {
  const shop = new TrialShop();
  shop.context = { keyId: 'key_a', batchId: 'batch-7', seed: '01JSEED', now: '2026-05-01T12:00:00.000Z' };
  shop.createGroup({ name: 'Heavy' });
  assert.deepEqual(shop.state.version, {
    id: 'version_01JSEED_2',
    number: 2,
    createdAt: '2026-05-01T12:00:00.000Z',
    createdBy: 'user',
    keyId: 'key_a',
    description: 'Product group "Heavy" created',
    batchId: 'batch-7',
    changes: { added: 1, modified: 0, removed: 0 },
  });
});

test('a write that changes nothing makes a version too', () => {
  const shop = shopWithZones();
  const { id } = shop.createMethod();
  const { number } = shop.state.version;
  const { events } = shop.accept({ kind: 'updateMethod', id, body: {} });
  assert.equal(shop.state.version.number, number + 1);
  assert.deepEqual(shop.state.version.changes, { added: 0, modified: 0, removed: 0 });
  assert.deepEqual(events[0]?.kind === 'configChanged' && events[0].change, {});
});

test('version times never decrease after the clock is set back', () => {
  const shop = new TrialShop();
  const { createdAt } = shop.state.version;
  shop.context = { now: '2020-01-01T00:00:00.000Z' };
  shop.createGroup({ name: 'Heavy' });
  assert.equal(shop.state.version.createdAt, createdAt);
});

test('the ids of the versions of a promotion sort as their numbers do', () => {
  const shop = new TrialShop();
  shop.accept({ kind: 'enterStaging' });
  for (let write = 1; write <= 12; write++) shop.createGroup({ name: `Group ${write}` });
  const ids = shop
    .accept({ kind: 'promoteStaging' })
    .events.flatMap((event) => (event.kind === 'configChanged' ? [event.version.id] : []));
  assert.equal(ids.length, 12);
  assert.deepEqual([...ids].sort(), ids);
});

test('a record carries the number of the version that created or moved it, not of one that changed it', () => {
  const shop = shopWithZones();
  const [a] = ['A', 'B'].map((name) => shop.createMethod({ name }));
  const placements = () => shop.config.methods.map(({ name, placement }) => [name, placement]);
  assert.deepEqual(placements(), [
    ['A', 3],
    ['B', 4],
  ]);
  shop.accept({ kind: 'updateMethod', id: a?.id ?? '', body: { subtitle: 'slow' } });
  assert.deepEqual(placements(), [
    ['A', 3],
    ['B', 4],
  ]);
  shop.accept({ kind: 'updateMethod', id: a?.id ?? '', body: { position: 1 } });
  assert.deepEqual(placements(), [
    ['B', 4],
    ['A', 6],
  ]);
});

test('a position equal to the current one moves no record', () => {
  const shop = shopWithZones();
  const [, b] = ['A', 'B'].map((name) => shop.createMethod({ name }));
  const before = shop.config;
  shop.accept({ kind: 'updateMethod', id: b?.id ?? '', body: { position: 7 } });
  assert.deepEqual(shop.config, before);
});
