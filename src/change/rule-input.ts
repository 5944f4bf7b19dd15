/** A rule as a client writes it, checked and completed (contract section 3). */
import { ADJUSTMENT_PERCENTAGE_MAX, isAdjusting, POINTS_ACCEPTED, type Rule } from '../domain/rule.ts';
import { extended } from '../runtime/extended.ts';
import type { ConditionInput, RuleCreate } from '../wire/write-bodies.ts';
import { readConditions } from './condition-input.ts';
import type { Defects } from './defects.ts';

export interface RuleInput extends Pick<RuleCreate, 'action' | 'enabled' | 'name'> {
  readonly adjustmentValue?: RuleCreate['adjustmentValue'] | undefined;
  readonly adjustmentType?: RuleCreate['adjustmentType'] | undefined;
  readonly conditions?: readonly ConditionInput[];
}

/** `path` is that of the rule: "" for a body of its own. The result counts only when no defect was added. */
export function readRule(id: string, input: RuleInput, path: string, defects: Defects): Rule {
  const { action, enabled = true, name = '' } = input;
  const conditions = readConditions(input.conditions ?? [], `${path}/conditions`, defects);
  const adjustment = readAdjustment(input, path, defects);
  // Written out: a spread of fields that may be absent takes longer than all the rest.
  if (adjustment === null) return withName({ id, action, conditions, enabled }, name);
  const { adjustmentValue, adjustmentType } = adjustment;
  return withName({ id, action, conditions, enabled, adjustmentValue, adjustmentType }, name);
}

/** "" is stored as no name. */
export const withName = <R extends Rule>(rule: R, name: string): R =>
  name === '' ? rule : extended(rule, { name });

type Adjustment = Required<Pick<Rule, 'adjustmentValue' | 'adjustmentType'>>;

/** null for an action that adjusts nothing. */
function readAdjustment(input: RuleInput, path: string, defects: Defects): Adjustment | null {
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
    return null;
  }
  if (adjustmentValue === undefined) {
    const accepted = adjustmentType === 'percentage' ? POINTS_ACCEPTED : 'whole cents';
    defects.add(`${path}/adjustmentValue`, `is required with ${action}: ${accepted}`);
    return null;
  }
  if (adjustmentType === 'percentage' && adjustmentValue > ADJUSTMENT_PERCENTAGE_MAX) {
    defects.add(`${path}/adjustmentValue`, `must be ${POINTS_ACCEPTED}, when adjustmentType is percentage`);
  }
  return { adjustmentValue, adjustmentType };
}
