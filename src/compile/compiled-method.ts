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

export interface CompiledRule {
  readonly action: RuleAction;
  readonly conditions: readonly CompiledCondition[];
  /** True when matched items are reported: the rule has an item condition. */
  readonly reportsItems: boolean;
  /** Cents for `flat`, whole points for `percentage`; 0 without adjustment. */
  readonly adjustment: number;
  readonly isPercentage: boolean;
  readonly ruleId: string;
  /**
   * Finished traces by outcome: bit i of the key = condition i matched. For a rule that reports items the
   * text ends with `"matchedItems":[` left open.
   */
  readonly traces: Map<number, string>;
}

/**
 * What follows from which conditions of a method matched, whatever else the cart holds. Kept per method,
 * so that a simulation mostly picks finished text.
 */
export interface MethodOutcome {
  readonly reason: 'hidden_by_rule' | 'not_shown_by_rule' | null;
  /** Matched rules that change the price, in position order. */
  readonly adjustments: readonly CompiledRule[];
  /** The `"ruleTraces"` array and the end of the evaluation, cut where matched items stand. */
  readonly segments: readonly string[];
  /** Indexes of the rules whose matched items go between the segments. */
  readonly reporting: readonly number[];
  /** The last visible form: many carts of one shop get the same price in the same currency. */
  last: VisibleText | null;
}

export interface VisibleText {
  readonly priceCents: number;
  readonly currencyTail: string;
  readonly rateJson: string;
  /** The evaluation's text from its beginning into the first segment. */
  readonly start: string;
}

/** An outcome is kept under a number of 30 bits: one per condition and one per rule that reports items. */
export const OUTCOME_BITS_MAX = 30;
export const OUTCOMES_PER_METHOD_MAX = 32;
export const TRACES_PER_RULE_MAX = 32;
/** Characters of kept outcomes and traces per zone; beyond it they are made each time. */
export const KEPT_CHARACTERS_MAX = 16 * 1_048_576;

export interface CompiledMethod {
  readonly methodId: string;
  readonly groupId: string;
  readonly rate: RateFunction;
  /** Cents; Infinity = never free by total. */
  readonly freeThreshold: number;
  /** The enabled rules in position order. */
  readonly rules: readonly CompiledRule[];
  readonly hasShowRule: boolean;
  /** Bits of an outcome's key. */
  readonly outcomeBits: number;
  /** `{"methodId":...,"productGroupId":"...",` */
  readonly head: string;
  /** `{"serviceName":...,"totalPrice":` */
  readonly rateHead: string;
  readonly methodIdJson: string;
  readonly outcomes: Map<number, MethodOutcome>;
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
    outcomeBits: rules.reduce((bits, rule) => bits + rule.conditions.length + (rule.reportsItems ? 1 : 0), 0),
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
    traces: new Map(),
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

/** The trace of a rule in one outcome; see `CompiledRule.traces`. */
export function ruleTraceJson(rule: CompiledRule, matched: boolean, conditionTraces: string): string {
  const trace = `{"ruleId":${asciiJson(rule.ruleId)},"action":"${rule.action}","matched":${matched},"conditions":[${conditionTraces}]`;
  return rule.reportsItems ? `${trace},"matchedItems":[` : `${trace}}`;
}
