/**
 * Compiled methods and blended rates: the base price as a function, the rules as flat arrays, and the parts of the answer
 * that do not depend on the cart as JSON text.
 */

import { asciiJson, joined } from '../../base/bytes/answer-text.ts';
import type { BlendedRate } from '../domain/blended-rate.ts';
import { type Condition, SCOPES } from '../domain/condition.ts';
import type { Delivery } from '../domain/delivery.ts';
import { tiersOfRate } from '../domain/rate-type.ts';
import type { Rule, RuleAction } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { GroupNumbers } from './group-index.ts';
import { type Predicate, PredicateTable, QUANTIFIER, type Quantifier, SOURCE } from './predicate.ts';
import { compileRate, compileTierIndex, type RateFunction, type TierIndex } from './rate-function.ts';

/**
 * Uses of a method by live simulations since the counts were last collected. The counts are fields of the compiled
 * method, so that counting is one addition.
 */
interface MethodUse {
  considered: number;
  visible: number;
  /** Its rate was in the answer, alone or as a part of a blended rate. */
  offered: number;
  /** Simulations by tier of the rate table; null without a table. */
  readonly tiers: Uint32Array | null;
}

export interface CompiledCondition {
  /** Slot in the zone's predicate table. */
  readonly slot: number;
  readonly quantifier: Quantifier;
  /** True when the condition looks only at the shippable items of the method's group. */
  readonly inGroup: boolean;
  /** Number of the test in the zone. Conditions with the same number are tested once. */
  readonly test: number;
  /** The record that this condition was compiled from. */
  readonly condition: Condition;
  /** The trace up to the match result; null until the first trace needs it. */
  traceHead: string | null;
}

export interface CompiledRule {
  readonly action: RuleAction;
  readonly conditions: readonly CompiledCondition[];
  /** Test numbers of all conditions in order. */
  readonly tests: readonly number[];
  /** The conditions on items. */
  readonly itemConditions: readonly CompiledCondition[];
  /** True when the trace lists matched items, because the rule has an item condition. */
  readonly reportsItems: boolean;
  /** Cents for `flat`, whole percent for `percentage`; used only by actions that adjust the price. */
  readonly adjustment: number;
  readonly isPercentage: boolean;
  /** The record that this rule was compiled from. */
  readonly record: Rule;
  /** Live simulations in which it matched, since the counts were last collected. */
  uses: number;
}

/**
 * The part of a method's evaluation that depends only on which conditions matched. Cached per method.
 */
export interface MethodOutcome {
  readonly reason: 'hidden_by_rule' | 'not_shown_by_rule' | null;
  /** The matched rules, and those of them that change the price, in position order. */
  readonly matched: readonly CompiledRule[];
  readonly adjustments: readonly CompiledRule[];
  /**
   * The evaluation after the rate, split where matched items are inserted. If a rule hides the method, the first text also
   * has a comma and the beginning of the evaluation.
   */
  readonly segments: readonly string[];
  /** The rules whose matched items are inserted between the segments. */
  readonly reporting: readonly CompiledRule[];
}

/** Maximum size of a cache key in bits. Outcomes that need a longer key are not cached. */
export const OUTCOME_BITS_MAX = 30;

/** JSON texts of a method at one price in one currency. */
export interface PricedText {
  /** The end of a rate's JSON, after the price. */
  readonly currencyTail: string;
  /** A comma and the rate. */
  readonly rateJson: string;
  /** A comma and the evaluation of a visible method, up to and including its rate. */
  readonly shown: string;
}

/** When a method or blended rate is free by total. */
export interface FreeFrom {
  /** In cents; `Infinity` for never. */
  readonly freeThreshold: number;
  /** The threshold is compared with the total of the order after discounts. */
  readonly isFreeByOrderTotal: boolean;
}

export interface CompiledMethod extends FreeFrom {
  /** The record that this method was compiled from. */
  readonly record: ShippingMethod;
  readonly use: MethodUse;
  /** The tier of a cart in the rate table; null without a table. */
  readonly tierIndex: TierIndex | null;
  readonly methodId: string;
  readonly rate: RateFunction;
  /** Null when its rates have no delivery dates. */
  readonly delivery: Delivery | null;
  readonly phoneRequired: boolean;
  /** The enabled rules in position order. */
  readonly rules: readonly CompiledRule[];
  /** Size of an outcome's cache key in bits. */
  readonly outcomeBits: number;
  /** `,{"methodId":...,"productGroupId":"...",` */
  readonly head: string;
  /** `,{"serviceName":...,"totalPrice":` */
  readonly rateHead: string;
  /** A comma and the evaluation of a visible method, up to its price. */
  readonly shownHead: string;
  /** True when different carts often have the same price. False for prices that are a share of the cart total. */
  readonly hasFewPrices: boolean;
  /** Cached texts by price in cents; see `ZoneCache`. */
  readonly pricedTexts: Map<number, PricedText>;
  /** Cached outcomes; the key encodes which tests passed. */
  readonly outcomes: Map<number, MethodOutcome>;
}

/**
 * Compiles the methods of one zone. A record that is the same object as before keeps its compiled form, so an edit of
 * one rule recompiles only that rule.
 */
export class MethodCompiler {
  readonly predicates = new PredicateTable();
  readonly #methods = new WeakMap<ShippingMethod, CompiledMethod>();
  readonly #rules = new WeakMap<Rule, { readonly groupId: string; readonly compiled: CompiledRule }>();

  /** Number of rules compiled so far, including rules that were replaced later. */
  ruleCount = 0;

  /** The compiled method; one that is compiled already is the same object. */
  compile(method: ShippingMethod): CompiledMethod {
    const known = this.#methods.get(method);
    if (known !== undefined) return known;
    const rules: CompiledRule[] = [];
    for (const rule of method.rules) {
      if (rule.enabled) rules.push(this.#compiledRule(rule, method.productGroupId));
    }
    const compiled = compiledMethod(method, rules);
    this.#methods.set(method, compiled);
    return compiled;
  }

  #compiledRule(rule: Rule, groupId: string): CompiledRule {
    const known = this.#rules.get(rule);
    // A compiled method is valid only for its group, because its conditions look at the items of that group.
    if (known?.groupId === groupId) return known.compiled;
    const conditions = rule.conditions.map((condition) => this.#compileCondition(condition, groupId));
    const itemConditions = conditions.filter(({ quantifier }) => quantifier !== QUANTIFIER.whole);
    const compiled: CompiledRule = {
      action: rule.action,
      conditions,
      tests: conditions.map(({ test }) => test),
      itemConditions,
      reportsItems: itemConditions.length > 0,
      adjustment: rule.adjustmentValue ?? 0,
      isPercentage: rule.adjustmentType === 'percentage',
      record: rule,
      uses: 0,
    };
    this.#rules.set(rule, { groupId, compiled });
    this.ruleCount++;
    return compiled;
  }

  #compileCondition(condition: Condition, groupId: string): CompiledCondition {
    const slot = this.predicates.slotOf(condition, groupId);
    const scope = SCOPES[condition.scope];
    const { source } = this.predicates.predicates[slot] as Predicate;
    const isAboutItems = scope.quantifier !== 'sum' && source <= SOURCE.itemNumber;
    const quantifier = isAboutItems ? QUANTIFIER[scope.quantifier] : QUANTIFIER.whole;
    const inGroup = isAboutItems && scope.items === 'group';
    const test = this.predicates.testOf(slot, quantifier, inGroup);
    return { slot, quantifier, inGroup, test, condition, traceHead: null };
  }
}

function compiledMethod(method: ShippingMethod, rules: readonly CompiledRule[]): CompiledMethod {
  const { id, name, productGroupId } = method;
  const head = `,{"methodId":${asciiJson(id)},"methodName":${asciiJson(name)},"productGroupId":${asciiJson(productGroupId)},`;
  const rateHead = rateHeadJson(method);
  const tiers = tiersOfRate(method);
  const used = tiers === null ? null : new Uint32Array(tiers.length);
  return {
    record: method,
    use: { considered: 0, visible: 0, offered: 0, tiers: used },
    tierIndex: compileTierIndex(method),
    methodId: id,
    rate: compileRate(method),
    freeThreshold: method.freeShippingThreshold ?? Number.POSITIVE_INFINITY,
    isFreeByOrderTotal: method.thresholdBasis === 'order_total',
    delivery: method.delivery ?? null,
    phoneRequired: method.phoneRequired === true,
    rules,
    outcomeBits: rules.reduce(
      (bits, { conditions, reportsItems }) => bits + conditions.length + (reportsItems ? 1 : 0),
      0,
    ),
    head: joined(head),
    rateHead: joined(`,${rateHead}`),
    shownHead: joined(`${head}"visible":true,"reason":null,"rate":${rateHead}`),
    hasFewPrices: method.rateType !== 'percentage',
    pricedTexts: new Map(),
    outcomes: new Map(),
  };
}

/** Blended rates: the preferences by group index and the fixed text of the answer (contract section 5.7). */
export interface CompiledBlend extends FreeFrom {
  /** Group index -> id of the preferred method; a group without a preference uses its lowest visible rate. */
  readonly preferred: ReadonlyMap<number, string>;
  /** `{"blendedRateId":...,"name":...,` */
  readonly head: string;
  readonly rateHead: string;
}

export function compileBlend(blended: BlendedRate, groups: GroupNumbers): CompiledBlend {
  const preferred = new Map<number, string>();
  for (const { productGroupId, preferredMethodId } of blended.preferences) {
    if (preferredMethodId !== null) preferred.set(groups.indexOf(productGroupId), preferredMethodId);
  }
  return {
    preferred,
    freeThreshold: blended.freeShippingThreshold ?? Number.POSITIVE_INFINITY,
    isFreeByOrderTotal: blended.thresholdBasis === 'order_total',
    head: `{"blendedRateId":${asciiJson(blended.id)},"name":${asciiJson(blended.name)},`,
    rateHead: rateHeadJson(blended),
  };
}

/** The JSON of a rate up to its price, for methods and blended rates. */
const rateHeadJson = (record: {
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
 * Returns the trace of a rule; `matches` holds the result of each condition. For a rule that reports items the text
 * ends after `"matchedItems":[`.
 */
export function ruleTraceJson(
  { record, action, conditions, reportsItems }: CompiledRule,
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
  const trace = `{"ruleId":${asciiJson(record.id)},"action":"${action}","matched":${isMatched},"conditions":[${traces}]`;
  return reportsItems ? `${trace},"matchedItems":[` : `${trace}}`;
}
