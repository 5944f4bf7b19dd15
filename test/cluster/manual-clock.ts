/** A clock that a test advances, with its timers. */
import type { ClusterClock } from '../../src/cluster/node-ports.ts';

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

export class ManualClock implements ClusterClock {
  #nowMs = 0;
  readonly #timers = new Set<Timer>();

  monotonicMs(): number {
    return this.#nowMs;
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
