/** The real worker thread, except that a request with the name of a fault in its text causes that fault. */
import type { AskedQuestion } from '../../../src/shop/pool/question.ts';
import { answer as answerReally } from '../../../src/shop/pool/thread-entry.ts';
import { block } from './block.ts';

export function answer(question: AskedQuestion | null): object {
  const text = question !== null && 'text' in question ? String(question.text) : '';
  if (text.includes('"throw"')) throw new RangeError('as told');
  if (text.includes('"exit"')) process.exit(3);
  if (text.includes('"hang"')) block();
  return answerReally(question);
}
