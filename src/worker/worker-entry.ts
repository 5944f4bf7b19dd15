/**
 * The first file that a worker thread loads: it lowers the priority of the thread and loads the rest with the first
 * task. Loading takes a third of a second of CPU time, which at normal priority would compete with the event loop.
 *
 * Until then the thread does not begin the task, so that no deadline terminates it: Node 20 aborts the whole process
 * when a thread is terminated while it links modules or loads native modules.
 */
import { setPriority } from 'node:os';
import { begin, type HandedTask } from './pool-task.ts';

/**
 * A client waits for the answer, so not the lowest priority. Measured on Linux 6.18 with one core and a thread that
 * woke every 80 us to run for 60 us: the worker yielded the core within 6 us, except once in two thousand times, when
 * it kept the core for 4 ms. At the lowest priority it always yielded, but beside busy processes such a thread took
 * seconds to load and to answer.
 */
const ANSWER_PRIORITY = 5;

// Only Linux applies this to the calling thread alone; on other systems it would slow the event loop too.
if (process.platform === 'linux') setPriority(0, ANSWER_PRIORITY);

/** The name that the pool calls. */
export async function runTask(task: HandedTask): Promise<object> {
  const worker = await import('./pool-worker.ts');
  worker.openTaskRunner();
  return begin(task.start) ? worker.runTask(task) : {};
}
