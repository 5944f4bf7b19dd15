/**
 * The event loop of a simulated run: waiting tasks run one at a time, in an order that the seed chooses.
 * `setImmediate` is replaced during the run, so that the turns of the actors wait here too.
 */
import type { SeededRandom } from './seeded-random.ts';

interface Task {
  /** The owner of the task; when a process dies, its tasks are dropped. */
  readonly owner: unknown;
  readonly run: () => void;
}

const endOfTurn = setImmediate;

export class TaskQueue {
  readonly #random: SeededRandom;
  readonly #tasks: Task[] = [];
  #owner: unknown = null;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  get length(): number {
    return this.#tasks.length;
  }

  add(owner: unknown, run: () => void): void {
    this.#tasks.push({ owner, run });
  }

  drop(owner: unknown): void {
    const kept = this.#tasks.filter((task) => task.owner !== owner);
    this.#tasks.splice(0, this.#tasks.length, ...kept);
  }

  /** Runs `body` as `owner`, and then all tasks that are ready. */
  async act(owner: unknown, body: () => void): Promise<void> {
    this.#owner = owner;
    body();
    await new Promise<void>((resolve) => endOfTurn(resolve));
    this.#owner = null;
  }

  /** Runs one of the waiting tasks; returns false when there is none. */
  async runOne(): Promise<boolean> {
    if (this.#tasks.length === 0) return false;
    const [task] = this.#tasks.splice(this.#random.below(this.#tasks.length), 1);
    if (task !== undefined) await this.act(task.owner, task.run);
    return true;
  }

  /** Runs `body` with `setImmediate` replaced by this queue. */
  async inCharge<T>(body: () => Promise<T>): Promise<T> {
    const before = globalThis.setImmediate;
    const take = (run: (...values: unknown[]) => void, ...values: unknown[]) =>
      this.add(this.#owner, () => run(...values));
    globalThis.setImmediate = take as unknown as typeof setImmediate;
    try {
      return await body();
    } finally {
      globalThis.setImmediate = before;
    }
  }
}
