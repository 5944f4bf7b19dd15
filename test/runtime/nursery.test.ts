/** What long work makes is collected early, in turns of its own, and what others made is left to the engine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkSlices } from '../../src/pace/work-slices.ts';
import type { WorkSteps } from '../../src/pace/work-steps.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import {
  EARLY_BYTES,
  EarlyCollections,
  NURSERY,
  type Nursery,
  settleNursery,
} from '../../src/runtime/nursery.ts';

/** Of what is made a quarter is held. */
class FakeNursery implements Nursery {
  used = 0;
  readonly collected: number[] = [];

  usedBytes(): number {
    return this.used;
  }

  collect(): void {
    this.collected.push(this.used);
    this.used /= 4;
  }
}

test('it is collected when work has made enough, whatever lay there before', () => {
  const nursery = new FakeNursery();
  const collections = new EarlyCollections(nursery);
  nursery.used = 40 * EARLY_BYTES;
  collections.begin();
  assert.equal(collections.collect(), false);
  nursery.used += EARLY_BYTES - 1;
  assert.equal(collections.collect(), false);
  nursery.used += 1;
  assert.equal(collections.collect(), true);
  const kept = nursery.used;
  nursery.used = kept + EARLY_BYTES - 1;
  assert.equal(collections.collect(), false);
  nursery.used = kept + EARLY_BYTES;
  assert.equal(collections.collect(), true);
  assert.equal(nursery.collected.length, 2);
});

test('when the engine has collected by itself, counting begins anew', () => {
  const nursery = new FakeNursery();
  const collections = new EarlyCollections(nursery);
  nursery.used = 10 * EARLY_BYTES;
  collections.begin();
  nursery.used = 5;
  assert.equal(collections.collect(), false);
  nursery.used = EARLY_BYTES + 4;
  assert.equal(collections.collect(), false);
  nursery.used = EARLY_BYTES + 5;
  assert.equal(collections.collect(), true);
});

test('a collection takes a turn of its own between two steps of work, and none is made for a short one', async () => {
  const nursery = new FakeNursery();
  const slices = new WorkSlices(systemClock, nursery);
  const notes: string[] = [];
  function* making(steps: number, bytes: number): WorkSteps<void> {
    for (let step = 1; step <= steps; step++) {
      notes.push(`step ${step}, ${nursery.collected.length} collected`);
      nursery.used += bytes;
      if (step < steps) yield;
    }
  }
  const work = slices.run({}, making(3, EARLY_BYTES));
  for (let turn = 1; notes.length < 3; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    notes.push(`turn ${turn}`);
  }
  await work;
  assert.deepEqual(notes.slice(0, 3), ['step 1, 0 collected', 'turn 1', 'turn 2']);
  assert.deepEqual(notes.slice(3), ['step 2, 1 collected', 'step 3, 2 collected']);
  const before = nursery.collected.length;
  for (let run = 0; run < 10; run++) await slices.run({}, making(1, EARLY_BYTES));
  await slices.run({}, making(20, EARLY_BYTES / 20));
  assert.equal(nursery.collected.length, before);
});

test('that of this thread is emptied of what nobody holds', () => {
  let made: unknown[] = Array.from({ length: 20_000 }, (_, at) => ({ at: `at ${at}` }));
  assert.equal(made.length, 20_000);
  made = [];
  const used = NURSERY.usedBytes();
  assert.ok(used > 0);
  NURSERY.collect();
  const left = NURSERY.usedBytes();
  assert.ok(left < used, `${left} of ${used} bytes are left`);
  assert.equal((globalThis as { readonly gc?: unknown }).gc, undefined);
});

test('what a start made is moved twice: then it lies where it stays', () => {
  const nursery = new FakeNursery();
  nursery.used = 64;
  settleNursery(nursery);
  assert.deepEqual(nursery.collected, [64, 16]);
});
