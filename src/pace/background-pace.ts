/**
 * Keeps a background thread from living at the cost of those that answer. The lowest priority alone does not:
 * on a busy core such a thread was measured to take a tenth. One that had to wait for the processor longer
 * than it ran therefore rests until it has used no more than a fiftieth of the time.
 *
 * Works where the system tells what a thread ran and waited (Linux); elsewhere nothing is held back.
 */
import { readFileSync } from 'node:fs';

/** What the calling thread did so far. */
export interface ThreadTimes {
  readonly ranMs: number;
  /** Ready to run, but others had the processor. */
  readonly waitedMs: number;
}

const SHARE = 0.02;
const REST_MS_MAX = 1_000;

/** How long to rest after work that ran and waited for so long. */
export function restMs({ ranMs, waitedMs }: ThreadTimes): number {
  if (waitedMs <= ranMs) return 0;
  return Math.min(REST_MS_MAX, Math.max(0, ranMs / SHARE - ranMs - waitedMs));
}

/** null where the system does not tell. */
function readThreadTimes(): ThreadTimes | null {
  try {
    const [ran = 0, waited = 0] = readFileSync('/proc/thread-self/schedstat', 'latin1')
      .split(' ')
      .map(Number);
    return { ranMs: ran / 1e6, waitedMs: waited / 1e6 };
  } catch {
    return null;
  }
}

export class BackgroundPace {
  #last = readThreadTimes();
  /** Moment of the monotonic clock before which nothing should be begun. */
  #restUntilMs = 0;
  readonly #bell = new Int32Array(new SharedArrayBuffer(4));

  /** Blocks the thread for what is left of its rest. */
  rest(): void {
    const leftMs = this.#restUntilMs - performance.now();
    if (leftMs > 0) Atomics.wait(this.#bell, 0, 0, leftMs);
  }

  /** A piece of work is done: notes how long to rest before the next. */
  worked(): void {
    const now = readThreadTimes();
    if (now !== null && this.#last !== null) {
      const ranMs = now.ranMs - this.#last.ranMs;
      const waitedMs = now.waitedMs - this.#last.waitedMs;
      this.#restUntilMs = performance.now() + restMs({ ranMs, waitedMs });
    }
    this.#last = now;
  }
}
