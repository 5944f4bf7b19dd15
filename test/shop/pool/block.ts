/** Blocks a thread forever without using CPU time. */
const never = new Int32Array(new SharedArrayBuffer(4));

export const block = (): void => {
  Atomics.wait(never, 0, 0);
};
