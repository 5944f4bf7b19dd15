/** What a thread does between two steps of a request that somebody waits for. */

/** The least that a thread can sleep: the system adds some 50 us. */
const PAUSE_MS = 0.01;

const bell = new Int32Array(new SharedArrayBuffer(4));

/**
 * Lets go of the core for an instant. A thread that has one keeps it until the system's next tick, up to 4 ms,
 * whatever its priority, although the event loop is ready to run there; when it sleeps, the loop goes on at once.
 */
export const pauseShortly = (): void => {
  Atomics.wait(bell, 0, 0, PAUSE_MS);
};
