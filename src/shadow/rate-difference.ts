/** Compares two lists of rates by service code and price (contract section 7). */
import { groupedBy } from '../runtime/map-entries.ts';
import type { RateDifference } from '../wire/shadow-results.ts';

export interface OfferedRate {
  readonly serviceName: string;
  readonly serviceCode: string;
  readonly totalPrice: number;
}

/**
 * Returns every rate that is not on both sides at the same price. Names and order are ignored. Rates with the same code
 * are paired: first those with equal prices, then the others in order of price. Both lists must be sorted by price.
 */
export function rateDifferences(
  live: readonly OfferedRate[],
  staged: readonly OfferedRate[],
): readonly RateDifference[] {
  const stagedByCode = groupedBy(staged, ({ serviceCode }) => serviceCode);
  const unmatched = live.filter((rate) => {
    const same = stagedByCode.get(rate.serviceCode) ?? [];
    const at = same.findIndex((other) => other.totalPrice === rate.totalPrice);
    if (at >= 0) same.splice(at, 1);
    return at < 0;
  });
  const differences = unmatched.map((rate) => {
    const other = stagedByCode.get(rate.serviceCode)?.shift();
    return differenceOf(rate, rate.totalPrice, other?.totalPrice ?? null);
  });
  for (const rest of stagedByCode.values()) {
    for (const rate of rest) differences.push(differenceOf(rate, null, rate.totalPrice));
  }
  return differences;
}

const differenceOf = (
  { serviceCode, serviceName }: OfferedRate,
  live: number | null,
  staged: number | null,
): RateDifference => ({ serviceCode, serviceName, live, staged });
