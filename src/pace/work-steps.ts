/**
 * Long work as a generator: between two pieces it asks whether its slice is used up, and yields if so, so that the
 * event loop can serve other requests. The work does not read a clock; the caller passes in `shouldYield`. Each work
 * has only this one form: for a result that is needed at once, the caller runs the generator to its end.
 */

/** A generator whose yields only mean "other work may run"; it returns the result. */
export type WorkSteps<T> = Generator<void, T, void>;

/** The result of work that is mostly small; the steps to it where the work is long. */
export type MaybeSteps<T> = T | WorkSteps<T>;

export const areSteps = <T extends object>(made: MaybeSteps<T>): made is WorkSteps<T> => 'next' in made;

/** Returns true when the slice of the running work is used up. It is cheap enough to call for each record. */
export type ShouldYield = () => boolean;

/** For work that is needed at once. */
export const NEVER: ShouldYield = () => false;

/** `list.map(make)`, yielding between elements. */
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

/** Numbers that are sorted at once, in half a millisecond. */
const SORTED_AT_ONCE = 8_192;

/** The numbers in ascending order, in the same array or another. Yields between parts that are sorted or merged. */
export function* sortSteps(numbers: Float64Array, shouldYield: ShouldYield): WorkSteps<Float64Array> {
  const { length } = numbers;
  for (let from = 0; from < length; from += SORTED_AT_ONCE) {
    numbers.subarray(from, from + SORTED_AT_ONCE).sort();
    if (shouldYield()) yield;
  }
  let sorted = numbers;
  let merged = length > SORTED_AT_ONCE ? new Float64Array(length) : numbers;
  for (let run = SORTED_AT_ONCE; run < length; run *= 2) {
    for (let from = 0; from < length; from += 2 * run) {
      const behind = from + 2 * run;
      merge(sorted.subarray(from, from + run), sorted.subarray(from + run, behind), merged, from);
      if (shouldYield()) yield;
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}

/** Merges two ascending lists into `target`, from this index on. */
function merge(first: Float64Array, second: Float64Array, target: Float64Array, start: number): void {
  let [ofFirst, ofSecond] = [0, 0];
  const { length } = first;
  const end = start + length + second.length;
  for (let at = start; at < end; at++) {
    const isFirst =
      ofSecond === second.length ||
      (ofFirst < length && (first[ofFirst] as number) <= (second[ofSecond] as number));
    target[at] = (isFirst ? first[ofFirst++] : second[ofSecond++]) as number;
  }
}

/** Runs the steps to their end in one call. */
export function finishSteps<T>(steps: WorkSteps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
