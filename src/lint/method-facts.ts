/**
 * Method facts: properties of a method and its enabled rules that hold for every request to which the method applies.
 *
 * A hide rule that matches whenever another rule matches shadows that rule: in any order the other rule has no effect,
 * because a hidden method has no price (contract section 5.5). Of two equivalent hide rules the later one is shadowed.
 */
import type { Requirement, RequirementTable } from '../candidates/requirement.ts';
import type { MethodPlace, RequirementLogic } from '../candidates/requirement-logic.ts';
import { neverHasRate } from '../compile/rate-function.ts';
import { hidingReason, type Rule, type RuleAction } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';

export interface RuleFacts {
  readonly rule: Rule;
  readonly action: RuleAction;
  readonly requirements: readonly Requirement[];
  /** True only when the rule matches no request to which the method applies. */
  readonly neverMatches: boolean;
  /** True only for a hide rule that matches every such request. */
  readonly alwaysHides: boolean;
  /** A hide rule that matches whenever this rule matches; null when none is known. */
  shadow: Rule | null;
}

/** Why a method is never visible; `by` is the hide rule that always matches. */
export type Invisibility =
  | { readonly kind: 'hidden_by_rule'; readonly by: Rule }
  | { readonly kind: 'not_shown_by_rule' | 'outside_rate_table' };

export interface MethodFacts {
  readonly method: ShippingMethod;
  readonly at: MethodPlace;
  /** The enabled rules in position order. */
  readonly rules: readonly RuleFacts[];
  /** null when the method may be visible. */
  readonly invisibility: Invisibility | null;
}

/** Tests of one report whether a rule implies a condition of another. Measured: 5 s of processor time. */
const IMPLICATIONS_MAX = 1_000_000;
/** Maximum number of show rules tried for an example of a visible method. */
const SHOWS_MAX = 4;

export class MethodReader {
  readonly #table: RequirementTable;
  readonly #logic: RequirementLogic;
  #implicationsLeft = IMPLICATIONS_MAX;

  constructor(table: RequirementTable, logic: RequirementLogic) {
    this.#table = table;
    this.#logic = logic;
  }

  /** `at` is where the enabled method is in force. */
  factsOf(method: ShippingMethod, at: MethodPlace): MethodFacts {
    const rules = method.rules.filter(({ enabled }) => enabled).map((rule) => this.#ruleFacts(rule, at));
    for (const each of rules) if (!each.neverMatches) each.shadow = this.#findShadow(each, rules, at);
    return { method, at, rules, invisibility: invisibilityOf(method, rules) };
  }

  #ruleFacts(rule: Rule, at: MethodPlace): RuleFacts {
    const requirements = rule.conditions.map((condition) => this.#table.of(condition));
    return {
      rule,
      action: rule.action,
      requirements,
      neverMatches: this.#logic.isContradictory(at, requirements),
      alwaysHides:
        rule.action === 'hide' && requirements.every((each) => this.#logic.isImplied(at, [], each)),
      shadow: null,
    };
  }

  /** Returns the first hide rule that shadows this rule; null when none does or the budget is used up. */
  #findShadow(shadowed: RuleFacts, rules: readonly RuleFacts[], at: MethodPlace): Rule | null {
    let isLater = true;
    for (const hide of rules) {
      if (hide === shadowed) isLater = false;
      if (this.#implicationsLeft <= 0) return null;
      if (hide === shadowed || hide.action !== 'hide' || hide.neverMatches) continue;
      if (!this.#implies(shadowed, hide, at)) continue;
      if (shadowed.action !== 'hide' || isLater || !this.#implies(hide, shadowed, at)) return hide.rule;
    }
    return null;
  }

  /** True only when `rule` matches whenever `given` does. */
  #implies(given: RuleFacts, rule: RuleFacts, at: MethodPlace): boolean {
    return rule.requirements.every((each) => {
      this.#implicationsLeft--;
      return this.#logic.isImplied(at, given.requirements, each);
    });
  }

  /** True only when the method is hidden at these places for every request that also satisfies `given`. */
  isNeverVisible(
    { rules, invisibility }: MethodFacts,
    at: MethodPlace,
    given: readonly Requirement[],
  ): boolean {
    if (invisibility !== null) return true;
    const reason = hidingReason(
      rules,
      ({ requirements }) => requirements.every((each) => this.#logic.isImplied(at, given, each)),
      ({ requirements }) => !this.#logic.isContradictory(at, [...given, ...requirements]),
    );
    return reason !== null;
  }

  /**
   * Requirements under which no hide rule matches and, if there are show rules, one does, together with
   * `more`; null when no set without a contradiction was found.
   */
  visibly({ rules, at }: MethodFacts, more: readonly Requirement[]): readonly Requirement[] | null {
    const shows = rules.filter(({ action }) => action === 'show');
    const hides = rules.filter(({ action, neverMatches }) => action === 'hide' && !neverMatches);
    const possible = shows.filter(({ neverMatches, shadow }) => !neverMatches && shadow === null);
    const beginnings = possible.slice(0, SHOWS_MAX).map(({ requirements }) => [...more, ...requirements]);
    for (const beginning of shows.length === 0 ? [more] : beginnings) {
      let chosen: readonly Requirement[] | undefined = this.#logic.isContradictory(at, beginning)
        ? undefined
        : beginning;
      for (const { requirements } of hides) {
        if (chosen === undefined) break;
        const known: readonly Requirement[] = chosen;
        chosen = requirements
          .map((each) => [...known, each.opposite()])
          .find((each) => !this.#logic.isContradictory(at, each));
      }
      if (chosen !== undefined) return chosen;
    }
    return null;
  }
}

function invisibilityOf(method: ShippingMethod, rules: readonly RuleFacts[]): Invisibility | null {
  if (neverHasRate(method)) return { kind: 'outside_rate_table' };
  const mayMatch = ({ neverMatches, shadow }: RuleFacts) => !neverMatches && shadow === null;
  const kind = hidingReason(rules, ({ alwaysHides }) => alwaysHides, mayMatch);
  if (kind !== 'hidden_by_rule') return kind === null ? null : { kind };
  const by = rules.find(({ alwaysHides }) => alwaysHides)?.rule;
  return by === undefined ? null : { kind, by };
}
