/** Findings on rules: those that can never match, those that a hide rule shadows, and methods never seen. */

import { type Condition, conditionTypeRow } from '../domain/condition.ts';
import type { SimulateAnswer } from '../wire/answer.ts';
import { conditionWords, quoted, recordOf, ruleName, ruleRecord } from './condition-words.ts';
import type { Draft, Evidence } from './draft.ts';
import type { Requirement } from './requirement.ts';
import type { RuleFacts } from './rule-facts.ts';
import type { Invisibility, MethodFacts, ShopFacts } from './shop-facts.ts';

export function* ruleFindings(shop: ShopFacts): Generator<Draft> {
  for (const facts of shop.methods()) {
    const { method, invisibility } = facts;
    if (invisibility !== null) {
      yield {
        code: 'method_never_visible',
        record: recordOf('method', method),
        evidence: () => neverVisible(shop, facts, invisibility),
      };
    }
    for (const each of facts.rules) {
      const record = ruleRecord(each.rule, method);
      if (each.neverMatches) {
        yield { code: 'rule_never_matches', record, evidence: () => neverMatches(shop, facts, each) };
      } else if (facts.shadows.has(each.rule.id)) {
        yield { code: 'rule_shadowed', record, evidence: () => shadowed(shop, facts, each) };
      }
    }
  }
}

type MethodEvaluation = SimulateAnswer['methodEvaluations'][number];

export const evaluationOf = (answer: SimulateAnswer, { method }: MethodFacts): MethodEvaluation | undefined =>
  answer.methodEvaluations.find(({ methodId }) => methodId === method.id);

const traceOf = (answer: SimulateAnswer, facts: MethodFacts, ruleId: string) =>
  evaluationOf(answer, facts)?.ruleTraces.find((trace) => trace.ruleId === ruleId);

function neverMatches(shop: ShopFacts, facts: MethodFacts, { rule, requirements }: RuleFacts): Evidence {
  const { at, method } = facts;
  let core = [...requirements.keys()];
  const chosen = (indexes: readonly number[]) => indexes.map((index) => requirements[index] as Requirement);
  for (const index of requirements.keys()) {
    const rest = core.filter((each) => each !== index);
    if (shop.logic.isContradictory(at, chosen(rest))) core = rest;
  }
  const conditions = core.map((index) => rule.conditions[index] as Condition);
  // Best is a request that fails by one condition of the contradiction alone.
  for (const missed of core) {
    const kept = core.filter((each) => each !== missed);
    const witness = shop.witnesses.confirmed(shop.witnesses.satisfying(at, chosen(kept)), (answer) => {
      const trace = traceOf(answer, facts, rule.id);
      return trace?.matched === false && kept.every((index) => trace.conditions[index]?.matched);
    });
    if (witness !== null) return { message: contradiction(conditions, method.name), witness };
  }
  return { message: contradiction(conditions, method.name), witness: null };
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
  const { kind } = conditionTypeRow(conditionType);
  if (operator === 'between') {
    const [low = '', high = ''] = value.split(',').map((text) => text.trim());
    if (kind === 'number' ? Number(low) > Number(high) : low > high)
      return 'its first value is above its second';
  }
  switch (conditionType) {
    case 'product_group':
      return 'no item that is looked at can be of such a group';
    case 'destination_country':
      return 'no such country leads to the zone';
    case 'destination_subzone':
      return 'the method does not apply in such a subzone';
    case 'destination_postal_code':
      return 'the method does not apply at such a postal code';
    default:
      return 'no request can hold such a value';
  }
}

function shadowed(shop: ShopFacts, facts: MethodFacts, { rule, requirements }: RuleFacts): Evidence {
  const hide = facts.shadows.get(rule.id) ?? rule;
  const witness = shop.witnesses.confirmed(shop.witnesses.satisfying(facts.at, requirements), (answer) => {
    const isMatched = (ruleId: string) => traceOf(answer, facts, ruleId)?.matched === true;
    return (
      isMatched(rule.id) && isMatched(hide.id) && evaluationOf(answer, facts)?.reason === 'hidden_by_rule'
    );
  });
  const message = `The ${ruleName(rule)} of ${quoted(facts.method.name)} changes nothing because whenever it matches, hide rule ${quoted(hide.id)} hides the method.`;
  return { message, witness };
}

function neverVisible(shop: ShopFacts, facts: MethodFacts, invisibility: Invisibility): Evidence {
  const { at, method, rules } = facts;
  const shows = rules.filter(({ rule, neverMatches: never }) => rule.action === 'show' && !never);
  const witness =
    [...shows.slice(0, 3).map((each) => each.requirements), []]
      .map((requirements) =>
        shop.witnesses.confirmed(
          shop.witnesses.satisfying(at, requirements),
          (answer) => evaluationOf(answer, facts)?.visible === false,
        ),
      )
      .find((each) => each !== null) ?? null;
  const why = {
    hidden: () =>
      `hide rule ${invisibility.kind === 'hidden' ? quoted(invisibility.by.id) : ''} always matches`,
    not_shown: () => 'none of its show rules can make it visible',
    no_rate: () => 'no cart reaches a tier of its rate table',
  }[invisibility.kind]();
  return { message: `${quoted(method.name)} is never offered because ${why}.`, witness };
}
