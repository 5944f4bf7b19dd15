/** Answers of several configurations to one cart, side by side: live, the changeset, versions. */

import { datesText } from '../../../engine/domain/calendar-day.ts';
import type { CallFailure } from '../../client/call-outcome.ts';
import type { Schemas } from '../../client/call-table.ts';
import { conditionsSentence, type SentenceContext } from '../rule-words.ts';
import { counted } from '../words.ts';

export type Explained = Schemas['ExplainedAnswer'];
export type MethodEvaluation = Explained['methodEvaluations'][number];
export type BlendedEvaluation = Explained['blendedRates'][number];

/** One configuration: `live`, `staged`, or the number or id of a version. */
export interface Column {
  readonly source: string;
  readonly answer: {
    readonly value: Explained | null;
    readonly versionId: string | null;
    readonly failure: CallFailure | null;
    readonly isLoading: boolean;
  };
}

/** Its answer is that to the cart as it is now, and to none before. */
export const isCurrent = ({ answer: { value, failure, isLoading } }: Column): boolean =>
  value !== null && failure === null && !isLoading;

export const columnTitle = (source: string): string =>
  source === 'live' ? 'Live' : source === 'staged' ? 'Draft' : `Version ${source}`;

/** The query of a simulation that asks this configuration. */
export function sourceQuery(source: string): {
  readonly view?: 'live' | 'staged';
  readonly version?: string;
} {
  return source === 'live' || source === 'staged' ? { view: source } : { version: source };
}

type Evaluation = MethodEvaluation | BlendedEvaluation;
export type Rate = Explained['rates'][number];

/** A method or blended rate in each column. */
export interface Offer {
  readonly id: string;
  readonly name: string;
  readonly isBlended: boolean;
  /** null where the column does not consider it. */
  readonly evaluations: readonly (Evaluation | null)[];
  /**
   * The rate by which a customer is offered it; null where it is none, even if a part of a blended rate has its price;
   * undefined until the column has its answer.
   */
  readonly rates: readonly (Rate | null | undefined)[];
}

const idOf = (evaluation: Evaluation): string =>
  'methodId' in evaluation ? evaluation.methodId : evaluation.blendedRateId;

/** The rates of the answer by what they are of, in their order. Rates of methods beside blended rates are no rates. */
function offeredIn({ rates, methodEvaluations, blendedRates }: Explained): ReadonlyMap<string, Rate> {
  const makers = new Map<string, string[]>();
  for (const evaluation of [...blendedRates, ...methodEvaluations]) {
    const text = JSON.stringify(evaluation.rate);
    makers.set(text, [...(makers.get(text) ?? []), idOf(evaluation)]);
  }
  return new Map(
    rates.flatMap((rate) => {
      const id = makers.get(JSON.stringify(rate))?.shift();
      return id === undefined ? [] : [[id, rate] as const];
    }),
  );
}

/** What any column offers or considers: first the rates, in the order in which a customer sees them. */
export function offersOf(columns: readonly Column[]): readonly Offer[] {
  const answers = columns.map(({ answer: { value } }) =>
    value === null
      ? { evaluations: new Map<string, Evaluation>(), offered: null }
      : {
          evaluations: new Map(
            [...value.methodEvaluations, ...value.blendedRates].map((each) => [idOf(each), each] as const),
          ),
          offered: offeredIn(value),
        },
  );
  const ids = new Set([
    ...answers.flatMap(({ offered }) => [...(offered?.keys() ?? [])]),
    ...answers.flatMap(({ evaluations }) => [...evaluations.keys()]),
  ]);
  return [...ids].map((id) => {
    const evaluations = answers.map((each) => each.evaluations.get(id) ?? null);
    const first = evaluations.find((each) => each !== null);
    return {
      id,
      name: first === undefined ? id : nameOf(first),
      isBlended: first !== undefined && 'blendedRateId' in first,
      evaluations,
      rates: answers.map(({ offered }) => (offered === null ? undefined : (offered.get(id) ?? null))),
    };
  });
}

const nameOf = (evaluation: Evaluation): string =>
  'methodName' in evaluation ? evaluation.methodName : evaluation.name;

/**
 * Offered are exactly the rates of the answers; withheld are methods with a price that no customer chooses, because blended
 * rates are offered in their place.
 */
export function sortedOffers(columns: readonly Column[]) {
  const offers = offersOf(columns);
  const isOffered = ({ rates }: Offer): boolean => rates.some((rate) => rate != null);
  const isPriced = ({ evaluations }: Offer): boolean => evaluations.some((each) => each?.visible === true);
  return {
    offered: offers.filter(isOffered),
    withheld: offers.filter((offer) => !isOffered(offer) && isPriced(offer)),
    hidden: offers.filter((offer) => !isOffered(offer) && !isPriced(offer)),
  };
}

/** True when the columns that have answered do not agree on what is offered, at which price and with which delivery dates. */
export const isDifferent = ({ rates }: Offer): boolean => {
  const shown = rates
    .filter((rate) => rate !== undefined)
    .map((rate) => (rate === null ? null : `${rate.totalPrice}${datesText(rate)}`));
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

/** Why a method or blended rate is not offered: where a rule decides, in the words of the rule. */
export function reasonSentence(
  evaluation: MethodEvaluation | BlendedEvaluation,
  context: SentenceContext,
): string {
  const { reason } = evaluation;
  const rules = 'ruleTraces' in evaluation ? evaluation.ruleTraces : [];
  if (reason === 'hidden_by_rule') {
    const hiding = rules.find(({ action, matched }) => action === 'hide' && matched);
    const sentence = conditionsSentence(hiding?.conditions ?? [], context);
    return sentence === '' ? 'Hidden always' : `Hidden because ${sentence}`;
  }
  if (reason === 'not_shown_by_rule') {
    const [first, ...others] = rules.filter(({ action }) => action === 'show');
    const sentence = conditionsSentence(first?.conditions ?? [], context);
    const more = others.length === 0 ? '' : `, or by ${counted(others.length, 'other rule')}`;
    return `Shown only if ${sentence}${more}`;
  }
  return reasonText(reason);
}
