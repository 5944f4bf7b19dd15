/** A worker that does what the shop id of its task says: a task that fails in every way one can. */
import type { ShadowBatch, ShadowBatchResult } from '../../src/pool/pool-task.ts';

export function runTask({ shopId, texts }: ShadowBatch): ShadowBatchResult {
  if (shopId === 'throw') throw new RangeError('as told');
  if (shopId === 'exit') process.exit(3);
  while (shopId === 'hang');
  return { findings: texts.join(), sampleCount: 0, samples: new Uint8Array() };
}
