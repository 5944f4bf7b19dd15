/** Replays: which carts are compared, and that they count for nothing but themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../../src/engine/change/command.ts';
import { EVIDENCE_MAX } from '../../../src/engine/wire/gate-report.ts';
import { KEPT_CARTS_MAX, REPLAY_SAMPLES_MAX, SAMPLES_MAX } from '../../../src/engine/wire/shadow-results.ts';
import { cart, item, NOW_MS } from '../../support/small-shop.ts';
import { newMethod, openShadowStage, replay, resultsOf, SHOP, simulate, write } from './shadow-stage.ts';

const NOTHING = { runs: 0, evaluated: 0, different: 0, lost: 0, gained: 0 };

test('a replay compares kept carts with the changeset, and is in no other number, zone, group or criterion', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  for (let price = 0; price < 3; price++) simulate(shop, cart(item({ price })), NOW_MS + price);
  await write(shop, { kind: 'enterStaging' });
  const empty = resultsOf(stage, shop);
  assert.deepEqual(empty.replayed, NOTHING);
  const [method] = shop.state.config.methods;
  await write(shop, { kind: 'updateMethod', id: method?.id ?? '', body: { enabled: false } });
  for (let run = 1; run <= 20; run++) {
    replay(stage, shop);
    const { replayed, samples, ...others } = resultsOf(stage, shop);
    const { replayed: _, samples: __, ...before } = empty;
    assert.deepEqual(others, before);
    assert.deepEqual(replayed, {
      runs: run,
      evaluated: 3 * run,
      different: 3 * run,
      lost: 3 * run,
      gained: 0,
    });
    // Those of the last run, newest first, with their time and cart.
    assert.deepEqual(
      samples.map((sample) => [sample.replayed, Date.parse(sample.at) - NOW_MS, sample.cartTotal]),
      [2, 1, 0].map((price) => [true, price, price]),
    );
    const since = await stage.shadow.resultsSinceEdit(shop.state);
    assert.ok(since.ok);
    const { coverage, ...numbers } = since.value;
    assert.deepEqual(numbers, {
      evaluated: 0,
      different: 0,
      lost: 0,
      dropped: 0,
      writes: 1,
      samples: [],
      lostSamples: [],
    });
    assert.equal(coverage.seen, 0);
  }
  await write(shop, newMethod('n', 700));
  replay(stage, shop);
  assert.deepEqual(resultsOf(stage, shop).replayed, {
    ...{ runs: 21, evaluated: 63, different: 63, lost: 60, gained: 0 },
  });
});

test('the samples of a replay stand before those of live simulations, which stay the evidence of the gate', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  await write(shop, { kind: 'enterStaging' });
  await write(shop, newMethod('n', 700));
  for (let price = 0; price < SAMPLES_MAX; price++) simulate(shop, cart(item({ price })), NOW_MS + price);
  replay(stage, shop);
  const marks = resultsOf(stage, shop).samples.map(({ replayed }) => replayed);
  const live = SAMPLES_MAX - REPLAY_SAMPLES_MAX;
  assert.deepEqual(marks, [...Array(REPLAY_SAMPLES_MAX).fill(true), ...Array(live).fill(false)]);
  const since = await stage.shadow.resultsSinceEdit(shop.state);
  assert.ok(since.ok && since.value.samples.length === SAMPLES_MAX);
  assert.ok(since.value.samples.slice(0, EVIDENCE_MAX).every(({ replayed }) => !replayed));
});

test('a replay counts only for the changeset that it was made for', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  const replayed = { evaluated: 1, different: 0, lost: 0, gained: 0, samples: [] };
  const add = (stagingId: string) => {
    const outcome = stage.shadow.addReplay(SHOP, stagingId, replayed);
    return outcome.ok ? 'ok' : outcome.code;
  };
  assert.equal(add('staging_none'), 'CONFLICT');
  await write(shop, { kind: 'enterStaging' });
  const first = shop.state.staging?.id ?? '';
  await write(shop, { kind: 'discardStaging' });
  await write(shop, { kind: 'enterStaging' });
  assert.equal(add(first), 'CONFLICT');
  assert.equal(add(shop.state.staging?.id ?? ''), 'ok');
  assert.equal(resultsOf(stage, shop).replayed.runs, 1);
});

test('of many simulations a sample is kept', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  const count = 2 * KEPT_CARTS_MAX;
  for (let price = 0; price < count; price++) simulate(shop, cart(item({ price })), NOW_MS + price);
  await write(shop, { kind: 'enterStaging' });
  replay(stage, shop);
  assert.equal(resultsOf(stage, shop).replayed.evaluated, KEPT_CARTS_MAX);
});

test('a cart that live refuses is no simulation, and is not replayed', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  simulate(shop, cart(item({ quantity: 1_000_000, price: 1_000_000_000 })));
  await write(shop, { kind: 'enterStaging' });
  const tooDear: Command = {
    kind: 'createMethod',
    body: {
      ...{ name: 'x', zoneId: 'zone', rateType: 'percentage' },
      config: { percentage: 1_000 },
    },
  };
  await write(shop, tooDear);
  replay(stage, shop);
  // The changeset refuses it: it has lost its rates.
  assert.deepEqual(resultsOf(stage, shop).replayed, {
    ...NOTHING,
    runs: 1,
    evaluated: 1,
    different: 1,
    lost: 1,
  });
  await write(shop, { kind: 'promoteStaging', isForced: true });
  await write(shop, { kind: 'enterStaging' });
  replay(stage, shop);
  assert.deepEqual(resultsOf(stage, shop).replayed, { ...NOTHING, runs: 1 });
});

test('a rule that reads a personal field is replayed with it', async (context) => {
  const { stage, shop } = await openShadowStage(context);
  const methodId = shop.state.config.methods[0]?.id ?? '';
  const readsPhone: Command = {
    kind: 'createRule',
    methodId,
    body: {
      action: 'hide',
      conditions: [{ conditionType: 'destination_phone', operator: 'starts_with', value: '+49' }],
    },
  };
  await write(shop, readsPhone);
  simulate(shop, { ...cart(item()), destination: { country: 'DE', phone: '+49 30 1', name: 'N' } });
  await write(shop, { kind: 'enterStaging' });
  await write(shop, { kind: 'updateMethod', id: methodId, body: { config: { price: 900 } } });
  replay(stage, shop);
  // Hidden on both sides; without the phone it would be visible.
  const { evaluated, different } = resultsOf(stage, shop).replayed;
  assert.deepEqual([evaluated, different], [1, 0]);
});
