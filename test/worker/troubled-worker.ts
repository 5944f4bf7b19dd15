/** The real worker, except that a request with the name of a fault in its text causes that fault. */
import { begin, type HandedTask } from '../../src/worker/pool-task.ts';
import { runTask as runReally } from '../../src/worker/worker-entry.ts';
import { block } from './block.ts';

export function runTask(task: HandedTask): Promise<object> {
  const text = 'text' in task ? task.text : '';
  if (/"(throw|exit|hang)"/.test(String(text))) begin(task.start);
  if (String(text).includes('"throw"')) throw new RangeError('as told');
  if (String(text).includes('"exit"')) process.exit(3);
  if (String(text).includes('"hang"')) block();
  return runReally(task);
}
