/**
 * Whether a thread has begun a task, in shared memory. A thread may be ended while it works, but not while it loads
 * its code or opens the log: native code that finds its thread ended then aborts the whole process.
 */

const BEGUN = 1;
const GIVEN_UP = 2;

export type TaskStart = Int32Array<SharedArrayBuffer>;

export const notBegun = (): TaskStart => new Int32Array(new SharedArrayBuffer(4));

/** For the thread, once it may be ended; false when nobody waits for the task any more. */
export const begin = (start: TaskStart): boolean => Atomics.compareExchange(start, 0, 0, BEGUN) === 0;

/** For whoever waits; false when the thread has begun, and must be ended to be stopped. */
export const giveUp = (start: TaskStart): boolean => Atomics.compareExchange(start, 0, 0, GIVEN_UP) !== BEGUN;
