/**
 * The lease of a node: until when it may answer without a mark, and what it may answer after that. It says nothing of
 * other nodes; that it may be relied on follows from what writers wait for (`barrier.ts`) and from the order of a renewal
 * (`heartbeat.ts`). A node without a lease goes on answering, because a failover of the authority takes longer than a
 * checkout can wait.
 */
import { LEASE_MS } from './timing.ts';

export class Lease {
  #untilMs = Number.NEGATIVE_INFINITY;
  #currentAtMs: number | null = null;

  /** Everything that was acknowledged before `sentAtMs` is applied. */
  renew(sentAtMs: number): void {
    this.#untilMs = sentAtMs + LEASE_MS;
    this.#currentAtMs = sentAtMs;
  }

  /** From here on answers are marked, until the next renewal. */
  end(): void {
    this.#untilMs = Number.NEGATIVE_INFINITY;
  }

  /** `nowMs` is read for this answer, not before: the process may have been stopped meanwhile. */
  isHeld(nowMs: number): boolean {
    return nowMs < this.#untilMs;
  }

  /** The latest moment as of which the node is known to have been current; null before the first renewal. */
  get currentAtMs(): number | null {
    return this.#currentAtMs;
  }
}

/** What a node may say of a shop: the answer as it is, the answer marked with its age, or nothing. */
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
