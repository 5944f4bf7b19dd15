/** Writes of zones (contract sections 3 and 10). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ZoneCreate, ZoneUpdate } from '../../../src/engine/wire/write-bodies.ts';
import { shopWithZones, type TrialShop } from './trial-shop.ts';

const create = (body: ZoneCreate) => ({ kind: 'createZone' as const, body });
const update = (id: string, body: ZoneUpdate) => ({ kind: 'updateZone' as const, id, body });
const remove = (id: string) => ({ kind: 'deleteZone' as const, id });

const FRANCE: ZoneCreate = {
  name: 'France',
  countries: ['FR', 'MC'],
  subzones: [
    { name: 'Corsica', postalCodes: '20*' },
    { name: 'Paris', postalCodes: '75001-75020, 75116' },
  ],
};

const ALASKA = { id: 'sub_ak', name: 'Alaska', postalCodes: '995*, 99811' };
const HAWAII = { id: 'sub_hi', name: 'Hawaii', postalCodes: '96700-96899' };

const zoneIds = (shop: TrialShop) => shop.config.zones.map(({ id }) => id);
const zoneOf = (shop: TrialShop, id: string) => shop.config.zones.find((zone) => zone.id === id);

test('a created zone is last and gets new ids for itself and its subzones', () => {
  const shop = shopWithZones();
  const { zone } = shop.resultOf('zone', create(FRANCE));
  assert.match(zone.id, /^zone_/);
  for (const { id } of zone.subzones) assert.match(id, /^sub_/);
  assert.equal(new Set([zone.id, ...zone.subzones.map(({ id }) => id)]).size, 3);
  assert.deepEqual(zone, {
    id: zone.id,
    name: 'France',
    countries: ['FR', 'MC'],
    subzones: FRANCE.subzones?.map(({ name, postalCodes }, index) => ({
      id: zone.subzones[index]?.id,
      name,
      postalCodes,
    })),
  });
  assert.deepEqual(zoneIds(shop), ['zone_us', 'zone_gb', 'zone_row', zone.id]);
  const { version } = shop.state;
  assert.equal(version.description, 'Zone "France" created');
  assert.deepEqual(version.changes, { added: 3, modified: 0, removed: 0 });
  assert.equal(version.createdBy, 'user');
  assert.deepEqual(shop.resultOf('zone', create({ name: 'None', countries: [] })).zone.subzones, []);
});

test('a zone that was read can be sent as a new one: it and its subzones get new ids', () => {
  const shop = shopWithZones();
  const [read] = shop.snapshot().zones;
  assert.ok(read !== undefined);
  const { zone } = shop.resultOf('zone', create(read as ZoneCreate));
  const ids = [zone.id, ...zone.subzones.map(({ id }) => id)];
  for (const id of ids) assert.ok(!['zone_us', 'sub_ak', 'sub_hi'].includes(id), id);
  const bare = (one: object) => JSON.stringify(one).replaceAll(/"id":"[\w-]+",?/g, '');
  assert.equal(bare(zone), bare(read));
});

test('position places a new zone and moves one, which takes its countries before those behind it', () => {
  const shop = shopWithZones();
  const { zone } = shop.resultOf('zone', create({ name: 'First', countries: ['US'], position: 0 }));
  assert.deepEqual(zoneIds(shop), [zone.id, 'zone_us', 'zone_gb', 'zone_row']);
  shop.accept(update(zone.id, { position: 2 }));
  assert.deepEqual(zoneIds(shop), ['zone_us', 'zone_gb', zone.id, 'zone_row']);
  assert.deepEqual(shop.state.version.changes, { added: 0, modified: 1, removed: 0 });
  shop.accept(update('zone_us', { position: 99 }));
  assert.deepEqual(zoneIds(shop), ['zone_gb', zone.id, 'zone_row', 'zone_us']);
});

test('a PUT is partial: what it leaves out stays, countries are replaced whole', () => {
  const shop = shopWithZones();
  const before = zoneOf(shop, 'zone_us');
  const { zone } = shop.resultOf('zone', update('zone_us', { name: 'USA' }));
  assert.deepEqual(zone.subzones, before?.subzones);
  assert.deepEqual([zone.name, zone.countries], ['USA', ['US']]);
  const other = shop.resultOf('zone', update('zone_us', { countries: ['CA', '*'] })).zone;
  assert.deepEqual([other.name, other.countries], ['USA', ['CA', '*']]);
  assert.equal(shop.state.version.description, 'Zone "USA" updated');
  // A country may stand in several zones.
  shop.accept(update('zone_gb', { countries: ['GB', 'CA'] }));
});

test('a zone sent back as it was read changes nothing and makes a version', () => {
  const shop = shopWithZones();
  const { config, version } = shop.state;
  const [read] = shop.snapshot().zones;
  shop.accept(update('zone_us', read as ZoneUpdate));
  assert.deepEqual(shop.config, config);
  assert.equal(shop.state.version.number, version.number + 1);
  assert.deepEqual(shop.state.version.changes, { added: 0, modified: 0, removed: 0 });
});

test('subzones are replaced whole and matched by id', () => {
  const shop = shopWithZones();
  const juneau = { name: 'Juneau', postalCodes: '998*' };
  const subzones = [HAWAII, { ...ALASKA, name: 'North' }, juneau];
  const { zone } = shop.resultOf('zone', update('zone_us', { subzones }));
  assert.deepEqual(
    zone.subzones.map(({ id, name }) => [id, name]),
    [
      ['sub_hi', 'Hawaii'],
      ['sub_ak', 'North'],
      [zone.subzones[2]?.id, 'Juneau'],
    ],
  );
  assert.match(zone.subzones[2]?.id ?? '', /^sub_/);
  // One is added, one has another name, and of the two that changed places one counts as moved.
  assert.deepEqual(shop.state.version.changes.added, 1);
  shop.accept(update('zone_us', { subzones: [] }));
  assert.deepEqual(zoneOf(shop, 'zone_us')?.subzones, []);
  assert.deepEqual(shop.state.version.changes, { added: 0, modified: 0, removed: 3 });
});

test('an id that a client gives a new subzone is kept', () => {
  const shop = shopWithZones();
  const juneau = { id: 'sub_juneau', name: 'Juneau', postalCodes: '998*' };
  const { zone } = shop.resultOf('zone', update('zone_us', { subzones: [ALASKA, HAWAII, juneau] }));
  assert.deepEqual(zone.subzones[2], juneau);
});

test('an id may occur only once among all zones and subzones', () => {
  const shop = shopWithZones();
  const withId = (id: string) => update('zone_us', { subzones: [ALASKA, { ...HAWAII, id }] });
  for (const [id, words] of [
    ['sub_islands', 'zone "United Kingdom" keeps its sub_islands'],
    ['zone_gb', 'zone "United Kingdom" keeps its zone_gb'],
    ['zone_us', 'zone "United States" keeps its zone_us'],
    ['sub_ak', '/subzones/0 has sub_ak too'],
  ] as const) {
    shop.refuse(withId(id), 'VALIDATION_ERROR', '/subzones/1/id must be unique', words);
  }
});

test('postal patterns are those of a bulk write, and a defect names its subzone', () => {
  const shop = shopWithZones();
  for (const postalCodes of ['995*, *1', '20-10', 'A*B', '-']) {
    const wrong = { name: 'Wrong', postalCodes };
    const bulk = shop.try({
      kind: 'executeConfig',
      data: { zones: [{ name: 'Z', countries: ['US'], subzones: [wrong] }] },
    });
    const created = shop.try(create({ name: 'Z', countries: ['US'], subzones: [wrong] }));
    assert.ok(!created.ok && !bulk.ok, postalCodes);
    assert.deepEqual([created.code, created.message], [bulk.code, bulk.message.replace('/data/zones/0', '')]);
    shop.refuse(
      update('zone_us', { subzones: [ALASKA, HAWAII, wrong] }),
      'VALIDATION_ERROR',
      '/subzones/2/postalCodes must hold comma-separated patterns',
    );
  }
});

test('a subzone that a method or a blended rate is bound to cannot be removed', () => {
  const shop = shopWithZones();
  const method = shop.createMethod({ name: 'Freight', zoneId: 'sub_ak' });
  const dropAlaska = update('zone_us', { subzones: [HAWAII] });
  shop.refuse(
    dropAlaska,
    'CONFLICT',
    `subzone "Alaska" (sub_ak) cannot be removed: method "Freight" (${method.id}) is bound to it`,
  );
  // The same patterns under another id are another subzone.
  shop.refuse(
    update('zone_us', { subzones: [{ ...ALASKA, id: 'sub_other' }, HAWAII] }),
    'CONFLICT',
    'sub_ak',
  );
  shop.accept({ kind: 'deleteMethod', id: method.id });
  const blended = shop.createBlended({ name: 'Mixed', zoneId: 'sub_ak' });
  shop.refuse(dropAlaska, 'CONFLICT', `blended rate "Mixed" (${blended.id}) is bound to it`);
  shop.accept({ kind: 'deleteBlended', id: blended.id });
  shop.accept(dropAlaska);
  assert.deepEqual(
    zoneOf(shop, 'zone_us')?.subzones.map(({ id }) => id),
    ['sub_hi'],
  );
});

test('a zone that something is bound to, or a subzone of it, cannot be deleted', () => {
  const shop = shopWithZones();
  const method = shop.createMethod({ name: 'Standard', zoneId: 'zone_us' });
  const named = `zone "United States" cannot be deleted: method "Standard" (${method.id}) is bound to`;
  shop.refuse(remove('zone_us'), 'CONFLICT', `${named} it`);
  shop.accept({ kind: 'updateMethod', id: method.id, body: { zoneId: 'sub_hi' } });
  shop.refuse(remove('zone_us'), 'CONFLICT', `${named} its subzone "Hawaii"`);
  shop.accept({ kind: 'deleteMethod', id: method.id });
  const blended = shop.createBlended({ name: 'Mixed', zoneId: 'sub_ak' });
  shop.refuse(remove('zone_us'), 'CONFLICT', `blended rate "Mixed" (${blended.id})`, 'subzone "Alaska"');
  shop.accept({ kind: 'deleteBlended', id: blended.id });
  assert.deepEqual(shop.resultOf('deleted', remove('zone_us')), { kind: 'deleted', id: 'zone_us' });
  assert.deepEqual(zoneIds(shop), ['zone_gb', 'zone_row']);
  const { version } = shop.state;
  assert.equal(version.description, 'Zone "United States" deleted');
  assert.deepEqual(version.changes, { added: 0, modified: 0, removed: 3 });
});

test('an unknown zone is not found, and the id of a subzone names no zone', () => {
  const shop = shopWithZones();
  for (const id of ['zone_x', 'sub_ak']) {
    shop.refuse(update(id, { name: 'X' }), 'NOT_FOUND', `Zone not found: ${id}`);
    shop.refuse(remove(id), 'NOT_FOUND', `Zone not found: ${id}`);
  }
});

test('a method can be bound to a new zone and its subzones at once, and a deleted zone binds nothing', () => {
  const shop = shopWithZones();
  const { zone } = shop.resultOf('zone', create(FRANCE));
  const [corsica] = zone.subzones;
  const methods = [zone.id, corsica?.id ?? ''].map((zoneId) => shop.createMethod({ zoneId }));
  for (const { id } of methods) shop.accept({ kind: 'deleteMethod', id });
  shop.accept(remove(zone.id));
  const body = { name: 'Standard', zoneId: corsica?.id ?? '', rateType: 'free' as const };
  shop.refuse({ kind: 'createMethod', body }, 'VALIDATION_ERROR', '/zoneId', 'does not exist');
});

test('while a changeset is active zones are written to it, and a promotion makes each write a version', () => {
  const shop = shopWithZones();
  const { config, version } = shop.state;
  shop.accept({ kind: 'enterStaging' });
  const { zone } = shop.resultOf('zone', create(FRANCE));
  shop.accept(update(zone.id, { position: 0, name: 'La France' }));
  shop.accept(remove('zone_row'));
  assert.equal(shop.config, config);
  assert.deepEqual(
    shop.state.staging?.config.zones.map(({ name }) => name),
    ['La France', 'United States', 'United Kingdom'],
  );
  shop.accept({ kind: 'promoteStaging' });
  assert.deepEqual(zoneIds(shop), [zone.id, 'zone_us', 'zone_gb']);
  assert.equal(shop.state.version.number, version.number + 3);
  shop.accept({ kind: 'rollback', targetVersionId: version.id });
  assert.deepEqual(shop.config, config);
});
