/**
 * Counts of what live simulations used since they were taken last: plain numbers on the compiled pieces themselves, so
 * that counting is one addition.
 */
import { isTableRateType, type RateConfig } from '../domain/rate-type.ts';

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

export const unusedMethod = (rate: RateConfig): MethodUse => ({
  considered: 0,
  visible: 0,
  offered: 0,
  tiers: isTableRateType(rate.rateType) ? new Uint32Array(tierCount(rate)) : null,
});

const tierCount = ({ config }: RateConfig): number => ('tiers' in config ? config.tiers.length : 0);
