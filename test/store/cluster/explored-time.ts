/**
 * The clock and the scheduler of an exploration. Explored steps wait until they are chosen, all others run at
 * once. Time stands still except for the planned advances, which are chosen like steps.
 */
import { createHash } from 'node:crypto';
import type { Owner, SimulatedTime, StepKind } from './simulated-time.ts';

interface Waiting {
  readonly owner: Owner;
  readonly name: string;
  readonly take: () => void;
}

interface Timer {
  readonly owner: Owner;
  readonly dueMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** True for a step whose order among the others is explored. */
export type IsExplored = (kind: StepKind, of: string) => boolean;

export class ExploredTime implements SimulatedTime {
  nowMs = 0;
  /** Until it is set, every step runs at once. */
  isExplored: IsExplored = () => false;
  readonly #waiting: Waiting[] = [];
  /** Number of steps of each connection that have waited; makes their names unique. */
  readonly #counts = new Map<string, number>();
  #timers: Timer[] = [];
  #order = 0;
  /** A digest of all steps and events of each owner, in order. */
  readonly #histories = new Map<string, string>();

  step(owner: Owner, kind: StepKind, of = ''): Promise<void> {
    if (!this.isExplored(kind, of)) {
      this.#note(owner.name, `${kind} ${of}`);
      return Promise.resolve();
    }
    return new Promise((take) => {
      const count = (this.#counts.get(of) ?? 0) + 1;
      this.#counts.set(of, count);
      this.#waiting.push({ owner, name: `${owner.name}: ${kind} ${of} ${count}`, take });
    });
  }

  after(owner: Owner, delayMs: number, run: () => void): () => void {
    const timer = { owner, dueMs: this.nowMs + delayMs, order: this.#order++, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Names of the steps that can run now. */
  choices(): string[] {
    return this.#waiting.filter(({ owner }) => !owner.isDead).map(({ name }) => name);
  }

  async take(name: string): Promise<void> {
    const at = this.#waiting.findIndex((waiting) => waiting.name === name);
    const [waiting] = this.#waiting.splice(at, 1);
    if (waiting === undefined) return;
    this.#note(waiting.owner.name, name);
    waiting.take();
    await this.settle();
  }

  /**
   * Advances time in two halves, while all processes are stopped. After each half the timers that are due run
   * in order.
   */
  async advance(durationMs: number): Promise<void> {
    for (const _half of [1, 2]) {
      this.nowMs += durationMs / 2;
      for (let [next] = this.#due(); next !== undefined; [next] = this.#due()) {
        this.#timers.splice(this.#timers.indexOf(next), 1);
        next.run();
        await this.settle();
      }
    }
  }

  #due(): Timer[] {
    return this.#timers
      .filter(({ dueMs, owner }) => dueMs <= this.nowMs && !owner.isDead)
      .sort((a, b) => a.dueMs - b.dueMs || a.order - b.order);
  }

  /** Runs everything that waits for no other step. */
  settle(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(resolve);
    });
  }

  /** Records an event of these owners, or of all. */
  happened(what: string, owners: Iterable<string> = this.#histories.keys()): void {
    for (const owner of owners) this.#note(owner, what);
  }

  #note(owner: string, what: string): void {
    const before = this.#histories.get(owner) ?? '';
    const digest = createHash('sha1').update(`${before} ${what} at ${this.nowMs}`).digest('base64');
    this.#histories.set(owner, digest);
  }

  /**
   * Equal for orders of the same steps that no node and no server can distinguish. The state of an owner
   * follows from its own steps and from the messages of the others. Steps that run at once count as well,
   * because a server runs them before or after the chosen ones.
   */
  get state(): string {
    return JSON.stringify([this.nowMs, ...[...this.#histories].sort()]);
  }
}
