/** The real worker, but for requests whose text names a trouble: those get into it. */
import type { HandedTask } from '../../src/worker/pool-task.ts';
import { begin } from '../../src/worker/task-start.ts';
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
