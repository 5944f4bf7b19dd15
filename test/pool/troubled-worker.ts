/** The real worker, but for requests whose text names a trouble: those get into it. */
import type { HandedTask } from '../../src/pool/pool-task.ts';
import { runTask as runReally } from '../../src/pool/pool-worker.ts';

export function runTask(task: HandedTask): object {
  const text = 'text' in task ? task.text : '';
  if (text.includes('"throw"')) throw new RangeError('as told');
  if (text.includes('"exit"')) process.exit(3);
  while (text.includes('"hang"'));
  return runReally(task);
}
