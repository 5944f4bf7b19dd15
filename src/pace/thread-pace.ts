/** How worker threads leave the cores to the threads that answer. */
import { readFileSync } from 'node:fs';

/** CPU times of the calling thread since its start. */
interface ThreadTimes {
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

/**
 * Limits the CPU use of a background thread. The lowest priority is not enough: on a busy core, such a thread still took
 * a tenth of the time in our measurements. A thread that waited for the CPU longer than it ran therefore rests until its
 * share is at most a fiftieth.
 *
 * This works where the system reports how long a thread ran and waited (Linux); elsewhere the thread does not rest.
 */
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

/** The shortest possible sleep: the system adds about 50 us. */
const PAUSE_MS = 0.01;
/**
 * Work between two pauses. It is shorter than the scheduler tick (up to 4 ms), for which a busy thread would keep its
 * core.
 */
const WORK_MS = 0.3;

/** Short pauses of a worker thread during a request that a client waits for. */
export class ShortPauses {
  readonly #bell = new Int32Array(new SharedArrayBuffer(4));
  #nextMs = 0;

  /**
   * Releases the core for an instant, if the last pause was long enough ago. A thread keeps its core until the next
   * scheduler tick, whatever its priority, even if the event loop is ready to run there; when the thread sleeps, the
   * loop resumes at once. Call it often: it costs one read of the clock.
   */
  readonly pause = (): void => {
    const nowMs = performance.now();
    if (nowMs < this.#nextMs) return;
    Atomics.wait(this.#bell, 0, 0, PAUSE_MS);
    this.#nextMs = nowMs + WORK_MS;
  };
}
