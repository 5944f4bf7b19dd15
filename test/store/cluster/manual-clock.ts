/** A clock that a test advances, with its timers. */
import type { ClusterClock, Moment } from '../../../src/store/cluster/node-ports.ts';

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/** A moment that both clocks show alike, unless another wall time is given. */
export const at = (monotonicMs: number, wallMs = monotonicMs): Moment => ({ monotonicMs, wallMs });

export class ManualClock implements ClusterClock {
  #nowMs = 0;
  #wallAheadMs = 0;
  readonly #timers = new Set<Timer>();

  monotonicMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return this.#nowMs + this.#wallAheadMs;
  }

  /** The wall clock is set, or the monotonic clock stands still for this long. */
  setApart(wallAheadMs: number): void {
    this.#wallAheadMs += wallAheadMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { dueMs: this.#nowMs + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Advances the clock; due timers run in order, each with everything that follows from it at once. */
  async advance(durationMs: number): Promise<void> {
    const endMs = this.#nowMs + durationMs;
    for (;;) {
      await settled();
      const [next] = [...this.#timers]
        .filter(({ dueMs }) => dueMs <= endMs)
        .sort((a, b) => a.dueMs - b.dueMs);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.run();
    }
    this.#nowMs = endMs;
  }

  get timers(): number {
    return this.#timers.size;
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
