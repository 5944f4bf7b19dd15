/** The barrier: when a write may be acknowledged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Barrier } from '../../../src/store/cluster/barrier.ts';
import { NodeList } from '../../../src/store/cluster/node-list.ts';
import { LAPSE_MS } from '../../../src/store/cluster/timing.ts';
import type { NodeBeat } from '../../../src/store/log/authority.ts';
import { ManualClock } from './manual-clock.ts';

const node = (run: string, beat: number): NodeBeat => ({
  run,
  node: run,
  beat,
  readsFormat: 1,
});

function stage() {
  const clock = new ManualClock();
  const barrier = new Barrier(clock, new NodeList());
  /** A write that starts to wait for these nodes now. */
  const begin = (...others: NodeBeat[]) => {
    const wait = { hasPassed: false };
    void barrier.passed(others).then(() => {
      wait.hasPassed = true;
    });
    return wait;
  };
  return { clock, barrier, begin };
}

test('without another node a write passes at once', async () => {
  const { clock, begin } = stage();
  const wait = begin();
  await clock.advance(0);
  assert.ok(wait.hasPassed);
  assert.equal(clock.timers, 0);
});

test('a write passes when each other node is two beats further, and not earlier', async () => {
  const { clock, barrier, begin } = stage();
  const wait = begin(node('a', 4), node('b', 7));
  barrier.see([node('a', 6), node('b', 8)]);
  await clock.advance(100);
  assert.ok(!wait.hasPassed);
  barrier.see([node('b', 9)]);
  await clock.advance(0);
  assert.ok(wait.hasPassed);
  assert.equal(clock.timers, 0);
});

test('a node that announces the record of a write or a later record ends the wait for that node only', async () => {
  const { clock, barrier } = stage();
  let hasPassed = false;
  const mark = { shopId: 'shop', sequenceNumber: 5 };
  void barrier.passed([node('a', 4), node('b', 4)], mark).then(() => {
    hasPassed = true;
  });
  barrier.reported('a', [mark]);
  for (const shop of [
    { ...mark, sequenceNumber: 4 },
    { ...mark, shopId: 'other' },
  ])
    barrier.reported('b', [shop]);
  await clock.advance(0);
  assert.ok(!hasPassed);
  barrier.reported('b', [{ ...mark, sequenceNumber: 6 }]);
  await clock.advance(0);
  assert.ok(hasPassed);
  assert.equal(clock.timers, 0);
});

test('announcements that arrive while a record is appended and mirrored count; earlier ones are not kept', async () => {
  const { clock, barrier } = stage();
  const mark = { shopId: 'shop', sequenceNumber: 5 };
  barrier.reported('a', [mark]);
  const records = barrier.listen('shop');
  barrier.reported('b', [mark]);
  barrier.reported('b', [{ ...mark, sequenceNumber: 3 }]);
  barrier.forget(records);
  barrier.reported('a', [mark]);
  assert.deepEqual([...records.shown], [['b', 5]]);
  void barrier.passed([node('b', 4)], mark, records.shown);
  await clock.advance(0);
  assert.equal(clock.timers, 0);
  void barrier.passed([node('b', 4)], { ...mark, sequenceNumber: 6 }, records.shown);
  await clock.advance(0);
  assert.equal(clock.timers, 1);
});

test('a silent node delays a write for as long as its lease may run', async () => {
  const { clock, begin } = stage();
  const wait = begin(node('a', 4));
  await clock.advance(LAPSE_MS - 1);
  assert.ok(!wait.hasPassed);
  await clock.advance(1);
  assert.ok(wait.hasPassed);
});

test('a silent node delays later writes no longer: its lapse counts from when its beat was first seen', async () => {
  const { clock, barrier, begin } = stage();
  barrier.see([node('a', 4)]);
  await clock.advance(LAPSE_MS);
  const wait = begin(node('a', 4));
  await clock.advance(0);
  assert.ok(wait.hasPassed);
});

test('a list that arrives late lowers no beat and removes no node', async () => {
  const { clock, barrier, begin } = stage();
  const wait = begin(node('a', 4));
  barrier.see([]);
  barrier.see([node('a', 3)]);
  await clock.advance(LAPSE_MS - 1);
  assert.ok(!wait.hasPassed);
});

test('a list that was read before a known beat does not count as a later beat', async () => {
  const { clock, barrier, begin } = stage();
  barrier.see([node('a', 5)]);
  const wait = begin(node('a', 4));
  await clock.advance(0);
  assert.ok(!wait.hasPassed);
  barrier.see([node('a', 6)]);
  await clock.advance(0);
  assert.ok(wait.hasPassed);
});
