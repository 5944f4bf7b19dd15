/** Totals of a group as conditions, and their units. */
import { type GroupTotal, SUM_OF_TABLE, type SumField } from '../compile/rate-function.ts';
import type { Condition } from '../domain/condition.ts';
import { FIELD } from '../domain/condition.ts';
import type { TableRateType, Tier } from '../domain/rate-type.ts';
import type { Unit } from './draft.ts';

/** The condition type that compares a sum, and the unit of the sum. */
export const MEASURES: Readonly<Record<SumField, readonly [Condition['conditionType'], Unit]>> = {
  [FIELD.product_weight]: ['product_weight', 'grams'],
  [FIELD.product_price]: ['product_price', 'money'],
  [FIELD.product_quantity]: ['product_quantity', 'pieces'],
};

/** The condition that the group has this total. */
export const isTotal = ({ field, sum }: GroupTotal): Condition => ({
  conditionType: MEASURES[field][0],
  operator: 'equals',
  value: String(sum),
  scope: 'sum_of_group',
});

/** The condition that the group's total lies in a tier of its table. */
export const isInTier = (rateType: TableRateType, { from, to }: Tier): Condition => ({
  conditionType: MEASURES[SUM_OF_TABLE[rateType]][0],
  operator: to === null ? 'greater_than_or_equal' : 'between',
  value: to === null ? String(from) : `${from},${to - 1}`,
  scope: 'sum_of_group',
});
