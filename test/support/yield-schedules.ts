/**
 * Schedules of yields: a counter in place of the clock decides when long work yields, so that tests see the same
 * slices every time.
 */
import assert from 'node:assert/strict';
import { NEVER, type ShouldYield, type WorkSteps } from '../../src/pace/work-steps.ts';

type StartWork<T> = (shouldYield: ShouldYield) => WorkSteps<T>;

interface FinishedWork<T> {
  readonly value: T;
  /** How often the work asked whether it should yield. */
  readonly questions: number;
}

/** Returns true at every nth call of `shouldYield`. */
export function everyNth(n: number): ShouldYield {
  let questions = 0;
  return () => ++questions % n === 0;
}

/** Runs the work to its end. It must yield after each call of `shouldYield` that returned true, and only then. */
export function runWork<T>(start: StartWork<T>, decide: ShouldYield): FinishedWork<T> {
  let questions = 0;
  let isYieldDue = false;
  const steps = start(() => {
    assert.ok(!isYieldDue, 'the work asked again instead of yielding');
    questions++;
    isYieldDue = decide();
    return isYieldDue;
  });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, questions };
    assert.ok(isYieldDue, 'the work yielded without a question');
    isYieldDue = false;
  }
}

/** Runs the work under several schedules of yields, which must all give the same result. */
export function runUnderSchedules<T>(start: StartWork<T>): FinishedWork<T> {
  const atOnce = runWork(start, NEVER);
  for (const n of [1, 2, 7]) {
    const { value, questions } = runWork(start, everyNth(n));
    assert.deepEqual(value, atOnce.value);
    assert.equal(
      questions,
      atOnce.questions,
      `the work is divided otherwise when it yields at every ${n}th question`,
    );
  }
  return atOnce;
}

/** Runs the steps to their end; returns the number of yields. */
export function countYields(steps: WorkSteps<unknown>): number {
  let count = 0;
  while (steps.next().done !== true) count++;
  return count;
}
