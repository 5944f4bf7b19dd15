/**
 * Rate steps: facts that follow from the config of a rate type alone (contract section 3, "Rate types"): whether a cart can
 * get a base price, and the least total of the group at which that price can be above 0.
 */
import type { Condition } from '../domain/condition.ts';
import {
  isTableRateType,
  percentageHundredths,
  type RateConfig,
  type TableRateType,
  type Tier,
  tiersOfRate,
} from '../domain/rate-type.ts';
import type { Unit } from './draft.ts';

/** The tiers that a cart can reach: a group in the cart has at least one piece. */
const reachableTiers = (rate: RateConfig): readonly Tier[] =>
  (tiersOfRate(rate) ?? []).filter(({ to }) => rate.rateType !== 'by_items_table' || to === null || to > 1);

/** True when no total of a group lies in a tier. */
export const neverHasRate = (rate: RateConfig): boolean =>
  isTableRateType(rate.rateType) && reachableTiers(rate).length === 0;

type Summed = Extract<Condition['conditionType'], 'product_weight' | 'product_price' | 'product_quantity'>;

/** Sums of a group that tables look at, as the condition type that compares them. */
export const MEASURES: Readonly<Record<TableRateType, { readonly summed: Summed; readonly unit: Unit }>> = {
  by_weight_table: { summed: 'product_weight', unit: 'grams' },
  by_price_table: { summed: 'product_price', unit: 'money' },
  by_items_table: { summed: 'product_quantity', unit: 'pieces' },
};

/** A total of a group. */
export interface GroupTotal {
  readonly summed: Summed;
  readonly sum: number;
}

/** The condition that the group has this total. */
export const isTotal = ({ summed, sum }: GroupTotal): Condition => ({
  conditionType: summed,
  operator: 'equals',
  value: String(sum),
  scope: 'sum_of_group',
});

/** The condition that the group's total lies in a tier of its table. */
export const isInTier = (rateType: TableRateType, { from, to }: Tier): Condition => ({
  conditionType: MEASURES[rateType].summed,
  operator: to === null ? 'greater_than_or_equal' : 'between',
  value: to === null ? String(from) : `${from},${to - 1}`,
  scope: 'sum_of_group',
});

interface ChargedStep {
  /** The least price total of the group, in cents, from which on it is charged; 0 for rates that do not look at prices. */
  readonly fromTotal: number;
  /** A total of the group at which the base price is above 0. */
  readonly example: GroupTotal;
}

/** Returns the total from which the rate charges anything; null when its base price is always 0. */
export function firstCharge(rate: RateConfig): ChargedStep | null {
  const at = (summed: Summed, sum: number, fromTotal = 0) => ({ fromTotal, example: { summed, sum } });
  switch (rate.rateType) {
    case 'free':
      return null;
    case 'flat':
      return rate.config.price > 0 ? at('product_quantity', 1) : null;
    case 'by_items': {
      if (rate.config.firstItemPrice > 0) return at('product_quantity', 1);
      return rate.config.additionalItemPrice > 0 ? at('product_quantity', 2) : null;
    }
    case 'by_weight':
    case 'by_dimensional_weight': {
      const { firstWeight, firstPrice, additionalPrice } = rate.config;
      if (firstPrice > 0) return at('product_weight', firstWeight);
      return additionalPrice > 0 ? at('product_weight', firstWeight + 1) : null;
    }
    case 'percentage': {
      const { percentage, minPrice = 0, maxPrice } = rate.config;
      const hundredths = percentageHundredths(percentage) ?? 0;
      if (minPrice > 0) return at('product_price', 1);
      if (hundredths === 0 || maxPrice === 0) return null;
      // Half a cent is rounded up to a cent.
      const total = Math.ceil(5_000 / hundredths);
      return at('product_price', total, total);
    }
    default: {
      const charged = reachableTiers(rate).find(({ priceCents }) => priceCents > 0);
      if (charged === undefined) return null;
      const sum = Math.max(rate.rateType === 'by_items_table' ? 1 : 0, charged.from);
      return at(MEASURES[rate.rateType].summed, sum, rate.rateType === 'by_price_table' ? charged.from : 0);
    }
  }
}
