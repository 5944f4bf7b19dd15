import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createMetrics } from '../../../src/base/metrics/metrics.ts';
import type { Command } from '../../../src/engine/change/command.ts';
import type { ShopState } from '../../../src/engine/domain/shop-event.ts';
import { ShopReaders } from '../../../src/shop/pool/shop-readers.ts';
import type { ShopReader } from '../../../src/shop/reader/shop-reader.ts';
import { NO_WATCH } from '../../../src/shop/reader/simulation-watch.ts';
import { VersionCache } from '../../../src/shop/reader/version-cache.ts';
import { cart, item, NOW_MS } from '../../support/small-shop.ts';
import { accepted, createShop, openStage, PLANS, request, type Stage } from '../actor/shop-stage.ts';

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

/** The published states by record. */
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

const openReaders = ({ log, clock }: Stage, shopsMax: number): ShopReaders => {
  const versionCache = new VersionCache({ versionCacheBytesMax: 1_000_000 });
  const limits = { itemsMax: 100 };
  const ports = { log, clock, versionCache, metrics: createMetrics(), plans: PLANS, limits };
  return new ShopReaders({ ...ports, watch: NO_WATCH }, shopsMax);
};

function readerAt(readers: ShopReaders, shopId: string, sequenceNumber: number): ShopReader {
  const reader = readers.at(shopId, sequenceNumber);
  assert.ok(reader !== null);
  return reader;
}

const CART = cart(item({ properties: { tag: 'heavy' } }));

const answersOf = (reader: ShopReader) =>
  (['live', 'staged'] as const).map((source) => reader.simulate(CART, NOW_MS, { source, form: 'explained' }));

test('a reader has the state at any record, in any order of requests', async () => {
  // Checkpoints at distances such that some records are reached from a checkpoint and some from the beginning.
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
      const readers = openReaders(stage, max);
      for (const { shopId, sequenceNumber } of order) {
        const reader = readerAt(readers, shopId, sequenceNumber);
        assert.deepEqual(reader.state, states.get(shopId)?.get(sequenceNumber));
        assert.ok(readers.size <= max);
        assert.deepEqual(
          answersOf(reader),
          answersOf(readerAt(openReaders(stage, 1), shopId, sequenceNumber)),
        );
        assert.equal(reader.compiled('staged').ok, reader.state.staging !== null);
      }
    },
  );
  fc.assert(property, { numRuns: 40 });
});

test('a later record compiles only changed parts', async () => {
  const stage = openStage();
  const shop = await createShop(stage, 'shop_a');
  for (const command of WRITES.slice(0, 4)) accepted(await shop.write(request(command)));
  const readers = openReaders(stage, 1);
  const compiledAt = (sequenceNumber: number) => {
    const reader = readerAt(readers, 'shop_a', sequenceNumber);
    const [live, staged] = [reader.compiled('live'), reader.compiled('staged')];
    assert.ok(live.ok && staged.ok);
    return { reader, live: live.value, staged: staged.value };
  };
  const last = stage.log.lastSequenceNumber('shop_a');
  const before = compiledAt(last);
  assert.equal(readers.at('shop_a', last), before.reader);
  accepted(await shop.write(request(methodAt(800))));
  const after = compiledAt(stage.log.lastSequenceNumber('shop_a'));
  assert.equal(after.live, before.live);
  assert.notEqual(after.staged, before.staged);
  assert.equal(after.staged.groups, before.staged.groups);
});

test('there is no reader at a record that the log does not have', async () => {
  const stage = openStage();
  await createShop(stage, 'shop_a');
  const readers = openReaders(stage, 1);
  assert.equal(readers.at('shop_a', 9), null);
  assert.equal(readers.at('nobody', 1), null);
  assert.equal(readerAt(readers, 'shop_a', 1).state.staging, null);
  assert.equal(readers.at('shop_a', 9), null);
});
