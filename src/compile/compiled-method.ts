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
  /** The record it comes from. */
  readonly condition: Condition;
  /** Its trace up to whether it matched; made when the first trace needs it. */
  traceHead: string | null;
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
}

/**
 * What follows from which conditions of a method matched, whatever else the cart holds. Cached per method.
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

/** Bits of the number under which outcomes are cached; outcomes that need more are made for each answer. */
export const OUTCOME_BITS_MAX = 30;

/** What is said of a method at one price, in one currency. */
export interface PricedText {
  /** The end of a rate's JSON, after the price. */
  readonly currencyTail: string;
  /** The rate behind a comma. */
  readonly rateJson: string;
  /** Behind a comma, the evaluation of a visible method up to and with its rate. */
  readonly shown: string;
}

/** How much there is to evaluate, counted for the estimate of a request. */
export interface WorkSize {
  /** Methods count as three parts, rules and conditions as one each, long values of conditions as more. */
  readonly parts: number;
  /** Rules that report matched items. */
  readonly reportingRules: number;
}

/** Characters of a condition's value that take as long as a part. */
const PART_CHARACTERS = 120;

export const addSizes = (a: WorkSize, b: WorkSize): WorkSize => ({
  parts: a.parts + b.parts,
  reportingRules: a.reportingRules + b.reportingRules,
});

const sizeOf = (rules: readonly CompiledRule[]): WorkSize => ({
  parts: rules.reduce(
    (sum, { conditions }) =>
      conditions.reduce(
        (parts, { condition }) => parts + 1 + condition.value.length / PART_CHARACTERS,
        sum + 1,
      ),
    3,
  ),
  reportingRules: rules.filter(({ reportsItems }) => reportsItems).length,
});

export interface CompiledMethod {
  readonly methodId: string;
  readonly groupId: string;
  readonly rate: RateFunction;
  /** Cents; Infinity = never free by total. */
  readonly freeThreshold: number;
  /** The enabled rules in position order. */
  readonly rules: readonly CompiledRule[];
  readonly size: WorkSize;
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
  readonly methodIdJson: string;
  /** Cached texts by price in cents; see `ZoneCache`. */
  readonly pricedTexts: Map<number, PricedText>;
  /** Cached outcomes by which tests of its rules passed. */
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

  /** Rules compiled so far, those included that were replaced since. */
  ruleCount = 0;

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
      size: sizeOf(rules),
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
    };
    this.#rules.set(rule, { groupId, compiled });
    this.ruleCount++;
    return compiled;
  }

  #compileCondition(condition: Condition, groupId: string): CompiledCondition {
    const slot = this.predicates.slotOf(condition, groupId);
    const scope = SCOPES[condition.scope];
    const isAboutItems = scope.quantifier !== 'sum' && this.predicates.isAboutItems(slot);
    const quantifier = isAboutItems ? QUANTIFIER[scope.quantifier] : QUANTIFIER.whole;
    const inGroup = isAboutItems && scope.items === 'group';
    const test = this.predicates.testOf(slot, quantifier, inGroup);
    return { slot, quantifier, inGroup, test, condition, traceHead: null };
  }
}

/** A rate's text up to its price; shared by methods and blended rates. */
export const rateHeadJson = (record: {
  readonly name: string;
  readonly serviceCode: string;
  readonly subtitle: string;
}): string =>
  `{"serviceName":${asciiJson(record.name)},"serviceCode":${asciiJson(record.serviceCode)},"description":${asciiJson(record.subtitle)},"totalPrice":`;

const traceHeadOf = ({ conditionType, operator, value, scope }: Condition): string =>
  joined(
    `{"conditionType":"${conditionType}","operator":"${operator}","value":${asciiJson(value)},"scope":"${scope}","matched":`,
  );

/**
 * The trace of a rule when conditions matched as `matches` says; for a rule that reports items the text
 * ends with `"matchedItems":[` left open.
 */
export function ruleTraceJson(
  { ruleId, action, conditions, reportsItems }: CompiledRule,
  matches: (condition: CompiledCondition) => boolean,
): string {
  let isMatched = true;
  let traces = '';
  for (const condition of conditions) {
    condition.traceHead ??= traceHeadOf(condition.condition);
    const matched = matches(condition);
    isMatched &&= matched;
    traces += `${traces === '' ? '' : ','}${condition.traceHead}${matched}}`;
  }
  const trace = `{"ruleId":${asciiJson(ruleId)},"action":"${action}","matched":${isMatched},"conditions":[${traces}]`;
  return reportsItems ? `${trace},"matchedItems":[` : `${trace}}`;
}
