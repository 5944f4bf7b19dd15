/**
 * Explanation: the answer to a simulation, with the steps of each price, the smallest change that would make a hidden
 * method visible or a rule match, and the methods that were not considered.
 *
 * An explanation may run hundreds of simulations; `SearchLimits` bounds them.
 */

import { asciiJsonOf, joinedText } from '../../base/bytes/answer-text.ts';
import { valueAt } from '../../base/runtime/map-entries.ts';
import type { CompiledMethod, CompiledRule } from '../compile/compiled-method.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import { type Outcome, success } from '../domain/failure.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { LastChange } from '../domain/shop-event.ts';
import type { CartGroup } from '../evaluate/cart-facts.ts';
import { assemble, evaluateCart, refusalOf, type UseCounter } from '../evaluate/evaluate.ts';
import type { MethodResult } from '../evaluate/method-evaluator.ts';
import type { MethodEvaluation, SimulateAnswer } from '../wire/answer.ts';
import type {
  LastChanged,
  NotConsidered,
  PlainStep,
  PriceStep,
  WhyNotFields,
} from '../wire/explained-answer.ts';
import { unreadPaths } from '../wire/unknown-field.ts';
import { actualOf, simulatedTime } from './actual-value.ts';
import { deliverySteps, priceSteps } from './answer-steps.ts';
import { describeChange } from './request-change.ts';
import {
  CHARACTERS_PER_WORK,
  predicateOf,
  type Scene,
  type SearchCase,
  SearchLimits,
} from './search-case.ts';
import { searchWhyNot } from './why-not.ts';

/** The version with this number as a step names it; null when the number is unknown. */
type LastChangedOf = (number: number | undefined) => LastChanged | null;

/**
 * Answers a request that passed `SimulateRequest` with an `ExplainedAnswer`, as JSON text of printable ASCII. Refuses the
 * same requests as `evaluate`. Without its additions the answer equals that of `evaluate`; `counter` counts what it used.
 */
export function explain(
  shop: CompiledShop,
  request: SimulateRequest,
  nowMs: number,
  lastChangedOf: LastChangedOf = () => null,
  counter?: UseCounter,
): Outcome<string> {
  const evaluation = evaluateCart(shop, request, nowMs);
  if (evaluation === null) return refusalOf(shop, request, nowMs);
  counter?.count(shop, evaluation);
  const text = joinedText(assemble(evaluation));
  const answer = JSON.parse(text) as SimulateAnswer;
  const about = { at: simulatedTime(shop.calendar, nowMs), unread: unreadPaths(request) };
  const { zone, plan, facts, methods } = evaluation;
  if (zone === null || plan === null) return success(asciiJsonOf({ ...answer, notConsidered: [], ...about }));
  const scene = { zone, plan, facts, evaluationWork: Math.ceil(text.length / CHARACTERS_PER_WORK) };
  const limits = new SearchLimits();
  const history = remembered(lastChangedOf);
  const methodEvaluations = answer.methodEvaluations.map((each, index) =>
    explainMethod(scene, methods[index] as MethodResult, each, limits, history),
  );
  const explained = { ...answer, methodEvaluations, notConsidered: notConsidered(scene), ...about };
  return success(asciiJsonOf(explained));
}

function explainMethod(
  scene: Scene,
  { method, groupAt, outcome }: MethodResult,
  evaluation: MethodEvaluation,
  limits: SearchLimits,
  lastChangedOf: LastChangedOf,
) {
  const { facts } = scene;
  const group = facts.groups[groupAt] as CartGroup;
  const ruleTraces = namedTraces(scene, method, group, evaluation.ruleTraces);
  const plainSteps = priceSteps(method, group.totals, facts, outcome.adjustments);
  const steps = plainSteps.map((step) => datedStep(step, method.record, lastChangedOf));
  const whyNot = (wanted: CompiledRule | null): WhyNotFields => {
    const atStake = method.rules.filter(
      (rule) => rule === wanted || rule.action === 'hide' || rule.action === 'show',
    );
    return answerTo({ scene, method, group, wanted, atStake, limits });
  };
  if (!evaluation.visible) return { ...evaluation, ruleTraces, steps, ...whyNot(null) };
  const explained = ruleTraces.map((trace, index) => {
    const isOpen = !trace.matched && trace.action !== 'hide' && trace.action !== 'show';
    return isOpen ? { ...trace, ...whyNot(method.rules[index] as CompiledRule) } : trace;
  });
  const dates = method.delivery === null ? {} : { deliverySteps: deliverySteps(method.delivery, facts) };
  return { ...evaluation, ruleTraces: explained, steps, ...dates };
}

function datedStep(step: PlainStep, method: ShippingMethod, lastChangedOf: LastChangedOf): PriceStep {
  const record = step.kind === 'rule' ? method.rules.find(({ id }) => id === step.ruleId) : method;
  // The records of a shop carry the number; a configuration that is no version has none.
  const { changedIn } = (record ?? {}) as LastChange;
  return { ...step, lastChanged: lastChangedOf(changedIn) };
}

/** Asks once for each number: many steps of an answer may come from one version. */
function remembered(lastChangedOf: LastChangedOf): LastChangedOf {
  const known = new Map<number | undefined, LastChanged | null>();
  return (number) => valueAt(known, number, () => lastChangedOf(number));
}

type RuleTrace = MethodEvaluation['ruleTraces'][number];

/** Returns the traces of the method's rules in order, each with its name and the values that its conditions compared. */
function namedTraces(
  scene: Scene,
  { rules }: CompiledMethod,
  group: CartGroup,
  ruleTraces: readonly RuleTrace[],
) {
  return rules.map(({ record, conditions }, index) => {
    const trace = ruleTraces[index] as RuleTrace;
    const explained = conditions.map((condition, at) => ({
      ...(trace.conditions[at] as RuleTrace['conditions'][number]),
      actual: actualOf(scene.facts, group, condition, predicateOf(scene, condition)),
    }));
    return { ...trace, name: record.name ?? '', conditions: explained };
  });
}

function answerTo(at: SearchCase): WhyNotFields {
  at.limits.startQuestion();
  const found = searchWhyNot(at);
  const isLimited = at.limits.wasLimited ? ({ whyNotLimited: true } as const) : {};
  if (found === null) return { whyNot: null, ...isLimited };
  const { request, shop } = at.scene.facts;
  const text = describeChange(request, found.change, request.currency ?? shop.settings.currency);
  return { whyNot: { change: { ...found.change, text }, totalPrice: found.totalPrice }, ...isLimited };
}

/**
 * Returns the methods of the matched zone and its subzones that were not evaluated, in position order, each with the
 * reason (contract sections 4.5 and 5.2).
 */
function notConsidered({ zone, facts, plan }: Scene): readonly NotConsidered[] {
  const { methods, zone: zoneRecord } = zone.records;
  const planned = [...plan.groups.values()].flatMap((group) => group.methods);
  const inForce = new Set(planned.map(({ method }) => method.record));
  const groupsInCart = new Set(facts.groups.map(({ index }) => facts.shop.groupIds[index]));
  return methods.flatMap((method) => {
    const { id: methodId, name: methodName, zoneId, productGroupId } = method;
    const because = (reason: NotConsidered['reason']): NotConsidered[] => [{ methodId, methodName, reason }];
    if (!method.enabled) return because('disabled');
    if (zoneId !== zoneRecord.id && zoneId !== plan.subzoneId) return because('other_subzone');
    if (!inForce.has(method)) return because('replaced_by_subzone');
    return groupsInCart.has(productGroupId) ? [] : because('group_not_in_cart');
  });
}
