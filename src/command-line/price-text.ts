/** Prices as a person reads them. */

/** Cents with two decimals. */
export const centsText = (cents: number): string => (cents / 100).toFixed(2);
