/**
 * Work in steps: a long compilation is a generator that yields whenever its work since the last yield came
 * to `STEP_UNITS`, so that the caller can let others run in between. It knows no clock: a unit is about
 * one look at a record or a character.
 *
 * There is no second form of the work: what must be there at once is the same generator, run to its end.
 */

/** Yields the units of the step that ends; returns what was made. */
export type WorkSteps<T> = Generator<number, T, void>;

/**
 * Units after which a step ends. Measured on Node 20: a million postal patterns take about 8 ns a unit,
 * so that a step takes half a millisecond and, with a page of memory to be had now and then, hardly two.
 */
export const STEP_UNITS = 65_536;
/** What one piece of work that is not divided may cost at most; a loop over a longer one is cut by its maker. */
export const PIECE_UNITS = 4_096;

/** The work of one compilation, over all generators that take part in it. */
export class WorkMeter {
  #spent = 0;

  /** Counts work; true when the step is full and the generator should `yield meter.take()`. */
  spend(units: number): boolean {
    this.#spent += units;
    return this.#spent >= STEP_UNITS;
  }

  /** True when the step is full. */
  get isFull(): boolean {
    return this.#spent >= STEP_UNITS;
  }

  /** The units of the step that ends here. */
  take(): number {
    const spent = this.#spent;
    this.#spent = 0;
    return spent;
  }
}

/** `list.map(make)` in steps; `units` is about the work for one element. */
export function* mapSteps<T, U>(
  list: readonly T[],
  make: (element: T, index: number) => U,
  units: (element: T) => number,
  meter: WorkMeter,
): WorkSteps<U[]> {
  const made: U[] = [];
  for (const [index, element] of list.entries()) {
    made.push(make(element, index));
    if (meter.spend(units(element))) yield meter.take();
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
