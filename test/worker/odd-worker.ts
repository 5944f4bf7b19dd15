/** A worker whose behaviour is selected by the shop id of the task; it can fail in every way. */
import { threadId } from 'node:worker_threads';
import type { ShadowBatch, ShadowBatchResult } from '../../src/shadow/shadow-batch.ts';
import { begin, type HandedTask } from '../../src/worker/pool-task.ts';
import { block } from './block.ts';

export function runTask({ shopId, texts, start }: ShadowBatch & HandedTask): ShadowBatchResult {
  // Like a thread that is still loading after the deadline.
  while (shopId === 'loading' && start[0] === 0) block(1);
  begin(start);
  if (shopId === 'thread') return { findings: String(threadId), samples: new Uint8Array() };
  if (shopId === 'throw') throw new RangeError('as told');
  if (shopId === 'exit') process.exit(3);
  if (shopId === 'hang') block();
  while (shopId === 'loop');
  return { findings: texts.join(), samples: new Uint8Array() };
}
