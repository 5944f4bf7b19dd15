/** Stops a thread for good, or for so long, without taking the time of a core from the threads beside it. */
const never = new Int32Array(new SharedArrayBuffer(4));

export const block = (forMs?: number): void => {
  Atomics.wait(never, 0, 0, forMs);
};
