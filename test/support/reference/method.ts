/** One considered method: its rule traces, visibility and final price (contract sections 5.3 to 5.5). */

import type { Rule } from '../../../src/engine/domain/rule.ts';
import type { ShippingMethod } from '../../../src/engine/domain/shipping-method.ts';
import type { SimulateAnswer } from '../../../src/engine/wire/answer.ts';
import { type ConditionOutcome, evaluateCondition, type Situation } from './condition.ts';
import { basePrice, priceAfter } from './price.ts';

type MethodEvaluation = SimulateAnswer['methodEvaluations'][number];
type RuleTrace = MethodEvaluation['ruleTraces'][number];
type MatchedItems = NonNullable<RuleTrace['matchedItems']>;
type Reason = MethodEvaluation['reason'];

export interface MethodOutcome {
  readonly method: ShippingMethod;
  /** Final price; null when the method is not visible. */
  readonly price: bigint | null;
  readonly reason: Reason;
  readonly ruleTraces: RuleTrace[];
  /** The facts that its conditions compared. */
  readonly situation: Situation;
}

/** "A rule matches when all its conditions do; no conditions: always. Every condition is reported" (5.4). */
function traceRule(rule: Rule, at: Situation): RuleTrace {
  const outcomes = rule.conditions.map((condition) => evaluateCondition(condition, at));
  const trace: RuleTrace = {
    ruleId: rule.id,
    action: rule.action,
    matched: outcomes.every((outcome) => outcome.matched),
    conditions: rule.conditions.map((condition, index) => ({
      conditionType: condition.conditionType,
      operator: condition.operator,
      value: condition.value,
      scope: condition.scope,
      matched: outcomes[index]?.matched ?? false,
    })),
  };
  const matchedItems = itemsOf(outcomes, at);
  return matchedItems === null ? trace : { ...trace, matchedItems };
}

/**
 * "Present when the rule has a product condition with an item scope: the items that satisfied at least one
 * such condition, in cart order", whether or not the rule matched (contract section 5).
 */
function itemsOf(outcomes: readonly ConditionOutcome[], at: Situation): MatchedItems | null {
  const lists = outcomes.flatMap(({ satisfiedBy }) => (satisfiedBy === null ? [] : [satisfiedBy]));
  if (lists.length === 0) return null;
  return at.order.items
    .filter((item) => lists.some((list) => list.includes(item)))
    .map(({ index, name, sku }) => ({ index, name, sku }));
}

type Threshold = Pick<ShippingMethod, 'freeShippingThreshold' | 'thresholdBasis'>;

/** True when the compared total reaches the threshold; null is never reached (contract sections 5.3 and 11.3). */
export function thresholdMet(record: Threshold, cartTotal: bigint, orderTotal: bigint): boolean {
  const { freeShippingThreshold, thresholdBasis } = record;
  const total = thresholdBasis === 'order_total' ? orderTotal : cartTotal;
  return freeShippingThreshold !== null && total >= BigInt(freeShippingThreshold);
}

/** Only enabled rules are evaluated, traced and counted. */
export function evaluateMethod(method: ShippingMethod, at: Situation): MethodOutcome {
  const rules = method.rules.filter((rule) => rule.enabled);
  const ruleTraces = rules.map((rule) => traceRule(rule, at));
  const matchedRules = rules.filter((_, index) => ruleTraces[index]?.matched === true);

  let price = basePrice(method, at.groupItems);
  if (price !== null) {
    if (thresholdMet(method, at.order.totals.price, at.orderTotal)) price = 0n;
    for (const rule of matchedRules) price = priceAfter(rule, price);
  }

  const reason = reasonOf(rules, matchedRules, price !== null);
  return { method, price: reason === null ? price : null, reason, ruleTraces, situation: at };
}

/** "Any matched hide ... Else show rules exist and none matched ... Else no tier" (contract section 5.5). */
function reasonOf(rules: readonly Rule[], matchedRules: readonly Rule[], hasPrice: boolean): Reason {
  if (matchedRules.some((rule) => rule.action === 'hide')) return 'hidden_by_rule';
  const mustBeShown = rules.some((rule) => rule.action === 'show');
  if (mustBeShown && !matchedRules.some((rule) => rule.action === 'show')) return 'not_shown_by_rule';
  return hasPrice ? null : 'outside_rate_table';
}
