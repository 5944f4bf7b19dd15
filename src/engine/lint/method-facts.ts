/**
 * Method facts: what the conditions of a method's enabled rules say by themselves, for every request to which the method
 * applies.
 *
 * A hide rule that matches whenever another rule matches shadows that rule: in any order the other rule has no effect,
 * because a hidden method has no price (contract section 5.5). Of two equivalent hide rules the later one is shadowed.
 */

import { valueAt } from '../../base/runtime/map-entries.ts';
import { neverHasRate } from '../compile/rate-function.ts';
import type { Condition } from '../domain/condition.ts';
import { hidingReason, type Rule, type RuleAction } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import {
  contradict,
  implies,
  isCertain,
  isImpossible,
  type Requirement,
  requirementOf,
} from './requirement.ts';
import type { Places, ZoneFacts } from './zone-facts.ts';

/** The reachable places at which a method is in force. */
export interface MethodPlace {
  readonly zone: ZoneFacts;
  readonly places: Places;
}

export interface RuleFacts {
  readonly rule: Rule;
  readonly action: RuleAction;
  /** One condition that no request meets, or two that contradict each other; null when there are none. */
  readonly contradiction: readonly Condition[] | null;
  /** True only for a hide rule that matches every request. */
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

/** Pairs of conditions that are compared for one report. */
const PAIRS_MAX = 2_000_000;

interface ReadRule extends RuleFacts {
  readonly requirements: readonly Requirement[];
}

export class MethodReader {
  readonly #requirements = new Map<string, Requirement>();
  #pairsLeft = PAIRS_MAX;

  /** `at` is where the enabled method is in force. */
  factsOf(method: ShippingMethod, at: MethodPlace): MethodFacts {
    const rules = method.rules.filter(({ enabled }) => enabled).map((rule) => this.#read(rule));
    const hides = rules.filter(({ action, contradiction }) => action === 'hide' && contradiction === null);
    for (const each of rules) {
      if (each.contradiction === null) each.shadow = this.#findShadow(each, hides, rules);
    }
    return { method, at, rules, invisibility: invisibilityOf(method, rules) };
  }

  #requirementOf(condition: Condition): Requirement {
    const { conditionType, operator, value, scope } = condition;
    const key = [conditionType, operator, scope, value].join('\0');
    return valueAt(this.#requirements, key, () => requirementOf(condition));
  }

  #read(rule: Rule): ReadRule {
    const requirements = rule.conditions.map((condition) => this.#requirementOf(condition));
    return {
      rule,
      action: rule.action,
      requirements,
      contradiction: this.#contradictionIn(requirements)?.map(({ condition }) => condition) ?? null,
      alwaysHides: rule.action === 'hide' && requirements.every(isCertain),
      shadow: null,
    };
  }

  #contradictionIn(requirements: readonly Requirement[]): readonly Requirement[] | null {
    const alone = requirements.find(isImpossible);
    if (alone !== undefined) return [alone];
    for (const [index, a] of requirements.entries()) {
      for (const b of requirements.slice(index + 1)) {
        if (this.#pairsLeft-- <= 0) return null;
        if (contradict(a, b)) return [a, b];
      }
    }
    return null;
  }

  /** Returns the first hide rule that shadows this rule; null when none does or the budget is used up. */
  #findShadow(shadowed: ReadRule, hides: readonly ReadRule[], rules: readonly ReadRule[]): Rule | null {
    for (const hide of hides) {
      if (hide === shadowed || !this.#implies(shadowed, hide)) continue;
      const isFirst = rules.indexOf(shadowed) < rules.indexOf(hide);
      if (shadowed.action !== 'hide' || !isFirst || !this.#implies(hide, shadowed)) return hide.rule;
    }
    return null;
  }

  /** True only when `rule` matches whenever `given` does. */
  #implies(given: ReadRule, rule: ReadRule): boolean {
    return rule.requirements.every(
      (wanted) =>
        isCertain(wanted) ||
        given.requirements.some(
          (each) => this.#pairsLeft-- > 0 && (each === wanted || implies(each, wanted)),
        ),
    );
  }
}

function invisibilityOf(method: ShippingMethod, rules: readonly RuleFacts[]): Invisibility | null {
  if (neverHasRate(method)) return { kind: 'outside_rate_table' };
  const mayMatch = ({ contradiction, shadow }: RuleFacts) => contradiction === null && shadow === null;
  const kind = hidingReason(rules, ({ alwaysHides }) => alwaysHides, mayMatch);
  if (kind !== 'hidden_by_rule') return kind === null ? null : { kind };
  const by = rules.find(({ alwaysHides }) => alwaysHides)?.rule;
  return by === undefined ? null : { kind, by };
}
