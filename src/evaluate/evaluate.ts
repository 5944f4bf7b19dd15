/**
 * Evaluation: (compiled shop, cart, clock) -> answer, pure and synchronous (contract section 5). The answer
 * is JSON text put together from pieces finished at compile time; it is ASCII only, and no object is
 * serialised on the way.
 */
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { PlannedMethod } from '../compile/compiled-zone.ts';
import { asciiJson } from '../compile/json-text.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import { invalid, type Outcome, success } from '../domain/failure.ts';
import { postalFormOf } from '../domain/postal-code.ts';
import { type BlendOutcome, evaluateBlend } from './blend-outcome.ts';
import { CartFacts, type CartGroup } from './cart-facts.ts';
import { ConditionBoard } from './condition-board.ts';
import { MethodEvaluator, type MethodOutcome } from './method-outcome.ts';

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

  const { groups } = facts;
  board.begin(facts, zone.predicates.predicates);
  const methods: MethodOutcome[] = [];
  for (const { method, groupAt } of consideredMethods(plan.methodsByGroup, groups)) {
    const outcome = evaluator.evaluate(facts, method, groups[groupAt] as CartGroup, groupAt);
    if (outcome === null) return TOO_LARGE;
    methods.push(outcome);
  }
  const blends: BlendOutcome[] = [];
  if (groups.length > 1) {
    for (const blend of plan.blends) {
      const outcome = evaluateBlend(facts, blend, methods);
      if (outcome === null) return TOO_LARGE;
      blends.push(outcome);
    }
  }
  board.end();
  const currency = request.currency ?? shop.settings.currency;
  return success(assemble(methods, blends, `,"currency":${asciiJson(currency)}}`, plan.zoneJson));
}

interface Considered {
  readonly method: PlannedMethod['method'];
  readonly groupAt: number;
}

/** The methods of the groups in the cart, merged into position order (contract section 5.2). */
function consideredMethods(
  methodsByGroup: ReadonlyMap<number, readonly PlannedMethod[]>,
  groups: readonly CartGroup[],
): readonly Considered[] {
  const considered: (Considered & { readonly order: number })[] = [];
  for (const [groupAt, group] of groups.entries()) {
    for (const { method, order } of methodsByGroup.get(group.index) ?? []) {
      considered.push({ method, groupAt, order });
    }
  }
  return groups.length > 1 ? considered.sort((a, b) => a.order - b.order) : considered;
}

interface Priced {
  readonly priceCents: number;
  readonly rateJson: string;
}

/** Left-deep concatenation: measured as the cheapest way to build the text and to write it out. */
function assemble(
  methods: readonly MethodOutcome[],
  blends: readonly BlendOutcome[],
  currencyTail: string,
  zoneJson: string,
): string {
  const rates: Priced[] = [];
  let evaluations = '';
  for (const { method, reason, priceCents, traces } of methods) {
    if (evaluations !== '') evaluations += ',';
    if (reason === null) {
      const rateJson = method.rateHead + priceCents + currencyTail;
      if (blends.length === 0) rates.push({ priceCents, rateJson });
      evaluations += `${method.head}"visible":true,"reason":null,"rate":${rateJson},"ruleTraces":`;
    } else {
      evaluations += `${method.head}"visible":false,"reason":"${reason}","rate":null,"ruleTraces":`;
    }
    evaluations += `${traces}}`;
  }
  let blended = '';
  for (const { blend, reason, priceCents, components } of blends) {
    if (blended !== '') blended += ',';
    if (reason === null) {
      const rateJson = blend.rateHead + priceCents + currencyTail;
      rates.push({ priceCents, rateJson });
      blended += `${blend.head}"visible":true,"reason":null,"rate":${rateJson},"components":${components}}`;
    } else {
      blended += `${blend.head}"visible":false,"reason":"${reason}","rate":null,"components":${components}}`;
    }
  }
  return `{"rates":[${ratesJson(rates)}],"methodEvaluations":[${evaluations}],"blendedRates":[${blended}],"zone":${zoneJson}}`;
}

/** By total price, then position: `rates` comes in position order and the sort is stable. */
function ratesJson(rates: Priced[]): string {
  if (rates.length > 1) rates.sort((a, b) => a.priceCents - b.priceCents);
  let json = '';
  for (const { rateJson } of rates) json += (json === '' ? '' : ',') + rateJson;
  return json;
}
