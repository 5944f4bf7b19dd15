/** The size from which on one way of doing something is faster than another, found between measured sizes. */

/** One size of work, done both ways. */
export interface SizePoint {
  /** The size in microseconds, above 0. */
  readonly cost: number;
  /** Time of the first way divided by that of the second, above 0: below 1 the first way is better. */
  readonly ratio: number;
}

/**
 * The smallest cost from which on the ratio stays at or below `bound` up to the largest size; between two sizes
 * both are taken to grow as powers. The smallest size when none is above; null when the largest is above. Points
 * are in the order of their costs.
 */
export function breakEven(points: readonly SizePoint[], bound: number): number | null {
  const lastAbove = points.findLastIndex(({ ratio }) => ratio > bound);
  const above = points[lastAbove];
  const below = points[lastAbove + 1];
  if (below === undefined) return null;
  if (above === undefined) return below.cost;
  const share = Math.log(above.ratio / bound) / Math.log(above.ratio / below.ratio);
  return above.cost * (below.cost / above.cost) ** share;
}

/** The ratio at a cost, as `breakEven` takes it to run between two sizes; beyond the ends as at the ends. */
export function ratioAt(points: readonly SizePoint[], cost: number): number {
  const next = points.findIndex((point) => point.cost >= cost);
  const [low, high] = next === -1 ? [points.at(-1), points.at(-1)] : [points[next - 1], points[next]];
  if (high === undefined) return Number.NaN;
  if (low === undefined || low === high) return high.ratio;
  const share = Math.log(cost / low.cost) / Math.log(high.cost / low.cost);
  return low.ratio * (high.ratio / low.ratio) ** share;
}
