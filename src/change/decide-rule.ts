/** Writes of rules (contract section 3). A rule stays with the method it was made for. */
import type { CommandResult } from '../domain/command.ts';
import { invalid, notFound, type Outcome } from '../domain/failure.ts';
import { ruleView } from '../domain/record-view.ts';
import { isAdjusting, type Rule } from '../domain/rule.ts';
import type { PlacedConfig, PlacedMethod, PlacedRule } from '../domain/shop-event.ts';
import type { RuleUpdate } from '../domain/write-bodies.ts';
import { type CommandOf, type ConfigWrite, deleted, newId, type WriteScope, written } from './decision.ts';
import { Defects } from './defects.ts';
import { splicedList } from './list-window.ts';
import { findRuleHome } from './method-index.ts';
import { insertRecord, updateRecord } from './place.ts';
import { placeOfId } from './record-places.ts';
import { type RuleInput, readRule } from './rule-input.ts';

const ruleResult = (rule: Rule, methodId: string, position: number): CommandResult => ({
  kind: 'rule',
  rule: ruleView(rule, methodId, position),
});

/** The write that gives the method at this index these rules. */
const rulesWritten = (
  scope: WriteScope,
  methodIndex: number,
  method: PlacedMethod,
  rules: readonly PlacedRule[],
  change: string,
  result: CommandResult,
): Outcome<ConfigWrite> =>
  written(
    scope,
    { methods: splicedList(scope.config.methods, methodIndex, 1, { ...method, rules }) },
    `Method "${method.name}": ${change}`,
    result,
  );

export function createRule(
  scope: WriteScope,
  { methodId, body }: CommandOf<'createRule'>,
): Outcome<ConfigWrite> {
  const { methods } = scope.config;
  const methodIndex = placeOfId(methods, methodId);
  const method = methods[methodIndex];
  if (method === undefined) return notFound('method', methodId);
  const defects = new Defects();
  const rule = readRule(newId(scope, 'rule'), body, '', defects);
  if (defects.found) return defects.failure();
  const record = { ...rule, placement: scope.placement };
  const { list, position } = insertRecord(method.rules, record, body.position);
  const result = ruleResult(rule, methodId, position);
  return rulesWritten(scope, methodIndex, method, list, `${rule.action} rule created`, result);
}

interface RuleSite {
  readonly methodIndex: number;
  readonly method: PlacedMethod;
  readonly ruleIndex: number;
  readonly rule: PlacedRule;
}

function findRule({ methods }: PlacedConfig, id: string): RuleSite | null {
  const methodIndex = placeOfId(methods, findRuleHome(methods, id) ?? '');
  const method = methods[methodIndex];
  const ruleIndex = placeOfId(method?.rules ?? [], id);
  const rule = method?.rules[ruleIndex];
  return method === undefined || rule === undefined ? null : { methodIndex, method, ruleIndex, rule };
}

/** The rule with the body laid over it; an action that adjusts nothing takes its adjustment along. */
function overlaid(rule: PlacedRule, body: RuleUpdate): RuleInput {
  const { adjustmentValue, adjustmentType, ...rest } = rule;
  const keepsAdjustment = adjustmentValue !== undefined && isAdjusting(body.action ?? rule.action);
  return {
    ...rest,
    ...(keepsAdjustment && { adjustmentValue }),
    ...(keepsAdjustment && adjustmentType !== undefined && { adjustmentType }),
    ...body,
  };
}

export function updateRule(scope: WriteScope, { id, body }: CommandOf<'updateRule'>): Outcome<ConfigWrite> {
  const site = findRule(scope.config, id);
  if (site === null) return notFound('rule', id);
  const { methodIndex, method, ruleIndex, rule: old } = site;
  if (body.methodId !== undefined && body.methodId !== method.id) {
    return invalid(`/methodId must be ${method.id} or absent: a rule stays with its method`);
  }
  const defects = new Defects();
  const rule = readRule(id, overlaid(old, body), '', defects);
  if (defects.found) return defects.failure();
  const record = { ...rule, placement: old.placement };
  const { list, position } = updateRecord(method.rules, ruleIndex, record, body.position, scope.placement);
  const result = ruleResult(rule, method.id, position);
  return rulesWritten(scope, methodIndex, method, list, `${rule.action} rule updated`, result);
}

export function deleteRule(scope: WriteScope, { id }: CommandOf<'deleteRule'>): Outcome<ConfigWrite> {
  const site = findRule(scope.config, id);
  if (site === null) return notFound('rule', id);
  const { methodIndex, method, ruleIndex, rule } = site;
  const rules = splicedList(method.rules, ruleIndex, 1);
  return rulesWritten(scope, methodIndex, method, rules, `${rule.action} rule deleted`, deleted(id));
}
