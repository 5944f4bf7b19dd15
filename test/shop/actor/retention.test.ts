/** History that is older than the plan keeps is removed; what was in force since stays (contract section 2). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeImage } from '../../../src/engine/change/state-image.ts';
import type { Outcome } from '../../../src/engine/domain/failure.ts';
import type { ShopActor } from '../../../src/shop/actor/shop-actor.ts';
import { Retention, type RetentionPorts } from '../../../src/shop/actor/upkeep.ts';
import type { EventLog } from '../../../src/store/log/event-log.ts';
import { verifyLog } from '../../../src/store/log/lmdb/lmdb-content.ts';
import { openLmdbEventLog } from '../../../src/store/log/lmdb/lmdb-event-log.ts';
import { newLogFolder } from '../../store/log/lmdb/log-folder.ts';
import {
  accepted,
  createShop,
  idempotent,
  newGroup,
  openShop,
  openStage,
  PLANS,
  refusal,
  request,
  SHOP,
  type Stage,
} from './shop-stage.ts';

const DAY_MS = 24 * 3_600_000;

interface Line {
  readonly event: string;
  readonly fields: unknown;
}

function retentionOf(
  stage: Stage,
  plans = PLANS,
  isLoaded = true,
  lines: Line[] = [],
  more: Partial<RetentionPorts> = {},
): Retention {
  const line = (event: string, fields?: unknown) => void lines.push({ event, fields });
  return new Retention({
    log: stage.log,
    plans,
    clock: stage.clock,
    metrics: stage.metrics,
    logger: { debug: line, info: line, warn: line, error: line, fatal: line },
    loadedPlan: (shopId) => (isLoaded ? stage.directory.peek(shopId)?.state.settings.plan : undefined),
    ...more,
  });
}

/** One write on each of so many days; the ids of all versions by number, 1 on the day before the first. */
async function writeDaily(stage: Stage, shop: ShopActor, days: number): Promise<string[]> {
  const ids = ['', shop.state.version.id];
  for (let day = 1; day <= days; day++) {
    stage.clock.ms += DAY_MS;
    ids.push(accepted(await shop.write(request(newGroup(`Day ${day}`)))).versionId);
  }
  return ids;
}

function numbersOf(shop: ShopActor): number[] {
  const page = shop.history.list({ limit: 100, cursor: null, includeBatched: false });
  assert.ok(page.ok);
  return page.value.versions.map(({ number }) => number);
}

test('versions of the kept days stay, with the version that was current when they began', async () => {
  const { stage, shop } = await openShop({}, 'weekly');
  const ids = await writeDaily(stage, shop, 20);
  await retentionOf(stage).run();
  // Version 21 is of today, 14 of just seven days ago, and 13 was in force until then.
  assert.deepEqual(numbersOf(shop), [21, 20, 19, 18, 17, 16, 15, 14, 13]);
  assert.equal(refusal(shop.history.read(ids[12] ?? '')), 'NOT_FOUND');
  assert.equal(refusal(shop.history.compare(ids[12] ?? '', ids[21] ?? '')), 'NOT_FOUND');
  assert.equal(
    refusal(shop.simulate(CART, 0, { source: { versionId: ids[12] ?? '' }, form: 'all' })),
    'NOT_FOUND',
  );
  assert.equal(refusal(await shop.write(request(rollback(ids[12])))), 'NOT_FOUND');
  const oldest = shop.history.read(ids[13] ?? '');
  assert.ok(oldest.ok);
  assert.deepEqual(
    oldest.value.diff.added.map(({ name }) => name),
    ['Day 12'],
    'what the oldest version changed is still known',
  );
  accepted(await shop.write(request(rollback(ids[13]))));
  assert.equal(shop.state.config.productGroups.length, 13);
});

const CART = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 100 }] };
const rollback = (targetVersionId = '') => ({ kind: 'rollback', targetVersionId }) as const;

test('a plan that another node set counts before anything is removed', async () => {
  const { stage, shop } = await openShop({}, 'weekly');
  await writeDaily(stage, shop, 20);
  const setElsewhere = async (shopId: string) => {
    const elsewhere = await openStage({}, stage.log).directory.load(shopId);
    accepted(await elsewhere.write(request({ kind: 'setPlan', plan: 'open' })));
  };
  await retentionOf(stage, PLANS, false, [], { bringUpToDate: setElsewhere }).run();
  assert.equal(numbersOf(shop).length, 21);
});

test('paging ends with the oldest version that is kept, also within a batch', async () => {
  const { stage, shop } = await openShop({}, 'weekly');
  for (let day = 1; day <= 12; day++) {
    stage.clock.ms += DAY_MS;
    accepted(await shop.write(request(newGroup(`Day ${day}`), { batchId: 'long' })));
  }
  await retentionOf(stage).run();
  const page = shop.history.list({ limit: 1, cursor: null, includeBatched: false });
  assert.ok(page.ok);
  assert.deepEqual(
    [page.value.versions[0]?.number, page.value.versions[0]?.batch?.size, page.value.nextCursor],
    [13, 9, null],
  );
});

test('the current version stays, however old it is', async () => {
  const { stage, shop } = await openShop({}, 'weekly');
  await writeDaily(stage, shop, 3);
  stage.clock.ms += 400 * DAY_MS;
  await retentionOf(stage).run();
  assert.deepEqual(numbersOf(shop), [4]);
  const again = await openStage({}, stage.log).directory.load(SHOP);
  assert.deepEqual(again.state, shop.state);
});

test('a version removed during a read is unknown, a kept version is read', async () => {
  type Ask = (shop: ShopActor, versionId: string) => Outcome<unknown> | Promise<Outcome<unknown>>;
  const questions: readonly Ask[] = [
    (shop, id) => shop.history.read(id),
    (shop, id) => shop.history.compare(id, shop.state.version.id),
    (shop, id) => shop.simulate(CART, 0, { source: { versionId: id }, form: 'all' }),
    (shop, id) => shop.write(request(rollback(id))),
  ];
  for (const [at, ask] of questions.entries()) {
    for (const [number, expected] of [
      [5, 'NOT_FOUND'],
      [16, 'ok'],
    ] as const) {
      const { shop, ids } = await openTrimmedInBetween('read');
      const outcome = await ask(shop, ids[number] ?? '');
      assert.equal(outcome.ok ? 'ok' : outcome.code, expected, `question ${at}, version ${number}`);
    }
  }
});

test('a list in which versions are removed ends with the oldest that is left', async () => {
  const { shop } = await openTrimmedInBetween('versionAt');
  assert.deepEqual(numbersOf(shop), [21, 20, 19, 18, 17, 16, 15, 14]);
});

/** A shop of which the first 13 records, each a version, go the next time when its log is asked so. */
async function openTrimmedInBetween(call: 'read' | 'versionAt') {
  const { stage, shop } = await openShop({}, 'weekly');
  const ids = await writeDaily(stage, shop, 12);
  const image = writeImage(shop.state);
  ids.push(...(await writeDaily(stage, shop, 8)).slice(2));
  const { log } = stage;
  const original = log[call].bind(log) as (...values: unknown[]) => never;
  let isDue = true;
  log[call] = (...values: unknown[]) => {
    if (isDue) {
      isDue = false;
      void log.writeCheckpoint(SHOP, { sequenceNumber: 13, image });
      void log.trim(SHOP, 13);
    }
    return original(...values);
  };
  return { shop, ids };
}

test('a plan without a limit, or one that the operator removed, keeps everything', async () => {
  for (const [plan, plans] of [
    ['open', PLANS],
    ['weekly', {}],
  ] as const) {
    const { stage, shop } = await openShop({}, plan);
    await writeDaily(stage, shop, 20);
    await retentionOf(stage, plans).run();
    assert.equal(numbersOf(shop).length, 21);
  }
});

test('a plan that keeps more days than a date can represent does not affect other plans', async () => {
  const { stage, shop } = await openShop({}, 'weekly');
  await writeDaily(stage, shop, 20);
  const lines: Line[] = [];
  const forever = { ...PLANS['open'], historyDays: Number.MAX_SAFE_INTEGER };
  await retentionOf(stage, { ...PLANS, forever } as typeof PLANS, true, lines).run();
  assert.deepEqual(
    lines.map(({ event }) => event),
    ['history.trimmed'],
  );
  assert.equal(numbersOf(shop).length, 9);
  await retentionOf(stage, { weekly: forever } as typeof PLANS, true, lines).run();
  assert.equal(numbersOf(shop).length, 9);
});

test('a shop whose plan changes during the preparation of a removal keeps its history', async () => {
  const { stage, shop } = await openShop({}, 'weekly');
  await writeDaily(stage, shop, 20);
  const writeCheckpoint = stage.log.writeCheckpoint.bind(stage.log);
  stage.log.writeCheckpoint = async (shopId, checkpoint) => {
    await writeCheckpoint(shopId, checkpoint);
    accepted(await shop.write(request({ kind: 'setPlan', plan: 'open' })));
  };
  await retentionOf(stage).run();
  assert.equal(numbersOf(shop).length, 21);
});

test('answers to repeated requests outlive a history of no days', async () => {
  const plans = { none: { ...PLANS['open'], historyDays: 0 } } as typeof PLANS;
  const { stage, shop } = await openShop({}, 'weekly');
  await writeDaily(stage, shop, 3);
  accepted(await shop.write(request(newGroup('Once'), idempotent('key'))));
  accepted(await shop.write(request(newGroup('More'))));
  stage.clock.ms += DAY_MS - 1;
  await retentionOf(stage, { weekly: plans['none'] ?? PLANS['open'] } as typeof PLANS).run();
  assert.equal(accepted(await shop.write(request(newGroup('Once'), idempotent('key')))).replayed, true);
});

test('a shop that is not in memory is trimmed by its own plan, and read for it only once', async () => {
  const { stage, shop } = await openShop({}, 'weekly');
  const kept = await createShop(stage, 'shop_b', 'open');
  await writeDaily(stage, shop, 10);
  await retentionOf(stage, PLANS, false).run();
  assert.equal(numbersOf(shop).length, 9);
  assert.equal(numbersOf(kept).length, 1);
  let reads = 0;
  const read = stage.log.read.bind(stage.log);
  stage.log.read = (...range) => {
    reads++;
    return read(...range);
  };
  const retention = retentionOf(stage, PLANS, false);
  await retention.run();
  const readsOfFirst = reads;
  await retention.run();
  assert.equal(reads, readsOfFirst);
});

test('a shop that cannot be read is named, and the others are trimmed', async () => {
  const { stage, shop } = await openShop({}, 'weekly');
  const other = await createShop(stage, 'shop_b', 'weekly');
  await writeDaily(stage, shop, 10);
  await writeDaily(stage, other, 10);
  stage.log.damageRecord(SHOP, 2);
  const lines: Line[] = [];
  stage.clock.ms += DAY_MS;
  await retentionOf(stage, PLANS, true, lines).run();
  assert.deepEqual(
    lines.map(({ event }) => event),
    ['history.failed', 'history.trimmed'],
  );
  assert.ok(numbersOf(other).length < 11);
});

function actionsOf(shop: ShopActor): string[] {
  const page = shop.audit({ limit: 100, cursor: null });
  assert.ok(page.ok);
  return page.value.entries.map(({ action }) => action);
}

test('on disk: a trimmed shop verifies, restarts, and goes on in its changeset', async () => {
  const log = openLmdbEventLog({ path: newLogFolder() });
  try {
    const stage = openStage({ checkpointRecords: 4 }, log as EventLog as Stage['log']);
    const shop = await createShop(stage, SHOP, 'weekly');
    const key = { label: 'A', permission: 'admin', prefix: 'rw_', secretSha256: 'ab'.repeat(32) } as const;
    accepted(await shop.write(request({ kind: 'createKey', ...key })));
    const ids = await writeDaily(stage, shop, 15);
    accepted(await shop.write(request({ kind: 'enterStaging' })));
    accepted(await shop.write(request(newGroup('Staged'))));
    await shop.idle();
    assert.deepEqual(actionsOf(shop), ['changeset_entered', 'key_created']);
    await retentionOf(stage).run();
    assert.deepEqual((await verifyLog(log)).defects, []);
    assert.equal(shop.history.oldest().number, 8);
    assert.deepEqual(actionsOf(shop), ['changeset_entered'], 'the audit is kept as long as versions');
    assert.equal(refusal(shop.audit({ limit: 1, cursor: 'audit_2' })), 'NOT_FOUND');
    const again = await openStage({}, log as EventLog as Stage['log']).directory.load(SHOP);
    assert.deepEqual(again.state, shop.state);
    assert.deepEqual(actionsOf(again), ['changeset_entered']);
    accepted(await again.write(request({ kind: 'promoteStaging' })));
    assert.ok(again.history.compare(ids[8] ?? '', again.state.version.id).ok);
    assert.deepEqual((await verifyLog(log)).defects, []);
  } finally {
    await log.close();
  }
});

/** On each of so many days a changeset is entered, written to and discarded. */
async function discardDaily(stage: Stage, shop: ShopActor, days: number, writes = 1): Promise<void> {
  for (let day = 1; day <= days; day++) {
    stage.clock.ms += DAY_MS;
    const staged = Array.from({ length: writes }, (_, at) => newGroup(`Day ${day} ${at}`));
    const commands = [{ kind: 'enterStaging' } as const, ...staged, { kind: 'discardStaging' } as const];
    const outcomes = await Promise.all(commands.map((command) => shop.write(request(command))));
    for (const outcome of outcomes) accepted(outcome);
  }
}

const recordsOf = (stage: Stage): number => stage.log.lastSequenceNumber(SHOP) - stage.log.removedUpTo(SHOP);

test('discarded changesets stay with the version in force before them, and go with it once another takes its place', async () => {
  const { stage, shop } = await openShop({}, 'weekly');
  const [, , current = ''] = await writeDaily(stage, shop, 1);
  const whole = shop.history.read(current);
  for (let day = 1; day <= 30; day++) {
    await discardDaily(stage, shop, 1);
    await retentionOf(stage).run();
    assert.deepEqual(numbersOf(shop), day <= 7 ? [2, 1] : [2]);
  }
  assert.ok(recordsOf(stage) >= 30 * 3);
  assert.deepEqual(shop.history.read(current), whole);
  const again = await openStage({}, stage.log).directory.load(SHOP);
  assert.deepEqual(again.state, shop.state);
  assert.deepEqual(again.history.read(current), whole);
  const next = accepted(await shop.write(request(newGroup('Next')))).versionId;
  accepted(await shop.write(request(rollback(current))));
  assert.deepEqual(shop.state.config.productGroups, whole.ok && whole.value.config.productGroups);
  stage.clock.ms += 8 * DAY_MS;
  accepted(await shop.write(request(newGroup('Late'))));
  await retentionOf(stage).run();
  assert.equal(refusal(shop.history.read(current)), 'NOT_FOUND');
  assert.equal(refusal(shop.history.read(next)), 'NOT_FOUND');
  assert.deepEqual(numbersOf(shop), [5, 4]);
  assert.equal(recordsOf(stage), 2);
});

test('a changeset entered before the history that the plan keeps can be continued', async () => {
  const { stage, shop } = await openShop({}, 'weekly');
  await writeDaily(stage, shop, 1);
  accepted(await shop.write(request({ kind: 'enterStaging' })));
  for (let day = 1; day <= 20; day++) {
    stage.clock.ms += DAY_MS;
    accepted(await shop.write(request(newGroup(`Staged ${day}`))));
    await retentionOf(stage).run();
  }
  assert.ok(stage.log.removedUpTo(SHOP) > 0);
  const again = await openStage({}, stage.log).directory.load(SHOP);
  assert.deepEqual(again.state, shop.state);
  accepted(await again.write(request({ kind: 'promoteStaging' })));
  assert.equal(again.state.config.productGroups.length, 22);
});

test('on disk: daily writes reuse the pages of removed records', async () => {
  const log = openLmdbEventLog({ path: newLogFolder() });
  try {
    const stage = openStage({ checkpointRecords: 50 }, log as EventLog as Stage['log']);
    const shop = await createShop(stage, SHOP, 'weekly');
    const pages: number[] = [];
    for (let day = 1; day <= 40; day++) {
      await discardDaily(stage, shop, 1, 40);
      accepted(await shop.write(request(newGroup(`Version of day ${day}`))));
      await shop.idle();
      await retentionOf(stage).run();
      pages.push((log.tables.root.getStats() as { readonly lastPageNumber: number }).lastPageNumber);
    }
    const [settled = 0, last = 0] = [pages[14], pages.at(-1)];
    assert.ok(last <= settled * 1.25, `pages after each day: ${pages.join(' ')}`);
    assert.deepEqual((await verifyLog(log)).defects, []);
    const again = await openStage({}, log as EventLog as Stage['log']).directory.load(SHOP);
    assert.deepEqual(again.state, shop.state);
  } finally {
    await log.close();
  }
});
