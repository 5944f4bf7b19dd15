/** Writes of rules (contract section 3). A rule stays with the method it was made for. */

import { invalid, notFound, type Outcome } from '../domain/failure.ts';
import { isAdjusting, type Rule } from '../domain/rule.ts';
import type { PlacedConfig, PlacedMethod, PlacedRule } from '../domain/shop-event.ts';
import { ruleView } from '../wire/record-view.ts';
import type { RuleUpdate } from '../wire/write-bodies.ts';
import type { CommandResult } from './command.ts';
import {
  type CommandOf,
  type ConfigWrite,
  deleted,
  edited,
  newId,
  type WriteScope,
  written,
} from './decision.ts';
import { Defects } from './defects.ts';
import { splicedList } from './list-window.ts';
import { findRuleHome } from './method-index.ts';
import { placeOfMoved, placeOfNew, updatedList } from './place.ts';
import type { OneRecordEdit } from './record-edit.ts';
import { placeOfId, recordOf } from './record-places.ts';
import { type RuleInput, readRule, withName } from './rule-input.ts';

const ruleResult = (rule: Rule, methodId: string, position: number): CommandResult => ({
  kind: 'rule',
  rule: ruleView(rule, methodId, position),
});

/** The write of one rule of the method. */
const ruleEdited = (
  method: PlacedMethod,
  edit: OneRecordEdit<PlacedRule>,
  change: string,
  result: CommandResult,
): Outcome<ConfigWrite> =>
  edited({ list: 'rules', method, edit }, `Method "${method.name}": ${change}`, result);

/** Written out: a spread to which a field is added takes longer. */
function placed(rule: Rule, placement: number): PlacedRule {
  const { id, action, conditions, enabled, adjustmentValue, adjustmentType, name = '' } = rule;
  return adjustmentValue === undefined || adjustmentType === undefined
    ? withName({ id, action, conditions, enabled, placement }, name)
    : withName({ id, action, conditions, enabled, adjustmentValue, adjustmentType, placement }, name);
}

export function createRule(
  scope: WriteScope,
  { methodId, body }: CommandOf<'createRule'>,
): Outcome<ConfigWrite> {
  const { methods } = scope.config;
  const method = recordOf(methods, methodId);
  if (method === undefined) return notFound('method', methodId);
  const defects = new Defects();
  const rule = readRule(newId(scope, 'rule'), body, '', defects);
  if (defects.found) return defects.failure();
  const record = placed(rule, scope.placement);
  const index = placeOfNew(method.rules, body.position);
  const result = ruleResult(rule, methodId, index);
  return ruleEdited(method, { index, old: null, record }, `${rule.action} rule created`, result);
}

interface RuleSite {
  readonly method: PlacedMethod;
  readonly index: number;
  readonly rule: PlacedRule;
}

function findRule({ methods }: PlacedConfig, id: string): RuleSite | null {
  const method = recordOf(methods, findRuleHome(methods, id) ?? '');
  const index = method === undefined ? -1 : placeOfId(method.rules, id);
  const rule = method?.rules[index];
  return method === undefined || rule === undefined ? null : { method, index, rule };
}

/** The write that gives the method its rules in another order. */
const ruleMoved = (
  scope: WriteScope,
  method: PlacedMethod,
  rules: readonly PlacedRule[],
  change: string,
  result: CommandResult,
): Outcome<ConfigWrite> => {
  const { methods } = scope.config;
  const list = splicedList(methods, placeOfId(methods, method.id), 1, { ...method, rules });
  return written(scope, { methods: list }, `Method "${method.name}": ${change}`, result);
};

/** The rule with the body laid over it; an action that adjusts nothing takes its adjustment along. */
function overlaid(rule: PlacedRule, body: RuleUpdate): RuleInput {
  const { action = rule.action, conditions = rule.conditions, enabled = rule.enabled } = body;
  const { name = rule.name } = body;
  const kept = isAdjusting(action) && rule.adjustmentValue !== undefined ? rule : NO_ADJUSTMENT;
  const { adjustmentValue = kept.adjustmentValue, adjustmentType = kept.adjustmentType } = body;
  return {
    action,
    conditions,
    enabled,
    adjustmentValue,
    adjustmentType,
    ...(name !== undefined && { name }),
  };
}

const NO_ADJUSTMENT: Pick<RuleInput, 'adjustmentValue' | 'adjustmentType'> = {};

export function updateRule(scope: WriteScope, { id, body }: CommandOf<'updateRule'>): Outcome<ConfigWrite> {
  const site = findRule(scope.config, id);
  if (site === null) return notFound('rule', id);
  const { method, index, rule: old } = site;
  if (body.methodId !== undefined && body.methodId !== method.id) {
    return invalid(`/methodId must be ${method.id} or absent: a rule stays with its method`);
  }
  const defects = new Defects();
  const rule = readRule(id, overlaid(old, body), '', defects);
  if (defects.found) return defects.failure();
  const record = placed(rule, old.placement);
  const position = placeOfMoved(method.rules, index, body.position);
  const result = ruleResult(rule, method.id, position);
  const change = `${rule.action} rule updated`;
  if (position === index) return ruleEdited(method, { index, old, record }, change, result);
  const rules = updatedList(method.rules, index, record, position, scope.placement);
  return ruleMoved(scope, method, rules, change, result);
}

export function deleteRule(scope: WriteScope, { id }: CommandOf<'deleteRule'>): Outcome<ConfigWrite> {
  const site = findRule(scope.config, id);
  if (site === null) return notFound('rule', id);
  const { method, index, rule } = site;
  const change = `${rule.action} rule deleted`;
  return ruleEdited(method, { index, old: rule, record: null }, change, deleted(id));
}
