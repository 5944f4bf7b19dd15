import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Command } from '../../src/change/command.ts';
import type { ShopState } from '../../src/domain/shop-event.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { CompiledShelf } from '../../src/worker/compiled-shelf.ts';
import { accepted, createShop, openStage, request, type Stage } from '../actor/shop-stage.ts';
import { cart, item, NOW_MS } from '../support/small-shop.ts';

const ZONES = [{ id: 'zone', name: 'Zone', countries: ['*'], subzones: [] }];
const methodAt = (price: number): Command => ({
  kind: 'createMethod',
  body: { name: 'M', zoneId: 'zone', rateType: 'flat', config: { price } },
});

const WRITES: readonly Command[] = [
  { kind: 'executeConfig', data: { zones: ZONES } },
  methodAt(500),
  { kind: 'enterStaging' },
  methodAt(700),
  { kind: 'updateShop', body: { currency: 'EUR' } },
  methodAt(900),
  { kind: 'promoteStaging' },
  methodAt(100),
  { kind: 'enterStaging' },
  { kind: 'createGroup', body: { name: 'Heavy', tags: ['heavy'] } },
  { kind: 'discardStaging' },
  { kind: 'enterStaging' },
  methodAt(50),
];

/** The state as of each record at which one was published. */
async function history(stage: Stage, shopId: string): Promise<ReadonlyMap<number, ShopState>> {
  const shop = await createShop(stage, shopId);
  const states = new Map<number, ShopState>();
  for (const command of WRITES) {
    accepted(await shop.write(request(command)));
    states.set(stage.log.lastSequenceNumber(shopId), shop.state);
  }
  await shop.idle();
  return states;
}

const answerOf = (compiled: Parameters<typeof evaluate>[0] | null) =>
  compiled === null ? null : evaluate(compiled, cart(item({ properties: { tag: 'heavy' } })), NOW_MS);

test('a shop is as it was at any record, in whatever order records are asked for', async () => {
  // Checkpoints so close that some records are reached from one and some from the beginning.
  const stage = openStage({ checkpointRecords: 4 });
  const shops = ['shop_a', 'shop_b', 'shop_c'];
  const states = new Map<string, ReadonlyMap<number, ShopState>>();
  for (const shopId of shops) states.set(shopId, await history(stage, shopId));
  const places = shops.flatMap((shopId) =>
    [...(states.get(shopId)?.keys() ?? [])].map((sequenceNumber) => ({ shopId, sequenceNumber })),
  );
  assert.ok(stage.log.checkpoints.length > 3);
  const property = fc.property(
    fc.shuffledSubarray([...places]),
    fc.integer({ min: 1, max: 3 }),
    (order, max) => {
      const shelf = new CompiledShelf(stage.log, max);
      for (const { shopId, sequenceNumber } of order) {
        const { state, live, staged } = shelf.shopAt(shopId, sequenceNumber);
        assert.deepEqual(state, states.get(shopId)?.get(sequenceNumber));
        assert.ok(shelf.size <= max);
        const fresh = new CompiledShelf(stage.log, 1).shopAt(shopId, sequenceNumber);
        assert.deepEqual(answerOf(live), answerOf(fresh.live));
        assert.deepEqual(answerOf(staged), answerOf(fresh.staged));
        assert.equal(staged === null, state.staging === null);
      }
    },
  );
  fc.assert(property, { numRuns: 40 });
});

test('a later record compiles what changed and keeps the rest', async () => {
  const stage = openStage();
  const shop = await createShop(stage, 'shop_a');
  for (const command of WRITES.slice(0, 4)) accepted(await shop.write(request(command)));
  const shelf = new CompiledShelf(stage.log, 1);
  const before = shelf.shopAt('shop_a', stage.log.lastSequenceNumber('shop_a'));
  assert.equal(shelf.shopAt('shop_a', before.sequenceNumber), before);
  accepted(await shop.write(request(methodAt(800))));
  const after = shelf.shopAt('shop_a', stage.log.lastSequenceNumber('shop_a'));
  assert.equal(after.live, before.live);
  assert.notEqual(after.staged, before.staged);
  assert.equal(after.staged?.groups, before.staged?.groups);
});

test('a record that the log does not have is refused', async () => {
  const stage = openStage();
  await createShop(stage, 'shop_a');
  const shelf = new CompiledShelf(stage.log, 1);
  assert.throws(() => shelf.shopAt('shop_a', 9), RangeError);
  assert.throws(() => shelf.shopAt('nobody', 1), RangeError);
  assert.equal(shelf.shopAt('shop_a', 1).staged, null);
  assert.throws(() => shelf.shopAt('shop_a', 9), RangeError);
});
