/**
 * Evaluation: (compiled shop, cart, clock) -> answer, pure and synchronous (contract section 5). The answer
 * is JSON text put together from pieces finished at compile time; it is ASCII only, and no object is
 * serialised on the way.
 */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { CompiledZone, Plan, PlannedMethod } from '../compile/compiled-zone.ts';
import { asciiJson, joined } from '../compile/json-text.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import { invalid, type Outcome, success } from '../domain/failure.ts';
import { postalFormOf } from '../domain/postal-code.ts';
import { type BlendResult, evaluateBlend } from './blend-evaluator.ts';
import { CartFacts, type CartGroup } from './cart-facts.ts';
import { ConditionBoard } from './condition-board.ts';
import { MethodEvaluator, type MethodResult } from './method-evaluator.ts';

// Scratch space, not state: evaluation is synchronous, so one of each serves the whole thread.
const board = new ConditionBoard();
const evaluator = new MethodEvaluator(board);

const TOO_LARGE = invalid('a total of this order is beyond 9,007,199,254,740,991');

/**
 * Answers a request that passed `SimulateRequest`; `nowMs` (epoch) is the clock of time conditions. A
 * total or price beyond 2^53-1 is refused with VALIDATION_ERROR.
 */
export function evaluate(shop: CompiledShop, request: SimulateRequest, nowMs: number): Outcome<string> {
  const facts = new CartFacts(shop, request, nowMs);
  if (facts.isTooLarge) return TOO_LARGE;
  const country = request.destination.country.toUpperCase();
  const zone = shop.zoneOf(country);
  if (zone === null) return success('{"rates":[],"methodEvaluations":[],"blendedRates":[],"zone":null}');
  facts.postalForm = postalFormOf(country);
  const { plan, postalCode } = zone.match(facts.postalForm, request.destination.postalCode ?? '');
  facts.postalCode = postalCode;
  facts.subzoneId = plan.subzoneId;

  const currencyTail = currencyTailOf(request.currency ?? shop.settings.currency);
  board.begin(facts, zone.predicates);
  const methods = evaluateMethods(facts, zone, plan, currencyTail);
  board.end();
  const blends = methods === null ? null : evaluateBlends(facts, plan, methods, currencyTail);
  if (methods === null || blends === null) return TOO_LARGE;
  return success(assemble(methods, blends, plan.zoneJson));
}

let lastCurrency = '';
let lastCurrencyTail = '';

/** The end of a rate's JSON. One text for as long as the currency stays, so that comparing it is cheap. */
function currencyTailOf(currency: string): string {
  if (currency !== lastCurrency) {
    lastCurrency = currency;
    lastCurrencyTail = joined(`,"currency":${asciiJson(currency)}}`);
  }
  return lastCurrencyTail;
}

/**
 * The methods of the groups in the cart in position order (contract section 5.2); null when a price is
 * beyond 2^53-1 cents.
 */
function evaluateMethods(
  facts: CartFacts,
  zone: CompiledZone,
  plan: Plan,
  currencyTail: string,
): MethodResult[] | null {
  const results: MethodResult[] = [];
  const { groups } = facts;
  for (let groupAt = 0; groupAt < groups.length; groupAt++) {
    const planned = plan.methodsByGroup.get((groups[groupAt] as CartGroup).index) ?? [];
    for (let i = 0; i < planned.length; i++) {
      const result = evaluator.evaluate(facts, zone, planned[i] as PlannedMethod, groupAt, currencyTail);
      if (result === null) return null;
      results.push(result);
    }
  }
  return groups.length > 1 ? results.sort((a, b) => a.order - b.order) : results;
}

/** Blended rates are for carts of several groups; null when a sum is beyond 2^53-1 cents. */
function evaluateBlends(
  facts: CartFacts,
  plan: Plan,
  methods: readonly MethodResult[],
  currencyTail: string,
): BlendResult[] | null {
  const results: BlendResult[] = [];
  if (facts.groups.length < 2) return results;
  for (const blend of plan.blends) {
    const result = evaluateBlend(facts, blend, methods, currencyTail);
    if (result === null) return null;
    results.push(result);
  }
  return results;
}

/** Left-deep concatenation: measured as the cheapest way to build the text and to write it out. */
function assemble(
  methods: readonly MethodResult[],
  blends: readonly BlendResult[],
  zoneJson: string,
): string {
  // If the zone has blended rates for this cart, only they are offered (contract section 5.6).
  const offered = blends.length === 0 ? methods : blends;
  let json = `{"rates":[${ratesJson(offered)}],"methodEvaluations":[`;
  for (let i = 0; i < methods.length; i++)
    json = (i === 0 ? json : `${json},`) + (methods[i] as MethodResult).json;
  json += '],"blendedRates":[';
  for (let i = 0; i < blends.length; i++)
    json = (i === 0 ? json : `${json},`) + (blends[i] as BlendResult).json;
  return `${json}],"zone":${zoneJson}}`;
}

interface Offered {
  readonly reason: string | null;
  readonly priceCents: number;
  readonly rateJson: string;
}

/** The visible ones by total price, then position: they come in position order and the sort is stable. */
function ratesJson(offered: readonly Offered[]): string {
  const rates: Offered[] = [];
  let isSorted = true;
  for (let i = 0; i < offered.length; i++) {
    const rate = offered[i] as Offered;
    if (rate.reason !== null) continue;
    if (rates.length > 0 && rate.priceCents < (rates[rates.length - 1] as Offered).priceCents)
      isSorted = false;
    rates.push(rate);
  }
  if (!isSorted) rates.sort((a, b) => a.priceCents - b.priceCents);
  let json = '';
  for (let i = 0; i < rates.length; i++)
    json = (i === 0 ? json : `${json},`) + (rates[i] as Offered).rateJson;
  return json;
}
