/**
 * Evaluation: (compiled shop, cart, clock) -> answer, pure and synchronous (contract section 5). The answer is ASCII
 * JSON text, joined from pieces that were made at compile time; no object is serialised.
 */
import { type AnswerText, joinedText } from '../../base/bytes/answer-text.ts';
import type { CompiledRule, MethodOutcome } from '../compile/compiled-method.ts';
import { type CompiledShop, currencyTailJson } from '../compile/compiled-shop.ts';
import type { CompiledZone, Place, Plan, PlannedMethod } from '../compile/compiled-zone.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import { type Failure, invalid, type Outcome, success } from '../domain/failure.ts';
import type { ProductGroup } from '../domain/product-group.ts';
import type { AnswerFields } from '../wire/answer.ts';
import { type BlendResult, evaluateBlend } from './blend-evaluator.ts';
import { CartFacts, type CartGroup } from './cart-facts.ts';
import { ConditionBoard } from './condition-board.ts';
import { MethodEvaluator, type MethodResult } from './method-evaluator.ts';

// Scratch space, not state: evaluation is synchronous, so one instance of each serves the whole thread.
const board = new ConditionBoard();
const evaluator = new MethodEvaluator(board);

const TOO_LARGE = invalid('/items must come to totals and prices of at most 9,007,199,254,740,991');
export const TOO_LATE = invalid('/at must be a time at which no date of the answer is after 9999-12-31');

/** Before this time no date can be late: 425 working days, one a week, and 200 holidays take less than 13 years. */
const LATE_MS = Date.UTC(9986, 0, 1);
const LAST_DATE = 9999_12_31;

/**
 * Answers a request that passed `SimulateRequest`; `nowMs` (epoch) is the clock of time conditions. A total or price
 * beyond 2^53-1 and a date after 9999-12-31 are refused with VALIDATION_ERROR.
 */
export function evaluate(shop: CompiledShop, request: SimulateRequest, nowMs: number): Outcome<string> {
  const answer = evaluateToParts(shop, request, nowMs);
  return answer.ok ? success(joinedText(answer.value)) : answer;
}

/**
 * Same as `evaluate`, but returns the answer in parts for sending. `counter` counts what the answer used. `place` is that of the destination.
 */
export function evaluateToParts(
  shop: CompiledShop,
  request: SimulateRequest,
  nowMs: number,
  fields: AnswerFields = 'all',
  counter?: UseCounter,
  place = shop.placeOf(request.destination),
): Outcome<AnswerText> {
  const evaluation = evaluateCart(shop, request, nowMs, fields, place);
  if (evaluation === null) return refusalOf(shop, request, nowMs);
  counter?.count(shop, evaluation);
  const isRates = fields !== 'all';
  return success(isRates ? [`${appendRates('{"rates":[', offeredOf(evaluation))}]}`] : assemble(evaluation));
}

/** Why `evaluateCart` returns null for this cart: a date, if at an earlier time it would not. */
export const refusalOf = (shop: CompiledShop, request: SimulateRequest, nowMs: number): Failure =>
  nowMs < LATE_MS || evaluateCart(shop, request, LATE_MS - 1, 'rates') === null ? TOO_LARGE : TOO_LATE;

/** True when the local date, or a delivery date of the answer, has a year of five digits. */
function hasLateDate({ facts, methods }: CartEvaluation): boolean {
  if (facts.nowMs < LATE_MS) return false;
  const { deliveries } = facts.shop;
  const isLate = ({ reason, method: { delivery } }: MethodResult): boolean =>
    reason === null && delivery !== null && deliveries.lastDate(delivery, facts.nowMs) > LAST_DATE;
  return facts.moment().date > LAST_DATE || methods.some(isLate);
}

/**
 * Evaluates a request without assembling its answer, for callers that compare answers. Returns null when `evaluate`
 * would refuse. Without `all` the texts that only traces need are empty.
 */
export function evaluateCart(
  shop: CompiledShop,
  request: SimulateRequest,
  nowMs: number,
  fields: AnswerFields = 'all',
  place: Place | null = shop.placeOf(request.destination),
): CartEvaluation | null {
  const facts = new CartFacts(shop, request, nowMs, place);
  if (facts.isTooLarge) return null;
  if (place === null) return timely({ zone: null, plan: null, facts, methods: [], blends: [] });
  const { zone, plan } = place;
  const currencyTail = currencyTailOf(shop, request.currency);
  zone.startAnswer();
  board.begin(facts, zone.predicates);
  const methods = evaluateMethods(facts, zone, plan, currencyTail, fields);
  board.end();
  const blends = methods === null ? null : evaluateBlends(facts, plan, methods, currencyTail, fields);
  if (methods === null || blends === null) return null;
  return timely({ zone, plan, facts, methods, blends });
}

const timely = (evaluation: CartEvaluation): CartEvaluation | null =>
  hasLateDate(evaluation) ? null : evaluation;

/** The rates offered to a customer: only blended rates if this cart has any (contract section 5.6). */
export const offeredOf = ({ methods, blends }: CartEvaluation): readonly Offered[] =>
  blends.length === 0 ? methods : blends;

/** The end of a rate's JSON. Requests in the currency of the shop share one string, so that comparing it is cheap. */
const currencyTailOf = (
  { settings, currencyTail }: CompiledShop,
  currency: string | null | undefined,
): string => (currency == null || currency === settings.currency ? currencyTail : currencyTailJson(currency));

/**
 * Evaluates the methods of the groups in the cart, in position order (contract section 5.2). Returns null when a price
 * exceeds 2^53-1 cents.
 */
function evaluateMethods(
  facts: CartFacts,
  zone: CompiledZone,
  plan: Plan,
  currencyTail: string,
  fields: AnswerFields,
): MethodResult[] | null {
  const { groups } = facts;
  const results: MethodResult[] = [];
  for (let groupAt = 0; groupAt < groups.length; groupAt++) {
    const group = groups[groupAt] as CartGroup;
    const planned = plan.groups.get(group.index);
    if (planned === undefined) continue;
    const outcomes = evaluator.outcomesOf(zone, planned, group);
    for (let i = 0; i < outcomes.length; i++) {
      const method = planned.methods[i] as PlannedMethod;
      const outcome = outcomes[i] as MethodOutcome;
      const result = evaluator.evaluate(facts, zone, method, outcome, groupAt, currencyTail, fields);
      if (result === null) return null;
      results.push(result);
    }
  }
  return groups.length > 1 ? results.sort((a, b) => a.order - b.order) : results;
}

/** Evaluates the blended rates of a cart of several groups. Returns null when a sum exceeds 2^53-1 cents. */
function evaluateBlends(
  facts: CartFacts,
  plan: Plan,
  methods: readonly MethodResult[],
  currencyTail: string,
  fields: AnswerFields,
): BlendResult[] | null {
  const results: BlendResult[] = [];
  if (facts.groups.length < 2) return results;
  for (const blend of plan.blends) {
    const result = evaluateBlend(facts, blend, methods, currencyTail, fields);
    if (result === null) return null;
    results.push(result);
  }
  return results;
}

const OUTSIDE_ZONES: AnswerText = ['{"rates":[],"methodEvaluations":[],"blendedRates":[],"zone":null}'];

/** Texts of this length or more become a part of their own; shorter texts are appended to the pending part. */
const PART_LENGTH_MIN = 500;

/**
 * Assembles the parts of an answer. Cached texts of outcomes stay parts of their own, so that they are not copied.
 */
export function assemble(evaluation: CartEvaluation): AnswerText {
  const { plan, methods, blends } = evaluation;
  if (plan === null) return OUTSIDE_ZONES;
  const parts: string[] = [];
  let json = appendRates('{"rates":[', offeredOf(evaluation));
  json += '],"methodEvaluations":[';
  for (let i = 0; i < methods.length; i++) {
    const { start, outcome, items } = methods[i] as MethodResult;
    const { segments } = outcome;
    const first = segments[0] as string;
    if (i > 0) json = append(parts, json + start, first);
    else json = append(parts, json + start.slice(1), start === '' ? first.slice(1) : first);
    for (let at = 1; at < segments.length; at++) {
      json = append(parts, json, items[at - 1] as string);
      json = append(parts, json, segments[at] as string);
    }
  }
  json += '],"blendedRates":[';
  for (let i = 0; i < blends.length; i++) json += (i === 0 ? '' : ',') + (blends[i] as BlendResult).json;
  parts.push(json + plan.answerEnd);
  return parts;
}

/** Adds a long text to `parts` after the pending JSON; returns the JSON that is still pending. */
function append(parts: string[], json: string, text: string): string {
  if (text.length < PART_LENGTH_MIN) return json + text;
  if (json !== '') parts.push(json);
  parts.push(text);
  return '';
}

/** A method or blended rate; it is offered when its reason is null. */
export interface Offered {
  readonly reason: string | null;
  readonly priceCents: number;
  /** A comma and the JSON of the rate. */
  readonly rateJson: string;
}

/** The rates of an answer as JSON texts, comma-separated. */
export const ratesJson = (offered: readonly Offered[]): string => appendRates('', offered);

/**
 * Appends the visible rates to `start`, comma-separated, sorted by total price, then by position (contract
 * section 5.8). `offered` is in position order, and the sort is stable.
 */
function appendRates(start: string, offered: readonly Offered[]): string {
  const rates = new Array<Offered>(offered.length);
  let count = 0;
  for (let i = 0; i < offered.length; i++) {
    const rate = offered[i] as Offered;
    if (rate.reason === null) rates[count++] = rate;
  }
  sortByPrice(rates, count);
  let json = start;
  for (let i = 0; i < count; i++) {
    const { rateJson } = rates[i] as Offered;
    json += i === 0 ? rateJson.slice(1) : rateJson;
  }
  return json;
}

// With more moves than this, an insertion sort takes longer than the built-in sort.
const MOVED_MAX = 24;

/** Stable sort of the first `count` rates; by insertion, because most answers have a few. */
function sortByPrice(rates: Offered[], count: number): void {
  if (count > MOVED_MAX) {
    rates.length = count;
    rates.sort((a, b) => a.priceCents - b.priceCents);
    return;
  }
  for (let i = 1; i < count; i++) {
    const rate = rates[i] as Offered;
    let at = i;
    for (; at > 0 && (rates[at - 1] as Offered).priceCents > rate.priceCents; at--) {
      rates[at] = rates[at - 1] as Offered;
    }
    rates[at] = rate;
  }
}

/** The evaluation of one request, from which the answer is assembled. */
export interface CartEvaluation {
  /** Zone of the destination; null when there is none. */
  readonly zone: CompiledZone | null;
  /** Totals and groups of the cart. */
  readonly facts: CartFacts;
  /** The considered methods in position order. */
  readonly methods: readonly MethodResult[];
  /** Empty for a cart of one group. */
  readonly blends: readonly BlendResult[];
  /** Methods and blended rates in force at the destination; null without a zone. */
  readonly plan: Plan | null;
}

/** The uses since the last call. The reader resets the counts of the plans and of their methods and rules. */
export interface TakenUses {
  readonly simulations: number;
  /** Simulations that were offered no rate. */
  readonly withoutRate: number;
  /** Price in cents -> number of simulations whose cheapest rate had it. */
  readonly cheapest: ReadonlyMap<number, number>;
  /** The zone of each plan that was used. */
  readonly plans: ReadonlyMap<Plan, CompiledZone>;
  readonly groups: ReadonlyMap<ProductGroup, number>;
}

/**
 * Counts the uses of a shop's records by live simulations (contract section 10.5). The counts of plans, methods and rules
 * are fields of their compiled forms; `take` returns the plans in which to read them.
 */
export class UseCounter {
  #simulations = 0;
  #withoutRate = 0;
  #cheapest = new Map<number, number>();
  #plans = new Map<Plan, CompiledZone>();
  #groups = new Map<ProductGroup, number>();

  /** True when there is something to take. */
  get isUsed(): boolean {
    return this.#simulations > 0;
  }

  count({ config }: CompiledShop, evaluation: CartEvaluation): void {
    const { zone, plan, facts, methods, blends } = evaluation;
    this.#simulations++;
    const cents = cheapestOf(offeredOf(evaluation));
    if (cents === Number.POSITIVE_INFINITY) this.#withoutRate++;
    else this.#cheapest.set(cents, (this.#cheapest.get(cents) ?? 0) + 1);
    if (zone === null || plan === null) return;
    if (plan.uses++ === 0) this.#plans.set(plan, zone);
    for (const { index } of facts.groups) {
      const group = config.productGroups[index] as ProductGroup;
      this.#groups.set(group, (this.#groups.get(group) ?? 0) + 1);
    }
    const isBlended = blends.length > 0;
    for (let i = 0; i < methods.length; i++) countMethod(methods[i] as MethodResult, facts.groups, isBlended);
    if (!isBlended) return;
    // Several blended rates may offer the same method.
    const offered = new Set(blends.flatMap(({ reason, chosen }) => (reason === null ? chosen : [])));
    for (const { method } of offered) method.use.offered++;
  }

  take(): TakenUses {
    const taken = {
      simulations: this.#simulations,
      withoutRate: this.#withoutRate,
      cheapest: this.#cheapest,
      plans: this.#plans,
      groups: this.#groups,
    };
    this.#simulations = 0;
    this.#withoutRate = 0;
    this.#cheapest = new Map();
    this.#plans = new Map();
    this.#groups = new Map();
    return taken;
  }
}

/** The price of the cheapest rate; infinite when none is offered. */
function cheapestOf(offered: readonly Offered[]): number {
  let cheapest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < offered.length; i++) {
    const { reason, priceCents } = offered[i] as Offered;
    if (reason === null && priceCents < cheapest) cheapest = priceCents;
  }
  return cheapest;
}

function countMethod(result: MethodResult, groups: readonly CartGroup[], isBlended: boolean): void {
  const { method, reason, outcome, groupAt } = result;
  const { use, tierIndex } = method;
  use.considered++;
  if (reason === null) {
    use.visible++;
    if (!isBlended) use.offered++;
  }
  const { matched } = outcome;
  for (let i = 0; i < matched.length; i++) (matched[i] as CompiledRule).uses++;
  if (tierIndex === null || use.tiers === null) return;
  const tier = tierIndex((groups[groupAt] as CartGroup).totals);
  if (tier >= 0) use.tiers[tier] = (use.tiers[tier] as number) + 1;
}
