/**
 * The lease of a node: while it holds one, its answers need no mark. Why that is safe follows from what
 * writers wait for (`barrier.ts`) and from the order of a renewal (`heartbeat.ts`). A node without a lease
 * goes on answering, because a failover of the authority takes longer than a checkout can wait.
 */
import { LEASE_MS } from './timing.ts';

export class Lease {
  #untilMs = Number.NEGATIVE_INFINITY;
  #currentAtMs: number | null = null;

  /** This node has applied every write that was acknowledged before `sentAtMs`. */
  renew(sentAtMs: number): void {
    this.#untilMs = sentAtMs + LEASE_MS;
    this.#currentAtMs = sentAtMs;
  }

  /** From now on answers are marked, until the next renewal. */
  end(): void {
    this.#untilMs = Number.NEGATIVE_INFINITY;
  }

  /** `nowMs` must be read for this answer: the process may have been stopped since an earlier reading. */
  isHeld(nowMs: number): boolean {
    return nowMs < this.#untilMs;
  }

  /** The latest moment at which the node is known to have been current; null before the first renewal. */
  get currentAtMs(): number | null {
    return this.#currentAtMs;
  }
}

/** How a node may answer for a shop: without a mark, marked with an age, or not at all. */
export type Freshness =
  /** Shows every write that was acknowledged before the request arrived. */
  | { readonly kind: 'current' }
  /** The answer shows every write that was acknowledged at least `ageSeconds` ago; later writes may be missing. */
  | { readonly kind: 'old'; readonly ageSeconds: number }
  /** Older than allowed, or of unknown age. */
  | { readonly kind: 'refused' };

export const CURRENT: Freshness = { kind: 'current' };
const REFUSED: Freshness = { kind: 'refused' };

/**
 * The freshness of an answer without a lease. `currentAtMs` is when the shop was last known to be current,
 * null for never; `staleMsMax` is the greatest age that is answered, 0 for none. Ages are rounded up to whole
 * seconds.
 */
export function freshnessWithoutLease(
  currentAtMs: number | null,
  nowMs: number,
  staleMsMax: number,
): Freshness {
  if (currentAtMs === null || staleMsMax === 0 || nowMs - currentAtMs > staleMsMax) return REFUSED;
  return { kind: 'old', ageSeconds: Math.max(1, Math.ceil((nowMs - currentAtMs) / 1_000)) };
}
