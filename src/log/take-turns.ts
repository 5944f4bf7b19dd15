/** Long work of the log beside other work: a step to a turn of the event loop. */
import type { WorkSteps } from '../runtime/work-steps.ts';

/** What the steps come to; the first of them, which is mostly the only one, is done at once. */
export async function takeTurns<T>(steps: WorkSteps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
