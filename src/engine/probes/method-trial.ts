/** One method for one cart, without the other methods: cheap enough to try many carts. */
import type { CompiledRule } from '../compile/compiled-method.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { CompiledZone, Plan } from '../compile/compiled-zone.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import type { Condition } from '../domain/condition.ts';
import { hidingReason, type Rule } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import { CartFacts } from '../evaluate/cart-facts.ts';
import { ConditionBoard, PASSED } from '../evaluate/condition-board.ts';
import { adjustedPrice } from '../evaluate/method-evaluator.ts';
import type { Probe } from './draft-cart.ts';

/** The facts of a request, its zone, and the records in force at its destination. */
export interface PlacedFacts {
  readonly zone: CompiledZone;
  readonly plan: Plan;
  readonly facts: CartFacts;
}

/** Returns the facts of a request; null when no zone matches the destination or a total exceeds 2^53-1. */
export function placedFacts(shop: CompiledShop, request: SimulateRequest, nowMs: number): PlacedFacts | null {
  const place = shop.placeOf(request.destination);
  const facts = new CartFacts(shop, request, nowMs, place);
  return place === null || facts.isTooLarge ? null : { zone: place.zone, facts, plan: place.plan };
}

// A shared buffer without state: trials are synchronous, so one board per thread is enough.
const board = new ConditionBoard();

/** What the evaluator says of one method for one cart. */
export interface Trial {
  /** Why the method is not offered; null when it is. */
  readonly reason: string | null;
  readonly priceCents: number;
  /** The conditions that do not hold of each enabled rule. */
  readonly unmet: ReadonlyMap<Rule, readonly Condition[]>;
}

/** Null for a cart for which the method is not considered. */
export function tryMethod(
  shop: CompiledShop,
  { request, nowMs }: Probe,
  record: ShippingMethod,
): Trial | null {
  const placed = placedFacts(shop, request, nowMs);
  const index = shop.groups.indexOf(record.productGroupId);
  const group = placed?.facts.groups.find((each) => each.index === index);
  const planned = placed?.plan.groups.get(index)?.methods.find(({ method }) => method.record === record);
  if (placed === null || group === undefined || planned === undefined) return null;
  const { facts, zone } = placed;
  const { method } = planned;
  board.begin(facts, zone.predicates);
  const unmet = new Map(
    method.rules.map((rule) => {
      const failed = rule.conditions.filter((each) => (board.resultOf(each, group) & PASSED) === 0);
      return [rule.record, failed.map(({ condition }) => condition)] as const;
    }),
  );
  board.end();
  const matches = (rule: CompiledRule) => unmet.get(rule.record)?.length === 0;
  const base = method.rate(group.totals);
  const reason = hidingReason(method.rules, matches) ?? (base < 0 ? 'outside_rate_table' : null);
  const adjustments = method.rules.filter(
    (rule) => rule.action !== 'hide' && rule.action !== 'show' && matches(rule),
  );
  const start = facts.isFree(method) ? 0 : base;
  const priceCents = adjustments.reduce((price, rule) => adjustedPrice(rule, price), start);
  return { reason, priceCents, unmet };
}
