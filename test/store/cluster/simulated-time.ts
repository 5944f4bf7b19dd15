/**
 * Time and chance of a simulated cluster. Every action that could happen earlier or later is a step that
 * waits here; the seed decides its delay. A stopped process takes no step until it continues, a dead one none
 * at all.
 */
import type { ClusterClock } from '../../../src/store/cluster/node-ports.ts';
import type { SeededRandom } from '../../simulator/seeded-random.ts';

/**
 * Kinds of steps: the way to a server, work there, a flush with its copy, the way back, work on the disk of
 * the node.
 */
export type StepKind = 'travel' | 'execute' | 'flush' | 'answer' | 'disk';

/** A process of a node or of a server. */
export interface Owner {
  readonly name: string;
  isDead: boolean;
  stoppedUntilMs: number;
}

export interface SimulatedTime {
  /** True time; no process can read it. */
  readonly nowMs: number;
  /** Resolves when the step is taken. `of` distinguishes it from other steps of the owner. */
  step(owner: Owner, kind: StepKind, of?: string): Promise<void>;
  /** Runs after `delayMs` of true time; returns the cancellation. */
  after(owner: Owner, delayMs: number, run: () => void): () => void;
}

interface Event {
  atMs: number;
  readonly order: number;
  readonly owner: Owner;
  readonly run: () => void;
}

const SLOW_MS_MAX = 400;
const USUAL_TENTHS_MAX = 25;

export class SeededTime implements SimulatedTime {
  nowMs = 0;
  /** Number of steps taken. */
  steps = 0;
  readonly #random: SeededRandom;
  readonly #events: Event[] = [];
  #order = 0;
  /** Percentage of steps that take long. */
  slowPercent: number;

  constructor(random: SeededRandom, slowPercent: number) {
    this.#random = random;
    this.slowPercent = slowPercent;
  }

  step(owner: Owner, _kind: StepKind, _of?: string): Promise<void> {
    const isSlow = this.#random.chance(this.slowPercent);
    const delayMs = isSlow ? this.#random.below(SLOW_MS_MAX) : this.#random.below(USUAL_TENTHS_MAX) / 10;
    return new Promise((resolve) => {
      this.after(owner, delayMs, resolve);
    });
  }

  after(owner: Owner, delayMs: number, run: () => void): () => void {
    const event = { atMs: this.nowMs + Math.max(0, delayMs), order: this.#order++, owner, run };
    this.#insert(event);
    return () => {
      const at = this.#events.indexOf(event);
      if (at >= 0) this.#events.splice(at, 1);
    };
  }

  /** Sorted; the next step is last. */
  #insert(event: Event): void {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#events[middle];
      if (other !== undefined && isLater(other, event)) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, event);
  }

  /** Takes the next step and runs everything that waits for no other. False when there is none. */
  async runNext(): Promise<boolean> {
    const event = this.#events.pop();
    if (event === undefined) return false;
    const { owner } = event;
    if (owner.isDead) return true;
    this.nowMs = Math.max(this.nowMs, event.atMs);
    if (owner.stoppedUntilMs > this.nowMs) {
      event.atMs = owner.stoppedUntilMs;
      this.#insert(event);
      return true;
    }
    this.steps++;
    event.run();
    await new Promise<void>((resolve) => setImmediate(resolve));
    return true;
  }
}

const isLater = (a: Event, b: Event): boolean => a.atMs > b.atMs || (a.atMs === b.atMs && a.order > b.order);

/**
 * The clocks of one process: they start anywhere, run at the same rate of their own, and stand still while the machine is
 * frozen: both, or the monotonic one.
 */
export class SimulatedClock implements ClusterClock {
  readonly #time: SimulatedTime;
  readonly #owner: Owner;
  readonly #rate: number;
  readonly #startMs: number;
  #frozenMs = 0;
  #wallFrozenMs = 0;

  constructor(time: SimulatedTime, owner: Owner, rate = 1, startMs = 0) {
    this.#time = time;
    this.#owner = owner;
    this.#rate = rate;
    this.#startMs = startMs;
  }

  monotonicMs(): number {
    return this.#startMs + (this.#time.nowMs - this.#frozenMs) * this.#rate;
  }

  wallMs(): number {
    return (this.#time.nowMs - this.#wallFrozenMs) * this.#rate;
  }

  after(delayMs: number, run: () => void): () => void {
    const dueMs = this.monotonicMs() + delayMs;
    const look = () => {
      const leftMs = dueMs - this.monotonicMs();
      if (leftMs > 1e-6) cancel = this.#time.after(this.#owner, leftMs / this.#rate, look);
      else run();
    };
    let cancel = this.#time.after(this.#owner, delayMs / this.#rate, look);
    return () => cancel();
  }

  /** The machine freezes for this long, and its monotonic clock with it. */
  freeze(durationMs: number, isWallFrozen: boolean): void {
    this.#owner.stoppedUntilMs = this.#time.nowMs + durationMs;
    this.#frozenMs += durationMs;
    if (isWallFrozen) this.#wallFrozenMs += durationMs;
  }
}
