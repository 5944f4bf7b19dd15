/**
 * The case of a question: one evaluated method of a simulation, with the facts about shop, place and cart that a search
 * for changes needs.
 */
import type { CompiledCondition, CompiledMethod, CompiledRule } from '../compile/compiled-method.ts';
import type { Predicate } from '../compile/predicate.ts';
import type { CartGroup } from '../evaluate/cart-facts.ts';
import type { PlacedFacts } from '../probes/method-trial.ts';
import { Steps } from './steps.ts';

/** One simulation whose destination lies in a zone. */
export interface Scene extends PlacedFacts {
  /** Cost of evaluating a request like this, in the unit of `WORK_MAX`. */
  readonly evaluationWork: number;
  /** True when adding or removing a tag can move an item to another product group. */
  readonly groupsListTags: boolean;
}

/** Characters of an answer that are evaluated in one unit of `WORK_MAX`. */
const CHARACTERS_PER_WORK = 10;

/** `answerLength` is the length of the plain answer in characters. */
export function sceneOf(placed: PlacedFacts, answerLength: number): Scene {
  const groupsListTags = placed.facts.shop.config.productGroups.some((group) => group.tags.length > 0);
  const evaluationWork = Math.ceil(answerLength / CHARACTERS_PER_WORK);
  return { ...placed, evaluationWork, groupsListTags };
}

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
  readonly atStake: readonly RuleAtStake[];
  readonly limits: SearchLimits;
}

export interface RuleAtStake extends Pick<CompiledRule, 'action' | 'conditions'> {
  readonly rule: CompiledRule;
  /** Whether the conditions match in the scene. */
  readonly outcomes: readonly boolean[];
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
/** Budget of one request. A unit takes about 50 ns, so the total is about 0.2 s. */
const WORK_MAX = 4_000_000;

/** Returns the budget of one request, shared by all its questions. */
export const workBudget = (): Steps => new Steps(WORK_MAX);

/**
 * The limits of one question. They bound the cost of an explanation for every configuration and cart. A search that
 * reaches a limit reports it, because then null is not a proof.
 */
export class SearchLimits {
  readonly #budget: Steps;
  #trials = 0;
  /** True when a limit was reached. */
  wasLimited = false;

  constructor(budget: Steps) {
    this.#budget = budget;
  }

  /** Takes `work` from the budget of the request; the search ends when the budget is used up. */
  spend(work: number): void {
    this.#budget.spend(work);
  }

  /** Call before the trials of each kind. */
  startKind(): void {
    this.#trials = 0;
  }

  /** Returns false and sets `wasLimited` when no trials of the kind are left. */
  startTrial(work: number): boolean {
    this.spend(work);
    if (++this.#trials > TRIALS_MAX) this.wasLimited = true;
    return this.#trials <= TRIALS_MAX;
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
