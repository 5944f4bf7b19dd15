/**
 * Work slices: long compilations and long writes of all shops of the process, a step to a turn of the event loop,
 * so that answers and writes go on in between. Owners take turns; the work of one owner is done one after the other,
 * so that a second compilation for the same zone finds what the first has made.
 */

import { EarlyCollections, NURSERY, type Nursery } from '../runtime/nursery.ts';
import { asError } from '../runtime/thrown-error.ts';
import type { WorkSteps } from './work-steps.ts';

interface WaitingWork {
  /** Does one step; true when there is no other. */
  readonly isOver: () => boolean;
}

export class WorkSlices {
  /** By owner, in the order of their next turns; a queue in it is never empty. */
  readonly #queues = new Map<object | string, WaitingWork[]>();
  readonly #collections: EarlyCollections;

  constructor(nursery: Nursery = NURSERY) {
    this.#collections = new EarlyCollections(nursery);
  }

  /** Resolves with what the steps come to; `owner` is whose turn they take. */
  run<T>(owner: object | string, steps: WorkSteps<T>): Promise<T> {
    return new Promise((done, failed) => {
      const work = { isOver: () => isOver(steps, done, failed) };
      const queue = this.#queues.get(owner);
      if (queue !== undefined) {
        queue.push(work);
        return;
      }
      this.#queues.set(owner, [work]);
      if (this.#queues.size > 1) return;
      this.#collections.begin();
      this.#continue();
    });
  }

  /** The same, but the first step, which may be the only one, is done at once. */
  start<T>(owner: object | string, steps: WorkSteps<T>): T | Promise<T> {
    const first = steps.next();
    return first.done === true ? first.value : this.run(owner, steps);
  }

  #continue(): void {
    setImmediate(() => this.#turn());
  }

  /** A step, or the collection of what the steps before it have made. */
  #turn(): void {
    if (!this.#collections.collect()) this.#step();
    if (this.#queues.size > 0) this.#continue();
  }

  #step(): void {
    for (const [owner, queue] of this.#queues) {
      this.#queues.delete(owner);
      if (queue[0]?.isOver() === true) queue.shift();
      if (queue.length > 0) this.#queues.set(owner, queue);
      break;
    }
  }
}

function isOver<T>(steps: WorkSteps<T>, done: (value: T) => void, failed: (error: Error) => void): boolean {
  try {
    const step = steps.next();
    if (step.done !== true) return false;
    done(step.value);
  } catch (error) {
    failed(asError(error));
  }
  return true;
}
