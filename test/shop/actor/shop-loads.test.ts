/** Rollbacks, and what happens while a shop is loaded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DamagedLogError } from '../../../src/store/log/event-log.ts';
import { ControlledLog } from './controlled-log.ts';
import { accepted, createShop, openStage, request, SHOP, settle } from './shop-stage.ts';

const methodNamed = (name: string) => ({
  kind: 'executeConfig' as const,
  data: {
    zones: [{ id: 'zone_a', name: 'Home', countries: ['US'] }],
    methods: [{ id: 'method_a', name, zoneId: 'zone_a', rateType: 'flat' as const, config: { price: 1 } }],
  },
});

/** A shop with two versions behind it, and its log. */
async function openShopWithVersions(limits: Parameters<typeof openStage>[0] = {}) {
  const log = new ControlledLog();
  const stage = openStage(limits, log);
  const shop = await createShop(stage);
  accepted(await shop.write(request(methodNamed('Old'))));
  const { version } = shop.state;
  accepted(await shop.write(request(methodNamed('New'))));
  return { log, stage, shop, version };
}

/** A second directory over the log, whose loads wait until `open` is called. */
function gatedStage(log: ControlledLog) {
  let open = () => {};
  let loads = 0;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const following = {
    load: () => {
      loads++;
      return gate;
    },
    loadAnew: async () => {},
    unload: () => {},
  };
  return { ...openStage({}, log, undefined, following), open: () => open(), loads: () => loads };
}

test('each rollback goes back to its own version, also when several wait and one is unknown', async () => {
  const { shop, version } = await openShopWithVersions();
  const newer = shop.state.version;
  const rollback = (targetVersionId: string) => shop.write(request({ kind: 'rollback', targetVersionId }));
  const outcomes = await Promise.all([version.id, newer.id, 'version_unknown', version.id].map(rollback));
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.code)),
    ['ok', 'ok', 'NOT_FOUND', 'ok'],
  );
  assert.equal(shop.state.config.methods[0]?.name, 'Old');
});

test('a version that cannot be read refuses its rollback, and nothing else', async () => {
  const { log, shop, version } = await openShopWithVersions({ versionCacheBytesMax: 0 });
  const { state } = shop;
  log.read = () => {
    throw new DamagedLogError(SHOP, 1, 'as told');
  };
  const rollback = shop.write(request({ kind: 'rollback', targetVersionId: version.id }));
  const behind = shop.write(request({ kind: 'updateMethod', id: 'method_a', body: { name: 'Newer' } }));
  const refused = await rollback;
  assert.ok(!refused.ok);
  assert.equal(refused.code, 'INTERNAL_ERROR');
  accepted(await behind);
  assert.equal(shop.state.version.number, state.version.number + 1);
});

test('concurrent loads of a shop share one load, and a close waits for it', async () => {
  const { log } = await openShopWithVersions();
  const stage = gatedStage(log);
  const loads = [stage.directory.load(SHOP), stage.directory.load(SHOP)];
  await settle();
  assert.equal(stage.directory.loaded(SHOP), undefined);
  const late = stage.directory.load(SHOP);
  let isClosed = false;
  const closing = stage.directory.close().then(() => {
    isClosed = true;
  });
  await settle();
  assert.equal(isClosed, false);
  stage.open();
  const [first, second] = await Promise.all(loads);
  assert.equal(first, second);
  assert.equal(await late, first);
  assert.equal(stage.loads(), 1);
  await closing;
});

test('records that others wrote during a load are visible after a refresh', async () => {
  const { log, shop } = await openShopWithVersions();
  const stage = gatedStage(log);
  const loading = stage.directory.load(SHOP);
  await settle();
  accepted(await shop.write(request(methodNamed('Newest'))));
  const refreshing = stage.directory.refresh(SHOP);
  stage.open();
  await refreshing;
  assert.equal((await loading).state.config.methods[0]?.name, 'Newest');
});
