/** A clock that was ahead once: later versions have its latest time until the right time reaches it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accepted, newGroup, openShop, openStage, request, SHOP, START_MS } from './shop-stage.ts';

const HOUR_MS = 3_600_000;

test('versions dated ahead of the clock are logged once, for as long as it lasts', async () => {
  const { stage, shop } = await openShop();
  const write = async (name: string): Promise<string> => {
    accepted(await shop.write(request(newGroup(name))));
    return shop.state.version.createdAt;
  };
  stage.clock.ms = START_MS + HOUR_MS;
  const latest = await write('by a clock that is ahead');
  assert.deepEqual(stage.warnings, []);
  stage.clock.ms = START_MS;
  for (const name of ['first', 'second']) assert.equal(await write(name), latest);
  const expected = {
    event: 'shop.dated_ahead',
    fields: { shopId: SHOP, datedAt: latest, aheadMs: HOUR_MS },
  };
  assert.deepEqual(stage.warnings, [expected]);

  // A later start says it again.
  const next = openStage({}, stage.log);
  const recovered = await next.directory.load(SHOP);
  accepted(await recovered.write(request(newGroup('after a restart'))));
  assert.deepEqual(next.warnings, [expected]);

  // The right time has reached it: another such time is another line.
  stage.clock.ms = START_MS + 2 * HOUR_MS;
  assert.notEqual(await write('in time'), latest);
  assert.equal(stage.warnings.length, 1);
  stage.clock.ms -= HOUR_MS;
  await write('behind again');
  assert.equal(stage.warnings.length, 2);
});

test('clocks of nodes that differ by some seconds are not logged', async () => {
  const { stage, shop } = await openShop();
  for (const jumpMs of [5_000, -5_000, 5_000, -5_000]) {
    stage.clock.ms += jumpMs;
    accepted(await shop.write(request(newGroup(`at ${stage.clock.ms} ${jumpMs} ${shop.sequenceNumber}`))));
  }
  assert.deepEqual(stage.warnings, []);
});
