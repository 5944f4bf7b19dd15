/** The real worker thread; after each question it reports the number of timers in its thread. */
import { BroadcastChannel } from 'node:worker_threads';
import type { AskedQuestion } from '../../../src/shop/pool/question.ts';
import { answer as answerReally } from '../../../src/shop/pool/thread-entry.ts';
import { TIMERS_CHANNEL } from './timers-channel.ts';

const channel = new BroadcastChannel(TIMERS_CHANNEL);
channel.unref();

export function answer(question: AskedQuestion | null): object {
  const result = answerReally(question);
  const active = process.getActiveResourcesInfo();
  if (question !== null) channel.postMessage(active.filter((name) => name === 'Timeout').length);
  return result;
}
