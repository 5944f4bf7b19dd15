/**
 * What a worker thread loads first: lowers its priority, and loads the rest with the first task. That takes a
 * third of a second of processor time, which would otherwise compete with the event loop as an equal.
 *
 * Until then it does not begin the task, so that no deadline ends it: Node 20 aborts the whole process when a
 * thread is ended while it links modules or loads native ones.
 */
import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import type { HandedTask, WorkerSettings } from './pool-task.ts';
import { begin } from './task-start.ts';

/**
 * Somebody waits for an answer. Measured on Linux 6.18 with one core and a thread that woke every 80 us to run for
 * 60: the worker gave way within 6 us but for one time in two thousand, when it stayed for 4 ms. At the least
 * urgent it always did, but beside busy processes such a thread took seconds to load and to answer.
 */
const ANSWER_PRIORITY = 5;
/** The least urgent that the system knows. */
const BACKGROUND_PRIORITY = 19;

const { isBackground } = workerData as WorkerSettings;

// Only Linux takes this for the calling thread alone; elsewhere it would slow the event loop as well.
if (process.platform === 'linux') setPriority(0, isBackground ? BACKGROUND_PRIORITY : ANSWER_PRIORITY);

/** The name under which the pool calls it. */
export async function runTask(task: HandedTask): Promise<object> {
  const worker = await import('./pool-worker.ts');
  worker.openDesk();
  return begin(task.start) ? worker.runTask(task) : {};
}
