/**
 * Why not: the smallest single change to the request after which a method is visible, or a rule of a visible method
 * matches. Every reported change was applied and evaluated; the reported price comes from that evaluation.
 */
import { type Predicate, SOURCE } from '../compile/predicate.ts';
import { SUM_OF_TABLE } from '../compile/rate-function.ts';
import type { CartItem, SimulateRequest } from '../domain/cart.ts';
import { FIELD } from '../domain/condition.ts';
import { isTableRateType } from '../domain/rate-type.ts';
import { conditionsOfRules, hidingReason } from '../domain/rule.ts';
import { comparable, splitTags } from '../domain/text.ts';
import { evaluateCart } from '../evaluate/evaluate.ts';
import { tryMethod } from '../probes/method-trial.ts';
import { CHANGE_KINDS, type ChangeKind, type RequestChange } from '../wire/explained-answer.ts';
import {
  isNumberKind,
  isOrderTotal,
  numberChanges,
  orderTotalChanges,
  summedField,
  touchesNumber,
} from './number-changes.ts';
import { applyChange } from './request-change.ts';
import { predicateOf, type RuleAtStake, type SearchCase, type SearchLimits } from './search-case.ts';
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
  limits.spend(method.rules.length + conditionsOfRules(method.rules));
  for (const kind of CHANGE_KINDS.filter((each) => isPossible(at, each))) {
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

/**
 * True when a change of this kind may change the answer to the question. A kind of change does not affect some conditions;
 * if their outcomes alone decide the question, no change of that kind is tried.
 */
function isPossible(at: SearchCase, kind: ChangeKind): boolean {
  const mayChange = ({ conditions }: RuleAtStake, index: number): boolean => {
    const condition = conditions[index];
    return condition !== undefined && touches(kind, at, predicateOf(at.scene, condition), condition.inGroup);
  };
  const mayMatch = (each: RuleAtStake) =>
    each.outcomes.every((matched, index) => matched || mayChange(each, index));
  const mustMatch = (each: RuleAtStake) =>
    each.outcomes.every((matched, index) => matched && !mayChange(each, index));
  if (hidingReason(at.atStake, mustMatch, mayMatch) !== null) return false;
  if (!at.atStake.every((each) => each.rule !== at.wanted || mayMatch(each))) return false;
  // The reason of the method may be another even if its total is outside the table, so compute the rate.
  return at.method.rate(at.group.totals) >= 0 || touchesTable(kind, at);
}

/** True when a change of this kind can change the outcome of the condition. */
function touches(kind: ChangeKind, { scene }: SearchCase, predicate: Predicate, inGroup: boolean): boolean {
  const { source, field } = predicate;
  const { request } = scene.facts;
  if (isNumberKind(kind)) return touchesNumber(kind, source, summedField(predicate, request));
  const isAboutItems = source <= SOURCE.itemNumber || source === SOURCE.groupSum;
  switch (kind) {
    case 'order_total':
      return isOrderTotal(predicate) && typeof request.orderTotals?.totalPrice === 'number';
    case 'state':
      return source === SOURCE.requestText && field === FIELD.destination_state;
    case 'postal_code':
      return (
        source === SOURCE.postalCode || (source === SOURCE.requestText && field === FIELD.destination_subzone)
      );
    case 'item_dropped':
      return isAboutItems || summedField(predicate, request) !== null || isCount(predicate);
    default: {
      const movesItems = scene.groupsListTags && isAboutItems;
      const isOfGroup = inGroup || source === SOURCE.groupSum || field === FIELD.product_group;
      return source === SOURCE.itemTags || (movesItems && isOfGroup);
    }
  }
}

const isCount = ({ source, field }: Predicate): boolean =>
  source === SOURCE.orderNumber && field === FIELD.cart_unique_items;

/** True when a change of this kind can change the total that the method's rate table looks at. */
function touchesTable(kind: ChangeKind, { scene, method }: SearchCase): boolean {
  const { rateType } = method.record;
  if (!isTableRateType(rateType)) return false;
  if (isNumberKind(kind)) return touchesNumber(kind, SOURCE.groupSum, SUM_OF_TABLE[rateType]);
  return kind === 'item_dropped' || (kind.startsWith('tag_') && scene.groupsListTags);
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
  limits.spend(scene.evaluationWork);
  const evaluation = evaluateCart(scene.facts.shop, request, scene.facts.nowMs, 'rates');
  const result = evaluation?.methods.find((each) => each.method === method);
  if (result === undefined || result.reason !== null) return null;
  return wanted === null || result.outcome.matched.includes(wanted) ? result.priceCents : null;
}
