/**
 * A merge sort that can yield: short runs are sorted with `sort`, then merged in pairs. Measured: one call of `sort`
 * takes 30 ms for 100,000 indexes and a second for a million.
 */
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';

const RUN = 256;
/** Indexes merged between two yields. */
const PIECE = 4_096;

/** Returns the indexes of the numbers in ascending order of the numbers. The sort is stable. */
export function* sortedSteps(numbers: readonly number[], shouldYield: ShouldYield): WorkSteps<Int32Array> {
  const count = numbers.length;
  let sorted = new Int32Array(count);
  for (let from = 0; from < count; from += RUN) {
    const run = sorted.subarray(from, from + RUN);
    for (let at = 0; at < run.length; at++) run[at] = from + at;
    run.sort((a, b) => (numbers[a] as number) - (numbers[b] as number));
    if (shouldYield()) yield;
  }
  let merged = new Int32Array(count);
  for (let width = RUN; width < count; width *= 2) {
    for (let from = 0; from < count; from += 2 * width) {
      const middle = Math.min(from + width, count);
      const to = Math.min(from + 2 * width, count);
      let left = from;
      let right = middle;
      for (let at = from; at < to; at++) {
        const isLeft =
          right === to ||
          (left < middle &&
            (numbers[sorted[left] as number] as number) <= (numbers[sorted[right] as number] as number));
        merged[at] = sorted[isLeft ? left++ : right++] as number;
        if (at % PIECE === 0 && shouldYield()) yield;
      }
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}
