/**
 * The first file that a worker thread loads: it lowers the priority of the thread, and then loads the rest. Loading takes a
 * third of a second of CPU time, which at normal priority would compete with the event loop.
 */
import { setPriority } from 'node:os';

/** A client waits for the answer, so not the lowest priority, at which a thread beside busy processes takes seconds to load. */
const THREAD_PRIORITY = 5;

// Only Linux applies this to the calling thread alone; on other systems it would slow the event loop too.
if (process.platform === 'linux') setPriority(0, THREAD_PRIORITY);

export const { answer } = await import('./pool-thread.ts');
