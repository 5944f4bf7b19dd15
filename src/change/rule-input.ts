/** A rule as a client writes it, checked and completed (contract section 3, rule). */
import { ADJUSTMENT_PERCENTAGE_MAX, isAdjusting, type Rule } from '../domain/rule.ts';
import type { ConditionInput, RuleCreate } from '../domain/write-bodies.ts';
import { readConditions } from './condition-input.ts';
import type { Defects } from './defects.ts';

export interface RuleInput
  extends Pick<RuleCreate, 'action' | 'adjustmentValue' | 'adjustmentType' | 'enabled'> {
  readonly conditions?: readonly ConditionInput[];
}

/** `path` is that of the rule: "" for a body of its own. The result counts only when no defect was added. */
export function readRule(id: string, input: RuleInput, path: string, defects: Defects): Rule {
  const { action, conditions = [], enabled = true } = input;
  return {
    id,
    action,
    conditions: readConditions(conditions, `${path}/conditions`, defects),
    enabled,
    ...readAdjustment(input, path, defects),
  };
}

type Adjustment = Pick<Rule, 'adjustmentValue' | 'adjustmentType'>;

function readAdjustment(input: RuleInput, path: string, defects: Defects): Adjustment {
  const { action, adjustmentValue, adjustmentType = 'flat' } = input;
  if (!isAdjusting(action)) {
    for (const field of ['adjustmentValue', 'adjustmentType'] as const) {
      if (input[field] !== undefined) {
        defects.add(
          `${path}/${field}`,
          `is accepted only with adjust_add and adjust_subtract, not ${action}`,
        );
      }
    }
    return {};
  }
  const accepted =
    adjustmentType === 'percentage'
      ? `whole points, 0 to ${ADJUSTMENT_PERCENTAGE_MAX.toLocaleString('en-US')}`
      : 'whole cents';
  if (adjustmentValue === undefined) {
    defects.add(`${path}/adjustmentValue`, `is required with ${action}: ${accepted}`);
    return {};
  }
  if (adjustmentType === 'percentage' && adjustmentValue > ADJUSTMENT_PERCENTAGE_MAX) {
    defects.add(`${path}/adjustmentValue`, `must be ${accepted}, when adjustmentType is percentage`);
  }
  return { adjustmentValue, adjustmentType };
}
