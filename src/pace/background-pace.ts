/**
 * Limits the CPU use of a background thread, so that it does not slow down the threads that answer. The lowest priority
 * is not enough: on a busy core, such a thread still took a tenth of the time in our measurements. A thread that waited
 * for the CPU longer than it ran therefore rests until its share is at most a fiftieth.
 *
 * This works where the system reports how long a thread ran and waited (Linux); elsewhere the thread does not rest.
 */
import { readFileSync } from 'node:fs';

/** CPU times of the calling thread since its start. */
export interface ThreadTimes {
  readonly ranMs: number;
  /** Time in which the thread was ready to run but did not have a core. */
  readonly waitedMs: number;
}

const SHARE = 0.02;
const REST_MS_MAX = 1_000;

/** How long to rest after work that ran and waited for these times. */
export function restMs({ ranMs, waitedMs }: ThreadTimes): number {
  if (waitedMs <= ranMs) return 0;
  return Math.min(REST_MS_MAX, Math.max(0, ranMs / SHARE - ranMs - waitedMs));
}

/** null when the system does not report the times. */
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
  /** No work should begin before this time of the monotonic clock. */
  #restUntilMs = 0;
  readonly #bell = new Int32Array(new SharedArrayBuffer(4));

  /** Blocks the thread for the rest of its pause. */
  rest(): void {
    const leftMs = this.#restUntilMs - performance.now();
    if (leftMs > 0) Atomics.wait(this.#bell, 0, 0, leftMs);
  }

  /** Call after each piece of work: computes how long to rest before the next piece. */
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
