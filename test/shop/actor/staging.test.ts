/** A changeset in a live shop: durable, seen where it should be, promoted whole (contract section 7). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinedText } from '../../../src/base/bytes/answer-text.ts';
import type { Command } from '../../../src/engine/change/command.ts';
import { compareConfigs } from '../../../src/engine/change/diff.ts';
import type { ShopState } from '../../../src/engine/domain/shop-event.ts';
import { viewTagOf } from '../../../src/engine/domain/view-tag.ts';
import type { ShopActor } from '../../../src/shop/actor/shop-actor.ts';
import type { SimulationView } from '../../../src/shop/reader/simulating-shop.ts';
import type { SimulationSource } from '../../../src/shop/reader/version-cache.ts';
import {
  accepted,
  groupNames,
  idempotent,
  newGroup,
  openShop,
  openStage,
  refusal,
  request,
  SHOP,
  until,
} from './shop-stage.ts';

const ENTER: Command = { kind: 'enterStaging' };
const PROMOTE: Command = { kind: 'promoteStaging' };
const DISCARD: Command = { kind: 'discardStaging' };
const CART = { destination: { country: 'US' }, items: [{ quantity: 1, grams: 1, price: 100 }] };
const METHOD: Command = {
  kind: 'createMethod',
  body: { name: 'Standard', zoneId: 'zone_us', rateType: 'flat', config: { price: 500 } },
};

const GROUP_A = { id: 'group_a', name: 'A', isDefault: true };

const write = async (shop: ShopActor, command: Command, batchId: string | null = null) =>
  accepted(await shop.write(request(command, { batchId })));

const stagingOf = (shop: ShopActor) => shop.staging();

const from = (source: SimulationSource): SimulationView => ({ source, form: 'all' });

const stagedNames = ({ state }: ShopActor): string[] =>
  (state.staging?.config.productGroups ?? []).map(({ name }) => name);

const versionsOf = (shop: ShopActor) => {
  const page = shop.history.list({ limit: 100, cursor: null, includeBatched: true });
  assert.ok(page.ok);
  return page.value.versions;
};

test('writes of a changeset make no version, and the live configuration stays', async () => {
  const { shop } = await openShop();
  const live = shop.state;
  await write(shop, ENTER);
  const { versionId } = await write(shop, newGroup('Heavy'));
  assert.equal(versionId, live.version.id);
  assert.equal(shop.state.version, live.version);
  assert.equal(shop.state.config, live.config);
  assert.deepEqual(stagedNames(shop), ['Default', 'Heavy']);
  assert.deepEqual(stagingOf(shop)?.changes, { added: 1, modified: 0, removed: 0 });
  assert.equal(stagingOf(shop)?.baseVersionId, live.version.id);
});

test('the comparison of a changeset is computed once until its next write', async () => {
  const { shop } = await openShop();
  await write(shop, ENTER);
  const zone = { id: 'zone_us', name: 'US', countries: ['US'] };
  const methods = Array.from({ length: 1_000 }, (_, at) => ({
    ...{ id: `method_${at}`, name: `M${at}`, zoneId: zone.id },
    ...{ rateType: 'flat' as const, config: { price: at } },
  }));
  await write(shop, { kind: 'executeConfig', data: { zones: [zone], methods } });
  const first = stagingOf(shop);
  const { config, staging } = shop.state;
  assert.deepEqual(first?.diff, compareConfigs(config, staging?.config ?? config));
  assert.equal(first?.diff?.added.length, 1_001);
  const again = stagingOf(shop);
  assert.deepEqual(again?.changes, first?.changes);
  assert.equal(again?.diff, first?.diff);
  await write(shop, newGroup('More'));
  assert.deepEqual(stagingOf(shop)?.changes, {
    added: (first?.changes?.added ?? 0) + 1,
    modified: 0,
    removed: 0,
  });
});

test('a promotion is one append, one batch, and the same from the log', async () => {
  const { stage, shop } = await openShop();
  await write(shop, ENTER);
  await write(shop, newGroup('A'), 'ignored');
  await write(shop, newGroup('B'));
  const { staging } = shop.state;
  stage.log.appends.length = 0;
  await write(shop, PROMOTE);
  assert.deepEqual(stage.log.appends, [3], 'two versions and the end of the changeset');
  assert.equal(shop.state.staging, null);
  assert.deepEqual(shop.state.config, staging?.config);
  const [second, first] = versionsOf(shop);
  assert.deepEqual(
    [first, second].map((version) => [version?.number, version?.createdBy, version?.description]),
    [
      [2, 'promotion', 'Product group "A" created'],
      [3, 'promotion', 'Product group "B" created'],
    ],
  );
  for (const version of [first, second]) assert.deepEqual(version?.batch, { id: staging?.id ?? '', size: 2 });
  const again = await openStage({}, stage.log).directory.load(SHOP);
  assert.deepEqual(again.state, shop.state);
});

test('the batch id of a promotion is that of its request, if it has one', async () => {
  const { shop } = await openShop();
  await write(shop, ENTER);
  await write(shop, newGroup('A'));
  await write(shop, PROMOTE, 'autumn');
  assert.equal(shop.state.version.batchId, 'autumn');
});

test('a promotion of nothing makes no version', async () => {
  const { shop } = await openShop();
  const { version } = shop.state;
  await write(shop, ENTER);
  const { body } = await write(shop, PROMOTE);
  assert.deepEqual(JSON.parse(body), {
    kind: 'promoted',
    version,
    summary: { added: 0, modified: 0, removed: 0 },
  });
  assert.deepEqual([shop.state.version, shop.state.staging], [version, null]);
});

test('a discarded changeset leaves nothing, not even in the numbers of later placements', async () => {
  const { shop } = await openShop();
  const live = shop.state;
  await write(shop, ENTER);
  await write(shop, newGroup('Gone'));
  await write(shop, DISCARD);
  assert.deepEqual(shop.state, live);
  await write(shop, newGroup('Next'));
  assert.equal(shop.state.version.number, live.version.number + 1);
  assert.equal(shop.state.config.productGroups.at(-1)?.placement, live.version.number + 1);
});

test('a command that does not fit the state of the changeset is a conflict', async () => {
  const { shop } = await openShop();
  const { id } = shop.state.version;
  assert.equal(refusal(await shop.write(request(PROMOTE))), 'CONFLICT');
  assert.equal(refusal(await shop.write(request(DISCARD))), 'CONFLICT');
  assert.equal(refusal(shop.simulate(CART, 0, from('staged'))), 'CONFLICT');
  await write(shop, ENTER);
  assert.equal(refusal(await shop.write(request(ENTER))), 'CONFLICT');
  assert.equal(refusal(await shop.write(request({ kind: 'rollback', targetVersionId: id }))), 'CONFLICT');
});

test('plan limits hold inside a changeset and at its promotion', async () => {
  const { shop } = await openShop({}, 'small');
  await write(shop, ENTER);
  await write(shop, newGroup('Second'));
  assert.equal(refusal(await shop.write(request(newGroup('Third')))), 'PLAN_LIMIT_EXCEEDED');
  await write(shop, { kind: 'setPlan', plan: 'open' });
  await write(shop, newGroup('Third'));
  await write(shop, { kind: 'setPlan', plan: 'small' });
  assert.equal(refusal(await shop.write(request(PROMOTE))), 'PLAN_LIMIT_EXCEEDED');
  assert.deepEqual(stagedNames(shop), ['Default', 'Second', 'Third']);
  assert.equal(shop.state.version.number, 1);
});

test('a write is accepted in a changeset as outside, or refused with the same message', async () => {
  const [outside, inside] = [(await openShop()).shop, (await openShop()).shop];
  for (const shop of [outside, inside]) {
    const zones = [{ id: 'zone_us', name: 'US', countries: ['US'], subzones: [] }];
    await write(shop, { kind: 'executeConfig', data: { zones, productGroups: [GROUP_A] } });
  }
  await write(inside, ENTER);
  for (const shop of [outside, inside]) await write(shop, METHOD);
  const wrong: readonly Command[] = [
    { kind: 'createMethod', body: { name: 'M', zoneId: 'zone_x', rateType: 'flat', config: { price: 1 } } },
    { kind: 'createMethod', body: { name: 'M', zoneId: 'zone_us', rateType: 'flat', config: {} } },
    { kind: 'deleteGroup', id: 'group_a' },
    { kind: 'updateGroup', id: 'group_a', body: { isDefault: false } },
    { kind: 'updateMethod', id: 'method_x', body: { name: 'X' } },
    { kind: 'createRule', methodId: 'method_x', body: { action: 'hide' } },
    { kind: 'executeConfig', data: { productGroups: [GROUP_A, { ...GROUP_A, id: 'group_b' }] } },
  ];
  for (const command of wrong) {
    const [live, staged] = [await outside.write(request(command)), await inside.write(request(command))];
    assert.ok(!live.ok, JSON.stringify(command));
    assert.deepEqual(staged, live);
  }
});

test('If-Match takes the live version, which a changeset leaves as it is, or the tag of the changeset', async () => {
  const { stage, shop } = await openShop();
  const ifMatch = shop.state.version.id;
  assert.equal(viewTagOf(shop.state), ifMatch);
  await write(shop, ENTER);
  for (const name of ['A', 'B']) accepted(await shop.write(request(newGroup(name), { ifMatch })));
  assert.equal(refusal(await shop.write(request(newGroup('C'), { ifMatch: 'version_x' }))), 'CONFLICT');
  // Of two that are decided in one group the second comes too late; a key and a setting leave the changeset as it is.
  const tag = viewTagOf(shop.state);
  const guarded = (command: Command, ifMatch: string) => shop.write(request(command, { ifMatch }));
  accepted(await guarded({ kind: 'updateShop', body: { name: 'Renamed' } }, tag));
  const two = await Promise.all(['D', 'E'].map((name) => guarded(newGroup(name), tag)));
  assert.deepEqual(stage.log.appends.at(-1), 1);
  accepted(two[0] as (typeof two)[0]);
  assert.ok(two[1]?.ok === false && two[1].code === 'CONFLICT');
  assert.match(two[1].message, /^the changeset has changed or ended/);
  assert.deepEqual(stagedNames(shop), ['Default', 'A', 'B', 'D']);
  for (const command of [PROMOTE, DISCARD]) assert.equal(refusal(await guarded(command, tag)), 'CONFLICT');
});

test('the tag of a changeset that has ended lets nothing go live, nor into the next changeset', async () => {
  for (const end of [PROMOTE, DISCARD]) {
    const { stage, shop } = await openShop();
    await write(shop, ENTER);
    const empty = viewTagOf(shop.state);
    await write(shop, newGroup('A'));
    const tag = viewTagOf(shop.state);
    const last = request(newGroup('B'), { ifMatch: tag, ...idempotent('once') });
    accepted(await shop.write(last));
    const guarded = viewTagOf(shop.state);
    const ended = await Promise.all(
      [end, newGroup('C')].map((command) => shop.write(request(command, { ifMatch: guarded }))),
    );
    assert.deepEqual(
      ended.map(({ ok }) => ok),
      [true, false],
    );
    const live = groupNames(shop);
    assert.equal(live.includes('C'), false);
    await write(shop, ENTER);
    await shop.idle();
    const again = await openStage({}, stage.log).directory.load(SHOP);
    for (const old of [empty, tag, guarded]) {
      assert.equal(refusal(await again.write(request(newGroup('D'), { ifMatch: old }))), 'CONFLICT');
    }
    // What was done is answered again, whatever it was guarded by.
    assert.equal(accepted(await again.write(last)).replayed, true);
    accepted(await again.write(request(newGroup('E'), { ifMatch: viewTagOf(again.state) })));
    assert.deepEqual(groupNames(again), live);
  }
});

test('writes that arrive together with enter, promote and discard are decided in their order', async () => {
  const { stage, shop } = await openShop();
  const commands = [newGroup('Live'), ENTER, newGroup('Staged'), PROMOTE, ENTER, newGroup('No'), DISCARD];
  const outcomes = await Promise.all(commands.map((command) => shop.write(request(command))));
  for (const outcome of outcomes) accepted(outcome);
  assert.equal(stage.log.appends.at(-1), 8, 'all in one append');
  assert.deepEqual(groupNames(shop), ['Default', 'Live', 'Staged']);
  assert.deepEqual(
    versionsOf(shop).map(({ createdBy }) => createdBy),
    ['promotion', 'user', 'system'],
  );
});

test('a changeset survives a restart, from the records and from a checkpoint, and goes on', async () => {
  for (const checkpointRecords of [1, 3, 1000]) {
    const { stage, shop } = await openShop({ checkpointRecords });
    const states: ShopState[] = [];
    for (const command of [
      ENTER,
      newGroup('A'),
      newGroup('B'),
      { kind: 'setPlan', plan: 'small' } as const,
    ]) {
      await write(shop, command);
      states.push(shop.state);
      await shop.idle();
    }
    const again = await openStage({ checkpointRecords }, stage.log).directory.load(SHOP);
    assert.deepEqual(again.state, states.at(-1));
    assert.equal(
      again.state.staging?.config.zones,
      again.state.config.zones,
      'what the changeset did not touch is shared',
    );
    await write(again, { kind: 'setPlan', plan: 'open' });
    await write(again, PROMOTE);
    assert.deepEqual(groupNames(again), ['Default', 'A', 'B']);
  }
});

test('nothing of a changeset is seen before it is on disk', async () => {
  const { stage, shop } = await openShop();
  stage.log.isHeld = true;
  const entering = shop.write(request(ENTER));
  await until(() => stage.log.isWaiting);
  assert.equal(stagingOf(shop), null);
  stage.log.release();
  accepted(await entering);
  assert.notEqual(stagingOf(shop), null);
});

test('simulations answer from live, the changeset or any version, as asked', async () => {
  const { shop } = await openShop();
  const empty = shop.state.version.id;
  const zone = { id: 'zone_us', name: 'US', countries: ['US'] };
  await write(shop, { kind: 'executeConfig', data: { zones: [zone] } });
  const { versionId: priced } = await write(shop, METHOD);
  await write(shop, ENTER);
  const [method] = shop.state.config.methods;
  assert.ok(method);
  await write(shop, { kind: 'updateMethod', id: method.id, body: { config: { price: 700 } } });
  const pricesOf = (answer: ReturnType<ShopActor['simulate']>): number[] => {
    assert.ok(answer.ok);
    const { rates } = JSON.parse(joinedText(answer.value)) as { rates: { totalPrice: number }[] };
    return rates.map(({ totalPrice }) => totalPrice);
  };
  assert.deepEqual(pricesOf(shop.simulate(CART, 0)), [500]);
  assert.deepEqual(pricesOf(shop.simulate(CART, 0, from('staged'))), [700]);
  assert.deepEqual(pricesOf(shop.simulate(CART, 0, from({ versionId: priced }))), [500]);
  for (let time = 0; time < 2; time++)
    assert.deepEqual(pricesOf(shop.simulate(CART, 0, from({ versionId: empty }))), []);
  assert.equal(refusal(shop.simulate(CART, 0, from({ versionId: 'version_x' }))), 'NOT_FOUND');
  await write(shop, PROMOTE);
  assert.deepEqual(pricesOf(shop.simulate(CART, 0)), [700]);
  assert.deepEqual(pricesOf(shop.simulate(CART, 0, from({ versionId: priced }))), [500]);
});
