/** A replica that has one thing made by the owner's worker threads, and writes the text of the answer to the log. */
import { parentPort } from 'node:worker_threads';
import type { ToOwner, ToReplica } from '../../src/replica/replica-message.ts';

const post = (message: ToOwner): void => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToReplica) => {
  if (message.kind === 'close') parentPort?.close();
  if (message.kind !== 'heavyAnswer') return;
  const outcome = message.answer?.outcome;
  const text = outcome?.ok === true ? new TextDecoder().decode(outcome.value) : null;
  post({ kind: 'line', level: 'info', event: 'heavy.answered', fields: { text } });
});
post({ kind: 'listening' });
post({ kind: 'heavy', number: 1, shopId: 'shop_a', question: { kind: 'lint', view: 'live' } });
