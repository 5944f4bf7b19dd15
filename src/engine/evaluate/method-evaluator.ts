/**
 * Evaluates one method for one cart: its visibility, its final price and the text of its evaluation (contract
 * sections 5.3 to 5.5). Every condition of every enabled rule is evaluated and reported.
 *
 * Texts that depend only on which conditions matched are cached by outcome; on a cache hit only the price and the
 * matched items are added.
 */

import { joined } from '../../base/bytes/answer-text.ts';
import {
  type CompiledCondition,
  type CompiledMethod,
  type CompiledRule,
  type MethodOutcome,
  OUTCOME_BITS_MAX,
  type PricedText,
  ruleTraceJson,
} from '../compile/compiled-method.ts';
import type { CompiledZone, PlannedGroup, PlannedMethod } from '../compile/compiled-zone.ts';
import { QUANTIFIER } from '../compile/predicate.ts';
import { OUTSIDE_RATE_TABLE, PRICE_TOO_LARGE } from '../compile/rate-function.ts';
import { CENTS_MAX, shareRoundedHalfUp } from '../domain/money.ts';
import { hidingReason } from '../domain/rule.ts';
import type { AnswerFields, MethodReason } from '../wire/answer.ts';
import type { CartFacts, CartGroup } from './cart-facts.ts';
import { type ConditionBoard, HAS_ITEM, PASSED } from './condition-board.ts';

export interface MethodResult {
  readonly method: CompiledMethod;
  /** Sort key of the position. */
  readonly order: number;
  /** Index of the method's group among the groups of the cart. */
  readonly groupAt: number;
  /** Why the method has no rate; null when it is visible. */
  readonly reason: MethodReason | null;
  /** Final price in cents, and a comma with the JSON of the rate; valid only when visible. */
  readonly priceCents: number;
  readonly rateJson: string;
  /** A comma and the JSON of the evaluation up to its rules; "" when the segments of the outcome, which follow, have it. */
  readonly start: string;
  readonly outcome: MethodOutcome;
  /** The matched items to insert between the segments of the outcome. */
  readonly items: readonly string[];
}

const NO_ITEMS: readonly string[] = [];

/** Evaluates the methods of one request, group by group. It keeps no state between requests, only buffers. */
export class MethodEvaluator {
  readonly #board: ConditionBoard;
  /** By test number of the zone: the result for the current group, as `ConditionBoard.resultOf` returns it. */
  #results = new Uint8Array(256);

  constructor(board: ConditionBoard) {
    this.#board = board;
  }

  /**
   * Returns the outcome of the rules of each method of a group. Each test of the group runs once, even if many rules
   * share it. Call this before `evaluate` for methods of the group.
   */
  outcomesOf(zone: CompiledZone, planned: PlannedGroup, group: CartGroup): readonly MethodOutcome[] {
    const { testCount } = zone;
    if (this.#results.length < testCount) this.#results = new Uint8Array(testCount * 2);
    // The results of the tests as a number of `outcomeBits` bits.
    let key = 0;
    for (let i = 0; i < planned.tests.length; i++) {
      const condition = planned.tests[i] as CompiledCondition;
      const result = this.#board.resultOf(condition, group);
      this.#results[condition.test] = result;
      // Whether an item satisfied `any` or `none` follows from whether it matched.
      key = condition.quantifier === QUANTIFIER.all ? (key << 2) | result : (key << 1) | (result & PASSED);
    }
    const isKeyed = planned.outcomeBits <= OUTCOME_BITS_MAX;
    const known = isKeyed ? planned.outcomes.get(key) : undefined;
    if (known !== undefined) return known;
    const made = planned.methods.map(({ method }) => this.#outcomeOf(zone, method));
    if (isKeyed) zone.cache.keep(planned.outcomes, key, made, 8 * made.length);
    return made;
  }

  /**
   * Evaluates a method. Returns null when its price exceeds 2^53-1 cents at any step. `currencyTail` is the JSON of a
   * rate after the price.
   */
  evaluate(
    facts: CartFacts,
    zone: CompiledZone,
    { method, order }: PlannedMethod,
    outcome: MethodOutcome,
    groupAt: number,
    currencyTail: string,
    fields: AnswerFields,
  ): MethodResult | null {
    const group = facts.groups[groupAt] as CartGroup;
    let priceCents = method.rate(group.totals);
    if (priceCents === PRICE_TOO_LARGE) return null;
    const isOutside = priceCents === OUTSIDE_RATE_TABLE;
    if (!isOutside) {
      if (facts.isFree(method)) priceCents = 0;
      const { adjustments } = outcome;
      for (let i = 0; i < adjustments.length; i++) {
        priceCents = adjustedPrice(adjustments[i] as CompiledRule, priceCents);
        if (priceCents === PRICE_TOO_LARGE) return null;
      }
    }
    const reason = outcome.reason ?? (isOutside ? 'outside_rate_table' : null);
    const hasItems = fields === 'all' && outcome.reporting.length > 0;
    const items = hasItems ? this.#itemTexts(facts, outcome, groupAt) : NO_ITEMS;
    if (reason !== null) {
      const start = outcome.reason === null ? hiddenText(method, reason) : '';
      return { method, order, groupAt, reason, priceCents, rateJson: '', start, outcome, items };
    }
    const tail = rateTail(facts, method, currencyTail, fields);
    const { rateJson, shown } = pricedText(zone, method, priceCents, tail);
    return { method, order, groupAt, reason, priceCents, rateJson, start: shown, outcome, items };
  }

  #itemTexts(facts: CartFacts, { reporting }: MethodOutcome, groupAt: number): readonly string[] {
    const texts = new Array<string>(reporting.length);
    for (let i = 0; i < reporting.length; i++) {
      const rule = reporting[i] as CompiledRule;
      texts[i] =
        facts.maskWords === 1
          ? this.#itemsJson(facts, rule, groupAt)
          : this.#manyItemsJson(facts, rule, groupAt);
    }
    return texts;
  }

  /**
   * The matched items of a cart of many items, as one text shared by all rules with the same tests.
   */
  #manyItemsJson(facts: CartFacts, rule: CompiledRule, groupAt: number): string {
    // The key is a number in this base: its digits, never 0, are the tests, and the last digit is the group.
    const base = this.#results.length + 1;
    let key = 0;
    for (const { test } of rule.itemConditions) key = key * base + test + 1;
    key = key * facts.groups.length + groupAt;
    facts.manyItems ??= new Map();
    const known = facts.manyItems.get(key);
    if (known !== undefined) return known;
    const json = joined(this.#itemsJson(facts, rule, groupAt));
    if (key <= Number.MAX_SAFE_INTEGER) facts.manyItems.set(key, json);
    return json;
  }

  /** The items that satisfied at least one condition of the rule, comma-separated. */
  #itemsJson(facts: CartFacts, { itemConditions }: CompiledRule, groupAt: number): string {
    const group = facts.groups[groupAt] as CartGroup;
    let items = '';
    for (let word = 0; word < facts.maskWords; word++) {
      let mask = 0;
      for (let i = 0; i < itemConditions.length; i++) {
        mask |= this.#board.matchedItems(itemConditions[i] as CompiledCondition, group, word);
      }
      if (mask !== 0) items = (items === '' ? '' : `${items},`) + facts.itemsJson(word, mask);
    }
    return items;
  }

  #outcomeOf(zone: CompiledZone, method: CompiledMethod): MethodOutcome {
    const { rules } = method;
    let key = 0;
    for (let i = 0; i < rules.length; i++) {
      const rule = rules[i] as CompiledRule;
      const { tests } = rule;
      for (let t = 0; t < tests.length; t++) key = (key << 1) | (this.#isPassed(tests[t] as number) ? 1 : 0);
      if (rule.reportsItems) key = (key << 1) | (this.#hasItems(rule) ? 1 : 0);
    }
    const isKeyed = method.outcomeBits <= OUTCOME_BITS_MAX;
    const known = isKeyed ? method.outcomes.get(key) : undefined;
    if (known !== undefined) return known;
    const outcome = this.#makeOutcome(method);
    if (isKeyed) {
      outcome.segments.forEach(joined);
      const characters = outcome.segments.reduce((sum, segment) => sum + segment.length, 0);
      zone.cache.keep(method.outcomes, key, outcome, characters);
    }
    return outcome;
  }

  #isPassed(test: number): boolean {
    return ((this.#results[test] as number) & PASSED) !== 0;
  }

  /** True when at least one item satisfied at least one condition of the rule. */
  #hasItems({ tests }: CompiledRule): boolean {
    for (let i = 0; i < tests.length; i++) {
      if (((this.#results[tests[i] as number] as number) & HAS_ITEM) !== 0) return true;
    }
    return false;
  }

  /** Makes the outcome of a method from the tests that passed. */
  #makeOutcome(method: CompiledMethod): MethodOutcome {
    const segments: string[] = [];
    const reporting: CompiledRule[] = [];
    const passed = method.rules.map(({ tests }) => tests.every((test) => this.#isPassed(test)));
    const matched = method.rules.filter((_, i) => passed[i]);
    const adjustments = matched.filter(({ action }) => action !== 'hide' && action !== 'show');
    const reason = hidingReason(method.rules, (_, i) => passed[i] === true);
    let segment = `${reason === null ? '' : hiddenText(method, reason)},"ruleTraces":[`;
    for (const [i, rule] of method.rules.entries()) {
      segment += (i > 0 ? ',' : '') + ruleTraceJson(rule, ({ test }) => this.#isPassed(test));
      if (!rule.reportsItems) continue;
      if (this.#hasItems(rule)) {
        reporting.push(rule);
        segments.push(segment);
        segment = '';
      }
      segment += ']}';
    }
    segments.push(`${segment}]}`);
    return { reason, matched, adjustments, segments, reporting };
  }
}

/**
 * Returns the running price in cents after one matched rule (contract section 5.3). A percentage applies to the running
 * price and is rounded half up to a cent; the result is never below 0.
 */
export function adjustedPrice(rule: CompiledRule, priceCents: number): number {
  if (rule.action === 'free') return 0;
  const amount = adjustmentCents(rule, priceCents);
  if (rule.action === 'adjust_subtract') return amount === null ? 0 : Math.max(0, priceCents - amount);
  return amount === null || priceCents + amount > CENTS_MAX ? PRICE_TOO_LARGE : priceCents + amount;
}

/** Returns the cents that a rule adds or subtracts; null when they exceed 2^53-1. */
export const adjustmentCents = (rule: CompiledRule, priceCents: number): number | null =>
  rule.isPercentage ? shareRoundedHalfUp(priceCents, rule.adjustment, 100) : rule.adjustment;

/**
 * The end of a rate's JSON after its price: the currency, the delivery dates if there are any, and for a carrier that the
 * checkout needs a phone number.
 */
export function rateTail(
  { shop, nowMs }: CartFacts,
  { delivery, phoneRequired }: Pick<CompiledMethod, 'delivery' | 'phoneRequired'>,
  currencyTail: string,
  fields: AnswerFields,
): string {
  const tail = delivery === null ? currencyTail : shop.deliveries.tailOf(delivery, currencyTail, nowMs);
  return fields === 'carrier' && phoneRequired ? `${tail.slice(0, -1)},"phoneRequired":true}` : tail;
}

const hiddenText = ({ head }: CompiledMethod, reason: MethodReason): string =>
  `${head}"visible":false,"reason":"${reason}","rate":null`;

/**
 * Returns the cached texts of a visible method at one price.
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
  const end = priceCents + currencyTail;
  const made = { currencyTail, rateJson: method.rateHead + end, shown: method.shownHead + end };
  if (hasFewPrices) {
    joined(made.rateJson);
    joined(made.shown);
    zone.cache.keep(pricedTexts, priceCents, made, made.rateJson.length + made.shown.length);
  }
  return made;
}
