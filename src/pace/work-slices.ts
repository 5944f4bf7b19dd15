/**
 * Work slices: runs the long compilations and long writes of all shops of the process, one slice per turn of the event
 * loop, so that other requests are served in between. Owners take turns. The work of one owner runs in order, so that a
 * second compilation of the same zone reuses the result of the first.
 */

import { type Clock, systemClock } from '../runtime/clock.ts';
import { asError } from '../runtime/thrown-error.ts';
import type { ShouldYield, WorkSteps } from './work-steps.ts';

/**
 * Length of a slice in milliseconds: small work fits in the first slice, and longer work delays other answers by no
 * more than this.
 */
export const SLICE_MS = 1;

interface WaitingWork {
  /** Runs one slice; returns true when the work has ended. */
  readonly isOver: () => boolean;
}

export class WorkSlices {
  /** For the steps that run here: true when the current slice is used up. */
  readonly shouldYield: ShouldYield;
  /** Queues by owner, in the order of their next turns; no queue in the map is empty. */
  readonly #queues = new Map<object | string, WaitingWork[]>();
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #sliceEndMs = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'> = systemClock) {
    this.#clock = clock;
    this.shouldYield = () => clock.monotonicMs() >= this.#sliceEndMs;
  }

  /** True while work of this owner waits for its next slice. */
  isBusy(owner: object | string): boolean {
    return this.#queues.has(owner);
  }

  /** Resolves with the result of the steps; they take the turns of `owner`. */
  run<T>(owner: object | string, steps: WorkSteps<T>): Promise<T> {
    return new Promise((done, failed) => {
      const work = { isOver: () => this.#isOver(steps, done, failed) };
      const queue = this.#queues.get(owner);
      if (queue !== undefined) {
        queue.push(work);
        return;
      }
      this.#queues.set(owner, [work]);
      if (this.#queues.size === 1) this.#continue();
    });
  }

  /** As `run`, but the first slice runs in this call. Returns the result when that slice was enough, else a promise. */
  start<T>(owner: object | string, steps: WorkSteps<T>): T | Promise<T> {
    const first = this.#slice(steps);
    return first.done === true ? first.value : this.run(owner, steps);
  }

  #continue(): void {
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    for (const [owner, queue] of this.#queues) {
      this.#queues.delete(owner);
      if (queue[0]?.isOver() === true) queue.shift();
      if (queue.length > 0) this.#queues.set(owner, queue);
      break;
    }
    if (this.#queues.size > 0) this.#continue();
  }

  #slice<T>(steps: WorkSteps<T>): IteratorResult<void, T> {
    this.#sliceEndMs = this.#clock.monotonicMs() + SLICE_MS;
    return steps.next();
  }

  #isOver<T>(steps: WorkSteps<T>, done: (value: T) => void, failed: (error: Error) => void): boolean {
    try {
      const step = this.#slice(steps);
      if (step.done !== true) return false;
      done(step.value);
    } catch (error) {
      failed(asError(error));
    }
    return true;
  }
}
