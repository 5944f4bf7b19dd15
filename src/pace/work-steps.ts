/**
 * Long work as a generator: between two pieces it asks whether its slice is used up, and yields if so, so that the
 * event loop can serve other requests. The work does not read a clock; the caller passes in `shouldYield`. Each work
 * has only this one form: for a result that is needed at once, the caller runs the generator to its end.
 */

/** A generator whose yields only mean "other work may run"; it returns the result. */
export type WorkSteps<T> = Generator<void, T, void>;

/** Returns true when the slice of the running work is used up. It is cheap enough to call for each record. */
export type ShouldYield = () => boolean;

/** For work that is needed at once. */
export const NEVER: ShouldYield = () => false;

/** Runs the steps to their end in one call. */
export function finishSteps<T>(steps: WorkSteps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
