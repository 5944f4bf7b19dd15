/** Metrics of a pool of worker threads: queue length, waiting and running times of tasks, outcomes. */
import { COARSE_BOUNDS, Histogram } from './histogram.ts';

/**
 * `ok`: done; `refused`: the queue was full, or the process is stopping; `late`: the deadline passed; `failed`: the
 * task threw, or its thread died.
 */
export const TASK_OUTCOMES = ['ok', 'refused', 'late', 'failed'] as const;
export type TaskOutcome = (typeof TASK_OUTCOMES)[number];

type OutcomeCounts = Record<TaskOutcome, number>;

export class PoolMeter {
  /** Time from the hand-over of a task until a thread receives it. */
  readonly wait = new Histogram(COARSE_BOUNDS);
  /** Time from then until the result arrives. */
  readonly run = new Histogram(COARSE_BOUNDS);
  /** Kind of task -> number of tasks by outcome. */
  readonly tasks = new Map<string, OutcomeCounts>();
  #readWaiting: () => number = () => 0;

  /** Number of tasks that wait for a thread. */
  get waiting(): number {
    return this.#readWaiting();
  }

  /** The measured pool calls this once. */
  attach(kinds: readonly string[], readWaiting: () => number): void {
    for (const kind of kinds) this.tasks.set(kind, { ok: 0, refused: 0, late: 0, failed: 0 });
    this.#readWaiting = readWaiting;
  }

  count(kind: string, outcome: TaskOutcome): void {
    const counts = this.tasks.get(kind);
    if (counts !== undefined) counts[outcome]++;
  }
}
