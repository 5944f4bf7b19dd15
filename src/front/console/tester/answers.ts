/** Answers of several configurations to one cart, side by side: live, the changeset, versions. */

import { datesText } from '../../../engine/domain/calendar-day.ts';
import type { Schemas } from '../../client/call-table.ts';
import type { Answer } from '../parts/use-answer.ts';

export type Explained = Schemas['ExplainedAnswer'];
export type MethodEvaluation = Explained['methodEvaluations'][number];
export type BlendedEvaluation = Explained['blendedRates'][number];

/** One configuration: `live`, `staged`, or the number or id of a version. */
export interface Column {
  readonly source: string;
  readonly answer: Answer<Explained>;
}

export const columnTitle = (source: string): string =>
  source === 'live' ? 'Live' : source === 'staged' ? 'Changeset' : `Version ${source}`;

/** The query of a simulation that asks this configuration. */
export function sourceQuery(source: string): {
  readonly view?: 'live' | 'staged';
  readonly version?: string;
} {
  return source === 'live' || source === 'staged' ? { view: source } : { version: source };
}

/** A method or blended rate with its evaluation in each column; null where the column does not consider it. */
export interface Offer {
  readonly id: string;
  readonly name: string;
  readonly isBlended: boolean;
  readonly evaluations: readonly (MethodEvaluation | BlendedEvaluation | null)[];
}

const idOf = (evaluation: MethodEvaluation | BlendedEvaluation): string =>
  'methodId' in evaluation ? evaluation.methodId : evaluation.blendedRateId;

/** The methods and blended rates that any column considers, in the order of the first column that has them. */
export function offersOf(columns: readonly Column[]): readonly Offer[] {
  const evaluations = columns.map(({ answer: { value } }) =>
    value === null ? [] : [...value.methodEvaluations, ...value.blendedRates],
  );
  const ids = new Set(evaluations.flat().map(idOf));
  return [...ids].map((id) => {
    const row = evaluations.map((list) => list.find((each) => idOf(each) === id) ?? null);
    const first = row.find((each) => each !== null);
    const isBlended = first !== undefined && 'blendedRateId' in first;
    return { id, name: first === undefined ? id : nameOf(first), isBlended, evaluations: row };
  });
}

const nameOf = (evaluation: MethodEvaluation | BlendedEvaluation): string =>
  'methodName' in evaluation ? evaluation.methodName : evaluation.name;

/** True when the columns do not agree on visibility, price and delivery dates. */
export const isDifferent = ({ evaluations }: Offer): boolean => {
  const shown = evaluations.map((each) =>
    each?.rate ? `${each.rate.totalPrice}${datesText(each.rate)}` : null,
  );
  return shown.some((text) => text !== shown[0]);
};

const REASONS: Readonly<Record<string, string>> = {
  hidden_by_rule: 'Hidden by a rule',
  not_shown_by_rule: 'No “Show” rule matches',
  outside_rate_table: 'Outside its rate table',
  preferred_method_unavailable: 'Its preferred method is not available',
  group_without_rate: 'A group of the cart has no rate',
  disabled: 'Disabled',
  other_subzone: 'Bound to another subzone',
  replaced_by_subzone: 'Replaced by a method of the subzone',
  group_not_in_cart: 'Its group is not in the cart',
};

export const reasonText = (reason: string | null): string =>
  reason === null ? 'Available' : (REASONS[reason] ?? reason);
