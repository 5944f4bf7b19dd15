/** Numbers of a pool of worker threads: length of its queue, waiting and running times of tasks, outcomes. */
import { COARSE_BOUNDS, Histogram } from './histogram.ts';

/**
 * `ok`: done; `refused`: the queue was full, or the process ends; `late`: its deadline passed; `failed`: it threw, or its
 * thread died.
 */
export const TASK_OUTCOMES = ['ok', 'refused', 'late', 'failed'] as const;
export type TaskOutcome = (typeof TASK_OUTCOMES)[number];

type OutcomeCounts = Record<TaskOutcome, number>;

export class PoolMeter {
  /** From the hand-over of a task until a thread has it. */
  readonly wait = new Histogram(COARSE_BOUNDS);
  /** From then until its result is here. */
  readonly run = new Histogram(COARSE_BOUNDS);
  /** Kind of task -> how many ended how. */
  readonly tasks = new Map<string, OutcomeCounts>();
  #readWaiting: () => number = () => 0;

  /** Tasks that wait for a thread now. */
  get waiting(): number {
    return this.#readWaiting();
  }

  /** Called by the pool that is measured. */
  attach(kinds: readonly string[], readWaiting: () => number): void {
    for (const kind of kinds) this.tasks.set(kind, { ok: 0, refused: 0, late: 0, failed: 0 });
    this.#readWaiting = readWaiting;
  }

  count(kind: string, outcome: TaskOutcome): void {
    const counts = this.tasks.get(kind);
    if (counts !== undefined) counts[outcome]++;
  }
}
