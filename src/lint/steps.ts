/**
 * Steps: how much searches may do together. A step is about one comparison of a text, a number, a code, a
 * place or a group with another; each search counts those that it takes. When they run out, the search
 * under way is given up and what follows is not searched, so that a report takes no longer than they last,
 * whatever the configuration holds. Findings are then left out, never guessed.
 */

/** Of the decisions of one report, and again of its examples: a few seconds. */
const STEPS_MAX = 100_000_000;

class OutOfSteps extends Error {}

export class Steps {
  #left: number;

  constructor(max: number = STEPS_MAX) {
    this.#left = max;
  }

  /** Before the steps are taken; only within a search. */
  spend(count: number): void {
    this.#left -= count;
    if (this.#left < 0) throw new OutOfSteps();
  }

  /** What the search finds, or `undecided` when the steps run out on its way or have before. */
  search<T>(find: () => T, undecided: T): T {
    if (this.#left < 0) return undecided;
    try {
      return find();
    } catch (error) {
      if (error instanceof OutOfSteps) return undecided;
      throw error;
    }
  }
}
