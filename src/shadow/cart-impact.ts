/** Effect of a changeset on the carts of one zone or product group (contract section 10.6). */
export interface CartImpact {
  /** Carts that were evaluated against both configurations. */
  readonly evaluated: number;
  /** Carts with different rates. */
  readonly different: number;
  /** Sum of the cheapest staged rate minus the cheapest live rate, over carts with both; rounded as a double. */
  readonly differenceCents: number;
}

export const NO_IMPACT: CartImpact = { evaluated: 0, different: 0, differenceCents: 0 };

export const addImpacts = (a: CartImpact, b: CartImpact): CartImpact => ({
  evaluated: a.evaluated + b.evaluated,
  different: a.different + b.different,
  differenceCents: a.differenceCents + b.differenceCents,
});

/** Adds `more` to the value of a key; a missing value is `none`. */
export const addTo = <T>(
  sums: Map<string, T>,
  key: string,
  more: T,
  add: (a: T, b: T) => T,
  none: T,
): void => {
  sums.set(key, add(sums.get(key) ?? none, more));
};
