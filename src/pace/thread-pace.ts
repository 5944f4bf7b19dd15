/** How worker threads leave the cores to the event loop. */

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
