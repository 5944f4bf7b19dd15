/** Conditions and records in the words of a finding's one sentence; long values are cut. */
import { type Condition, positiveTwin } from '../domain/condition.ts';
import type { FindingRecord } from '../domain/finding.ts';
import type { Rule } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import type { RecordKind } from '../domain/version.ts';

const VALUE_LENGTH_MAX = 60;

export const quoted = (text: string): string =>
  text.length > VALUE_LENGTH_MAX ? `"${[...text].slice(0, VALUE_LENGTH_MAX - 3).join('')}..."` : `"${text}"`;

export function conditionWords({ conditionType, operator, value, scope }: Condition): string {
  const where = conditionType.startsWith('product_') ? ` (${scope})` : '';
  return positiveTwin(operator).operator === 'is_empty'
    ? `${conditionType} ${operator}${where}`
    : `${conditionType} ${operator} ${quoted(value)}${where}`;
}

/** "1 tier", "2 tiers". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

export const recordOf = (
  kind: RecordKind,
  { id, name }: { readonly id: string; readonly name: string },
): FindingRecord => ({ kind, id, name });

/** A rule has no name of its own. */
export const ruleName = ({ action }: Rule): string => `${action} rule`;

export const ruleRecord = (rule: Rule, method: ShippingMethod): FindingRecord => ({
  kind: 'rule',
  id: rule.id,
  name: ruleName(rule),
  parentId: method.id,
});
