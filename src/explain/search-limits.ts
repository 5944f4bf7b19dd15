/**
 * Limits of the search for changes. They keep an explanation cheap whatever the configuration and the cart;
 * a search that meets one says so, because then null is not a proof.
 */

/** Changed requests on which one method is tried, per question and kind of change. */
export const TRIALS_MAX = 250;
/** Changes of numbers that are listed per question and kind; beyond it those nearest to the cart are. */
export const CANDIDATES_MAX = 10_000;
/** Patterns of texts that are looked at together. */
export const LANGUAGES_MAX = 256;
/** Steps of one pattern by one character, per question and kind. */
export const LANGUAGE_STEPS_MAX = 250_000;
/** Longer tags, states and postal codes are not proposed, so that an answer stays near the size of its request. */
export const PROPOSED_LENGTH_MAX = 255;
/** For one request: about 50 ns each, so some two tenths of a second at most. */
export const WORK_MAX = 4_000_000;

/** What one request may cost, over all its questions. */
export class WorkBudget {
  #left = WORK_MAX;

  /** False once nothing is left. */
  spend(work: number): boolean {
    this.#left -= work;
    return this.#left >= 0;
  }
}

/** The limits of one question. */
export class SearchLimits {
  readonly #budget: WorkBudget;
  #trials = 0;
  /** True once something was left out. */
  wasLimited = false;

  constructor(budget: WorkBudget) {
    this.#budget = budget;
  }

  /** Takes `work` from the budget of the request; false, and noted, when it is used up. */
  spend(work: number): boolean {
    const isWithin = this.#budget.spend(work);
    if (!isWithin) this.wasLimited = true;
    return isWithin;
  }

  /** To be called before the trials of each kind. */
  startKind(): void {
    this.#trials = 0;
  }

  /** The same as `spend`, for a trial. */
  startTrial(work: number): boolean {
    if (++this.#trials > TRIALS_MAX) this.wasLimited = true;
    return this.#trials <= TRIALS_MAX && this.spend(work);
  }
}
