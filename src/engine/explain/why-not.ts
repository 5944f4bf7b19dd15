/**
 * Why not: the smallest single change to the request after which a method is visible, or a rule of a visible method
 * matches. Every reported change was applied and evaluated; the reported price comes from that evaluation.
 */
import type { CompiledRule } from '../compile/compiled-method.ts';
import { SOURCE, sourceAndFieldOf } from '../compile/predicate.ts';
import type { CartItem, SimulateRequest } from '../domain/cart.ts';
import type { Condition } from '../domain/condition.ts';
import { conditionsOfRules, hidingReason } from '../domain/rule.ts';
import { comparable, splitTags } from '../domain/text.ts';
import { evaluateCart } from '../evaluate/evaluate.ts';
import { type Trial, tryMethod } from '../probes/method-trial.ts';
import { CHANGE_KINDS, type ChangeKind, type RequestChange } from '../wire/explained-answer.ts';
import { numberChanges, orderTotalChanges, summedField, touchesNumber } from './number-changes.ts';
import { applyChange } from './request-change.ts';
import type { SearchCase, SearchLimits } from './search-case.ts';
import { postalChanges, stateChanges, tagChanges } from './text-changes.ts';

interface FoundChange {
  readonly change: RequestChange;
  /** The method's price in the answer to the changed request. */
  readonly totalPrice: number;
}

/**
 * Searches kind by kind and, within a kind, from the smallest change up (see `CHANGE_KINDS`). Returns null when no single
 * change has the effect. When the search was limited, null is not a proof and a smaller change may exist.
 */
export function searchWhyNot(at: SearchCase): FoundChange | null {
  const { scene, method, limits } = at;
  const { length } = scene.facts.request.items;
  // Cost of a trial in units of the budget.
  const work = 50 + 10 * length + conditionsOfRules(method.rules) * (2 + length);
  if (!limits.spend(method.rules.length + conditionsOfRules(method.rules))) return null;
  const now = tryMethod(scene.facts.shop, scene.facts, method.record);
  if (now === null) return null;
  for (const kind of CHANGE_KINDS) {
    if (!mayHelp(at, kind, now)) continue;
    limits.startKind();
    for (const change of changesOf(at, kind)) {
      if (!limits.startTrial(work)) break;
      const changed = applyChange(scene.facts.request, change);
      if (!holds(at, changed)) continue;
      const totalPrice = confirmedPrice(at, changed);
      if (totalPrice !== null) return { change, totalPrice };
      // The changed request would be refused, because another price exceeds 2^53-1.
      limits.wasLimited = true;
    }
  }
  return null;
}

function changesOf(at: SearchCase, kind: ChangeKind): Iterable<RequestChange> {
  switch (kind) {
    case 'tag_added':
      return tagChanges(at);
    case 'tag_removed':
      return removableTags(at.scene.facts.request, at.limits);
    case 'item_dropped':
      return droppableItems(at.scene.facts.request);
    case 'order_total':
      return orderTotalChanges(at);
    case 'state':
      return stateChanges(at);
    case 'postal_code':
      return postalChanges(at);
    default:
      return numberChanges(at, kind);
  }
}

/** False when conditions that a change of this kind does not reach decide the question. */
function mayHelp({ scene, atStake, wanted }: SearchCase, kind: ChangeKind, { unmet }: Trial): boolean {
  const isReached = (condition: Condition) => reaches(kind, condition, scene.facts.request);
  const mayMatch = ({ record }: CompiledRule) => unmet.get(record)?.every(isReached) === true;
  const mustMatch = ({ record }: CompiledRule) =>
    unmet.get(record)?.length === 0 && !record.conditions.some(isReached);
  return hidingReason(atStake, mustMatch, mayMatch) === null && (wanted === null || mayMatch(wanted));
}

/** False only when no change of this kind changes what the condition compares. */
function reaches(kind: ChangeKind, condition: Condition, request: SimulateRequest): boolean {
  const type = condition.conditionType;
  const [source, field] = sourceAndFieldOf(condition);
  switch (kind) {
    case 'order_total':
      return type === 'order_total';
    case 'state':
      return type === 'destination_state';
    case 'postal_code':
      return type === 'destination_postal_code' || type === 'destination_subzone';
    case 'tag_added':
    case 'tag_removed':
      return source <= SOURCE.groupSum && source !== SOURCE.orderNumber;
    case 'item_dropped':
      return source <= SOURCE.groupSum;
    default:
      return touchesNumber(kind, source, summedField({ source, field }, request));
  }
}

function* removableTags({ items }: SimulateRequest, limits: SearchLimits): Generator<RequestChange> {
  for (const [itemIndex, { properties }] of items.entries()) {
    const seen = new Set<string>();
    for (const tag of limits.firstOf(splitTags(properties?.tag ?? ''))) {
      if (!seen.has(comparable(tag))) yield { kind: 'tag_removed', itemIndex, tag };
      seen.add(comparable(tag));
    }
  }
}

/** Returns changes that drop an item, the least valuable first; none for a cart with one item. */
function droppableItems({ items }: SimulateRequest): readonly RequestChange[] {
  if (items.length === 1) return [];
  const value = ({ price, quantity }: CartItem) => price * quantity;
  return [...items.entries()]
    .sort(([i, a], [j, b]) => value(a) - value(b) || i - j)
    .map(([itemIndex]) => ({ kind: 'item_dropped', itemIndex }));
}

/**
 * True when the question is answered by this request; false when the method is not considered. The price is checked
 * later, by the evaluation that confirms a change.
 */
function holds({ scene, method, wanted }: SearchCase, request: SimulateRequest): boolean {
  const { shop, nowMs } = scene.facts;
  const trial = tryMethod(shop, { request, nowMs }, method.record);
  return trial?.reason === null && (wanted === null || trial.unmet.get(wanted.record)?.length === 0);
}

/** Returns the method's price in the answer; null when the request is refused or the trial is not confirmed. */
function confirmedPrice(at: SearchCase, request: SimulateRequest): number | null {
  const { scene, method, wanted, limits } = at;
  if (!limits.spend(scene.evaluationWork)) return null;
  const evaluation = evaluateCart(scene.facts.shop, request, scene.facts.nowMs, 'rates');
  const result = evaluation?.methods.find((each) => each.method === method);
  if (result === undefined || result.reason !== null) return null;
  return wanted === null || result.outcome.matched.includes(wanted) ? result.priceCents : null;
}
