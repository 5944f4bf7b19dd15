/**
 * The case that a question is about: one method in one simulation, as it came out, with what a search for
 * changes needs to know of shop, place and cart.
 */
import type { CompiledCondition, CompiledMethod, CompiledRule } from '../compile/compiled-method.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { CompiledZone, Plan } from '../compile/compiled-zone.ts';
import type { Predicate } from '../compile/predicate.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import { countryCode, type PostalForm, postalFormOf } from '../domain/postal-code.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import { CartFacts, type CartGroup } from '../evaluate/cart-facts.ts';
import type { SimulateAnswer } from '../wire/answer.ts';

/** One simulation whose destination lies in a zone. */
export interface Scene {
  readonly shop: CompiledShop;
  readonly zone: CompiledZone;
  readonly postalForm: PostalForm;
  readonly request: SimulateRequest;
  readonly nowMs: number;
  readonly facts: CartFacts;
  readonly plan: Plan;
  /** What evaluating a request like this one costs, in the unit of `WORK_MAX`. */
  readonly evaluationWork: number;
  /** True when adding or removing a tag can move an item to another product group. */
  readonly groupsListTags: boolean;
}

/** Characters of an answer that are evaluated in one unit of `WORK_MAX`. */
const CHARACTERS_PER_WORK = 10;

/** null when no zone takes the destination. `answerLength` is that of the plain answer in characters. */
export function sceneOf(
  shop: CompiledShop,
  request: SimulateRequest,
  nowMs: number,
  answerLength: number,
): Scene | null {
  const country = countryCode(request.destination.country);
  const zone = shop.zoneOf(country);
  if (zone === null) return null;
  const postalForm = postalFormOf(country);
  const groupsListTags = shop.config.productGroups.some((group) => group.tags.length > 0);
  const placed = placedFacts({ shop, zone, postalForm, nowMs }, request);
  if (placed === null) return null;
  const evaluationWork = Math.ceil(answerLength / CHARACTERS_PER_WORK);
  return { shop, zone, postalForm, request, nowMs, ...placed, evaluationWork, groupsListTags };
}

/** The facts of another request to the same country; null when a total is beyond 2^53-1. */
export function placedFacts(
  { shop, zone, postalForm, nowMs }: Pick<Scene, 'shop' | 'zone' | 'postalForm' | 'nowMs'>,
  request: SimulateRequest,
): { readonly facts: CartFacts; readonly plan: Plan } | null {
  const facts = new CartFacts(shop, request, nowMs);
  if (facts.isTooLarge) return null;
  const { plan, postalCode } = zone.match(postalForm, request.destination.postalCode ?? '');
  facts.postalForm = postalForm;
  facts.postalCode = postalCode;
  facts.subzoneId = plan.subzoneId;
  return { facts, plan };
}

export type MethodEvaluation = SimulateAnswer['methodEvaluations'][number];

/** One evaluated method of a scene. */
export interface SearchCase {
  readonly scene: Scene;
  readonly record: ShippingMethod;
  readonly method: CompiledMethod;
  /** The method's group in the cart. */
  readonly group: CartGroup;
  /** How the conditions of each rule of `method` came out. */
  readonly outcomes: readonly (readonly ConditionOutcome[])[];
}

export interface ConditionOutcome {
  readonly matched: boolean;
  /** True when so many items agree, or disagree, that a change of one item cannot turn it. */
  readonly isSettled: boolean;
}

/**
 * What would have to come about: the method is visible, and `rule`, if it is not null, matched. `rule` is
 * one of the method's own.
 */
export interface Question {
  readonly rule: CompiledRule | null;
}

/** A rule that the answer to a question hangs on. */
export interface RuleAtStake {
  readonly rule: CompiledRule;
  readonly outcomes: readonly ConditionOutcome[];
}

/** The rules that decide whether the method is visible, and the one asked for. */
export const rulesAtStake = ({ method, outcomes }: SearchCase, question: Question): readonly RuleAtStake[] =>
  method.rules
    .map((rule, index) => ({ rule, outcomes: outcomes[index] ?? [] }))
    .filter(({ rule }) => rule === question.rule || rule.action === 'hide' || rule.action === 'show');

export interface ConditionAtStake {
  readonly condition: CompiledCondition;
  readonly predicate: Predicate;
}

export const conditionsAtStake = (at: SearchCase, question: Question): readonly ConditionAtStake[] =>
  rulesAtStake(at, question).flatMap(({ rule }) =>
    rule.conditions.map((condition) => ({ condition, predicate: predicateOf(at, condition) })),
  );

export const predicateOf = ({ scene }: SearchCase, { slot }: CompiledCondition): Predicate =>
  scene.zone.predicates[slot] as Predicate;

/** True for items that count in the totals of the method's group. */
export function isInGroup({ scene, group }: SearchCase, itemIndex: number): boolean {
  const isShippable = scene.request.items[itemIndex]?.requiresShipping !== false;
  return isShippable && scene.facts.items[itemIndex]?.groupIndex === group.index;
}
