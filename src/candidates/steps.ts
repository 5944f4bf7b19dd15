/**
 * Steps: the budget of searches. A step is about one comparison of a text, number, code, place or group. When the steps
 * run out, the current search ends as undecided, and so does every later one: a report has a bound whatever the
 * configuration holds. Findings are then left out, never guessed.
 */

/** For the proofs of one report, and as many for its witnesses: a few seconds. */
const STEPS_MAX = 100_000_000;

class GivenUp extends Error {}

export class Steps {
  #left: number;

  constructor(max: number = STEPS_MAX) {
    this.#left = max;
  }

  /** Before the steps are taken; only within a search. */
  spend(count: number): void {
    this.#left -= count;
    if (this.#left < 0) this.giveUp();
  }

  /** Ends the search under way as undecided. */
  giveUp(): never {
    throw new GivenUp();
  }

  /** What the search finds, or `undecided` when it is given up or the steps ran out before. */
  search<T>(find: () => T, undecided: T): T {
    if (this.#left < 0) return undecided;
    try {
      return find();
    } catch (error) {
      if (error instanceof GivenUp) return undecided;
      throw error;
    }
  }
}
