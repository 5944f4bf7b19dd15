/** The tiers of a rate table as steps: the price over what the table looks at. */
import { formatMoney, formatWeight, numberIn, WEIGHT_UNITS } from '../amounts.ts';
import { useSignedIn } from '../app-state.ts';
import type { NumberKind } from '../words.ts';
import { stepsOf } from './step-points.ts';

interface TierStepsProps {
  readonly kind: NumberKind;
  /** Of weights: that of the table. */
  readonly unit: string | undefined;
  /** From, to below and price of each tier. */
  readonly tiers: readonly (readonly [from: number | null, to: number | null, price: number | null])[];
}

const [WIDTH, HEIGHT] = [100, 48];

export function TierSteps({ kind, unit, tiers }: TierStepsProps) {
  const { currency } = useSignedIn().shop;
  const drawn = stepsOf(tiers);
  if (drawn === null) return null;
  const { steps, end, most } = drawn;
  const x = (value: number): number => (value / end) * WIDTH;
  const y = (price: number): number => HEIGHT - 2 - (price / Math.max(1, most)) * (HEIGHT - 4);
  const weight = (grams: number): string =>
    unit === 'lb' ? `${numberIn(grams, WEIGHT_UNITS.lb)} lb` : formatWeight(grams);
  const bound = (value: number): string =>
    kind === 'money' ? formatMoney(value, currency) : kind === 'weight' ? weight(value) : String(value);
  const line = steps.map(({ from, to, price }) => `M${x(from)} ${y(price)}H${x(to)}`).join('');
  const rises = steps
    .slice(1)
    .flatMap(({ from, price }, at) => {
      const before = steps[at];
      return before?.to === from ? [`M${x(from)} ${y(before.price)}V${y(price)}`] : [];
    })
    .join('');
  const last = steps.at(-1);
  return (
    <figure className="tier-steps">
      <figcaption className="only-read">
        {steps.map(({ from, price }) => `from ${bound(from)}: ${formatMoney(price, currency)}`).join(', ')}
      </figcaption>
      <span className="quiet">{formatMoney(most, currency)}</span>
      <svg
        className="plot"
        height={96}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {steps.map(({ from, to, price }) => (
          <rect
            key={from}
            opacity={0.1}
            x={x(from)}
            y={y(price)}
            width={x(to) - x(from)}
            height={HEIGHT - y(price)}
          />
        ))}
        <path className="rise" d={rises} />
        <path d={line} />
      </svg>
      <span className="row between quiet">
        <span>{bound(0)}</span>
        <span>{last?.isOpen ? `${bound(last.from)} and more` : bound(end)}</span>
      </span>
    </figure>
  );
}
