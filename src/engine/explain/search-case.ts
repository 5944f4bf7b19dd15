/**
 * The case of a question: one evaluated method of a simulation, with the facts about shop, place and cart that a search
 * for changes needs.
 */
import type { CompiledCondition, CompiledMethod, CompiledRule } from '../compile/compiled-method.ts';
import type { Predicate } from '../compile/predicate.ts';
import type { CartGroup } from '../evaluate/cart-facts.ts';
import type { PlacedFacts } from '../probes/method-trial.ts';

/** One simulation whose destination lies in a zone. */
export interface Scene extends PlacedFacts {
  /** Cost of evaluating a request like this, in the unit of `WORK_MAX`. */
  readonly evaluationWork: number;
}

/** Characters of an answer that are evaluated in one unit of `WORK_MAX`. */
export const CHARACTERS_PER_WORK = 10;

/**
 * A question about an evaluated method of a scene: what would make it visible and, if `wanted` is not null, make that
 * rule match?
 */
export interface SearchCase {
  readonly scene: Scene;
  readonly method: CompiledMethod;
  /** The method's group in the cart. */
  readonly group: CartGroup;
  /** One of the method's own rules. */
  readonly wanted: CompiledRule | null;
  /** The rules that decide whether the method is visible, and the wanted rule. */
  readonly atStake: readonly CompiledRule[];
  readonly limits: SearchLimits;
}

export const predicatesAtStake = ({ scene, atStake }: SearchCase): readonly Predicate[] =>
  atStake.flatMap(({ conditions }) => conditions.map((condition) => predicateOf(scene, condition)));

export const predicateOf = ({ zone }: Scene, { slot }: CompiledCondition): Predicate =>
  zone.predicates[slot] as Predicate;

/** True for items that count in the totals of the method's group. */
export function isInGroup({ scene, group }: SearchCase, itemIndex: number): boolean {
  const isShippable = scene.facts.request.items[itemIndex]?.requiresShipping !== false;
  return isShippable && scene.facts.items[itemIndex]?.groupIndex === group.index;
}

/** Maximum number of changed requests that are tried, per question and kind of change. */
const TRIALS_MAX = 250;
/** Maximum number of listed changes of numbers, per question and kind: the changes nearest to the cart. */
export const CANDIDATES_MAX = 10_000;
/** Maximum number of texts per question and kind, and of texts and patterns from which they are proposed. */
const TEXTS_MAX = 2_000;
/** Longer tags, states and postal codes are not proposed, to limit the size of the answer. */
const PROPOSED_LENGTH_MAX = 255;
/** Budget of one request, in units of work. */
const WORK_MAX = 4_000_000;

/**
 * The limits of the questions of one request. They bound the cost of an explanation for every configuration and cart. A
 * search that reaches a limit reports it, because then null is not a proof.
 */
export class SearchLimits {
  #left = WORK_MAX;
  #trials = 0;
  /** True when the question reached a limit. */
  wasLimited = false;

  startQuestion(): void {
    this.wasLimited = false;
  }

  /** Takes `work` from the budget of the request; false when it is used up. */
  spend(work: number): boolean {
    this.#left -= work;
    if (this.#left < 0) this.wasLimited = true;
    return this.#left >= 0;
  }

  /** Call before the trials of each kind. */
  startKind(): void {
    this.#trials = 0;
  }

  /** False when no trials of the kind are left, or no work. */
  startTrial(work: number): boolean {
    if (++this.#trials > TRIALS_MAX) this.wasLimited = true;
    return this.spend(work) && this.#trials <= TRIALS_MAX;
  }

  /** Yields the first texts except long ones; sets `wasLimited` when it omits a text. */
  *firstOf(texts: Iterable<string>): Generator<string> {
    let count = 0;
    for (const text of texts) {
      if (text.length > PROPOSED_LENGTH_MAX || count === TEXTS_MAX) this.wasLimited = true;
      if (count++ === TEXTS_MAX) return;
      if (text.length <= PROPOSED_LENGTH_MAX) yield text;
    }
  }
}
