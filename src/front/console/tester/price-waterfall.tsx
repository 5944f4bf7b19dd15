/** How a price is made: a bar for each step from the base price to the total, with the version that last changed it. */
import type { ComponentChildren } from 'preact';
import { formatDifference, formatMoney } from '../amounts.ts';
import { actionText, rateTypeText } from '../words.ts';
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
            ? `${value} g`
            : String(value);
      return `${rateTypeText(step.rateType)}, tier ${tier.index + 1}: from ${bound(tier.from)}${
        tier.to === null ? '' : ` to below ${bound(tier.to)}`
      } (cart ${bound(tier.total)})`;
    }
    case 'threshold':
      return `Free from ${formatMoney(step.freeShippingThreshold, currency)} (cart ${formatMoney(step.cartTotal, currency)})`;
    case 'rule':
      return `${actionText(step.action)}: ${names.get(step.ruleId) || step.ruleId}`;
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
  if (steps.length === 0) return null;
  const names = new Map(ruleTraces.map(({ ruleId, name }) => [ruleId, name]));
  const largest = Math.max(1, ...[...steps, ...(beside?.steps ?? [])].map(({ after }) => after));
  const total = steps.at(-1)?.after ?? 0;
  const row = (title: ComponentChildren, bar: ComponentChildren, amount: ComponentChildren) => (
    <>
      <th scope="row">
        {title}
        {isNarrow ? bar : null}
      </th>
      {isNarrow ? null : <td class="bar">{bar}</td>}
      <td class="amount">{amount}</td>
    </>
  );
  return (
    <table class={`waterfall ${isNarrow ? 'narrow' : ''}`}>
      <caption>{rate === null ? 'The price it would have' : 'How the price came about'}</caption>
      <thead class="only-read">
        <tr>
          <th scope="col">Step</th>
          {isNarrow ? null : <th scope="col">Bar</th>}
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step, index) => {
          const [low, high] = [Math.min(step.before, step.after), Math.max(step.before, step.after)];
          const isFirst = index === 0;
          return (
            // Steps have no identity but their place.
            <tr key={index}>
              {row(
                <>
                  {stepTitle(step, names, currency)}
                  <LastChanged step={step} />
                </>,
                <Bar
                  from={isFirst ? 0 : (low / largest) * WIDTH}
                  to={((isFirst ? step.after : high) / largest) * WIDTH}
                  kind={isFirst ? 'base' : step.after < step.before ? 'down' : 'up'}
                />,
                isFirst
                  ? formatMoney(step.after, currency)
                  : formatDifference(step.after - step.before, currency),
              )}
            </tr>
          );
        })}
      </tbody>
      <tfoot>
        <tr>
          {row(
            'Total',
            <Bar from={0} to={(total / largest) * WIDTH} kind="total" />,
            <strong>{formatMoney(total, currency)}</strong>,
          )}
        </tr>
      </tfoot>
    </table>
  );
}

interface BarProps {
  readonly from: number;
  readonly to: number;
  readonly kind: 'base' | 'up' | 'down' | 'total';
}

const Bar = ({ from, to, kind }: BarProps) => (
  <svg viewBox={`0 0 ${WIDTH} 8`} preserveAspectRatio="none" aria-hidden="true">
    <rect class={kind} x={from} y="0" width={Math.max(0.8, to - from)} height="8" />
  </svg>
);

/** The version that last changed the record of the step; nothing where the change is older than all that is kept. */
function LastChanged({ step: { lastChanged } }: { readonly step: Step }) {
  if (lastChanged === null) return null;
  const { number, at, keyId, keyLabel, createdBy } = lastChanged;
  const unnumbered = at === null ? 'not saved' : 'changed in the changeset';
  const what = number === null ? unnumbered : `last changed in version ${number}`;
  const author = keyLabel ?? keyId ?? createdBy;
  return (
    <span class="description">
      {what}
      {author === null ? '' : `, ${author}`}
      {at === null ? '' : `, ${new Date(at).toLocaleString()}`}
    </span>
  );
}
