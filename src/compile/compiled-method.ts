/**
 * Compiled methods: the base price as a function, the rules as flat arrays, and every piece of the answer
 * that does not depend on the cart as finished JSON text.
 */
import { type Condition, SCOPES } from '../domain/condition.ts';
import type { Rule, RuleAction } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { ShouldYield, WorkSteps } from '../pace/work-steps.ts';
import { asciiJson, joined } from './json-text.ts';
import { PredicateTable, QUANTIFIER, type Quantifier } from './predicate-table.ts';
import { compileRate, type RateFunction } from './rate-function.ts';

export interface CompiledCondition {
  /** Slot in the zone's predicate table. */
  readonly slot: number;
  readonly quantifier: Quantifier;
  /** True when only the shippable items of the method's group count. */
  readonly inGroup: boolean;
  /** Number of the test that these three make in the zone; conditions with the same are tested once. */
  readonly test: number;
  /** The record it comes from, for its trace. */
  readonly condition: Condition;
}

export interface CompiledRule {
  readonly action: RuleAction;
  readonly conditions: readonly CompiledCondition[];
  /** Numbers of the tests of its conditions, in their order, and of those that are about items. */
  readonly tests: readonly number[];
  readonly itemTests: readonly number[];
  /** True when matched items are reported: the rule has an item condition. */
  readonly reportsItems: boolean;
  /** Cents for `flat`, whole points for `percentage`; only an adjusting action has it. */
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
  /** Behind a comma, the evaluation of a method with this reason up to its rules; "" without one. */
  readonly hidden: string;
  /** The evaluation from behind its rate to its end, cut where matched items stand. */
  readonly segments: readonly string[];
  /** The rules whose matched items go between the segments. */
  readonly reporting: readonly CompiledRule[];
}

/** An outcome is kept under a number of 30 bits: one per condition and one per rule that reports items. */
export const OUTCOME_BITS_MAX = 30;
export const OUTCOMES_PER_METHOD_MAX = 128;
export const TRACES_PER_RULE_MAX = 32;
export const PRICES_PER_METHOD_MAX = 64;
/** References to kept outcomes in the tables of a zone's groups. */
export const OUTCOME_REFERENCES_MAX = 262_144;
/** Characters of kept outcomes and traces per zone; beyond it they are made each time. */
export const KEPT_CHARACTERS_MAX = 16 * 1_048_576;

/** What is said of a method at one price, in one currency. */
export interface PricedText {
  /** The end of a rate's JSON, after the price. */
  readonly currencyTail: string;
  /** The rate behind a comma. */
  readonly rateJson: string;
  /** Behind a comma, the evaluation of a visible method up to and with its rate. */
  readonly shown: string;
}

export interface CompiledMethod {
  readonly methodId: string;
  readonly groupId: string;
  readonly rate: RateFunction;
  /** Cents; Infinity = never free by total. */
  readonly freeThreshold: number;
  /** The enabled rules in position order. */
  readonly rules: readonly CompiledRule[];
  /** Bits of an outcome's key. */
  readonly outcomeBits: number;
  /** `,{"methodId":...,"productGroupId":"...",` */
  readonly head: string;
  /** `,{"serviceName":...,"totalPrice":` */
  readonly rateHead: string;
  /** Behind a comma, the evaluation of a visible method up to its price. */
  readonly shownHead: string;
  /** True when carts come to the same prices, as those of a share of their total do not. */
  readonly hasFewPrices: boolean;
  /** By price in cents. */
  readonly pricedTexts: Map<number, PricedText>;
  readonly methodIdJson: string;
  readonly outcomes: Map<number, MethodOutcome>;
}

/**
 * Compiles the methods of one zone. What was compiled before is taken over by the identity of its record:
 * an edited rule recompiles that rule, not its method's others.
 */
export class MethodCompiler {
  readonly predicates = new PredicateTable();
  readonly #methods = new WeakMap<ShippingMethod, CompiledMethod>();
  readonly #rules = new WeakMap<Rule, { readonly groupId: string; readonly compiled: CompiledRule }>();

  /** Predicates from which on it is worth a look how many of them are still in use. */
  nextWasteCheck = 0;

  /** Methods compiled so far, and from how many on it is worth a look how many of them are still in use. */
  methodCount = 0;
  nextReplacedCheck = 0;

  /** True when the method is compiled. */
  has(method: ShippingMethod): boolean {
    return this.#methods.has(method);
  }

  /** The compiled method; long ones are compiled rule by rule. */
  *steps(method: ShippingMethod, shouldYield: ShouldYield): WorkSteps<CompiledMethod> {
    const known = this.#methods.get(method);
    if (known !== undefined) return known;
    for (const rule of method.rules) {
      if (rule.enabled) this.#compiledRule(rule, method.productGroupId);
      if (shouldYield()) yield;
    }
    const compiled = this.#compileMethod(method);
    this.#methods.set(method, compiled);
    this.methodCount++;
    return compiled;
  }

  #compileMethod(method: ShippingMethod): CompiledMethod {
    const groupId = method.productGroupId;
    const rules = method.rules
      .filter((rule) => rule.enabled)
      .map((rule) => this.#compiledRule(rule, groupId));
    const head = `,{"methodId":${asciiJson(method.id)},"methodName":${asciiJson(method.name)},"productGroupId":${asciiJson(groupId)},`;
    const rateHead = rateHeadJson(method);
    return {
      methodId: method.id,
      groupId,
      rate: compileRate(method),
      freeThreshold: method.freeShippingThreshold ?? Number.POSITIVE_INFINITY,
      rules,
      outcomeBits: rules.reduce(
        (bits, rule) => bits + rule.conditions.length + (rule.reportsItems ? 1 : 0),
        0,
      ),
      head: joined(head),
      rateHead: joined(`,${rateHead}`),
      shownHead: joined(`${head}"visible":true,"reason":null,"rate":${rateHead}`),
      hasFewPrices: method.rateType !== 'percentage',
      pricedTexts: new Map(),
      methodIdJson: asciiJson(method.id),
      outcomes: new Map(),
    };
  }

  #compiledRule(rule: Rule, groupId: string): CompiledRule {
    const known = this.#rules.get(rule);
    // The method may have moved to another group, over which its conditions are then read.
    if (known?.groupId === groupId) return known.compiled;
    const conditions = rule.conditions.map((condition) => this.#compileCondition(condition, groupId));
    const aboutItems = conditions.filter(({ quantifier }) => quantifier !== QUANTIFIER.whole);
    const compiled: CompiledRule = {
      action: rule.action,
      conditions,
      tests: conditions.map(({ test }) => test),
      itemTests: aboutItems.map(({ test }) => test),
      reportsItems: aboutItems.length > 0,
      adjustment: rule.adjustmentValue ?? 0,
      isPercentage: rule.adjustmentType === 'percentage',
      ruleId: rule.id,
      traces: new Map(),
    };
    this.#rules.set(rule, { groupId, compiled });
    return compiled;
  }

  #compileCondition(condition: Condition, groupId: string): CompiledCondition {
    const slot = this.predicates.slotOf(condition, groupId);
    const scope = SCOPES[condition.scope];
    const isAboutItems = scope.quantifier !== 'sum' && this.predicates.isAboutItems(slot);
    const quantifier = isAboutItems ? QUANTIFIER[scope.quantifier] : QUANTIFIER.whole;
    const inGroup = isAboutItems && scope.items === 'group';
    const test = this.predicates.testOf(slot, quantifier, inGroup);
    return { slot, quantifier, inGroup, test, condition };
  }
}

/** A rate's text up to its price; shared by methods and blended rates. */
export const rateHeadJson = (record: {
  readonly name: string;
  readonly serviceCode: string;
  readonly subtitle: string;
}): string =>
  `{"serviceName":${asciiJson(record.name)},"serviceCode":${asciiJson(record.serviceCode)},"description":${asciiJson(record.subtitle)},"totalPrice":`;

const conditionTraceJson = ({ conditionType, operator, value, scope }: Condition, matched: boolean): string =>
  `{"conditionType":"${conditionType}","operator":"${operator}","value":${asciiJson(value)},"scope":"${scope}","matched":${matched}}`;

/**
 * The trace of a rule when conditions matched as `matches` says; for a rule that reports items the text
 * ends with `"matchedItems":[` left open.
 */
export function ruleTraceJson(
  { ruleId, action, conditions, reportsItems }: CompiledRule,
  matches: (condition: CompiledCondition) => boolean,
): string {
  const matched = conditions.every(matches);
  const traces = conditions.map((condition) => conditionTraceJson(condition.condition, matches(condition)));
  const trace = `{"ruleId":${asciiJson(ruleId)},"action":"${action}","matched":${matched},"conditions":[${traces.join(',')}]`;
  return reportsItems ? `${trace},"matchedItems":[` : `${trace}}`;
}
