/** How the price of one method differs between two configurations, over many carts. */
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

export const NO_SHIFT: MethodShift = {
  priceUp: 0,
  priceDown: 0,
  appeared: 0,
  disappeared: 0,
  differenceCents: 0,
};

export function addShifts(a: MethodShift, b: MethodShift): MethodShift {
  return {
    priceUp: a.priceUp + b.priceUp,
    priceDown: a.priceDown + b.priceDown,
    appeared: a.appeared + b.appeared,
    disappeared: a.disappeared + b.disappeared,
    differenceCents: a.differenceCents + b.differenceCents,
  };
}

/** The shift for one cart; null without a difference. Prices in cents; null where the method is not offered. */
export function shiftOf(before: number | null, after: number | null): MethodShift | null {
  if (before === after) return null;
  if (before === null) return { ...NO_SHIFT, appeared: 1 };
  if (after === null) return { ...NO_SHIFT, disappeared: 1 };
  const differenceCents = after - before;
  return { ...NO_SHIFT, [differenceCents > 0 ? 'priceUp' : 'priceDown']: 1, differenceCents };
}
