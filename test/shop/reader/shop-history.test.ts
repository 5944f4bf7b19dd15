/** Versions of a shop: pages, batches, reading and comparing (contract section 6). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../../src/engine/change/command.ts';
import type { ShopActor } from '../../../src/shop/actor/shop-actor.ts';
import type { VersionListQuery } from '../../../src/shop/reader/shop-history.ts';
import {
  accepted,
  createShop,
  newGroup,
  openShop,
  openStage,
  refusal,
  request,
  SHOP,
} from '../actor/shop-stage.ts';

const write = async (shop: ShopActor, command: Command, batchId: string | null = null): Promise<string> =>
  accepted(await shop.write(request(command, { batchId }))).versionId;

/** A shop with versions 2, 3, ... of these batches; the ids of all versions by number. */
async function shopWith(batchIds: readonly (string | null)[], limits = {}) {
  const opened = await openShop(limits);
  const ids = ['', opened.shop.state.version.id];
  for (const [index, batchId] of batchIds.entries()) {
    ids.push(await write(opened.shop, newGroup(`Group ${index + 2}`), batchId));
  }
  return { ...opened, ids };
}

const query = (more: Partial<VersionListQuery> = {}): VersionListQuery => ({
  limit: 100,
  cursor: null,
  includeBatched: false,
  ...more,
});

/** Rows as `number` or `number:size`, and the number that the next cursor stands for. */
function rows(shop: ShopActor, more: Partial<VersionListQuery> = {}) {
  const page = shop.history.list(query(more));
  assert.ok(page.ok);
  const { versions, nextCursor } = page.value;
  return {
    rows: versions.map(({ number, batch }) =>
      batch === undefined ? `${number}` : `${number}:${batch.size}`,
    ),
    nextCursor,
  };
}

/** All pages of a list, as one. */
function allRows(shop: ShopActor, limit: number, includeBatched = false): string[] {
  const all: string[] = [];
  let cursor: string | null = null;
  do {
    const page = rows(shop, { limit, cursor, includeBatched });
    assert.ok(page.rows.length <= limit);
    all.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}

// Numbers:           2     3    4    5    6    7     8    9    10
const BATCHES = [null, 'a', 'a', 'a', 'b', 'b', null, 'a', 'a'];
const COLLAPSED = ['10:2', '8', '7:2', '5:3', '2', '1'];
const SINGLE = ['10:2', '9:2', '8', '7:2', '6:2', '5:3', '4:3', '3:3', '2', '1'];

test('a list is newest first, with a row for a run of one batch', async () => {
  const { shop } = await shopWith(BATCHES);
  assert.deepEqual(rows(shop), { rows: COLLAPSED, nextCursor: null });
  assert.deepEqual(rows(shop, { includeBatched: true }), { rows: SINGLE, nextCursor: null });
});

test('pages of any size put together are the whole list', async () => {
  const { shop } = await shopWith(BATCHES);
  for (let limit = 1; limit <= 11; limit++) {
    assert.deepEqual(allRows(shop, limit), COLLAPSED, `pages of ${limit}`);
    assert.deepEqual(allRows(shop, limit, true), SINGLE, `pages of ${limit}, batches apart`);
  }
});

test('the cursor behind a run is its oldest version, so that the next page begins behind the run', async () => {
  const { shop, ids } = await shopWith(BATCHES);
  assert.deepEqual(rows(shop, { limit: 1 }), { rows: ['10:2'], nextCursor: ids[9] ?? '' });
  assert.equal(rows(shop, { limit: 4 }).nextCursor, ids[3]);
  assert.equal(rows(shop, { limit: 5, includeBatched: true }).nextCursor, ids[6]);
});

test('a page after any version of a run begins behind the whole run', async () => {
  const { shop, ids } = await shopWith(BATCHES);
  for (const cursor of [ids[5], ids[4], ids[3]]) {
    assert.deepEqual(rows(shop, { cursor: cursor ?? null }).rows, ['2', '1']);
  }
  assert.deepEqual(rows(shop, { cursor: ids[9] ?? '', limit: 1 }).rows, ['8']);
});

test('pages by the id of their last row put together are the whole list', async () => {
  const { shop } = await shopWith(BATCHES);
  for (const includeBatched of [false, true]) {
    const listed: string[] = [];
    let cursor: string | null = null;
    for (;;) {
      const page = shop.history.list(query({ limit: 1, cursor, includeBatched }));
      assert.ok(page.ok);
      const [row] = page.value.versions;
      if (row === undefined) break;
      listed.push(`${row.number}`);
      cursor = row.id;
    }
    assert.deepEqual(
      listed,
      (includeBatched ? SINGLE : COLLAPSED).map((row) => row.replace(/:.*/, '')),
    );
  }
});

test('a row of a run that is listed apart has the size of the whole run, behind a cursor too', async () => {
  const { shop, ids } = await shopWith(BATCHES);
  assert.deepEqual(rows(shop, { cursor: ids[4] ?? '', includeBatched: true }).rows, ['3:3', '2', '1']);
  assert.deepEqual(rows(shop, { cursor: ids[1] ?? '' }), { rows: [], nextCursor: null });
});

test('an unknown cursor, version or pair is not found', async () => {
  const { shop, ids } = await shopWith([null]);
  const [, first = ''] = ids;
  for (const unknown of ['version_x', '', 'not an id', '__proto__']) {
    assert.equal(refusal(shop.history.list(query({ cursor: unknown }))), 'NOT_FOUND');
    assert.equal(refusal(shop.history.read(unknown)), 'NOT_FOUND');
    assert.equal(refusal(shop.history.compare(unknown, first)), 'NOT_FOUND');
    assert.equal(refusal(shop.history.compare(first, unknown)), 'NOT_FOUND');
  }
});

test('a version is named by its id, its number in decimal, or live', async () => {
  const { shop, ids } = await shopWith([null, 'a', 'a']);
  for (const [number, id] of ids.entries())
    if (number > 0) assert.equal(shop.history.idOf(String(number)), id);
  assert.equal(shop.history.idOf('live'), ids[4]);
  assert.equal(shop.history.idOf(ids[2] ?? ''), ids[2]);
  const next = await write(shop, newGroup('Next'));
  assert.equal(shop.history.idOf('live'), next);
  // What names no version stays as it is, to be named in the refusal.
  for (const text of [
    '0',
    '6',
    '02',
    '+2',
    '2.0',
    '1e0',
    ' 2',
    '9'.repeat(15),
    '9'.repeat(64),
    'LIVE',
    'version_x',
  ]) {
    assert.equal(shop.history.idOf(text), text);
  }
});

test('the number of an unpublished version names no version', async () => {
  const { shop, stage } = await shopWith([]);
  const elsewhere = await openStage({}, stage.log).directory.load(SHOP);
  const versionId = await write(elsewhere, newGroup('Elsewhere'));
  assert.equal(stage.log.versionAt(SHOP, 2)?.version.id, versionId);
  assert.equal(shop.history.idOf('2'), '2');
  await shop.refresh();
  assert.equal(shop.history.idOf('2'), versionId);
});

test('the changeset is compared like a version, from either side, and only while it is active', async () => {
  const { shop, ids } = await shopWith([null]);
  const [, first = '', second = ''] = ids;
  assert.equal(refusal(shop.history.compare('staged', second)), 'CONFLICT');
  assert.equal(refusal(shop.history.compare(second, 'staged')), 'CONFLICT');
  await write(shop, { kind: 'enterStaging' });
  await write(shop, newGroup('Staged'));
  const added = (versionA: string, versionB: string) => {
    const compared = shop.history.compare(versionA, versionB);
    assert.ok(compared.ok);
    assert.deepEqual(compared.value.modified, []);
    return [compared.value.added, compared.value.removed].map((entries) => entries.map(({ name }) => name));
  };
  assert.deepEqual(added(second, 'staged'), [['Staged'], []]);
  assert.deepEqual(added(first, 'staged'), [['Group 2', 'Staged'], []]);
  assert.deepEqual(added('staged', first), [[], ['Group 2', 'Staged']]);
  assert.deepEqual(added('staged', 'staged'), [[], []]);
  // It is no version.
  assert.equal(refusal(shop.history.read('staged')), 'NOT_FOUND');
  assert.equal(refusal(shop.history.compare('version_x', 'staged')), 'NOT_FOUND');
  await write(shop, { kind: 'discardStaging' });
  assert.equal(refusal(shop.history.compare(second, 'staged')), 'CONFLICT');
});

test('the size of a run of thousands of versions takes some tens of look-ups', async () => {
  const { shop, stage, ids } = await shopWith(Array.from({ length: 3000 }, () => 'big'));
  let lookUps = 0;
  const versionAt = stage.log.versionAt.bind(stage.log);
  stage.log.versionAt = (...place) => {
    lookUps++;
    return versionAt(...place);
  };
  assert.deepEqual(rows(shop, { limit: 3, cursor: ids[1500] ?? '', includeBatched: true }).rows, [
    '1499:3000',
    '1498:3000',
    '1497:3000',
  ]);
  assert.ok(lookUps < 60, `${lookUps} look-ups`);
});

test('every version is read as it was, with what it changed, also after a restart and over checkpoints', async () => {
  const limits = { checkpointRecords: 4 };
  const { stage, shop } = await openShop(limits);
  const states = [shop.state];
  for (let index = 0; index < 12; index++) {
    const group = shop.state.config.productGroups.at(-1)?.id ?? '';
    await write(
      shop,
      index % 3 === 2
        ? { kind: 'updateGroup', id: group, body: { name: `Renamed ${index}`, position: 0 } }
        : newGroup(`Group ${index}`),
    );
    states.push(shop.state);
    await shop.idle();
  }
  const again = await openStage(limits, stage.log).directory.load(SHOP);
  for (const reader of [shop, again]) {
    for (const [index, { version, config }] of states.entries()) {
      const found = reader.history.read(version.id);
      assert.ok(found.ok);
      assert.deepEqual(found.value.version, version);
      assert.deepEqual(found.value.config, config);
      const before = states[index - 1];
      if (before === undefined) {
        assert.deepEqual(
          found.value.diff.added.map(({ kind }) => kind),
          ['productGroup'],
        );
        continue;
      }
      const compared = reader.history.compare(before.version.id, version.id);
      assert.ok(compared.ok);
      assert.deepEqual(found.value.diff, compared.value);
      const { added, modified, removed } = compared.value;
      assert.deepEqual(version.changes, {
        added: added.length,
        modified: modified.length,
        removed: removed.length,
      });
    }
  }
});

test('reading an old version replays no more than lies between two checkpoints', async () => {
  const { stage, shop, ids } = await shopWith(
    Array.from({ length: 60 }, () => null),
    { checkpointRecords: 5 },
  );
  await shop.idle();
  let read = 0;
  const readLog = stage.log.read.bind(stage.log);
  stage.log.read = function* (...range) {
    for (const record of readLog(...range)) {
      read++;
      yield record;
    }
  };
  for (const id of ids.slice(1)) {
    read = 0;
    assert.ok(shop.history.read(id).ok);
    assert.ok(read <= 10, `${read} records read`);
  }
});

test('versions of another shop are unknown', async () => {
  const { stage, shop } = await openShop();
  const other = await createShop(stage, 'shop_b');
  assert.equal(refusal(shop.history.read(other.state.version.id)), 'NOT_FOUND');
  assert.equal(refusal(shop.history.list(query({ cursor: other.state.version.id }))), 'NOT_FOUND');
});

test('a rollback adds a version, keeps the later ones, and compares equal to its target', async () => {
  const { shop, ids } = await shopWith([null, null, null]);
  const { config } = shop.state;
  const rolledBack = await write(shop, { kind: 'rollback', targetVersionId: ids[2] ?? '' });
  assert.equal(shop.state.version.number, 5);
  assert.equal(shop.state.version.createdBy, 'rollback');
  assert.equal(shop.state.version.description, 'Rolled back to version 2');
  const compared = shop.history.compare(ids[2] ?? '', rolledBack);
  assert.deepEqual(compared.ok && compared.value, { added: [], modified: [], removed: [] });
  assert.deepEqual(rows(shop).rows, ['5', '4', '3', '2', '1']);
  await write(shop, { kind: 'rollback', targetVersionId: ids[4] ?? '' });
  assert.deepEqual(shop.state.config, config);
  assert.equal(
    refusal(await shop.write(request({ kind: 'rollback', targetVersionId: 'version_x' }))),
    'NOT_FOUND',
  );
});

test('a rollback to the current version is a version that changes nothing', async () => {
  const { shop, ids } = await shopWith([null]);
  const { config } = shop.state;
  await write(shop, { kind: 'rollback', targetVersionId: ids[2] ?? '' });
  assert.equal(shop.state.version.number, 3);
  assert.deepEqual(shop.state.version.changes, { added: 0, modified: 0, removed: 0 });
  assert.deepEqual(shop.state.config, config);
});

test('a rollback beyond the plan is refused and changes nothing; one within it, or that only shrinks, is not', async () => {
  const { shop, ids } = await shopWith([null, null]);
  const last = shop.state.config.productGroups.at(-1)?.id ?? '';
  const smaller = await write(shop, { kind: 'deleteGroup', id: last });
  await write(shop, { kind: 'setPlan', plan: 'small' });
  const before = shop.state;
  const beyond = await shop.write(request({ kind: 'rollback', targetVersionId: ids[3] ?? '' }));
  assert.equal(refusal(beyond), 'PLAN_LIMIT_EXCEEDED');
  assert.deepEqual(shop.state, before);
  await write(shop, { kind: 'rollback', targetVersionId: ids[1] ?? '' });
  assert.equal(shop.state.config.productGroups.length, 1);
  await write(shop, { kind: 'rollback', targetVersionId: smaller });
  assert.equal(shop.state.config.productGroups.length, 2);
});
