/** A worker thread whose behaviour is selected by the shop id of the question; it can fail in every way. */
import { threadId, workerData } from 'node:worker_threads';
import type { AskedQuestion, ThreadAnswer } from '../../../src/shop/pool/question.ts';
import { block } from './block.ts';

const made = (text: string): ThreadAnswer => ({
  kind: 'answered',
  body: Buffer.from(text),
  answered: [],
  uses: null,
});

export function answer(question: AskedQuestion | null): ThreadAnswer {
  const { shopId = 'echo' } = question ?? {};
  if (shopId === 'thread') return made(String(threadId));
  if (shopId === 'throw') throw new RangeError('as told');
  if (shopId === 'damaged') return { kind: 'damaged', sequenceNumber: 7, what: 'as told' };
  if (shopId === 'bug') return { kind: 'thrown', error: new RangeError('as told') };
  if (shopId === 'exit') process.exit(3);
  if (shopId === 'hang') block();
  if (shopId === 'gate') Atomics.wait((workerData as { readonly gate: Int32Array }).gate, 0, 0);
  while (shopId === 'loop');
  return made(question?.kind === 'readVersion' ? question.versionId : '');
}
