/**
 * Copies of shops against the shops themselves: whatever is written, evicted and lent in whichever order, a copy
 * that is used shows exactly what its owner has published.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { WorkSlices } from '../../src/pace/work-slices.ts';
import { PublishedShops } from '../../src/replica/published-shops.ts';
import { SharedBoard } from '../../src/replica/shared-board.ts';
import { BORROWS_MAX, ShopCopies } from '../../src/replica/shop-copies.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { NO_WATCH } from '../../src/shop/simulation-watch.ts';
import { VersionCache } from '../../src/shop/version-cache.ts';
import { ControlledLog } from '../actor/controlled-log.ts';
import { accepted, createShop, newGroup, openStage, PLANS, request, settle } from '../actor/shop-stage.ts';

const COPIES = 2;

/** An owner with shops in memory, and replicas whose questions are answered when `settle` says. */
function openOwner(replicas: number, shopsLoadedMax = 3) {
  const log = new ControlledLog();
  const board = new SharedBoard(replicas * (COPIES + BORROWS_MAX));
  const published = new PublishedShops(board, NO_WATCH);
  const stage = openStage({ shopsLoadedMax }, log, published);
  const metrics = createMetrics();
  const copies = Array.from({ length: replicas }, () => {
    const holder = { gone: (shopId: string, slot: number) => setImmediate(() => own.gone(shopId, slot)) };
    const own: ShopCopies = new ShopCopies({
      log,
      board: new SharedBoard(board.memory),
      clock: stage.clock,
      logger: silentLogger,
      metrics,
      watch: NO_WATCH,
      slices: new WorkSlices(),
      plans: PLANS,
      limits: { itemsMax: 1_000 },
      versionCache: new VersionCache({ versionCacheBytesMax: 0 }),
      shopsMax: COPIES,
      borrow: (shopId) =>
        setImmediate(async () => {
          await stage.directory.load(shopId).catch(() => undefined);
          const loan = published.lend(shopId, holder);
          setImmediate(() => own.lent(shopId, loan));
        }),
      // In order, as through a port.
      release: (shopId, slot) => setImmediate(() => published.release(shopId, slot, holder)),
    });
    return own;
  });
  return { log, stage, published, copies, board };
}

/** Whose record is more than is applied in the turn of a look, and takes several steps to apply. */
const largeConfig = (number: number, methods = 300) => ({
  zones: [{ id: 'zone_a', name: 'Home', countries: ['US'] }],
  methods: Array.from({ length: methods }, (_, at) => ({
    id: `method_${at}`,
    name: `Method ${number} ${at}`,
    zoneId: 'zone_a',
    rateType: 'flat' as const,
    config: { price: at },
  })),
});

const SHOPS = ['shop_a', 'shop_b', 'shop_c', 'shop_d', 'shop_e'];

test('a copy that is used is what its owner has published, in random runs', { timeout: 60_000 }, async () => {
  const step = fc.record({
    kind: fc.constantFrom('write', 'large', 'use', 'use', 'load', 'settle', 'elsewhere', 'turn'),
    shop: fc.nat(SHOPS.length - 1),
    replica: fc.nat(1),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { log, stage, copies } = openOwner(2);
      for (const id of SHOPS) await createShop(stage, id);
      let groups = 0;
      for (const { kind, shop, replica } of steps) {
        const shopId = SHOPS[shop] ?? '';
        const copy = copies[replica];
        if (kind === 'settle') await settle();
        else if (kind === 'turn') await new Promise((resolve) => setImmediate(resolve));
        else if (kind === 'load') await stage.directory.load(shopId);
        else if (kind === 'write') {
          const owner = await stage.directory.load(shopId);
          accepted(await owner.write(request(newGroup(`g${++groups}`))));
        } else if (kind === 'large') {
          const owner = await stage.directory.load(shopId);
          accepted(await owner.write(request({ kind: 'executeConfig', data: largeConfig(++groups) })));
        } else if (kind === 'elsewhere') {
          // Another process: the owner is told, and publishes before that process goes on.
          const other = openStage({}, log);
          const there = await other.directory.load(shopId);
          accepted(await there.write(request(newGroup(`g${++groups}`))));
          await stage.directory.refresh(shopId);
        }
        const used = copy?.loaded(shopId);
        if (used !== undefined) {
          const owner = stage.directory.loaded(shopId);
          assert.ok(owner !== undefined, 'a shop that left memory is not answered from a copy');
          assert.deepEqual(used.state, owner.state);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('a shop that is asked for once is there, and follows', async () => {
  const { stage, copies } = openOwner(1);
  const owner = await createShop(stage);
  const [replica] = copies;
  assert.ok(replica !== undefined);
  assert.equal(replica.loaded(owner.shopId), undefined);
  const copy = await replica.load(owner.shopId);
  assert.deepEqual(copy.state, owner.state);
  for (let n = 0; n < 5; n++) {
    accepted(await owner.write(request(newGroup(`g${n}`))));
    assert.deepEqual(replica.loaded(owner.shopId)?.state, owner.state);
  }
});

test('a record that is on disk but not published is not shown', async () => {
  const { log, stage, copies } = openOwner(1);
  const owner = await createShop(stage);
  const copy = await copies[0]?.load(owner.shopId);
  const before = copy?.state;
  const there = await openStage({}, log).directory.load(owner.shopId);
  accepted(await there.write(request(newGroup('g'))));
  assert.equal(log.lastSequenceNumber(owner.shopId), 2);
  assert.equal(copies[0]?.loaded(owner.shopId)?.state, before);
  await owner.refresh();
  assert.deepEqual(copies[0]?.loaded(owner.shopId)?.state, there.state);
});

test('a copy whose next records were removed starts again from a checkpoint', async () => {
  const { log, stage, copies } = openOwner(1);
  const owner = await createShop(stage);
  await copies[0]?.load(owner.shopId);
  const { writeImage } = await import('../../src/change/state-image.ts');
  for (let n = 0; n < 4; n++) accepted(await owner.write(request(newGroup(`g${n}`))));
  await log.writeCheckpoint(owner.shopId, { sequenceNumber: 5, image: writeImage(owner.state) });
  accepted(await owner.write(request(newGroup('last'))));
  await log.trim(owner.shopId, 5);
  assert.deepEqual((await copies[0]?.load(owner.shopId))?.state, owner.state);
  assert.deepEqual(copies[0]?.loaded(owner.shopId)?.state, owner.state);
});

test('a shop that does not exist is not asked for again at once, and waiting for it ends', async () => {
  const { stage, copies } = openOwner(1);
  const [replica] = copies;
  await assert.rejects(async () => replica?.load('shop_none'), { name: 'NotLentError' });
  await assert.rejects(async () => replica?.load('shop_none'), { name: 'NotLentError' });
  await createShop(stage, 'shop_none');
  stage.clock.ms += 1_000;
  assert.equal((await replica?.load('shop_none'))?.shopId, 'shop_none');
});

test('there are never more copies than the bound, and their slots come back', async () => {
  const { stage, copies, published } = openOwner(1, 100);
  const [replica] = copies;
  for (let n = 0; n < 3 * (COPIES + BORROWS_MAX); n++) {
    const owner = await createShop(stage, `shop_${n}`);
    await replica?.load(owner.shopId);
    await settle();
  }
  assert.ok(published.lent <= COPIES, `${published.lent} slots are lent`);
});

test('a large change is followed beside other work: meanwhile the copy is not used, and who waits gets it', async () => {
  const { stage, copies } = openOwner(1);
  const owner = await createShop(stage);
  const [replica] = copies;
  assert.ok(replica !== undefined);
  const copy = await replica.load(owner.shopId);
  const before = copy.state;
  accepted(await owner.write(request({ kind: 'executeConfig', data: largeConfig(1, 2_000) })));
  assert.equal(replica.loaded(owner.shopId), undefined);
  assert.equal(copy.state, before, 'nothing half made is shown');
  const waiting = replica.load(owner.shopId);
  accepted(await owner.write(request(newGroup('behind'))));
  assert.deepEqual((await waiting).state.config.methods, owner.state.config.methods);
  // What was written meanwhile is there at the next look at the latest.
  assert.equal(replica.loaded(owner.shopId), copy);
  assert.deepEqual(copy.state, owner.state);
});
