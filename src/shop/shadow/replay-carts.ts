/** A replay: kept carts compared again, by a worker thread, because a client waits for it. */
import type { CompiledShop } from '../../engine/compile/compiled-shop.ts';
import type { SimulateRequest } from '../../engine/domain/cart.ts';
import { REPLAY_SAMPLES_MAX, type ShadowSample } from '../../engine/wire/shadow-results.ts';
import { CartComparer, type CartDifference } from './cart-comparer.ts';

/** A live simulation that is kept for replays. */
export interface KeptCart {
  /** The request without what is personal, as JSON text. */
  readonly text: string;
  /** The clock of its time conditions, ms since the epoch. */
  readonly nowMs: number;
}

export interface ReplayResult {
  readonly evaluated: number;
  readonly different: number;
  /** Carts with rates only in the live configuration, and only in the changeset. */
  readonly lost: number;
  readonly gained: number;
  /** Of the last carts that differ, oldest first. */
  readonly samples: readonly ShadowSample[];
}

/** Compares the carts one after another. */
export function replayCarts(
  live: CompiledShop,
  staged: CompiledShop,
  carts: readonly KeptCart[],
): ReplayResult {
  const comparer = new CartComparer(live, staged);
  const differences: CartDifference[] = [];
  let evaluated = 0;
  for (const { text, nowMs } of carts) {
    const comparison = comparer.compare(JSON.parse(text) as SimulateRequest, nowMs, true);
    if (comparison === null) continue;
    evaluated++;
    if (comparison.difference !== null) differences.push(comparison.difference);
  }
  return {
    evaluated,
    different: differences.length,
    lost: differences.filter(({ isLost }) => isLost).length,
    gained: differences.filter(({ isGained }) => isGained).length,
    samples: differences.slice(-REPLAY_SAMPLES_MAX).map(({ sample }) => sample()),
  };
}
