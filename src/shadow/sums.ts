/** What a changeset does to carts and to methods, and the sums of that over many carts. */

/** Effect on the carts of one zone or product group (contract section 10.6). */
export interface CartImpact {
  /** Carts that were evaluated against both configurations. */
  readonly evaluated: number;
  /** Carts with different rates. */
  readonly different: number;
  /** Sum of the cheapest staged rate minus the cheapest live rate, over carts with both; rounded as a double. */
  readonly differenceCents: number;
}

/** How the price of one method differs between the two configurations. */
export interface MethodShift {
  /** Carts for which both configurations offer the method, the second at a higher or at a lower price. */
  readonly priceUp: number;
  readonly priceDown: number;
  /** Carts for which only the second configuration offers it, or only the first. */
  readonly appeared: number;
  readonly disappeared: number;
  /** Sum of the second price minus the first, over carts with both; rounded as a double. */
  readonly differenceCents: number;
}

const NO_SHIFT: MethodShift = { priceUp: 0, priceDown: 0, appeared: 0, disappeared: 0, differenceCents: 0 };

/** The shift for one cart; null without a difference. Prices in cents; null where the method is not offered. */
export function shiftOf(before: number | null, after: number | null): MethodShift | null {
  if (before === after) return null;
  if (before === null) return { ...NO_SHIFT, appeared: 1 };
  if (after === null) return { ...NO_SHIFT, disappeared: 1 };
  const differenceCents = after - before;
  return { ...NO_SHIFT, [differenceCents > 0 ? 'priceUp' : 'priceDown']: 1, differenceCents };
}

/** Adds two records of numbers, field by field. */
export function sumOf<T extends Record<keyof T, number>>(a: T, b: Record<keyof T, number>): T {
  const sum: Record<keyof T, number> = { ...a };
  for (const name of Object.keys(a) as (keyof T)[]) sum[name] += b[name];
  return sum as T;
}

/** Adds `more` to the sum of a key. */
export function addTo<T extends Record<keyof T, number>>(sums: Map<string, T>, key: string, more: T): void {
  const sum = sums.get(key);
  sums.set(key, sum === undefined ? more : sumOf(sum, more));
}
