/**
 * Work slices: long compilations and long writes of all shops of the process, a slice to a turn of the event loop, so
 * that answers and writes go on in between. Owners take turns; the work of one owner is done in order, so that a second
 * compilation of the same zone finds what the first made.
 */

import { type Clock, systemClock } from '../runtime/clock.ts';
import { asError } from '../runtime/thrown-error.ts';
import type { ShouldYield, WorkSteps } from './work-steps.ts';

/** Milliseconds of a slice: small work is done in its first, and longer work adds no more to the wait of an answer. */
export const SLICE_MS = 1;

interface WaitingWork {
  /** Does one slice; true when there is no other. */
  readonly isOver: () => boolean;
}

export class WorkSlices {
  /** For the steps that run here: true when the slice under way is used up. */
  readonly shouldYield: ShouldYield;
  /** By owner, in the order of their next turns; a queue in it is never empty. */
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

  /** Resolves with what the steps come to; `owner` is whose turn they take. */
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

  /** The same, but the first slice, which may be the only one, is done at once. */
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
