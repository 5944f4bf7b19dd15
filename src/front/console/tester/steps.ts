/** Prices of services in steps, for a chart: along a curve, or through the versions of a shop. */
import type { Schemas } from '../../client/call-table.ts';

/** Lines that a reader can tell apart. */
export const LINES_MAX = 8;

/** A service with its price in each step; null where it is not offered. */
export interface StepLine {
  readonly id: string;
  readonly name: string;
  readonly prices: readonly (number | null)[];
}

interface SteppedRate {
  readonly serviceCode: string;
  readonly totalPrice: number;
  readonly serviceName?: string;
}

interface Priced {
  readonly rates: readonly SteppedRate[];
}

/** One line for each service that any step offers, in the order in which they come. `names` by service code. */
export function linesOf(
  steps: readonly Priced[],
  names: ReadonlyMap<string, string> = new Map(),
): readonly StepLine[] {
  const codes = new Map<string, string>();
  for (const { rates } of steps) {
    for (const { serviceCode, serviceName } of rates)
      codes.set(serviceCode, serviceName ?? names.get(serviceCode) ?? serviceCode);
  }
  return [...codes].map(([id, name]) => ({
    id,
    name,
    prices: steps.map(({ rates }) => rates.find(({ serviceCode }) => serviceCode === id)?.totalPrice ?? null),
  }));
}

/** The versions from one that changed the rates to the one before the next. */
export interface VersionStep extends Priced {
  readonly from: number;
  readonly to: number;
  /** The version with which the step begins; null: the oldest that is kept. */
  readonly version: Schemas['VersionRecord'] | null;
}

/** Where there are more changes than the answer has, the last step is of one version. */
export function versionSteps({ flips, from, to, limited }: Schemas['BisectAnswer']): readonly VersionStep[] {
  return [null, ...flips].map((flip, index) => {
    const next = flips[index];
    const start = flip?.version.number ?? from.number;
    return {
      from: start,
      to: next !== undefined ? next.version.number - 1 : limited ? start : to.number,
      rates: flip?.after ?? next?.before ?? [],
      version: flip?.version ?? null,
    };
  });
}

/** A round number that is not less, so that half of it is round too. */
export function niceTop(highest: number): number {
  const size = 10 ** Math.floor(Math.log10(highest));
  return size * ([1, 1.2, 1.6, 2, 3, 4, 5, 6, 8].find((times) => times * size >= highest) ?? 10);
}

/** A part of the line of values: a range of numbers, or one version. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The drawing of a line: horizontal where it has a price, joined upright where the next segment has one too. */
export function stepPath(
  segments: readonly Span[],
  prices: StepLine['prices'],
  x: (value: number) => number,
  y: (price: number) => number,
): string {
  let path = '';
  for (const [index, segment] of segments.entries()) {
    const price = prices[index];
    if (price == null) continue;
    const isJoined = index > 0 && prices[index - 1] != null;
    path += isJoined ? `V${y(price)}` : `M${x(segment.from)} ${y(price)}`;
    path += `H${x(segment.to + 1)}`;
  }
  return path;
}
