/**
 * One method against one cart: visibility, final price and the text of its evaluation (contract section 5,
 * points 3 to 5). Every condition of every enabled rule is evaluated and reported.
 *
 * What depends only on which conditions matched is kept by outcome: a request whose conditions matched as
 * in an earlier one adds no more than its own price and matched items.
 */
import {
  type CompiledCondition,
  type CompiledMethod,
  type CompiledRule,
  type MethodOutcome,
  OUTCOME_BITS_MAX,
  OUTCOMES_PER_METHOD_MAX,
  PRICES_PER_METHOD_MAX,
  type PricedText,
  ruleTraceJson,
  TRACES_PER_RULE_MAX,
} from '../compile/compiled-method.ts';
import type { CompiledZone, PlannedMethod } from '../compile/compiled-zone.ts';
import { joined } from '../compile/json-text.ts';
import { QUANTIFIER } from '../compile/predicate-table.ts';
import { OUTSIDE_RATE_TABLE, PRICE_TOO_LARGE } from '../compile/rate-function.ts';
import type { MethodReason } from '../domain/answer.ts';
import { CENTS_MAX, shareRoundedHalfUp } from '../domain/money.ts';
import type { CartFacts, CartGroup } from './cart-facts.ts';
import type { ConditionBoard } from './condition-board.ts';

export interface MethodResult {
  readonly method: CompiledMethod;
  /** Sorts by position. */
  readonly order: number;
  /** Which of the cart's groups it is for. */
  readonly groupAt: number;
  /** null when visible. */
  readonly reason: MethodReason | null;
  /** Final price in cents and the rate's JSON; only meaningful when visible. */
  readonly priceCents: number;
  readonly rateJson: string;
  /** Element of `"methodEvaluations"`. */
  readonly json: string;
}

/** Evaluates the methods of one request, group by group; holds only scratch space. */
export class MethodEvaluator {
  readonly #board: ConditionBoard;
  /** Per test of the zone: 1 when it came out true for the group at hand. */
  #passed = new Uint8Array(256);
  /** The items that satisfied it, `maskWords` each; only of tests that are about items. */
  #satisfying = new Int32Array(256);
  /** Outcome bits of each rule of the method at hand. */
  readonly #bits: number[] = [];
  /** Matched items of each rule of the method at hand, `maskWords` each. */
  #items = new Int32Array(64);

  constructor(board: ConditionBoard) {
    this.#board = board;
  }

  /**
   * Runs the tests of a group's methods, each once, however many rules share it. To be called before
   * `evaluate` is for methods of this group.
   */
  runTests(
    { maskWords }: CartFacts,
    { testCount }: CompiledZone,
    conditions: readonly CompiledCondition[],
    group: CartGroup,
  ): void {
    if (this.#passed.length < testCount) this.#passed = new Uint8Array(testCount * 2);
    const words = testCount * maskWords;
    if (this.#satisfying.length < words) this.#satisfying = new Int32Array(words * 2);
    for (let i = 0; i < conditions.length; i++) {
      const condition = conditions[i] as CompiledCondition;
      const { test } = condition;
      this.#passed[test] = this.#board.matches(condition, group) ? 1 : 0;
      if (condition.quantifier !== QUANTIFIER.whole) {
        this.#board.copyMatchedItems(condition, group, this.#satisfying, test * maskWords);
      }
    }
  }

  /**
   * null when a price on the way is beyond 2^53-1 cents. `currencyTail` ends a rate's JSON after the price.
   */
  evaluate(
    facts: CartFacts,
    zone: CompiledZone,
    { method, order }: PlannedMethod,
    groupAt: number,
    currencyTail: string,
  ): MethodResult | null {
    const group = facts.groups[groupAt] as CartGroup;
    const outcome = this.#outcomeOf(facts, zone, method);
    let priceCents = method.rate(group.totals);
    if (priceCents === PRICE_TOO_LARGE) return null;
    const isOutside = priceCents === OUTSIDE_RATE_TABLE;
    if (!isOutside) {
      if (facts.totalCents >= method.freeThreshold) priceCents = 0;
      const { adjustments } = outcome;
      for (let i = 0; i < adjustments.length; i++) {
        priceCents = adjustedPrice(adjustments[i] as CompiledRule, priceCents);
        if (priceCents === PRICE_TOO_LARGE) return null;
      }
    }
    const reason = outcome.reason ?? (isOutside ? 'outside_rate_table' : null);
    if (reason !== null) {
      const hidden = outcome.reason === null ? hiddenText(method, reason) : outcome.hidden;
      const json = this.#withItems(facts, outcome, hidden);
      return { method, order, groupAt, reason, priceCents, rateJson: '', json };
    }
    const { rateJson, shown } = pricedText(zone, method, priceCents, currencyTail);
    const json = this.#withItems(facts, outcome, shown);
    return { method, order, groupAt, reason, priceCents, rateJson, json };
  }

  /** The text that begins with `start`, completed by the segments and the matched items between them. */
  #withItems(facts: CartFacts, { segments, reporting }: MethodOutcome, start: string): string {
    let json = start + segments[0];
    for (let i = 0; i < reporting.length; i++) {
      const first = (reporting[i] as number) * facts.maskWords;
      let items = '';
      for (let word = 0; word < facts.maskWords; word++) {
        const mask = this.#items[first + word] as number;
        if (mask !== 0) items += (items === '' ? '' : ',') + facts.itemsJson(word, mask);
      }
      json = json + items + segments[i + 1];
    }
    return json;
  }

  #outcomeOf(facts: CartFacts, zone: CompiledZone, method: CompiledMethod): MethodOutcome {
    const { rules } = method;
    const words = facts.maskWords;
    if (this.#items.length < rules.length * words) this.#items = new Int32Array(rules.length * words * 2);
    let key = 0;
    for (let i = 0; i < rules.length; i++) {
      const { tests, itemTests } = rules[i] as CompiledRule;
      let bits = 0;
      for (let t = 0; t < tests.length; t++) bits |= (this.#passed[tests[t] as number] as number) << t;
      this.#bits[i] = bits;
      key = (key << tests.length) | bits;
      if (itemTests.length > 0) key = (key << 1) | this.#collectItems(itemTests, i * words, words);
    }
    if (method.outcomeBits > OUTCOME_BITS_MAX) return this.#makeOutcome(zone, method, words);
    let outcome = method.outcomes.get(key);
    if (outcome === undefined) {
      outcome = this.#makeOutcome(zone, method, words);
      const characters = outcome.segments.reduce((sum, segment) => sum + segment.length, 0);
      if (method.outcomes.size < OUTCOMES_PER_METHOD_MAX && spend(zone, characters)) {
        outcome.segments.forEach(joined);
        method.outcomes.set(key, outcome);
      }
    }
    return outcome;
  }

  /** Collects the items that satisfied at least one of the tests; 1 when there are any, else 0. */
  #collectItems(itemTests: readonly number[], first: number, words: number): number {
    let any = 0;
    for (let word = 0; word < words; word++) {
      let mask = 0;
      for (let t = 0; t < itemTests.length; t++) {
        mask |= this.#satisfying[(itemTests[t] as number) * words + word] as number;
      }
      this.#items[first + word] = mask;
      any |= mask;
    }
    return any === 0 ? 0 : 1;
  }

  /** The outcome that the bits of the method at hand stand for. */
  #makeOutcome(zone: CompiledZone, method: CompiledMethod, words: number): MethodOutcome {
    const adjustments: CompiledRule[] = [];
    const segments: string[] = [];
    const reporting: number[] = [];
    let isHidden = false;
    let isShown = !method.hasShowRule;
    let segment = ',"ruleTraces":[';
    for (const [i, rule] of method.rules.entries()) {
      const matched = this.#isMatched(rule, this.#bits[i] as number);
      if (matched && rule.action === 'hide') isHidden = true;
      else if (matched && rule.action === 'show') isShown = true;
      else if (matched) adjustments.push(rule);
      segment += (i > 0 ? ',' : '') + this.#ruleTrace(zone, rule, this.#bits[i] as number);
      if (!rule.reportsItems) continue;
      if (this.#items.subarray(i * words, (i + 1) * words).some((mask) => mask !== 0)) {
        reporting.push(i);
        segments.push(segment);
        segment = '';
      }
      segment += ']}';
    }
    segments.push(`${segment}]}`);
    const reason = isHidden ? 'hidden_by_rule' : isShown ? null : 'not_shown_by_rule';
    const hidden = reason === null ? '' : joined(hiddenText(method, reason));
    return { reason, adjustments, hidden, segments, reporting };
  }

  #isMatched({ tests }: CompiledRule, bits: number): boolean {
    if (tests.length > OUTCOME_BITS_MAX) return tests.every((test) => this.#passed[test] === 1);
    return bits === 2 ** tests.length - 1;
  }

  #ruleTrace(zone: CompiledZone, rule: CompiledRule, bits: number): string {
    const isKeyed = rule.tests.length <= OUTCOME_BITS_MAX;
    const known = isKeyed ? rule.traces.get(bits) : undefined;
    if (known !== undefined) return known;
    const trace = joined(ruleTraceJson(rule, ({ test }) => this.#passed[test] === 1));
    if (isKeyed && rule.traces.size < TRACES_PER_RULE_MAX && spend(zone, trace.length)) {
      rule.traces.set(bits, trace);
    }
    return trace;
  }
}

const hiddenText = ({ head }: CompiledMethod, reason: MethodReason): string =>
  `${head}"visible":false,"reason":"${reason}","rate":null`;

/**
 * What is said of a visible method at this price, in one piece where it is kept. Measured: with the pieces of
 * six prices put together anew an answer takes a tenth longer.
 */
function pricedText(
  zone: CompiledZone,
  method: CompiledMethod,
  priceCents: number,
  currencyTail: string,
): PricedText {
  const { pricedTexts, hasFewPrices } = method;
  const known = hasFewPrices ? pricedTexts.get(priceCents) : undefined;
  if (known !== undefined && known.currencyTail === currencyTail) return known;
  const rateJson = method.rateHead + priceCents + currencyTail;
  const made = { currencyTail, rateJson, shown: method.shownHead + rateJson };
  const isKept =
    hasFewPrices &&
    (known !== undefined ||
      (pricedTexts.size < PRICES_PER_METHOD_MAX && spend(zone, rateJson.length + made.shown.length)));
  if (isKept) {
    joined(made.rateJson);
    joined(made.shown);
    pricedTexts.set(priceCents, made);
  }
  return made;
}

/** Takes characters from what the zone may keep; false when too few are left. */
function spend({ keeping }: CompiledZone, characters: number): boolean {
  if (keeping.charactersLeft < characters) return false;
  keeping.charactersLeft -= characters;
  return true;
}

/**
 * The running price after one matched rule: percentages of the running price, rounded half up to a cent;
 * never below 0 (contract section 5.3).
 */
export function adjustedPrice(rule: CompiledRule, priceCents: number): number {
  if (rule.action === 'free') return 0;
  const amount = adjustmentCents(rule, priceCents);
  if (rule.action === 'adjust_subtract') return amount === null ? 0 : Math.max(0, priceCents - amount);
  return amount === null || priceCents + amount > CENTS_MAX ? PRICE_TOO_LARGE : priceCents + amount;
}

/** What an adjusting rule adds or subtracts; null beyond 2^53-1. */
export const adjustmentCents = (rule: CompiledRule, priceCents: number): number | null =>
  rule.isPercentage ? shareRoundedHalfUp(priceCents, rule.adjustment, 100) : rule.adjustment;
