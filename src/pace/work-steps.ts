/**
 * Long work as a generator: it asks between two pieces whether its slice is used up, and yields when it is, so that
 * the event loop can serve others. The work knows no clock; the caller hands in the question. There is one form of
 * each work: a result that is needed at once is the same generator, run to its end.
 */

/** A marker of nothing but "somebody else may run"; returns what was made. */
export type WorkSteps<T> = Generator<void, T, void>;

/** Whether the slice of the work that runs is used up. Cheap enough for a loop over records. */
export type ShouldYield = () => boolean;

/** For work that is needed at once. */
export const NEVER: ShouldYield = () => false;

/** `list.map(make)` in steps. */
export function* mapSteps<T, U>(
  list: readonly T[],
  make: (element: T, index: number) => U,
  shouldYield: ShouldYield,
): WorkSteps<U[]> {
  const made: U[] = [];
  for (const [index, element] of list.entries()) {
    made.push(make(element, index));
    if (shouldYield()) yield;
  }
  return made;
}

/** Runs the steps to their end at once, but for what a thread does between them. */
export function finishSteps<T>(steps: WorkSteps<T>, betweenSteps?: () => void): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    betweenSteps?.();
  }
}
