/** A worker whose behaviour is selected by the shop id of the task; it can fail in every way. */
import { threadId } from 'node:worker_threads';
import { begin, type HandedTask, type PoolAnswer } from '../../src/worker/pool-task.ts';
import { block } from './block.ts';

const answer = (text: string): PoolAnswer => ({ kind: 'answered', body: Buffer.from(text) });

export function runTask(task: HandedTask): PoolAnswer {
  const { shopId, start } = task;
  // Like a thread that is still loading after the deadline.
  while (shopId === 'loading' && start[0] === 0) block(1);
  begin(start);
  if (shopId === 'thread') return answer(String(threadId));
  if (shopId === 'throw') throw new RangeError('as told');
  if (shopId === 'exit') process.exit(3);
  if (shopId === 'hang') block();
  while (shopId === 'loop');
  return answer(task.kind === 'readVersion' ? task.versionId : '');
}
