/**
 * Steps: the budget of searches. A step is about one comparison of a text, number, code, place or group. When the
 * budget is used up, the current search and all later ones end as undecided. So the time of a report is bounded for
 * every configuration. Undecided findings are omitted, never guessed.
 */

/** Budget for the proofs of one report, and again for its witnesses: a few seconds. */
const STEPS_MAX = 100_000_000;

class GivenUp extends Error {}

export class Steps {
  #left: number;

  constructor(max: number = STEPS_MAX) {
    this.#left = max;
  }

  /** Call before the work, and only within `search`. */
  spend(count: number): void {
    this.#left -= count;
    if (this.#left < 0) this.giveUp();
  }

  /** Ends the current search as undecided. */
  giveUp(): never {
    throw new GivenUp();
  }

  /** Returns the result of `find`, or `undecided` when the search gives up or no steps are left. */
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
