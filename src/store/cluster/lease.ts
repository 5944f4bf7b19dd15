/**
 * The lease of a node: while it holds one, its answers need no mark. Why that is safe follows from what
 * writers wait for (`barrier.ts`) and from the order of a renewal (`heartbeat.ts`). A node without a lease
 * goes on answering, because a failover of the authority takes longer than a checkout can wait.
 */
import type { Moment } from './node-ports.ts';
import { CLOCKS_APART_MS_MAX, LEASE_MS } from './timing.ts';

export class Lease {
  #isEnded = true;
  #hasBegun = false;
  #currentAt: Moment | null;

  /** `currentAt` is the moment as of which the mirror is, after an earlier run of the process; null when it is not known. */
  constructor(currentAt: Moment | null = null) {
    this.#currentAt = currentAt;
  }

  /** This node has applied every write that was acknowledged before `sentAt`. */
  renew(sentAt: Moment): void {
    this.#isEnded = false;
    this.#hasBegun = true;
    this.#currentAt = sentAt;
  }

  /** From now on answers are marked, until the next renewal. */
  end(): void {
    this.#isEnded = true;
  }

  /** `now` must be read for this answer: the process may have been stopped since an earlier reading. */
  isHeld(now: Moment): boolean {
    const currentAt = this.#currentAt;
    if (this.#isEnded || currentAt === null) return false;
    const monotonicMs = now.monotonicMs - currentAt.monotonicMs;
    const wallMs = now.wallMs - currentAt.wallMs;
    if (monotonicMs >= LEASE_MS || Math.abs(wallMs - monotonicMs) > CLOCKS_APART_MS_MAX) this.end();
    return !this.#isEnded;
  }

  /** True after the first renewal. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** The latest moment at which the node is known to have been current; null for never. */
  get currentAt(): Moment | null {
    return this.#currentAt;
  }
}

/** By the clock that advanced more: a suspended machine stops one of them, and an operator may set the other back. */
export const passedMs = (since: Moment, now: Moment): number =>
  Math.max(now.monotonicMs - since.monotonicMs, now.wallMs - since.wallMs);

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
 * The freshness of an answer without a lease. `currentAt` is when the shop was last known to be current, null for never;
 * `staleMsMax` is the greatest age that is answered, 0 for none. Ages are rounded up to whole seconds.
 */
export function freshnessWithoutLease(currentAt: Moment | null, now: Moment, staleMsMax: number): Freshness {
  if (currentAt === null || staleMsMax === 0) return REFUSED;
  const ageMs = passedMs(currentAt, now);
  if (ageMs > staleMsMax) return REFUSED;
  return { kind: 'old', ageSeconds: Math.max(1, Math.ceil(ageMs / 1_000)) };
}
