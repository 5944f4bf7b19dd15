/** Method facts: what the conditions of a method's enabled rules say by themselves, for every request. */

import { valueAt } from '../../base/runtime/map-entries.ts';
import { neverHasRate } from '../compile/rate-function.ts';
import type { Condition } from '../domain/condition.ts';
import { hidingReason, type Rule } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import { contradict, isCertain, isImpossible, type Requirement, requirementOf } from './requirement.ts';
import type { ZoneFacts } from './zone-facts.ts';

interface RuleFacts extends Pick<Rule, 'action'> {
  readonly rule: Rule;
  /** One condition that no request meets, or two that contradict each other; null when there are none. */
  readonly contradiction: readonly Condition[] | null;
  /** True only for a hide rule that matches every request. */
  readonly alwaysHides: boolean;
}

/** Why a method is never visible; `by` is the hide rule that always matches. */
export type Invisibility =
  | { readonly kind: 'hidden_by_rule'; readonly by: Rule }
  | { readonly kind: 'not_shown_by_rule' | 'outside_rate_table' };

export interface MethodFacts {
  readonly method: ShippingMethod;
  /** The zone of its place. */
  readonly zone: ZoneFacts;
  /** The enabled rules in position order. */
  readonly rules: readonly RuleFacts[];
  /** null when the method may be visible. */
  readonly invisibility: Invisibility | null;
}

/** Pairs of conditions that are compared for one report. */
const PAIRS_MAX = 2_000_000;

export class MethodReader {
  readonly #requirements = new Map<string, Requirement>();
  #pairsLeft = PAIRS_MAX;

  /** `zone` is that of the place of the enabled method. */
  factsOf(method: ShippingMethod, zone: ZoneFacts): MethodFacts {
    const rules = method.rules.filter(({ enabled }) => enabled).map((rule) => this.#read(rule));
    return { method, zone, rules, invisibility: invisibilityOf(method, rules) };
  }

  #requirementOf(condition: Condition): Requirement {
    const { conditionType, operator, value, scope } = condition;
    const key = [conditionType, operator, scope, value].join('\0');
    return valueAt(this.#requirements, key, () => requirementOf(condition));
  }

  #read(rule: Rule): RuleFacts {
    const requirements = rule.conditions.map((condition) => this.#requirementOf(condition));
    return {
      rule,
      action: rule.action,
      contradiction: this.#contradictionIn(requirements)?.map(({ condition }) => condition) ?? null,
      alwaysHides: rule.action === 'hide' && requirements.every(isCertain),
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
}

function invisibilityOf(method: ShippingMethod, rules: readonly RuleFacts[]): Invisibility | null {
  if (neverHasRate(method)) return { kind: 'outside_rate_table' };
  const mayMatch = ({ contradiction }: RuleFacts) => contradiction === null;
  const kind = hidingReason(rules, ({ alwaysHides }) => alwaysHides, mayMatch);
  if (kind !== 'hidden_by_rule') return kind === null ? null : { kind };
  const by = rules.find(({ alwaysHides }) => alwaysHides)?.rule;
  return by === undefined ? null : { kind, by };
}
