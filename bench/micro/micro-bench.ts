/**
 * Micro measurements on tinybench: each task is a loop whose length is fitted to the clock, so that a
 * nanosecond shows, and all tasks of a part take turns, so that what slows the machine for a while slows
 * each of them. A round's sample is the median of its calls.
 */
import { Bench } from 'tinybench';
import type { PartRun } from '../part.ts';
import { Rounds } from '../part.ts';

export interface MicroTask {
  readonly id: string;
  readonly label: string;
  /** Does the work `count` times; the result keeps it from being optimised away. */
  run(count: number): unknown;
  /** Least runs of the warm-up, after which caches have their final content; by default its time alone decides. */
  readonly warmCount?: number;
}

/** Shortest call that the clock measures well. */
const CALL_MS = 0.1;
const COUNT_MAX = 1 << 22;

/** How many times a task must run in one call for `CALL_MS`. */
function fitCount(task: MicroTask): number {
  for (let count = 1; ; count *= 2) {
    const start = performance.now();
    task.run(count);
    if (performance.now() - start >= CALL_MS || count >= COUNT_MAX) return count;
  }
}

/** Median nanoseconds of one operation over calls that take `timeMs` together. */
function measureOnce(task: MicroTask, count: number, timeMs: number): number {
  const bench = new Bench({ time: timeMs, iterations: 1, warmup: false, throws: true });
  bench.add(task.id, () => {
    const start = bench.now();
    task.run(count);
    const took = bench.now() - start;
    return { overriddenDuration: took / count, overriddenIterationCost: took };
  });
  const [measured] = bench.runSync();
  const result = measured?.result;
  if (result?.state !== 'completed') throw new Error(`${task.id} was not measured: ${result?.state}`);
  return result.latency.p50 * 1e6;
}

/** Runs the task for at least `timeMs` and at least `times` times. */
function warmUp(task: MicroTask, count: number, timeMs: number, times: number): void {
  const end = performance.now() + timeMs;
  for (let done = 0; done < times || performance.now() < end; done += count) task.run(count);
}

/** Measures all tasks in turn, for as many rounds as the effort says, and records them in nanoseconds. */
export function measureTasks(part: PartRun, tasks: readonly MicroTask[]): Rounds {
  const { rounds, microMs, microWarmupMs } = part.effort;
  const counts = tasks.map((task) => {
    part.step(`${task.label} (warm-up)`);
    warmUp(task, 1, microWarmupMs / 2, 1);
    const count = fitCount(task);
    warmUp(task, count, microWarmupMs / 2, task.warmCount ?? 1);
    return count;
  });
  const results = new Rounds();
  for (let round = 1; round <= rounds; round++) {
    for (const [at, task] of tasks.entries()) {
      part.step(`${task.label} (round ${round} of ${rounds})`);
      results.add(task.id, task.label, 'ns', measureOnce(task, counts[at] as number, microMs));
    }
  }
  results.recordTo(part);
  return results;
}
