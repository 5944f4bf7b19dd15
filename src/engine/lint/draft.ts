/** Drafts of findings, and the texts that name records and conditions in findings; long values are cut. */
import { CONDITION_TYPES, type Condition, positiveTwin } from '../domain/condition.ts';
import type { FindingCode, FindingRecord, Witness } from '../domain/finding.ts';
import { moneyText } from '../domain/money-text.ts';
import type { Rule } from '../domain/rule.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import { beginningOf } from '../domain/text.ts';
import type { RecordKind } from '../domain/version.ts';
import type { Zone } from '../domain/zone.ts';
import type { PlaceIndex } from './zone-facts.ts';

/** The sentence of a finding, and the request that shows it, or null. */
export interface Evidence {
  readonly message: string;
  readonly witness: Witness | null;
}

/** A finding without sentence and witness; these are made only if the report lists the finding. */
export interface Draft {
  readonly code: FindingCode;
  readonly record: FindingRecord;
  readonly evidence: () => Evidence;
}

/** A finding whose witness, if it can have one, is made only when the report lists it. */
export const draftOf = (
  code: FindingCode,
  record: FindingRecord,
  message: string,
  witness: () => Witness | null = () => null,
): Draft => ({ code, record, evidence: () => ({ message, witness: witness() }) });

const VALUE_LENGTH_MAX = 60;

export const quoted = (text: string): string =>
  text.length > VALUE_LENGTH_MAX ? `"${beginningOf(text, VALUE_LENGTH_MAX - 3)}..."` : `"${text}"`;

export function conditionWords({ conditionType, operator, value, scope }: Condition): string {
  const where = CONDITION_TYPES[conditionType].subject === 'item' ? ` (${scope})` : '';
  return positiveTwin(operator).operator === 'is_empty'
    ? `${conditionType} ${operator}${where}`
    : `${conditionType} ${operator} ${quoted(value)}${where}`;
}

export type Unit = 'money' | 'grams' | 'pieces';
export const amountWords = (amount: number, unit: Unit, currency: string): string =>
  unit === 'money' ? moneyText(amount, currency) : `${amount.toLocaleString('en-US')} ${unit}`;

/** "1 tier", "2 tiers". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

export const recordOf = (
  kind: RecordKind,
  { id, name }: { readonly id: string; readonly name: string },
): FindingRecord => ({ kind, id, name });

/** Returns the subzone of a place, or the zone when the place is outside all subzones. */
export function placeRecord(zone: Zone, place: PlaceIndex): FindingRecord {
  const subzone = zone.subzones[place];
  return subzone === undefined
    ? recordOf('zone', zone)
    : { ...recordOf('subzone', subzone), parentId: zone.id };
}

/** Where a place is, in words. */
export function placeWords({ name, subzones }: Zone, place: PlaceIndex): string {
  const subzone = subzones[place];
  if (subzone !== undefined) return `in subzone ${quoted(subzone.name)}`;
  return `${subzones.length > 0 ? 'outside the subzones of' : 'in'} zone ${quoted(name)}`;
}

/** Findings name a rule by its action. */
export const ruleName = ({ action }: Rule): string => `${action} rule`;

export const ruleRecord = (rule: Rule, method: ShippingMethod): FindingRecord => ({
  kind: 'rule',
  id: rule.id,
  name: ruleName(rule),
  parentId: method.id,
});
