/** The real worker, but for requests whose text names a trouble: those get into it. */
import type { PoolTask } from '../../src/pool/pool-task.ts';
import { runTask as runReally } from '../../src/pool/pool-worker.ts';

export function runTask(task: PoolTask): object {
  const text = 'text' in task ? task.text : '';
  if (String(text).includes('"throw"')) throw new RangeError('as told');
  if (String(text).includes('"exit"')) process.exit(3);
  while (String(text).includes('"hang"'));
  return runReally(task);
}
