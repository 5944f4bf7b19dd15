/** Short pauses of a worker thread in the middle of a request that somebody waits for. */

/** The least that a thread can sleep: the system adds some 50 us. */
const PAUSE_MS = 0.01;
/** Work between two pauses: shorter than the tick of the system, up to 4 ms, which a busy thread would keep the core. */
const WORK_MS = 0.3;

export class ShortPauses {
  readonly #bell = new Int32Array(new SharedArrayBuffer(4));
  #nextMs = 0;

  /**
   * Lets go of the core for an instant, if the last time was a while ago. A thread that has a core keeps it until the
   * system's next tick, whatever its priority, although the event loop is ready to run there; when it sleeps, the loop
   * goes on at once. To be called often, at the cost of a look at the clock.
   */
  readonly pause = (): void => {
    const nowMs = performance.now();
    if (nowMs < this.#nextMs) return;
    Atomics.wait(this.#bell, 0, 0, PAUSE_MS);
    this.#nextMs = nowMs + WORK_MS;
  };
}
