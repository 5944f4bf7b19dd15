/**
 * Trial of one method on a changed request: is it visible then, and did the rule asked for match? Uses the
 * compiled predicates and the rate function; the price is left to the evaluation that confirms a change.
 */

import type { CompiledCondition, CompiledMethod, CompiledRule } from '../compile/compiled-method.ts';
import { QUANTIFIER } from '../compile/predicate-table.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import { conditionsOfRules } from '../domain/rule.ts';
import type { CartFacts, CartGroup } from '../evaluate/cart-facts.ts';
import { ConditionBoard } from '../evaluate/condition-board.ts';
import {
  type ConditionOutcome,
  placedFacts,
  type Question,
  type Scene,
  type SearchCase,
} from './search-case.ts';

// Scratch space, not state: trials are synchronous, so one serves the whole thread.
const board = new ConditionBoard();

/** What a trial costs, in the unit of `WORK_MAX`. */
export const trialWork = ({ scene, method }: SearchCase): number => {
  const { length } = scene.request.items;
  return 50 + 10 * length + conditionsOfRules(method.rules) * (2 + length);
};

/** Whether what the question asks for holds for this request. False when the method is not considered. */
export function holds(at: SearchCase, { rule }: Question, request: SimulateRequest): boolean {
  const placed = placedFacts(at.scene, request);
  if (placed === null) return false;
  const { facts, plan } = placed;
  const group = facts.groups.find(({ index }) => index === at.group.index);
  const planned = plan.groups.get(at.group.index)?.methods ?? [];
  if (group === undefined || !planned.some(({ method }) => method === at.method)) return false;
  if (at.method.rate(group.totals) < 0) return false;
  board.begin(facts, at.scene.zone.predicates);
  const isSo = rulesAllow(at.method.rules, rule, group);
  board.end();
  return isSo;
}

/** No hide rule matched, a show rule if there are any, and the wanted rule if there is one. */
function rulesAllow(rules: readonly CompiledRule[], wanted: CompiledRule | null, group: CartGroup): boolean {
  const matched = (rule: CompiledRule) =>
    rule.conditions.every((condition) => board.matches(condition, group));
  if (wanted !== null && !matched(wanted)) return false;
  if (rules.some((rule) => rule.action === 'hide' && matched(rule))) return false;
  const shows = rules.filter((rule) => rule.action === 'show');
  return shows.length === 0 || shows.some(matched);
}

/** How the conditions of each rule of the method came out in the scene. */
export function conditionOutcomes(
  { facts, zone }: Scene,
  { rules }: CompiledMethod,
  group: CartGroup,
): readonly (readonly ConditionOutcome[])[] {
  board.begin(facts, zone.predicates);
  const outcomes = rules.map((rule) =>
    rule.conditions.map((condition) => ({
      matched: board.matches(condition, group),
      isSettled: isSettled(condition, facts, group),
    })),
  );
  board.end();
  return outcomes;
}

/** One item more or less makes no difference where two satisfy `any` or break `all` or `none`. */
function isSettled(condition: CompiledCondition, facts: CartFacts, group: CartGroup): boolean {
  if (condition.quantifier === QUANTIFIER.whole) return false;
  const satisfied = new Int32Array(facts.maskWords);
  board.copyMatchedItems(condition, group, satisfied, 0);
  const count = bitCount(satisfied);
  if (condition.quantifier !== QUANTIFIER.all) return count > 1;
  return bitCount(condition.inGroup ? group.mask : facts.everyItem) - count > 1;
}

function bitCount(mask: Iterable<number>): number {
  let count = 0;
  for (const word of mask) for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
}
