/**
 * Lowers the priority of the worker thread that loads it. Loaded before everything else, because loading the rest
 * takes a third of a second of processor time, which would otherwise compete with the event loop as an equal.
 */
import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import type { WorkerSettings } from './pool-task.ts';

/** The least urgent that the system knows. */
const BACKGROUND_PRIORITY = 19;
/**
 * Below the event loop, which has three times the weight then and is idle for most of the time. Not lower:
 * on a machine that is busy with other programs a thread at 10 was measured to take four times as long.
 */
const ANSWER_PRIORITY = 5;

// Only Linux takes this for the calling thread alone; elsewhere it would slow the answers as well.
if (process.platform === 'linux') {
  const { isBackground } = workerData as WorkerSettings;
  setPriority(0, isBackground ? BACKGROUND_PRIORITY : ANSWER_PRIORITY);
}
