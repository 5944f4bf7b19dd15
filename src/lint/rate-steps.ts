/**
 * Rate steps: what a rate type can charge at all, from its config alone: whether there is ever a base
 * price, and from which total of the group on it can be above 0 (contract section 3, "Rate types").
 */
import type { Condition } from '../domain/condition.ts';
import {
  isTableRateType,
  percentageHundredths,
  type RateConfig,
  type RateConfigs,
  type TableRateType,
  type Tier,
  tiersOf,
} from '../domain/rate-type.ts';

/** A table's tiers, null for other rate types. */
export function tiersOfRate({ rateType, config }: RateConfig): readonly Tier[] | null {
  return isTableRateType(rateType) ? tiersOf(rateType, config as RateConfigs[TableRateType]) : null;
}

/** The tiers that a cart can reach: a group in the cart has at least one piece. */
const reachableTiers = (rate: RateConfig): readonly Tier[] =>
  (tiersOfRate(rate) ?? []).filter(({ to }) => rate.rateType !== 'by_items_table' || to === null || to > 1);

/** True when no total of a group lies in a tier. */
export const neverHasRate = (rate: RateConfig): boolean =>
  isTableRateType(rate.rateType) && reachableTiers(rate).length === 0;

/** Sums of a group that rate types look at, as the condition type that compares them. */
export const MEASURES = {
  by_weight_table: { conditionType: 'product_weight', unit: 'grams' },
  by_price_table: { conditionType: 'product_price', unit: 'cents' },
  by_items_table: { conditionType: 'product_quantity', unit: 'pieces' },
} as const satisfies Record<TableRateType, { conditionType: Condition['conditionType']; unit: string }>;

export interface ChargedStep {
  /**
   * The least price total of the group, in cents, at which the base price can be above 0; 0 for rates that
   * do not look at prices.
   */
  readonly fromTotal: number;
  /** A sum of the group at which it is above 0. */
  readonly example: { readonly conditionType: Condition['conditionType']; readonly sum: number };
}

const step = (fromTotal: number, conditionType: Condition['conditionType'], sum: number): ChargedStep => ({
  fromTotal,
  example: { conditionType, sum },
});

/** From where on the rate charges anything; null when its base price is always 0. */
export function firstCharge(rate: RateConfig): ChargedStep | null {
  switch (rate.rateType) {
    case 'free':
      return null;
    case 'flat':
      return rate.config.price > 0 ? step(0, 'product_quantity', 1) : null;
    case 'by_items': {
      const { firstItemPrice, additionalItemPrice } = rate.config;
      if (firstItemPrice > 0) return step(0, 'product_quantity', 1);
      return additionalItemPrice > 0 ? step(0, 'product_quantity', 2) : null;
    }
    case 'by_weight': {
      const { firstWeight, firstPrice, additionalPrice } = rate.config;
      if (firstPrice > 0) return step(0, 'product_weight', firstWeight);
      return additionalPrice > 0 ? step(0, 'product_weight', firstWeight + 1) : null;
    }
    case 'percentage': {
      const { percentage, minPrice = 0, maxPrice } = rate.config;
      const hundredths = percentageHundredths(percentage) ?? 0;
      if (minPrice > 0) return step(0, 'product_price', 1);
      if (hundredths === 0 || maxPrice === 0) return null;
      // Rounded half up, half a cent is a cent.
      const total = Math.ceil(5_000 / hundredths);
      return step(total, 'product_price', total);
    }
    default: {
      const charged = reachableTiers(rate).find(({ priceCents }) => priceCents > 0);
      if (charged === undefined) return null;
      const isByPrice = rate.rateType === 'by_price_table';
      const least = rate.rateType === 'by_items_table' ? 1 : 0;
      return step(
        isByPrice ? charged.from : 0,
        MEASURES[rate.rateType].conditionType,
        Math.max(least, charged.from),
      );
    }
  }
}
