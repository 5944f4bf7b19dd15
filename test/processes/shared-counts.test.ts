/** Two processes over one log: each shows the writes of the other, and their counts are added up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  HeldWorkers,
  newMethod,
  openFolder,
  openShadowStage,
  resultsOf,
  SHOP,
  simulate,
  write,
} from '../shadow/shadow-stage.ts';
import { cart, item } from '../support/small-shop.ts';

test('the results of a changeset include both processes and their dropped simulations', async (context) => {
  const workers = new HeldWorkers();
  const { stage, shop } = await openShadowStage(context, { workers });
  await write(shop, { kind: 'enterStaging' });
  const keeper = {
    add: async (report: Parameters<typeof stage.shadow.take>[0]) => stage.shadow.take(report),
    results: (shopId: string, stagingId: string) => stage.shadow.stored(shopId, stagingId),
  };
  const theirs = new HeldWorkers();
  const other = openFolder(stage.folder, { workers: theirs, keeper, limits: { shadowQueueMax: 4 } });
  context.after(() => other.close());
  const there = await other.directory.load(SHOP);
  simulate(shop, cart(item()));
  for (let n = 0; n < 5; n++) simulate(there, cart(item()));
  while (theirs.batches.length === 0 || workers.batches.length === 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
  await workers.settle();
  await theirs.settle();
  for (const [one, actor] of [
    [stage, shop],
    [other, there],
  ] as const) {
    await one.shadow.elsewhere(actor.state);
    const { evaluated, dropped } = resultsOf(one, actor);
    assert.deepEqual([evaluated, dropped], [3, 3]);
  }
  // A write of the other process changes the state of the changeset here too.
  await write(there, newMethod('staged', 700));
  stage.directory.noteWritten(SHOP, there.sequenceNumber);
  assert.equal(stage.directory.loaded(SHOP), undefined);
  const caughtUp = await stage.directory.load(SHOP);
  assert.equal(caughtUp, shop);
  assert.equal(caughtUp.state.staging?.writes.length, 1);
  const since = await other.shadow.resultsSinceEdit(there.state);
  assert.ok(since.ok);
  assert.deepEqual([since.value.writes, since.value.evaluated], [1, 0]);
});
