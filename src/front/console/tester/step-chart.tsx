/**
 * Prices along a curve as steps, one line for each service. Screen readers skip the chart: the table below it has the same
 * values and links. Texts are outside the drawing, because that is stretched to the width of its panel.
 */
import type { CurveLine, Segment } from './curve.ts';

interface StepChartProps {
  readonly segments: readonly Segment[];
  readonly lines: readonly CurveLine[];
  /** What the cart has now. */
  readonly current: number;
  readonly valueText: (value: number) => string;
  readonly priceText: (price: number) => string;
  readonly rangeText: (segment: Segment) => string;
  /** The cart at the begin of the segment. */
  readonly hrefOf: (segment: Segment) => string;
}

const [WIDTH, HEIGHT] = [1_000, 200];
/** Room above the highest line. */
const HEADROOM = 1.08;
/** Styles of lines; the seventh line has the style of the first. */
const LOOKS = 6;

export const lookOf = (index: number): string => `line-${index % LOOKS}`;

export function StepChart(props: StepChartProps) {
  const { segments, lines, current, valueText, priceText, rangeText, hrefOf } = props;
  const from = segments[0]?.from ?? 0;
  const to = segments.at(-1)?.to ?? from;
  const highest = Math.max(1, ...lines.flatMap(({ prices }) => prices.map((price) => price ?? 0)));
  const x = (value: number): number => ((value - from) / Math.max(1, to + 1 - from)) * WIDTH;
  const y = (price: number): number => HEIGHT - (price / (highest * HEADROOM)) * HEIGHT;
  return (
    <div class="step-chart" aria-hidden="true">
      <div class="amount scale">
        <span>{priceText(highest)}</span>
        <span>{priceText(0)}</span>
      </div>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {segments.map((segment) => (
          <a key={segment.from} href={hrefOf(segment)} tabindex={-1}>
            <rect
              class="hit"
              x={x(segment.from)}
              y="0"
              width={x(segment.to + 1) - x(segment.from)}
              height={HEIGHT}
            >
              <title>{rangeText(segment)}</title>
            </rect>
          </a>
        ))}
        {current < from || current > to ? null : (
          <line class="current" x1={x(current)} x2={x(current)} y1="0" y2={HEIGHT} />
        )}
        {lines.map(({ serviceCode, prices }, index) => (
          <path key={serviceCode} class={lookOf(index)} d={stepPath(segments, prices, x, y)} />
        ))}
      </svg>
      <div class="row between axis">
        <span>{valueText(from)}</span>
        <span>{valueText(to)}</span>
      </div>
    </div>
  );
}

/** Horizontal where the service has a price, joined upright where the next segment has one too. */
function stepPath(
  segments: readonly Segment[],
  prices: CurveLine['prices'],
  x: (value: number) => number,
  y: (price: number) => number,
): string {
  let path = '';
  for (const [index, segment] of segments.entries()) {
    const price = prices[index];
    if (price == null) continue;
    const isJoined = index > 0 && prices[index - 1] !== null;
    path += isJoined ? `V${y(price)}` : `M${x(segment.from)} ${y(price)}`;
    path += `H${x(segment.to + 1)}`;
  }
  return path;
}
