/**
 * Compile slices: long compilations of all shops of the process, a step to a turn of the event loop, so that
 * answers and writes go on in between. Shops take turns; within a shop one compilation follows the other,
 * so that a second one for the same zone finds what the first has made.
 */
import type { WorkSteps } from '../compile/work-steps.ts';
import { asError } from '../runtime/thrown-error.ts';

interface WaitingWork {
  readonly steps: WorkSteps<unknown>;
  readonly done: () => void;
  readonly failed: (error: Error) => void;
}

export class CompileSlices {
  /** By owner, in the order of their next turns; a queue in it is never empty. */
  readonly #queues = new Map<object, WaitingWork[]>();

  /** Resolves when the steps have come to their end; `owner` is the shop they are for. */
  run(owner: object, steps: WorkSteps<unknown>): Promise<void> {
    return new Promise((done, failed) => {
      const queue = this.#queues.get(owner);
      if (queue !== undefined) {
        queue.push({ steps, done, failed });
        return;
      }
      this.#queues.set(owner, [{ steps, done, failed }]);
      if (this.#queues.size === 1) this.#continue();
    });
  }

  #continue(): void {
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    for (const [owner, queue] of this.#queues) {
      this.#queues.delete(owner);
      if (isOver(queue[0] as WaitingWork)) queue.shift();
      if (queue.length > 0) this.#queues.set(owner, queue);
      break;
    }
    if (this.#queues.size > 0) this.#continue();
  }
}

/** Does one step; true when there is no other. */
function isOver({ steps, done, failed }: WaitingWork): boolean {
  try {
    if (steps.next().done !== true) return false;
    done();
  } catch (error) {
    failed(asError(error));
  }
  return true;
}
