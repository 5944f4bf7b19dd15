/**
 * Explanation: the answer to a simulation, and on top of it how each price came about, which smallest
 * change would make a hidden method visible or a rule match, and which methods were not considered.
 *
 * Costs hundreds of simulations where a plain answer costs one; `search-limits.ts` bounds it.
 */
import type { CompiledMethod } from '../compile/compiled-method.ts';
import type { CompiledShop } from '../compile/compiled-shop.ts';
import { asciiJsonOf } from '../compile/json-text.ts';
import type { Predicate } from '../compile/predicate.ts';
import type { SimulateRequest } from '../domain/cart.ts';
import { type Outcome, success } from '../domain/failure.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { CartGroup } from '../evaluate/cart-facts.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import type { SimulateAnswer } from '../wire/answer.ts';
import type { WhyNotFields } from '../wire/explained-answer.ts';
import { unreadPaths } from '../wire/unknown-field.ts';
import { actualOf, simulatedTime } from './actual-value.ts';
import { conditionOutcomes } from './method-trial.ts';
import { notConsidered } from './not-considered.ts';
import { priceSteps } from './price-steps.ts';
import { describeChange } from './request-change.ts';
import { type MethodEvaluation, type Question, type Scene, type SearchCase, sceneOf } from './search-case.ts';
import { WorkBudget } from './search-limits.ts';
import { searchWhyNot } from './why-not.ts';

/**
 * Answers a request that passed `SimulateRequest` with an `ExplainedAnswer`, as JSON text of printable
 * ASCII; refuses what `evaluate` refuses. Without the additions it is the answer of `evaluate`.
 */
export function explain(shop: CompiledShop, request: SimulateRequest, nowMs: number): Outcome<string> {
  const plain = evaluate(shop, request, nowMs);
  if (!plain.ok) return plain;
  const answer = JSON.parse(plain.value) as SimulateAnswer;
  const about = { at: simulatedTime(shop.calendar, nowMs), unread: unreadPaths(request) };
  const scene = sceneOf(shop, request, nowMs, plain.value.length);
  if (scene === null) return success(asciiJsonOf({ ...answer, notConsidered: [], ...about }));
  const records = new Map(scene.zone.records.methods.map((record) => [record.id, record]));
  const methods = compiledById(scene);
  const budget = new WorkBudget();
  const methodEvaluations = answer.methodEvaluations.map((evaluation) => {
    const record = records.get(evaluation.methodId);
    const method = methods.get(evaluation.methodId);
    return record === undefined || method === undefined
      ? evaluation
      : explainMethod(scene, record, method, evaluation, budget);
  });
  const explained = { ...answer, methodEvaluations, notConsidered: notConsidered(scene), ...about };
  return success(asciiJsonOf(explained));
}

function compiledById({ plan }: Scene): ReadonlyMap<string, CompiledMethod> {
  const methods = new Map<string, CompiledMethod>();
  for (const planned of plan.groups.values()) {
    for (const { method } of planned.methods) methods.set(method.methodId, method);
  }
  return methods;
}

function explainMethod(
  scene: Scene,
  record: ShippingMethod,
  method: CompiledMethod,
  evaluation: MethodEvaluation,
  budget: WorkBudget,
) {
  const groupIndex = scene.shop.groups.indexOf(method.groupId);
  const group = scene.facts.groups.find(({ index }) => index === groupIndex);
  if (group === undefined) return evaluation;
  const { visible } = evaluation;
  const ruleTraces = namedTraces(scene, record, method, group, evaluation.ruleTraces);
  const at: SearchCase = { scene, record, method, group, outcomes: conditionOutcomes(scene, method, group) };
  const rules = method.rules.filter((_, index) => ruleTraces[index]?.matched);
  const steps = priceSteps(record, method.rate(group.totals), group.totals, scene.facts.totalCents, rules);
  if (!visible) return { ...evaluation, ruleTraces, steps, ...whyNot(at, { rule: null }, budget) };
  const explained = ruleTraces.map((trace, index) => {
    const rule = method.rules[index];
    if (rule === undefined || trace.matched || trace.action === 'hide' || trace.action === 'show')
      return trace;
    return { ...trace, ...whyNot(at, { rule }, budget) };
  });
  return { ...evaluation, ruleTraces: explained, steps };
}

type RuleTrace = MethodEvaluation['ruleTraces'][number];

/** The traces of the method's rules, in their order, with the name of each and what its conditions compared. */
function namedTraces(
  { facts, zone }: Scene,
  { rules: records }: ShippingMethod,
  { rules }: CompiledMethod,
  group: CartGroup,
  ruleTraces: readonly RuleTrace[],
) {
  const names = new Map(records.map(({ id, name = '' }) => [id, name]));
  return ruleTraces.map((trace, index) => ({
    ...trace,
    name: names.get(trace.ruleId) ?? '',
    conditions: (rules[index]?.conditions ?? []).map((condition, at) => ({
      ...(trace.conditions[at] as RuleTrace['conditions'][number]),
      actual: actualOf(facts, group, condition, zone.predicates[condition.slot] as Predicate),
    })),
  }));
}

function whyNot(at: SearchCase, question: Question, budget: WorkBudget): WhyNotFields {
  const { found, wasLimited } = searchWhyNot(at, question, budget);
  const { request } = at.scene;
  const answer =
    found === null
      ? null
      : {
          change: { ...found.change, text: describeChange(request, found.change) },
          totalPrice: found.totalPrice,
        };
  return wasLimited ? { whyNot: answer, whyNotLimited: true } : { whyNot: answer };
}
