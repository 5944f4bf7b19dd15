/**
 * Counts of what live simulations used since they were taken last: plain numbers on the compiled pieces themselves, so
 * that counting is one addition.
 */
import { type RateConfig, tiersOfRate } from '../domain/rate-type.ts';

export interface MethodUse {
  considered: number;
  visible: number;
  /** Its rate was in the answer, alone or as a part of a blended rate. */
  offered: number;
  /** Simulations by tier of the rate table; null without a table. */
  readonly tiers: Uint32Array | null;
}

export interface RuleUse {
  matched: number;
}

export interface PlaceUse {
  simulations: number;
}

export function unusedMethod(rate: RateConfig): MethodUse {
  const tiers = tiersOfRate(rate);
  return {
    considered: 0,
    visible: 0,
    offered: 0,
    tiers: tiers === null ? null : new Uint32Array(tiers.length),
  };
}
