/** Blocks a thread forever, or for a time, without using CPU time. */
const never = new Int32Array(new SharedArrayBuffer(4));

export const block = (forMs?: number): void => {
  Atomics.wait(never, 0, 0, forMs);
};
