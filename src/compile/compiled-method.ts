/**
 * Compiled methods: the base price as a function, the rules as flat arrays, and every piece of the answer
 * that does not depend on the cart as finished JSON text.
 */
import { type Condition, SCOPES } from '../domain/condition.ts';
import { isAdjusting, type Rule, type RuleAction } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import { asciiJson } from './json-text.ts';
import { isItemPredicate, type PredicateTable } from './predicate-table.ts';
import { compileRate, type RateFunction } from './rate-function.ts';

/** How an item condition combines its items; `whole` is a condition that is not about items. */
export const QUANTIFIER = { whole: 0, any: 1, all: 2, none: 3 } as const;
export type Quantifier = (typeof QUANTIFIER)[keyof typeof QUANTIFIER];

export interface CompiledCondition {
  /** Slot in the zone's predicate table. */
  readonly slot: number;
  readonly quantifier: Quantifier;
  /** True when only the shippable items of the method's group count. */
  readonly inGroup: boolean;
  /** The trace of this condition: [not matched, matched]. */
  readonly traces: readonly [string, string];
}

/**
 * Traces of a rule by outcome: bit i of the key = condition i matched. A rule with item conditions has
 * its trace without the matched items: `...,"matchedItems":[` is left open.
 */
export interface CompiledRule {
  readonly action: RuleAction;
  readonly conditions: readonly CompiledCondition[];
  /** True when matched items are reported: the rule has an item condition. */
  readonly reportsItems: boolean;
  /** Cents for `flat`, whole points for `percentage`; 0 without adjustment. */
  readonly adjustment: number;
  readonly isPercentage: boolean;
  readonly ruleId: string;
  /** Finished traces, filled as outcomes occur; at most 2^conditions and `RULE_OUTCOMES_MAX`. */
  readonly outcomes: Map<number, string>;
}

/** Above this many conditions an outcome does not fit the bits of a key and is assembled each time. */
export const OUTCOME_CONDITIONS_MAX = 30;
export const RULE_OUTCOMES_MAX = 64;
export const METHOD_OUTCOMES_MAX = 64;

export interface CompiledMethod {
  readonly methodId: string;
  readonly groupId: string;
  readonly rate: RateFunction;
  /** Cents; Infinity = never free by total. */
  readonly freeThreshold: number;
  /** The enabled rules in position order. */
  readonly rules: readonly CompiledRule[];
  readonly hasShowRule: boolean;
  /** Conditions of all rules together. */
  readonly conditionCount: number;
  /** `{"methodId":...,"productGroupId":"...",` */
  readonly head: string;
  /** `{"serviceName":...,"totalPrice":` */
  readonly rateHead: string;
  readonly methodIdJson: string;
  /** Finished `"ruleTraces"` arrays by the outcome of all conditions, when no item matched. */
  readonly outcomes: Map<number, string>;
}

export function compileMethod(method: ShippingMethod, table: PredicateTable): CompiledMethod {
  const rules = method.rules.filter((rule) => rule.enabled).map((rule) => compileRule(rule, method, table));
  return {
    methodId: method.id,
    groupId: method.productGroupId,
    rate: compileRate(method),
    freeThreshold: method.freeShippingThreshold ?? Number.POSITIVE_INFINITY,
    rules,
    hasShowRule: rules.some((rule) => rule.action === 'show'),
    conditionCount: rules.reduce((count, rule) => count + rule.conditions.length, 0),
    head: `{"methodId":${asciiJson(method.id)},"methodName":${asciiJson(method.name)},"productGroupId":${asciiJson(method.productGroupId)},`,
    rateHead: rateHeadJson(method),
    methodIdJson: asciiJson(method.id),
    outcomes: new Map(),
  };
}

/** A rate's text up to its price; shared by methods and blended rates. */
export const rateHeadJson = (record: {
  readonly name: string;
  readonly serviceCode: string;
  readonly subtitle: string;
}): string =>
  `{"serviceName":${asciiJson(record.name)},"serviceCode":${asciiJson(record.serviceCode)},"description":${asciiJson(record.subtitle)},"totalPrice":`;

function compileRule(rule: Rule, method: ShippingMethod, table: PredicateTable): CompiledRule {
  const conditions = rule.conditions.map((condition) => compileCondition(condition, method, table));
  return {
    action: rule.action,
    conditions,
    reportsItems: conditions.some((condition) => condition.quantifier !== QUANTIFIER.whole),
    adjustment: isAdjusting(rule.action) ? (rule.adjustmentValue ?? 0) : 0,
    isPercentage: rule.adjustmentType === 'percentage',
    ruleId: rule.id,
    outcomes: new Map(),
  };
}

function compileCondition(
  condition: Condition,
  method: ShippingMethod,
  table: PredicateTable,
): CompiledCondition {
  const slot = table.slotOf(condition, method.productGroupId);
  const predicate = table.predicates[slot];
  const scope = SCOPES[condition.scope];
  const isAboutItems = predicate !== undefined && isItemPredicate(predicate) && scope.quantifier !== 'sum';
  const trace = (matched: boolean) =>
    `{"conditionType":"${condition.conditionType}","operator":"${condition.operator}","value":${asciiJson(condition.value)},"scope":"${condition.scope}","matched":${matched}}`;
  return {
    slot,
    quantifier: isAboutItems ? QUANTIFIER[scope.quantifier] : QUANTIFIER.whole,
    inGroup: isAboutItems && scope.items === 'group',
    traces: [trace(false), trace(true)],
  };
}

/** The trace of a rule in one outcome; see `CompiledRule`. */
export function ruleTraceJson(rule: CompiledRule, matched: boolean, conditionTraces: string): string {
  const trace = `{"ruleId":${asciiJson(rule.ruleId)},"action":"${rule.action}","matched":${matched},"conditions":[${conditionTraces}]`;
  return rule.reportsItems ? `${trace},"matchedItems":[` : `${trace}}`;
}
