/**
 * A flag in shared memory: whether a thread has begun a task. A thread may be terminated while it works, but not while
 * it loads its code or opens the log, because native code that runs in a terminated thread aborts the whole process.
 */

const BEGUN = 1;
const GIVEN_UP = 2;

export type TaskStart = Int32Array<SharedArrayBuffer>;

export const notBegun = (): TaskStart => new Int32Array(new SharedArrayBuffer(4));

/** The thread calls this when it may be terminated; false when the task was given up. */
export const begin = (start: TaskStart): boolean => Atomics.compareExchange(start, 0, 0, BEGUN) === 0;

/** The caller gives up the task; false when the thread has begun it and must be terminated to stop it. */
export const giveUp = (start: TaskStart): boolean => Atomics.compareExchange(start, 0, 0, GIVEN_UP) !== BEGUN;
