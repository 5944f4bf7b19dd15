/** Formats times for the output of a test. */

/** Median, 99th percentile and maximum of at least one time in milliseconds. */
export function quantileText(timesMs: readonly number[]): string {
  const sorted = [...timesMs].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  return `${at(0.5)} ms (median), ${at(0.99)} ms (p99), ${at(1)} ms (max)`;
}
