/** A replay: kept carts compared again, by a worker thread, because a client waits for it. */
import type { CompiledShop } from '../../engine/compile/compiled-shop.ts';
import { REPLAY_SAMPLES_MAX, type ShadowSample } from '../../engine/wire/shadow-results.ts';
import { type KeptCart, keptProbes } from '../reader/live-traffic.ts';
import { CartComparer, type CartDifference } from './cart-comparer.ts';

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
  for (const { request, nowMs } of keptProbes(carts)) {
    const comparison = comparer.compare(request, nowMs, true);
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
