/**
 * Steps: the budget of the searches of one explanation. When it is used up, the current search and all later ones end as
 * undecided, so that the time of an explanation is bounded for every configuration.
 */

class GivenUp extends Error {}

export class Steps {
  #left: number;

  constructor(max: number) {
    this.#left = max;
  }

  /** Call before the work, and only within `search`. */
  spend(count: number): void {
    this.#left -= count;
    if (this.#left < 0) throw new GivenUp();
  }

  /** Returns the result of `find`, or `undecided` when no steps are left. */
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
