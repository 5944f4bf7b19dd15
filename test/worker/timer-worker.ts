/** The real worker; after each task it reports the number of timers in its thread. */
import { BroadcastChannel } from 'node:worker_threads';
import type { HandedTask } from '../../src/worker/pool-task.ts';
import { runTask as runReally } from '../../src/worker/worker-entry.ts';
import { TIMERS_CHANNEL } from './timers-channel.ts';

const channel = new BroadcastChannel(TIMERS_CHANNEL);
channel.unref();

export async function runTask(task: HandedTask): Promise<object> {
  const result = await runReally(task);
  const active = process.getActiveResourcesInfo();
  channel.postMessage(active.filter((name) => name === 'Timeout').length);
  return result;
}
