/** Small panels, one per series: what an answer costs as one thing around it grows. */
import type { Measurements } from './measurement.ts';
import { formatNumber } from './number-format.ts';
import { type Spread, spread } from './statistics.ts';
import { dot, polyline, segment, svg, text } from './svg.ts';

const COLUMNS = 3;
const PANEL_WIDTH = 252;
const PANEL_HEIGHT = 190;
const TOP = 52;
const PLOT = { left: 30, right: 30, top: 34, bottom: 34 };

const SERIES: readonly (readonly [id: string, title: string])[] = [
  ['patterns', 'postal patterns of the zone'],
  ['other-methods', 'methods in other zones'],
  ['rules', 'rules of each method'],
  ['shops', 'shops, asked in turn'],
  ['versions', 'versions in the history'],
];

interface Point {
  readonly size: number;
  /** Microseconds. */
  readonly cost: Spread;
}

function pointsOf(run: Measurements, series: string): readonly Point[] {
  const start = `growth/${series}/`;
  return run
    .ids()
    .filter((id) => id.startsWith(start))
    .map((id) => ({
      size: Number(id.slice(start.length)),
      cost: spread(run.samples(id).map((nanoseconds) => nanoseconds / 1_000)),
    }))
    .sort((a, b) => a.size - b.size);
}

const SHORT: readonly (readonly [number, string])[] = [
  [1e6, 'M'],
  [1e3, 'k'],
];

function shortSize(size: number): string {
  const step = SHORT.find(([from]) => size >= from);
  return step === undefined ? String(size) : `${formatNumber(size / step[0]).replace(/\.0+$/, '')}${step[1]}`;
}

/** Sizes stand side by side at equal distances: each is about ten times the one before. */
function panel(title: string, points: readonly Point[], left: number, top: number): string[] {
  const highest = Math.max(...points.map(({ cost }) => cost.median)) * 1.25;
  const width = PANEL_WIDTH - PLOT.left - PLOT.right;
  const bottom = top + PANEL_HEIGHT - PLOT.bottom;
  const height = bottom - top - PLOT.top;
  const x = (at: number): number =>
    left + PLOT.left + (points.length === 1 ? width / 2 : (at * width) / (points.length - 1));
  const y = (cost: number): number => bottom - (Math.min(cost, highest) / highest) * height;
  const parts = [
    text(left + 12, top + 16, title, 'strong'),
    segment(left + 12, bottom, left + PANEL_WIDTH - 12, bottom, 'axis'),
    polyline(points.map(({ cost }, at) => [x(at), y(cost.median)] as const)),
  ];
  for (const [at, { size, cost }] of points.entries()) {
    parts.push(segment(x(at), y(cost.low), x(at), y(cost.high), 'range'), dot(x(at), y(cost.median)));
    parts.push(text(x(at), y(cost.median) - 9, formatNumber(cost.median), 'middle'));
    parts.push(text(x(at), bottom + 16, shortSize(size), 'middle quiet'));
  }
  return parts;
}

/** null when the run did not measure growth. `caption` says where and when. */
export function growthChart(run: Measurements, caption: string): string | null {
  const series = SERIES.map(([id, title]) => ({ title, points: pointsOf(run, id) })).filter(
    ({ points }) => points.length > 0,
  );
  if (series.length === 0) return null;
  const parts = [
    text(12, 22, 'Cost of one answer as things grow, microseconds in process', 'title'),
    text(12, 40, caption, 'quiet'),
    ...series.flatMap(({ title, points }, at) =>
      panel(title, points, (at % COLUMNS) * PANEL_WIDTH, TOP + Math.floor(at / COLUMNS) * PANEL_HEIGHT),
    ),
  ];
  const height = TOP + Math.ceil(series.length / COLUMNS) * PANEL_HEIGHT;
  return svg(COLUMNS * PANEL_WIDTH, height, 'Cost of one answer by growth', parts);
}
