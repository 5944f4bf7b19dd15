/**
 * Why not: the smallest single change to the request after which a method is visible, or a rule of a
 * visible method matches. Every change that is named was made and evaluated; what follows from it is the
 * price of that evaluation.
 */

import type { CompiledMethod } from '../compile/compiled-method.ts';
import type { CartItem, SimulateRequest } from '../domain/cart.ts';
import type { Outcome } from '../domain/failure.ts';
import { conditionsOfRules } from '../domain/rule.ts';
import { comparable } from '../domain/text.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import type { ChangeKind, RequestChange } from '../wire/explained-answer.ts';
import { holds, trialWork } from './method-trial.ts';
import { numberCandidates } from './number-candidates.ts';
import { possibleKinds } from './possible-kinds.ts';
import { applyChange, tagsOf } from './request-change.ts';
import type { MethodEvaluation, Question, Scene, SearchCase } from './search-case.ts';
import { PROPOSED_LENGTH_MAX, SearchLimits, type WorkBudget } from './search-limits.ts';
import { postalCandidates, stateCandidates, tagCandidates } from './text-candidates.ts';

export interface FoundChange {
  readonly change: RequestChange;
  /** The method's price in the answer to the changed request. */
  readonly totalPrice: number;
}

export interface SearchResult {
  /** null when no single change of any kind does. */
  readonly found: FoundChange | null;
  /** True when something was left out: then null is no proof, and there may be a smaller change. */
  readonly wasLimited: boolean;
}

/** Searches kind by kind and, within a kind, from the smallest change up (see `CHANGE_KINDS`). */
export function searchWhyNot(at: SearchCase, question: Question, budget: WorkBudget): SearchResult {
  const limits = new SearchLimits(budget);
  const work = trialWork(at);
  if (!limits.spend(at.method.rules.length + conditionsOfRules(at.method.rules)))
    return { found: null, wasLimited: true };
  for (const kind of possibleKinds(at, question)) {
    limits.startKind();
    for (const change of candidates(at, question, kind, limits)) {
      if (!limits.startTrial(work)) break;
      const changed = applyChange(at.scene.request, change);
      if (!holds(at, question, changed)) continue;
      const totalPrice = confirmedPrice(at, question, changed, limits);
      if (totalPrice !== null) return { found: { change, totalPrice }, wasLimited: limits.wasLimited };
      // The answer would be refused: some other price is then beyond 2^53-1.
      limits.wasLimited = true;
    }
  }
  return { found: null, wasLimited: limits.wasLimited };
}

function candidates(
  at: SearchCase,
  question: Question,
  kind: ChangeKind,
  limits: SearchLimits,
): Iterable<RequestChange> {
  switch (kind) {
    case 'tag_added':
      return tagCandidates(at, question, limits);
    case 'tag_removed':
      return removableTags(at.scene.request, limits);
    case 'item_dropped':
      return droppableItems(at.scene.request);
    case 'state':
      return stateCandidates(at, question, limits);
    case 'postal_code':
      return postalCandidates(at, question, limits);
    default:
      return numberCandidates(at, question, kind, limits);
  }
}

function* removableTags({ items }: SimulateRequest, limits: SearchLimits): Generator<RequestChange> {
  for (const [itemIndex, item] of items.entries()) {
    const seen = new Set<string>();
    for (const tag of tagsOf(item)) {
      const isNew = !seen.has(comparable(tag));
      seen.add(comparable(tag));
      if (tag.length > PROPOSED_LENGTH_MAX) limits.wasLimited = true;
      else if (isNew) yield { kind: 'tag_removed', itemIndex, tag };
    }
  }
}

/** The least valuable first; a cart keeps its last item. */
function droppableItems({ items }: SimulateRequest): readonly RequestChange[] {
  const value = (index: number) => {
    const { price, quantity } = items[index] as CartItem;
    return price * quantity;
  };
  return items.length === 1
    ? []
    : [...items.keys()]
        .sort((a, b) => value(a) - value(b) || a - b)
        .map((itemIndex) => ({ kind: 'item_dropped', itemIndex }));
}

/** The method's price in the answer to the request; null when that is refused or does not bear the trial out. */
function confirmedPrice(
  { scene, method }: SearchCase,
  { rule }: Question,
  request: SimulateRequest,
  limits: SearchLimits,
): number | null {
  if (!limits.spend(scene.evaluationWork)) return null;
  const answer = evaluateUnkept(scene, request);
  if (!answer.ok) return null;
  const { rate, ruleTraces } = evaluationIn(answer.value, method);
  const isMatched =
    rule === null || ruleTraces.some((trace) => trace.ruleId === rule.ruleId && trace.matched);
  return isMatched ? (rate?.totalPrice ?? null) : null;
}

/** Evaluates what is nobody's request: none of its outcomes is kept for later simulations. */
function evaluateUnkept({ shop, zone, nowMs }: Scene, request: SimulateRequest): Outcome<string> {
  const { charactersLeft } = zone.keeping;
  zone.keeping.charactersLeft = 0;
  try {
    return evaluate(shop, request, nowMs);
  } finally {
    zone.keeping.charactersLeft = charactersLeft;
  }
}

/**
 * One evaluation out of an answer's text, without reading the rest. The text of a string cannot hold what is
 * looked for here: its quotes would be escaped.
 */
function evaluationIn(answer: string, { head }: CompiledMethod): MethodEvaluation {
  // Without its comma, which the first does not have.
  const start = answer.indexOf(head.slice(1));
  const next = answer.indexOf(',{"methodId":', start);
  const end = next >= 0 ? next : answer.indexOf('],"blendedRates":', start);
  return JSON.parse(answer.slice(start, end)) as MethodEvaluation;
}
