/**
 * What a node may say of a shop: the answer as it is, the answer marked with its age, or nothing. A node without a
 * lease goes on answering, because a failover of the authority takes longer than a checkout can wait.
 */

export type Freshness =
  /** Shows every write that was acknowledged before the question came. */
  | { readonly kind: 'current' }
  /** Shows every write that was acknowledged at least `ageSeconds` ago; later ones may be missing. */
  | { readonly kind: 'old'; readonly ageSeconds: number }
  /** Older than may be answered, or of unknown age. */
  | { readonly kind: 'refused' };

export const CURRENT: Freshness = { kind: 'current' };
const REFUSED: Freshness = { kind: 'refused' };

/**
 * Of an answer for which no lease is held. `currentAtMs` is when it was last known to be current, null for never;
 * `staleMsMax` is how old an answer may be, 0 for never old. Ages are rounded up to whole seconds.
 */
export function freshnessWithoutLease(
  currentAtMs: number | null,
  nowMs: number,
  staleMsMax: number,
): Freshness {
  if (currentAtMs === null || staleMsMax === 0 || nowMs - currentAtMs > staleMsMax) return REFUSED;
  return { kind: 'old', ageSeconds: Math.max(1, Math.ceil((nowMs - currentAtMs) / 1_000)) };
}
