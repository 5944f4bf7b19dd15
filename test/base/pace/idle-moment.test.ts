import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { atIdleMoment, LOOK_MS } from '../../../src/base/pace/idle-moment.ts';

/**
 * Simulates a loop that is busy for these shares of the time between two checks; the last share repeats. Returns how
 * often the task ran after each check.
 */
function runsAfter(context: TestContext, shares: readonly number[], looksLeft: number, stopAfter = Infinity) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let looks = 0;
  let runs = 0;
  const stop = atIdleMoment(
    () => {
      runs++;
    },
    () => shares[Math.min(looks++, shares.length - 1)] ?? 0,
  );
  return Array.from({ length: looksLeft }, (_, look) => {
    if (look === stopAfter) stop();
    context.mock.timers.tick(LOOK_MS);
    return runs;
  });
}

test('the task runs once, at the first check with an idle loop', (context) => {
  assert.deepEqual(runsAfter(context, [0.9, 0.51, 0.5, 0, 0.9, 0], 6), [0, 0, 1, 1, 1, 1]);
});

test('the task does not run while the loop is always busy', (context) => {
  assert.deepEqual(runsAfter(context, [1], 4), [0, 0, 0, 0]);
});

test('a cancelled task does not run', (context) => {
  assert.deepEqual(runsAfter(context, [1, 0], 3, 1), [0, 0, 0]);
});

test('the share is that of the event loop of this thread', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let runs = 0;
  context.after(
    atIdleMoment(() => {
      runs++;
    }),
  );
  // Only this test has run since the last check.
  context.mock.timers.tick(LOOK_MS);
  assert.equal(runs, 0);
});
