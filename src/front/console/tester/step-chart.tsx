/**
 * Prices as steps, one line for each service: along a curve, or through versions. Screen readers skip the chart: a list or
 * table beside it has the same values and links. Texts are outside the drawing, because that is stretched to its panel.
 */
import { Box, Stack } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import { LINES_MAX, niceTop, type Span, type StepLine, stepPath } from './steps.ts';

interface StepChartProps<S extends Span> {
  readonly segments: readonly S[];
  /** Those after the first eight are not drawn. */
  readonly lines: readonly StepLine[];
  /** What the cart has now. */
  readonly current?: number;
  readonly valueText: (value: number) => string;
  readonly priceText: (price: number) => string;
  readonly rangeText: (segment: S) => string;
  readonly hrefOf: (segment: S) => string;
}

const [WIDTH, HEIGHT] = [1_000, 200];
/** Of the scale where all is free. */
const LEAST_TOP = 100;

export function StepChart<S extends Span>(props: StepChartProps<S>) {
  const { segments, current, valueText, priceText, rangeText, hrefOf } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const lines = props.lines.slice(0, LINES_MAX);
  const from = segments[0]?.from ?? 0;
  const to = segments.at(-1)?.to ?? from;
  const top = niceTop(
    Math.max(LEAST_TOP, ...lines.flatMap(({ prices }) => prices.map((price) => price ?? 0))),
  );
  const x = (value: number): number => ((value - from) / Math.max(1, to + 1 - from)) * WIDTH;
  const y = (price: number): number => HEIGHT - (price / top) * HEIGHT;
  const shown = pointed === null ? undefined : segments[pointed];
  return (
    <Stack gap="xs" fz="sm">
      <div className="step-chart" aria-hidden="true">
        <Stack className="amount" justify="space-between" gap={0}>
          <span>{priceText(top)}</span>
          <span>{priceText(top / 2)}</span>
          <span>{priceText(0)}</span>
        </Stack>
        <Box pos="relative">
          <svg
            className="plot"
            height={192}
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            aria-hidden="true"
            onPointerLeave={() => setPointed(null)}
          >
            {[0, HEIGHT / 2].map((at) => (
              <line key={at} className="grid" x1="0" x2={WIDTH} y1={at} y2={at} />
            ))}
            {segments.map((segment, index) => (
              <a key={segment.from} href={hrefOf(segment)} tabIndex={-1}>
                <rect
                  className="hit"
                  x={x(segment.from)}
                  y="0"
                  width={x(segment.to + 1) - x(segment.from)}
                  height={HEIGHT}
                  onPointerEnter={() => setPointed(index)}
                />
              </a>
            ))}
            {current === undefined || current < from || current > to ? null : (
              <line className="current" x1={x(current)} x2={x(current)} y1="0" y2={HEIGHT} />
            )}
            {lines.map(({ id, prices }, index) => (
              <path key={id} style={lineStyle(index)} d={stepPath(segments, prices, x, y)} />
            ))}
          </svg>
          {shown === undefined || pointed === null ? null : (
            <div
              className="tip"
              style={
                {
                  '--at': `${(x(shown.from) + x(shown.to + 1)) / 20}%`,
                } as CSSProperties
              }
            >
              <strong>{rangeText(shown)}</strong>
              <ul className="lines">
                {lines.map(({ id, name, prices }, index) =>
                  prices[pointed] == null ? null : (
                    <li key={id} className="row between">
                      <span className="row">
                        <Swatch index={index} />
                        {name}
                      </span>
                      <span className="amount">{priceText(prices[pointed])}</span>
                    </li>
                  ),
                )}
              </ul>
              {lines.every(({ prices }) => prices[pointed] == null) ? 'No rate' : null}
            </div>
          )}
        </Box>
        <div className="row between axis">
          <span>{valueText(from)}</span>
          <span>{valueText(to)}</span>
        </div>
      </div>
      <ul className="row wrap legend">
        {lines.map(({ id, name }, index) => (
          <li key={id} className="row">
            <Swatch index={index} />
            {name}
          </li>
        ))}
        {props.lines.length > LINES_MAX ? <li>and {props.lines.length - LINES_MAX} more rates</li> : null}
      </ul>
    </Stack>
  );
}

/** Colour and dashes of the eight lines. */
const STYLES = ['accent', 'warning', 'info', 'bad', 'good/6 3', 'quiet', 'info/2 3', 'warning/10 3 2 3'];

function lineStyle(index: number): CSSProperties {
  const [colour, strokeDasharray = ''] = STYLES[index]?.split('/') ?? [];
  return { stroke: `var(--${colour})`, strokeDasharray };
}

const Swatch = ({ index }: { index: number }) => (
  <svg width={20} height={8} viewBox="0 0 24 8" style={{ flex: 'none' }} aria-hidden="true">
    <path style={lineStyle(index)} strokeWidth={2} d="M0 4H24" />
  </svg>
);
