/** How a price is made: a bar for each step from the base price to the total, with the version that last changed it. */
import { Fragment, type ReactNode } from 'react';
import { formatDifference, formatMoney, formatWeight } from '../amounts.ts';
import { useSignedIn } from '../app-state.ts';
import { momentText } from '../english.ts';
import { useConditionNames } from '../parts/use-record-names.ts';
import { actionText, conditionsSentence } from '../rule-words.ts';
import { rateTypeText } from '../words.ts';
import type { MethodEvaluation } from './answers.ts';

type Step = MethodEvaluation['steps'][number];

function stepTitle(step: Step, names: ReadonlyMap<string, string>, currency: string): string {
  switch (step.kind) {
    case 'base': {
      const { tier } = step;
      if (tier === undefined) return rateTypeText(step.rateType);
      const bound = (value: number): string =>
        step.rateType === 'by_price_table'
          ? formatMoney(value, currency)
          : step.rateType === 'by_weight_table'
            ? formatWeight(value)
            : String(value);
      return `${rateTypeText(step.rateType)}, tier ${tier.index + 1}: from ${bound(tier.from)}${
        tier.to === null ? '' : ` to below ${bound(tier.to)}`
      } (cart ${bound(tier.total)})`;
    }
    case 'threshold':
      return `Free from ${formatMoney(step.freeShippingThreshold, currency)} (cart ${formatMoney(step.cartTotal, currency)})`;
    case 'rule':
      return `${actionText(step.action)}: ${names.get(step.ruleId) ?? step.ruleId}`;
  }
}

interface PriceWaterfallProps {
  readonly evaluation: MethodEvaluation;
  readonly currency: string;
  /** The evaluation that is shown beside this one; the bars of both have one scale. */
  readonly beside?: MethodEvaluation | undefined;
  /** Each bar stands below the text of its step. */
  readonly isNarrow?: boolean;
}

const WIDTH = 100;

export function PriceWaterfall({ evaluation, currency, beside, isNarrow = false }: PriceWaterfallProps) {
  const { steps, ruleTraces, rate } = evaluation;
  const { shop } = useSignedIn();
  const nameOf = useConditionNames(ruleTraces.flatMap(({ conditions }) => conditions));
  const context = { currency: shop.currency, nameOf };
  const names = new Map(
    ruleTraces.map(({ ruleId, name, conditions }) => [
      ruleId,
      name || conditionsSentence(conditions, context) || 'always',
    ]),
  );
  if (steps.length === 0) return null;
  const largest = Math.max(1, ...[...steps, ...(beside?.steps ?? [])].map(({ after }) => after));
  const total = steps.at(-1)?.after ?? 0;
  // A bar compares: one alone would be full, however small the price.
  const hasBars = [evaluation, ...(beside === undefined ? [] : [beside])].some(
    (each) => each.steps.length > 1 || each.steps.at(-1)?.after !== total,
  );
  const row = (title: ReactNode, bar: ReactNode, amount: ReactNode, changed: ReactNode = null) =>
    isNarrow ? (
      <>
        <tr>
          <th scope="row">{title}</th>
          <td className="amount">{amount}</td>
        </tr>
        <tr>
          <td colSpan={2} className="bar">
            {hasBars ? bar : null}
            {changed}
          </td>
        </tr>
      </>
    ) : (
      <tr>
        <th scope="row">
          {title}
          {changed}
        </th>
        {hasBars ? <td className="bar">{bar}</td> : null}
        <td className="amount">{amount}</td>
      </tr>
    );
  return (
    <table className={`waterfall ${isNarrow ? 'narrow' : ''}`}>
      <caption>{rate === null ? 'The price it would have' : 'How the price came about'}</caption>
      <thead className="only-read">
        <tr>
          <th scope="col">Step</th>
          {isNarrow || !hasBars ? null : <th scope="col">Bar</th>}
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step, index) => {
          const [low, high] = [Math.min(step.before, step.after), Math.max(step.before, step.after)];
          const isFirst = index === 0;
          return (
            // Steps have no identity but their place.
            <Fragment key={index}>
              {row(
                stepTitle(step, names, currency),
                <Bar
                  from={isFirst ? 0 : (low / largest) * WIDTH}
                  to={((isFirst ? step.after : high) / largest) * WIDTH}
                  kind={isFirst ? 'base' : step.after < step.before ? 'down' : 'up'}
                />,
                isFirst
                  ? formatMoney(step.after, currency)
                  : formatDifference(step.after - step.before, currency),
                <LastChanged step={step} />,
              )}
            </Fragment>
          );
        })}
      </tbody>
      <tfoot>
        {row(
          'Total',
          <Bar from={0} to={(total / largest) * WIDTH} kind="total" />,
          <strong>{formatMoney(total, currency)}</strong>,
        )}
      </tfoot>
    </table>
  );
}

const FILLS = { base: 'info', up: 'warning', down: 'good', total: 'accent' } as const;

const Bar = ({ from, to, kind }: { from: number; to: number; kind: keyof typeof FILLS }) => (
  <svg viewBox={`0 0 ${WIDTH} 8`} preserveAspectRatio="none" aria-hidden="true">
    <rect fill={`var(--${FILLS[kind]})`} x={from} y="0" width={Math.max(0.8, to - from)} height="8" />
  </svg>
);

/** The version that last changed the record of the step; nothing where the change is older than all that is kept. */
function LastChanged({ step: { lastChanged } }: { step: Step }) {
  if (lastChanged === null) return null;
  const { number, at, keyId, keyLabel, createdBy } = lastChanged;
  const unnumbered = at === null ? 'not saved' : 'changed in the draft';
  const what = number === null ? unnumbered : `last changed in version ${number}`;
  const author = keyLabel ?? keyId ?? (createdBy === null ? null : 'Operator');
  return (
    <span className="description">
      {what}
      {author === null ? '' : `, ${author}`}
      {at === null ? '' : `, ${momentText(at)}`}
    </span>
  );
}
