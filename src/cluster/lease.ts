/**
 * The lease of a node: until when it may answer without a mark. It says nothing of other nodes; that it may be relied
 * on follows from what writers wait for (`barrier.ts`) and from the order of a renewal (`heartbeat.ts`).
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
