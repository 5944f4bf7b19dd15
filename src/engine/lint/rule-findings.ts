/**
 * Findings on rules and the visibility of methods. Errors rest on the conditions alone: two contradict each other, a hide rule
 * matches every cart. Warnings say what the evaluator showed for probe carts, and coverage for live ones.
 */
import { CONDITION_TYPES, type Condition, positiveTwin, splitAlternatives } from '../domain/condition.ts';
import type { Witness } from '../domain/finding.ts';
import type { Rule } from '../domain/rule.ts';
import { probeOf } from '../probes/draft-cart.ts';
import type { MethodEvaluation, SimulateAnswer } from '../wire/answer.ts';
import {
  conditionWords,
  counted,
  type Draft,
  draftOf,
  quoted,
  recordOf,
  ruleName,
  ruleRecord,
} from './draft.ts';
import type { Invisibility, MethodFacts } from './method-facts.ts';
import type { ShopFacts } from './shop-facts.ts';

export function* ruleFindings(shop: ShopFacts): Generator<Draft> {
  for (const facts of shop.methods()) {
    const { method, invisibility } = facts;
    if (invisibility !== null) yield neverVisible(shop, facts, invisibility);
    const unmatched: Draft[] = [];
    for (const each of facts.rules) {
      if (each.contradiction !== null) yield neverMatches(shop, facts, each.rule, each.contradiction);
      else if (isUnmatched(shop, each.rule)) unmatched.push(unmatchedRule(shop, facts, each.rule));
      yield* impossiblePatterns(facts, each.rule);
    }
    yield* unmatched;
    // A method whose rules match no cart is reported by them.
    if (invisibility !== null || unmatched.length > 0) continue;
    const shown = shop.run.method(method);
    if (shown === undefined || shown.offered !== null) continue;
    const message = `${quoted(method.name)} was offered to none of ${counted(shown.carts, 'probe cart')}.`;
    yield draftOf('method_unseen', recordOf('method', method), message, () =>
      shop.witnesses.confirmed(shown.missed, (answer) => evaluationOf(answer, facts)?.visible === false),
    );
  }
}

/** "412 probe carts, and no live cart in 30 days". */
const cartWords = ({ settings }: ShopFacts, carts: number): string =>
  `${counted(carts, 'probe cart')}${settings.live === undefined ? '' : ', and no live cart in 30 days'}`;

export const evaluationOf = (
  answer: SimulateAnswer,
  { method }: Pick<MethodFacts, 'method'>,
): MethodEvaluation | undefined => answer.methodEvaluations.find(({ methodId }) => methodId === method.id);

const traceOf = (answer: SimulateAnswer, facts: MethodFacts, ruleId: string) =>
  evaluationOf(answer, facts)?.ruleTraces.find((trace) => trace.ruleId === ruleId);

function neverMatches(
  shop: ShopFacts,
  facts: MethodFacts,
  rule: Rule,
  conditions: readonly Condition[],
): Draft {
  const [first, second] = conditions.map(conditionWords);
  const [only] = conditions;
  const why =
    second === undefined && only !== undefined
      ? `${first} can never hold: ${reasonOf(only)}`
      : `${first} contradicts ${second}`;
  const message = `The rule of ${quoted(facts.method.name)} never matches because ${why}.`;
  return draftOf('rule_never_matches', ruleRecord(rule, facts.method), message, () =>
    missOf(shop, facts, rule),
  );
}

function reasonOf({ conditionType, operator, value }: Condition): string {
  if (operator === 'between') {
    const [low = '', high = ''] = value.split(',').map((text) => text.trim());
    const isNumber = CONDITION_TYPES[conditionType].kind === 'number';
    if (isNumber ? Number(low) > Number(high) : low > high) return 'its first value is above its second';
  }
  return 'no request can hold such a value';
}

/** A cart for which the rule does not match, though as many of its conditions hold as could be met. */
function missOf(shop: ShopFacts, facts: MethodFacts, rule: Rule): Witness | null {
  const drafts = [shop.finder.matching(facts.method, rule), shop.finder.offering(facts.method)];
  const carts = drafts.map((draft) => draft && probeOf(draft));
  return shop.witnesses.firstConfirmed(carts, (answer) => traceOf(answer, facts, rule.id)?.matched === false);
}

/** Conditions that a sentence names. */
const CONDITIONS_MAX = 3;

function isUnmatched({ run, settings }: ShopFacts, rule: Rule): boolean {
  const shown = run.rule(rule);
  return shown?.isTried === true && shown.matched === null && !settings.live?.hasMatched(rule);
}

function unmatchedRule(shop: ShopFacts, facts: MethodFacts, rule: Rule): Draft {
  const carts = shop.run.method(facts.method)?.carts ?? 0;
  const words = rule.conditions.slice(0, CONDITIONS_MAX).map(conditionWords);
  const more =
    rule.conditions.length > CONDITIONS_MAX ? [`${rule.conditions.length - CONDITIONS_MAX} more`] : [];
  const message = `The ${ruleName(rule)} of ${quoted(facts.method.name)} matched none of ${cartWords(shop, carts)}: ${[...words, ...more].join(' and ')}.`;
  return draftOf('rule_unmatched', ruleRecord(rule, facts.method), message, () => missOf(shop, facts, rule));
}

function neverVisible(shop: ShopFacts, facts: MethodFacts, invisibility: Invisibility): Draft {
  const { method } = facts;
  const why =
    invisibility.kind === 'hidden_by_rule'
      ? `hide rule ${quoted(invisibility.by.id)} always matches`
      : invisibility.kind === 'not_shown_by_rule'
        ? 'none of its show rules can make it visible'
        : 'no cart reaches a tier of its rate table';
  const message = `${quoted(method.name)} is never offered because ${why}.`;
  return draftOf('method_never_visible', recordOf('method', method), message, () =>
    shop.witnesses.confirmed(
      shop.run.method(method)?.missed,
      (answer) => evaluationOf(answer, facts)?.visible === false,
    ),
  );
}

/** Alternatives of conditions on postal codes that no code as the countries write it can match. */
function* impossiblePatterns({ zone, method }: MethodFacts, rule: Rule): Generator<Draft> {
  for (const { conditionType, operator, value } of rule.conditions) {
    if (conditionType !== 'destination_postal_code' || positiveTwin(operator).operator !== 'equals') continue;
    const pattern = splitAlternatives(value).find((text) => !zone.canMatch(text));
    if (pattern === undefined) continue;
    const message = `Pattern ${quoted(pattern)} in the ${ruleName(rule)} of ${quoted(method.name)} has no effect because no postal code as the zone's countries write it can match it.`;
    yield draftOf('postal_pattern_impossible', ruleRecord(rule, method), message);
  }
}
