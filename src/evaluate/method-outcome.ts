/**
 * One method against one cart: visibility, final price and the text of its rule traces (contract
 * section 5, points 3 to 5). Every condition of every enabled rule is evaluated and reported.
 *
 * The traces of a method are kept by outcome: a request whose conditions matched as in an earlier one,
 * without matched items, picks the finished text.
 */
import {
  type CompiledMethod,
  type CompiledRule,
  METHOD_OUTCOMES_MAX,
  OUTCOME_CONDITIONS_MAX,
  QUANTIFIER,
  RULE_OUTCOMES_MAX,
  ruleTraceJson,
} from '../compile/compiled-method.ts';
import { OUTSIDE_RATE_TABLE, PRICE_TOO_LARGE } from '../compile/rate-function.ts';
import type { MethodReason } from '../domain/answer.ts';
import { CENTS_MAX, shareRoundedHalfUp } from '../domain/money.ts';
import { type CartFacts, type CartGroup, MASK_BITS } from './cart-facts.ts';
import type { ConditionBoard } from './condition-board.ts';

export interface MethodOutcome {
  readonly method: CompiledMethod;
  /** Group in the cart, by its place among the cart's groups. */
  readonly groupAt: number;
  /** null when visible. */
  readonly reason: MethodReason | null;
  /** Final price in cents; only meaningful when visible. */
  readonly priceCents: number;
  /** Value of `"ruleTraces"`. */
  readonly traces: string;
}

/** Evaluates methods of one request at a time; holds only scratch space between requests. */
export class MethodEvaluator {
  readonly #board: ConditionBoard;
  #union = new Int32Array(32);
  /** Outcome bits of the rules of the method at hand. */
  #bits: number[] = [];
  #matched: boolean[] = [];

  constructor(board: ConditionBoard) {
    this.#board = board;
  }

  /** null when a price on the way is beyond 2^53-1 cents. */
  evaluate(
    facts: CartFacts,
    method: CompiledMethod,
    group: CartGroup,
    groupAt: number,
  ): MethodOutcome | null {
    const traces = this.#evaluateRules(facts, method, group);
    const base = method.rate(group.totals);
    if (base === PRICE_TOO_LARGE) return null;
    let priceCents = base;
    let isHidden = false;
    let isShown = !method.hasShowRule;
    if (base !== OUTSIDE_RATE_TABLE && facts.totalCents >= method.freeThreshold) priceCents = 0;
    for (let i = 0; i < method.rules.length; i++) {
      if (this.#matched[i] !== true) continue;
      const rule = method.rules[i] as CompiledRule;
      if (rule.action === 'hide') isHidden = true;
      else if (rule.action === 'show') isShown = true;
      else if (base !== OUTSIDE_RATE_TABLE) priceCents = adjustedPrice(rule, priceCents);
      if (priceCents === PRICE_TOO_LARGE) return null;
    }
    const reason: MethodReason | null = isHidden
      ? 'hidden_by_rule'
      : !isShown
        ? 'not_shown_by_rule'
        : base === OUTSIDE_RATE_TABLE
          ? 'outside_rate_table'
          : null;
    return { method, groupAt, reason, priceCents, traces };
  }

  /** Evaluates every condition, leaves the rules that matched in `#matched`, returns the traces. */
  #evaluateRules(facts: CartFacts, method: CompiledMethod, group: CartGroup): string {
    const { rules } = method;
    let key = 0;
    let hasItems = false;
    for (let i = 0; i < rules.length; i++) {
      const rule = rules[i] as CompiledRule;
      const { conditions } = rule;
      let bits = 0;
      let matched = true;
      for (let c = 0; c < conditions.length; c++) {
        const condition = conditions[c] as CompiledRule['conditions'][number];
        if (this.#board.matches(condition, group)) bits |= 1 << (c & 31);
        else matched = false;
        if (condition.quantifier !== QUANTIFIER.whole && !hasItems) {
          hasItems = this.#board.addMatchedItems(condition, group, this.#scratch(facts));
        }
      }
      this.#bits[i] = bits;
      this.#matched[i] = matched;
      key = (key << conditions.length) | bits;
    }
    if (hasItems || method.conditionCount > OUTCOME_CONDITIONS_MAX) {
      return this.#assembleTraces(facts, method, group);
    }
    const known = method.outcomes.get(key);
    if (known !== undefined) return known;
    const traces = this.#assembleTraces(facts, method, group);
    if (method.outcomes.size < METHOD_OUTCOMES_MAX) method.outcomes.set(key, traces);
    return traces;
  }

  #assembleTraces(facts: CartFacts, method: CompiledMethod, group: CartGroup): string {
    let traces = '[';
    for (let i = 0; i < method.rules.length; i++) {
      const rule = method.rules[i] as CompiledRule;
      if (i > 0) traces += ',';
      traces += this.#ruleTrace(rule, this.#bits[i] as number, this.#matched[i] === true, group);
      if (rule.reportsItems) traces += this.#matchedItems(facts, rule, group);
    }
    return `${traces}]`;
  }

  #ruleTrace(rule: CompiledRule, bits: number, matched: boolean, group: CartGroup): string {
    const { conditions, outcomes } = rule;
    const isKeyed = conditions.length <= OUTCOME_CONDITIONS_MAX;
    const known = isKeyed ? outcomes.get(bits) : undefined;
    if (known !== undefined) return known;
    const traces = conditions.map(
      (condition) => condition.traces[this.#board.matches(condition, group) ? 1 : 0],
    );
    const trace = ruleTraceJson(rule, matched, traces.join(','));
    if (isKeyed && outcomes.size < RULE_OUTCOMES_MAX) outcomes.set(bits, trace);
    return trace;
  }

  /** The rest of a trace that reports items: those that satisfied at least one item condition. */
  #matchedItems(facts: CartFacts, rule: CompiledRule, group: CartGroup): string {
    const union = this.#scratch(facts);
    union.fill(0, 0, facts.maskWords);
    let any = false;
    for (const condition of rule.conditions) {
      if (condition.quantifier === QUANTIFIER.whole) continue;
      if (this.#board.addMatchedItems(condition, group, union)) any = true;
    }
    if (!any) return ']}';
    let items = '';
    for (let word = 0; word < facts.maskWords; word++) {
      let mask = union[word] as number;
      while (mask !== 0) {
        const bit = 31 - Math.clz32(mask & -mask);
        items += (items === '' ? '' : ',') + facts.itemJson(word * MASK_BITS + bit);
        mask &= mask - 1;
      }
    }
    return `${items}]}`;
  }

  #scratch(facts: CartFacts): Int32Array {
    if (this.#union.length < facts.maskWords) this.#union = new Int32Array(facts.maskWords);
    return this.#union;
  }
}

/**
 * The running price after one matched rule: percentages of the running price, rounded half up to a cent;
 * never below 0 (contract section 5.3).
 */
function adjustedPrice(rule: CompiledRule, priceCents: number): number {
  if (rule.action === 'free') return 0;
  const amount = rule.isPercentage ? shareRoundedHalfUp(priceCents, rule.adjustment, 100) : rule.adjustment;
  if (rule.action === 'adjust_subtract') return amount === null ? 0 : Math.max(0, priceCents - amount);
  return amount === null || priceCents + amount > CENTS_MAX ? PRICE_TOO_LARGE : priceCents + amount;
}
