/** Long lists as condition values: a value has a maximum length, so a long list becomes several conditions. */
import type { Condition, ConditionType, Scope } from '../domain/condition.ts';
import { DEFAULT_SCOPE } from '../domain/condition.ts';
import { CONDITION_VALUE_LENGTH_MAX } from '../domain/text.ts';

/** The alternatives joined by commas, split into texts of at most the maximum length. */
function joinedAlternatives(alternatives: readonly string[]): string[] {
  const values: string[] = [];
  let current = '';
  for (const alternative of alternatives.map((each) => each.replaceAll(',', '\\,'))) {
    if (current !== '' && current.length + 1 + alternative.length > CONDITION_VALUE_LENGTH_MAX) {
      values.push(current);
      current = '';
    }
    current += current === '' ? alternative : `,${alternative}`;
  }
  if (current !== '') values.push(current);
  return values;
}

/** Conditions, one of which holds exactly when the field equals one of the alternatives. */
export const equalsAny = (type: ConditionType, alternatives: readonly string[]): Condition[] =>
  joinedAlternatives(alternatives).map((value) => condition(type, 'equals', value));

export const condition = (
  conditionType: ConditionType,
  operator: Condition['operator'],
  value: string,
  scope: Scope = DEFAULT_SCOPE,
): Condition => ({ conditionType, operator, value, scope });

/** Every combination of one condition from each list. */
export function conjunctions(lists: readonly (readonly Condition[])[]): Condition[][] {
  let ways: Condition[][] = [[]];
  for (const list of lists) ways = ways.flatMap((way) => list.map((each) => [...way, each]));
  return ways;
}
