/** Orders that hold while a shop is loaded, follows others or rolls back beside other work. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinedText } from '../../src/bytes/answer-text.ts';
import { DamagedLogError, type LogRecord } from '../../src/log/event-log.ts';
import { ControlledLog } from './controlled-log.ts';
import { accepted, createShop, openStage, request, SHOP, START_MS } from './shop-stage.ts';

const CART = {
  destination: { country: 'US', postalCode: '12345' },
  items: [{ quantity: 1, grams: 1, price: 1 }],
};

/** A log whose long reads stop at a gate before each record. */
class GatedLog extends ControlledLog {
  isClosed = false;
  reads = 0;
  readonly #waiting: (() => void)[] = [];

  override async *readInSteps(...range: Parameters<ControlledLog['read']>): AsyncGenerator<LogRecord> {
    this.reads++;
    for (const record of this.read(...range)) {
      if (this.isClosed) await new Promise<void>((resume) => this.#waiting.push(resume));
      yield record;
    }
  }

  open(): void {
    this.isClosed = false;
    for (const resume of this.#waiting.splice(0)) resume();
  }
}

const turns = async (count = 5): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

const methodNamed = (name: string) => ({
  kind: 'executeConfig' as const,
  data: {
    zones: [{ id: 'zone_a', name: 'Home', countries: ['US'] }],
    methods: [{ id: 'method_a', name, zoneId: 'zone_a', rateType: 'flat' as const, config: { price: 1 } }],
  },
});

/** A shop with two versions behind it, and its log. */
async function openGated(limits: Parameters<typeof openStage>[0] = {}) {
  const log = new GatedLog();
  const stage = openStage(limits, log);
  const shop = await createShop(stage);
  accepted(await shop.write(request(methodNamed('Old'))));
  const { version } = shop.state;
  accepted(await shop.write(request(methodNamed('New'))));
  return { log, stage, shop, version };
}

test('while a rollback waits for its version, readers see what was before, and writes keep their order', async () => {
  const { log, shop, version } = await openGated();
  const answer = (): string => {
    const simulated = shop.simulate(CART, START_MS);
    assert.ok(simulated.ok);
    return /"serviceName":"(\w+)/.exec(joinedText(simulated.value))?.[1] ?? '';
  };
  log.isClosed = true;
  const order: string[] = [];
  const write = (name: string, command: Parameters<typeof request>[0]) =>
    shop.write(request(command)).then((outcome) => order.push(accepted(outcome) && name));
  const writes = [
    write('before', { kind: 'updateMethod', id: 'method_a', body: { name: 'Newer' } }),
    write('rollback', { kind: 'rollback', targetVersionId: version.id }),
    write('behind', { kind: 'updateMethod', id: 'method_a', body: { subtitle: 'Behind' } }),
  ];
  await turns(20);
  assert.deepEqual(order, ['before']);
  assert.equal(answer(), 'Newer');
  assert.equal(shop.isBusy, true);
  log.open();
  await Promise.all(writes);
  assert.deepEqual(order, ['before', 'rollback', 'behind']);
  assert.equal(answer(), 'Old');
  assert.equal(shop.state.config.methods[0]?.subtitle, 'Behind');
  assert.equal(shop.state.version.number, version.number + 4);
});

test('each rollback goes back to its own version, also when several wait and one is unknown', async () => {
  const { shop, version } = await openGated();
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
  const { log, shop, version } = await openGated({ versionCacheBytesMax: 0 });
  const { state } = shop;
  log.readInSteps = async function* () {
    yield* [];
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
  const { log } = await openGated();
  const stage = openStage({}, log);
  log.isClosed = true;
  log.reads = 0;
  const loads = [stage.directory.load(SHOP), stage.directory.load(SHOP)];
  await turns();
  assert.equal(stage.directory.loaded(SHOP), undefined);
  const late = stage.directory.load(SHOP);
  let isClosed = false;
  const closing = stage.directory.close().then(() => {
    isClosed = true;
  });
  await turns();
  assert.equal(isClosed, false);
  log.open();
  const [first, second] = await Promise.all(loads);
  assert.equal(first, second);
  assert.equal(await late, first);
  assert.equal(log.reads, 1);
  await closing;
});

test('records that others wrote during a load are visible after a refresh', async () => {
  const { log, shop } = await openGated();
  const stage = openStage({}, log);
  log.isClosed = true;
  const loading = stage.directory.load(SHOP);
  await turns();
  accepted(await shop.write(request(methodNamed('Newest'))));
  const refreshing = stage.directory.refresh(SHOP);
  log.open();
  await refreshing;
  assert.equal((await loading).state.config.methods[0]?.name, 'Newest');
});

test('a shop that catches up publishes all records at once, and decides no write meanwhile', async () => {
  const { log, shop } = await openGated();
  const stage = openStage({}, log);
  const other = await stage.directory.load(SHOP);
  for (const name of ['A', 'B', 'C']) accepted(await shop.write(request(methodNamed(name))));
  log.isClosed = true;
  const refreshing = other.refresh();
  const writing = other.write(request({ kind: 'updateMethod', id: 'method_a', body: { subtitle: 'Mine' } }));
  await turns();
  assert.equal(other.state.config.methods[0]?.name, 'New');
  log.open();
  await refreshing;
  assert.equal(other.state.config.methods[0]?.name, 'C');
  accepted(await writing);
  assert.equal(other.state.config.methods[0]?.subtitle, 'Mine');
  assert.equal(other.state.config.methods[0]?.name, 'C');
});
