/**
 * What a worker thread loads first: lowers its priority, and loads the rest with the first task. That takes a
 * third of a second of processor time, which would otherwise compete with the event loop as an equal.
 *
 * Until then it does not begin the task, so that no deadline ends it: Node 20 aborts the whole process when a
 * thread is ended while it links modules or loads native ones.
 */
import { setPriority } from 'node:os';
import type { HandedTask } from './pool-task.ts';
import { begin } from './task-start.ts';

/**
 * The least urgent that the system knows, for answers too. Measured on Linux 6.18 with one core and a thread
 * that woke every 80 us to run for 60: at 5 and at 10 the worker gave way within 6 us but for one time in two
 * thousand, when it stayed for 4 ms; at 19 it always did within 30, and the idle class was no better.
 */
const PRIORITY = 19;

// Only Linux takes this for the calling thread alone; elsewhere it would slow the answers as well.
if (process.platform === 'linux') setPriority(0, PRIORITY);

/** The name under which the pool calls it. */
export async function runTask(task: HandedTask): Promise<object> {
  const worker = await import('./pool-worker.ts');
  worker.openDesk();
  return begin(task.start) ? worker.runTask(task) : {};
}
