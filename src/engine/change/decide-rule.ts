/** Writes of rules (contract section 3). A rule always belongs to the method that it was created for. */

import { extended } from '../../base/runtime/extended.ts';
import { invalid, notFound, type Outcome } from '../domain/failure.ts';
import { isAdjusting, type Rule } from '../domain/rule.ts';
import type { PlacedMethod, PlacedRule, RuleInChange } from '../domain/shop-event.ts';
import { ruleView } from '../wire/record-view.ts';
import type { RuleUpdate } from '../wire/write-bodies.ts';
import type { CommandOf, CommandResult, ConfigWrite, WriteScope } from './command.ts';
import { changed, deleted, indexOfMoved, indexOfNew, moved, newId } from './decide-record.ts';
import { Defects, type RuleInput, readRule, withField } from './record-input.ts';

const ruleResult = (rule: Rule, methodId: string, position: number): CommandResult => ({
  kind: 'rule',
  rule: ruleView(rule, methodId, position),
});

/** A write of one rule of the method, which leads to these rules. */
const ruleEdited = (
  { config }: WriteScope,
  method: PlacedMethod,
  rules: readonly PlacedRule[],
  what: string,
  result: CommandResult,
): Outcome<ConfigWrite> => {
  const index = config.methods.indexOf(method);
  const methods = moved(config.methods, index, index, extended(method, { rules }));
  return changed({ ...config, methods }, `Method "${method.name}": ${what}`, result);
};

/** `name` is the last field, as in rules that were stored before rules had names. */
const placed = ({ name = '', ...rule }: Rule, placement: number): RuleInChange =>
  withField(extended(rule, { placement }), 'name', name, '');

export function createRule(
  scope: WriteScope,
  { methodId, body }: CommandOf<'createRule'>,
): Outcome<ConfigWrite> {
  const method = scope.config.methods.find(({ id }) => id === methodId);
  if (method === undefined) return notFound('method', methodId);
  const defects = new Defects();
  const rule = readRule(newId(scope, 'rule'), body, defects.add);
  if (defects.found) return defects.failure();
  const index = indexOfNew(method.rules, body.position);
  const rules = method.rules.toSpliced(index, 0, placed(rule, scope.placement));
  return ruleEdited(scope, method, rules, `${rule.action} rule created`, ruleResult(rule, methodId, index));
}

/** The rule with its method and its index in it, or null. */
function findRule({ config: { methods } }: WriteScope, id: string) {
  const isIt = (rule: PlacedRule): boolean => rule.id === id;
  for (const method of methods) {
    const index = method.rules.findIndex(isIt);
    const rule = method.rules[index];
    if (rule !== undefined) return { method, index, rule };
  }
  return null;
}

/** The rule with the fields of the body merged in; an action without an adjustment drops the stored adjustment. */
function overlaid(rule: PlacedRule, body: RuleUpdate): RuleInput {
  if (isAdjusting(body.action ?? rule.action)) return { ...rule, ...body };
  const { adjustmentValue: _value, adjustmentType: _type, ...unadjusted } = rule;
  return { ...unadjusted, ...body };
}

export function updateRule(scope: WriteScope, { id, body }: CommandOf<'updateRule'>): Outcome<ConfigWrite> {
  const site = findRule(scope, id);
  if (site === null) return notFound('rule', id);
  const { method, index, rule: old } = site;
  if (body.methodId !== undefined && body.methodId !== method.id) {
    return invalid(`/methodId must be ${method.id} or absent: a rule stays with its method`);
  }
  const defects = new Defects();
  const rule = readRule(id, overlaid(old, body), defects.add);
  if (defects.found) return defects.failure();
  const position = indexOfMoved(method.rules, index, body.position);
  const record = placed(rule, position === index ? old.placement : scope.placement);
  const rules = moved(method.rules, index, position, record);
  const result = ruleResult(rule, method.id, position);
  return ruleEdited(scope, method, rules, `${rule.action} rule updated`, result);
}

export function deleteRule(scope: WriteScope, { id }: CommandOf<'deleteRule'>): Outcome<ConfigWrite> {
  const site = findRule(scope, id);
  if (site === null) return notFound('rule', id);
  const { method, index, rule } = site;
  const rules = method.rules.toSpliced(index, 1);
  return ruleEdited(scope, method, rules, `${rule.action} rule deleted`, deleted(id));
}
