/**
 * Statistics of a few samples. Every figure that the suite prints is a median with the range of its rounds: on a
 * shared machine a mean depends on what other programs do.
 */

/** Sorted copy, smallest first. */
const ascending = (samples: readonly number[]): number[] => [...samples].sort((a, b) => a - b);

/**
 * The value below which `share` (0 to 1) of the samples lie, interpolated between neighbours.
 * NaN without samples.
 */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = ascending(samples);
  if (sorted.length === 0) return Number.NaN;
  const place = (sorted.length - 1) * Math.min(1, Math.max(0, share));
  const below = Math.floor(place);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (high - low) * (place - below);
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  /** Half of the range from lowest to highest, as a share of the median; 0 for a single sample. */
  readonly share: number;
}

export function spread(samples: readonly number[]): Spread {
  const middle = median(samples);
  const low = quantile(samples, 0);
  const high = quantile(samples, 1);
  const share = middle === 0 ? 0 : (high - low) / 2 / Math.abs(middle);
  return { median: middle, low, high, share };
}

/**
 * Sample by sample quotients of two series that were measured in alternation: what slows the machine for a
 * while slows both of a pair. The longer series loses its tail.
 */
export function pairedRatios(numerator: readonly number[], denominator: readonly number[]): number[] {
  const pairs = Math.min(numerator.length, denominator.length);
  return Array.from({ length: pairs }, (_, i) => (numerator[i] as number) / (denominator[i] as number));
}
