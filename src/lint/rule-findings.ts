/** Findings on rules that never match, rules that a hide rule shadows, and methods that are never visible. */
import type { Requirement } from '../candidates/requirement.ts';
import { CONDITION_TYPES, type Condition, type ConditionType } from '../domain/condition.ts';
import type { MethodEvaluation, SimulateAnswer } from '../wire/answer.ts';
import {
  conditionWords,
  type Draft,
  draftOf,
  type Evidence,
  quoted,
  recordOf,
  ruleName,
  ruleRecord,
} from './draft.ts';
import type { Invisibility, MethodFacts, RuleFacts } from './method-facts.ts';
import type { ShopFacts } from './shop-facts.ts';

export function* ruleFindings(shop: ShopFacts): Generator<Draft> {
  for (const facts of shop.methods()) {
    const { invisibility } = facts;
    if (invisibility !== null) yield neverVisible(shop, facts, invisibility);
    for (const each of facts.rules) {
      const { rule, shadow } = each;
      if (each.neverMatches) {
        const record = ruleRecord(rule, facts.method);
        yield { code: 'rule_never_matches', record, evidence: () => neverMatches(shop, facts, each) };
      } else if (shadow !== null) {
        yield shadowed(shop, facts, each, shadow.id);
      }
    }
  }
}

export const evaluationOf = (answer: SimulateAnswer, { method }: MethodFacts): MethodEvaluation | undefined =>
  answer.methodEvaluations.find(({ methodId }) => methodId === method.id);

const traceOf = (answer: SimulateAnswer, facts: MethodFacts, ruleId: string) =>
  evaluationOf(answer, facts)?.ruleTraces.find((trace) => trace.ruleId === ruleId);

function neverMatches(shop: ShopFacts, facts: MethodFacts, { rule, requirements }: RuleFacts): Evidence {
  const { at, method } = facts;
  const chosen = (indexes: readonly number[]) => indexes.map((index) => requirements[index] as Requirement);
  let core = [...requirements.keys()];
  for (const index of requirements.keys()) {
    const rest = core.filter((each) => each !== index);
    if (shop.logic.isContradictory(at, chosen(rest))) core = rest;
  }
  const message = contradiction(
    core.map((index) => rule.conditions[index] as Condition),
    method.name,
  );
  // Prefer a request that fails only one condition of the contradiction.
  for (const missed of core) {
    const kept = core.filter((each) => each !== missed);
    const witness = shop.witnesses.satisfying(at, chosen(kept), (answer) => {
      const trace = traceOf(answer, facts, rule.id);
      return trace?.matched === false && kept.every((index) => trace.conditions[index]?.matched);
    });
    if (witness !== null) return { message, witness };
  }
  return { message, witness: null };
}

function contradiction(conditions: readonly Condition[], methodName: string): string {
  const words = conditions.map(conditionWords);
  const [first = '', second = ''] = words;
  const [only] = conditions;
  const why =
    words.length === 1 && only !== undefined
      ? `${first} can never hold: ${reasonOf(only)}`
      : words.length === 2
        ? `${first} contradicts ${second}`
        : `${words.slice(0, -1).join(', ')} and ${words.at(-1)} cannot hold together`;
  return `The rule of ${quoted(methodName)} never matches because ${why}.`;
}

function reasonOf({ conditionType, operator, value }: Condition): string {
  if (operator === 'between') {
    const [low = '', high = ''] = value.split(',').map((text) => text.trim());
    const isNumber = CONDITION_TYPES[conditionType].kind === 'number';
    if (isNumber ? Number(low) > Number(high) : low > high) return 'its first value is above its second';
  }
  return REASONS[conditionType] ?? 'no request can hold such a value';
}

const REASONS: Partial<Record<ConditionType, string>> = {
  product_group: 'no item that the condition tests can be in such a group',
  destination_country: 'the zone has no such country',
  destination_subzone: 'the method does not apply in such a subzone',
  destination_postal_code: 'the method does not apply at such a postal code',
};

function shadowed(
  shop: ShopFacts,
  facts: MethodFacts,
  { rule, requirements }: RuleFacts,
  hideId: string,
): Draft {
  const { at, method } = facts;
  const message = `The ${ruleName(rule)} of ${quoted(method.name)} changes nothing because whenever it matches, hide rule ${quoted(hideId)} hides the method.`;
  return draftOf('rule_shadowed', ruleRecord(rule, method), message, () =>
    shop.witnesses.satisfying(at, requirements, (answer) => {
      const areMatched = [rule.id, hideId].every((ruleId) => traceOf(answer, facts, ruleId)?.matched);
      return areMatched && evaluationOf(answer, facts)?.reason === 'hidden_by_rule';
    }),
  );
}

/** Maximum number of show rules for which a request is searched. */
const SHOWS_MAX = 3;

function neverVisible({ witnesses }: ShopFacts, facts: MethodFacts, invisibility: Invisibility): Draft {
  const { at, method, rules } = facts;
  const why =
    invisibility.kind === 'hidden_by_rule'
      ? `hide rule ${quoted(invisibility.by.id)} always matches`
      : invisibility.kind === 'not_shown_by_rule'
        ? 'none of its show rules can make it visible'
        : 'no cart reaches a tier of its rate table';
  const message = `${quoted(method.name)} is never offered because ${why}.`;
  return draftOf('method_never_visible', recordOf('method', method), message, () => {
    const shows = rules.filter(({ action, neverMatches: never }) => action === 'show' && !never);
    const requests = [...shows.slice(0, SHOWS_MAX).map(({ requirements }) => requirements), []];
    return witnesses.firstConfirmed(
      requests.map((requirements) => witnesses.proposed(at, requirements)),
      (answer) => evaluationOf(answer, facts)?.visible === false,
    );
  });
}
