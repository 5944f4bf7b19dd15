/** Lines over two axes of numbers. */
import { polyline, segment, svg, text } from './svg.ts';

const WIDTH = 760;
const HEIGHT = 300;
const PLOT = { left: 76, right: 24, top: 56, bottom: 30 };
const LEGEND_STEP = 160;

export interface Line {
  readonly name: string;
  /** Classes of the chart's style. */
  readonly style: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** In order; the first and the last end the axis. */
export type Ticks = readonly (readonly [value: number, label: string])[];

interface LineChart {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly x: Ticks;
  readonly y: Ticks;
}

/** Where a value lies between the first tick and the last, 0 to 1. */
function placeIn(ticks: Ticks, value: number): number {
  const [first = 0, last = 1] = [ticks[0]?.[0], ticks.at(-1)?.[0]];
  return Math.min(1, Math.max(0, (value - first) / (last - first)));
}

export function lineChart({ title, lines, x, y }: LineChart): string {
  const [right, bottom] = [WIDTH - PLOT.right, HEIGHT - PLOT.bottom];
  const across = (value: number): number => PLOT.left + placeIn(x, value) * (right - PLOT.left);
  const up = (value: number): number => bottom - placeIn(y, value) * (bottom - PLOT.top);
  const parts = [
    text(12, 22, title, 'title'),
    ...y.flatMap(([value, label]) => [
      segment(PLOT.left, up(value), right, up(value), 'axis'),
      text(PLOT.left - 8, up(value) + 4, label, 'end quiet'),
    ]),
    ...x.map(([value, label]) => text(across(value), bottom + 18, label, 'middle quiet')),
    ...lines.flatMap(({ name, style, points }, at) => [
      segment(PLOT.left + at * LEGEND_STEP, 40, PLOT.left + at * LEGEND_STEP + 24, 40, style),
      text(PLOT.left + at * LEGEND_STEP + 30, 44, name),
      polyline(
        points.map(([a, b]) => [across(a), up(b)] as const),
        style,
      ),
    ]),
  ];
  return svg(WIDTH, HEIGHT, title, parts);
}
