/** What a write of a shop waits for where other nodes have it too, and what becomes of one whose outcome is unknown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppendResult, NewRecord } from '../../../src/store/log/event-log.ts';
import { ControlledLog } from './controlled-log.ts';
import {
  accepted,
  createShop,
  groupNames,
  idempotent,
  newGroup,
  openStage,
  refusal,
  request,
  settle,
  until,
} from './shop-stage.ts';

/** A log of which other nodes see a write once the test says so. */
class WatchedLog extends ControlledLog {
  isBarred = false;
  readonly barriers: { readonly pass: () => void; readonly fail: () => void }[] = [];

  #barrier(): Promise<void> {
    return new Promise((pass, reject) => {
      this.barriers.push({ pass, fail: () => reject(new Error('no server is a primary')) });
    });
  }

  override async append(
    shopId: string,
    expectedSequenceNumber: number,
    records: readonly NewRecord[],
  ): Promise<AppendResult> {
    const result = await super.append(shopId, expectedSequenceNumber, records);
    if (result.kind !== 'appended' || !this.isBarred) return result;
    return { ...result, seenEverywhere: this.#barrier() };
  }

  seenEverywhere(): Promise<void> | null {
    return this.isBarred ? this.#barrier() : null;
  }
}

async function openWatched() {
  const log = new WatchedLog();
  const shop = await createShop(openStage({}, log));
  log.isBarred = true;
  const answered: string[] = [];
  const write = (name: string) => {
    const outcome = shop.write(request(newGroup(name), idempotent(name)));
    void outcome.then(({ ok }) => answered.push(`${name} ${ok ? 'stored' : 'refused'}`));
    return outcome;
  };
  return { log, shop, answered, write };
}

test('a write is shown here before other nodes show it, and answered when they do; the next one is appended meanwhile', async () => {
  const { log, shop, answered, write } = await openWatched();
  void write('One');
  await until(() => log.barriers.length === 1);
  assert.deepEqual(groupNames(shop), ['Default', 'One']);
  void write('Two');
  await until(() => log.barriers.length === 2);
  assert.deepEqual(groupNames(shop), ['Default', 'One', 'Two']);
  // Answers keep the order of the writes.
  log.barriers[1]?.pass();
  await settle();
  assert.deepEqual(answered, []);
  assert.ok(shop.isBusy);
  log.barriers[0]?.pass();
  await shop.idle();
  assert.deepEqual(answered, ['One stored', 'Two stored']);
});

test('the answer of an earlier write is repeated once other nodes show that write, and refused when that cannot be determined', async () => {
  const { log, answered, write } = await openWatched();
  const first = write('One');
  await until(() => log.barriers.length === 1);
  log.barriers[0]?.pass();
  const { body } = accepted(await first);
  const again = write('One');
  await until(() => log.barriers.length === 2);
  await settle();
  assert.equal(answered.length, 1);
  log.barriers[1]?.pass();
  assert.deepEqual([accepted(await again).body, log.appends.length], [body, 2]);
  const untold = write('One');
  await until(() => log.barriers.length === 3);
  log.barriers[2]?.fail();
  assert.equal(refusal(await untold), 'UNAVAILABLE');
});

test('clients of an append of unknown outcome are told so after 5 s; what turns out to be stored is shown', async (context) => {
  const { log, shop, write } = await openWatched();
  log.isBarred = false;
  context.mock.timers.enable({ apis: ['setTimeout'] });
  log.isHeld = true;
  const unknown = write('One');
  await until(() => log.isWaiting);
  const behind = write('Two');
  context.mock.timers.tick(4_999);
  await settle();
  context.mock.timers.tick(1);
  for (const outcome of [await unknown, await behind]) {
    assert.equal(refusal(outcome), 'INTERNAL_ERROR');
    assert.match(outcome.ok ? '' : outcome.message, /may or may not be stored/);
  }
  assert.equal(refusal(await write('Three')), 'UNAVAILABLE');
  assert.deepEqual(groupNames(shop), ['Default']);
  log.isHeld = false;
  log.release();
  await shop.idle();
  assert.deepEqual(groupNames(shop), ['Default', 'One', 'Two']);
  accepted(await write('Four'));
  assert.deepEqual(groupNames(shop), ['Default', 'One', 'Two', 'Four']);
});
