/**
 * Rate functions: a method's base price from the totals of its group's shippable items (contract
 * section 3, "Rate types"), and what is known of it without a cart. Tables are sorted arrays with a binary search.
 */
import { FIELD } from '../domain/condition.ts';
import { addExact, multiplyExact, quotientRoundedUp, shareRoundedHalfUp } from '../domain/money.ts';
import {
  isTableRateType,
  percentageHundredths,
  type RateConfig,
  type RateConfigs,
  type TableRateType,
  type Tier,
  tiersOfRate,
} from '../domain/rate-type.ts';

/** Totals over the shippable items of one group. */
export interface GroupTotals {
  readonly weightGrams: number;
  readonly priceCents: number;
  readonly quantity: number;
  /** The items with three sides; null when there are none. */
  readonly sized: readonly SizedItem[] | null;
}

/** `volume`: cubic millimetres of one piece, at most 10^15. */
export interface SizedItem {
  readonly volume: number;
  readonly grams: number;
  readonly quantity: number;
}

/** Result when no tier contains the total: the method has no rate. */
export const OUTSIDE_RATE_TABLE = -1;
/** Result when the price exceeds 2^53-1 cents. */
export const PRICE_TOO_LARGE = -2;

/** Returns whole cents, `OUTSIDE_RATE_TABLE` or `PRICE_TOO_LARGE`. */
export type RateFunction = (totals: GroupTotals) => number;

export function compileRate(rate: RateConfig): RateFunction {
  switch (rate.rateType) {
    case 'flat': {
      const { price } = rate.config;
      return () => price;
    }
    case 'free':
      return () => 0;
    case 'by_items':
      return byItems(rate.config);
    case 'by_weight':
      return byWeight(rate.config);
    case 'by_dimensional_weight':
      return byDimensionalWeight(rate.config);
    case 'percentage':
      return byPercentage(rate.config);
    default:
      return byTable(rate);
  }
}

function byItems({ firstItemPrice, additionalItemPrice }: RateConfigs['by_items']): RateFunction {
  return ({ quantity }) => withMore(firstItemPrice, quantity - 1, additionalItemPrice);
}

/** The first price and `count` further ones. */
function withMore(first: number, count: number, price: number): number {
  const more = multiplyExact(count, price);
  return (more === null ? null : addExact(first, more)) ?? PRICE_TOO_LARGE;
}

function byWeight(config: RateConfigs['by_weight']): RateFunction {
  const { firstWeight, firstPrice, additionalWeight, additionalPrice } = config;
  return ({ weightGrams }) => {
    const steps = quotientRoundedUp(Math.max(0, weightGrams - firstWeight), additionalWeight);
    return withMore(firstPrice, steps, additionalPrice);
  };
}

function byDimensionalWeight(config: RateConfigs['by_dimensional_weight']): RateFunction {
  const ofWeight = byWeight(config);
  return (totals) => {
    const weightGrams = dimensionalGrams(totals, config.divisor);
    return weightGrams === null ? PRICE_TOO_LARGE : ofWeight({ ...totals, weightGrams });
  };
}

/**
 * Returns the sum of the greater of grams and volume / `divisor` (mm3 per gram), rounded up, of each item times its
 * quantity (contract section 11.5); null when it exceeds 2^53-1.
 */
function dimensionalGrams({ weightGrams, sized }: GroupTotals, divisor: number): number | null {
  let total = weightGrams;
  for (const { volume, grams, quantity } of sized ?? []) {
    const more = multiplyExact(Math.max(0, quotientRoundedUp(volume, divisor) - grams), quantity);
    const sum = more === null ? null : addExact(total, more);
    if (sum === null) return null;
    total = sum;
  }
  return total;
}

// A valid config has at most two decimals, so this is never null.
const hundredthsOf = ({ percentage }: RateConfigs['percentage']): number =>
  percentageHundredths(percentage) as number;

/** Rounded half up, then clamped; a share beyond 2^53-1 is still clamped by `maxPrice`. */
function byPercentage(config: RateConfigs['percentage']): RateFunction {
  const { minPrice = 0, maxPrice } = config;
  const hundredths = hundredthsOf(config);
  return ({ priceCents }) => {
    const share = shareRoundedHalfUp(priceCents, hundredths, 10_000);
    if (share === null) return maxPrice ?? PRICE_TOO_LARGE;
    return Math.max(minPrice, maxPrice === undefined ? share : Math.min(share, maxPrice));
  };
}

/** A number of an item that is summed over the shippable items of the group. */
export type SumField = (typeof FIELD)['product_weight' | 'product_price' | 'product_quantity'];

/** The sum that each table type compares with its tiers. */
export const SUM_OF_TABLE: { readonly [K in TableRateType]: SumField } = {
  by_weight_table: FIELD.product_weight,
  by_price_table: FIELD.product_price,
  by_items_table: FIELD.product_quantity,
};

/** `field`: a `SumField`. */
export function groupSum(totals: GroupTotals, field: number): number {
  if (field === FIELD.product_weight) return totals.weightGrams;
  return field === FIELD.product_price ? totals.priceCents : totals.quantity;
}

function byTable(rate: RateConfig): RateFunction {
  const prices = Float64Array.from(tiersOfRate(rate) as readonly Tier[], (tier) => tier.priceCents);
  const indexOf = compileTierIndex(rate) as TierIndex;
  return (totals) => {
    const index = indexOf(totals);
    return index < 0 ? OUTSIDE_RATE_TABLE : (prices[index] as number);
  };
}

/** Returns the index of the tier that contains the total; -1 outside every tier. */
export type TierIndex = (totals: GroupTotals) => number;

/** Null for a rate without a table. */
export function compileTierIndex(rate: RateConfig): TierIndex | null {
  const tiers = tiersOfRate(rate);
  if (tiers === null) return null;
  const from = Float64Array.from(tiers, (tier) => tier.from);
  const to = Float64Array.from(tiers, (tier) => tier.to ?? Number.POSITIVE_INFINITY);
  const field = SUM_OF_TABLE[rate.rateType as TableRateType];
  return (totals) => {
    const total = groupSum(totals, field);
    let low = 0;
    let high = from.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if ((from[middle] as number) <= total) low = middle + 1;
      else high = middle - 1;
    }
    return high >= 0 && total < (to[high] as number) ? high : -1;
  };
}

/** The price before `minPrice` and `maxPrice`; null when it exceeds 2^53-1, undefined for a type without these bounds. */
export const priceBeforeBounds = ({ rateType, config }: RateConfig, totals: GroupTotals) =>
  rateType === 'percentage' ? shareRoundedHalfUp(totals.priceCents, hundredthsOf(config), 10_000) : undefined;

/** The part of each tier of a table that a cart can reach: a group in the cart has at least one piece. */
function reachableTiers(rate: RateConfig): readonly Tier[] {
  const least = rate.rateType === 'by_items_table' ? 1 : 0;
  const tiers = (tiersOfRate(rate) as readonly Tier[]).filter(({ to }) => to === null || to > least);
  return tiers.map((tier) => ({ ...tier, from: Math.max(least, tier.from) }));
}

/** True when no total of a group lies in a tier. */
export const neverHasRate = (rate: RateConfig): boolean =>
  isTableRateType(rate.rateType) && reachableTiers(rate).length === 0;

/** A total of a group. */
export interface GroupTotal {
  readonly field: SumField;
  readonly sum: number;
}

/** Totals of a rate; at the first of them with a price above 0 it begins to charge. */
function totalsToTry(rate: RateConfig): readonly GroupTotal[] {
  const of = (field: SumField, ...sums: readonly number[]) => sums.map((sum) => ({ field, sum }));
  switch (rate.rateType) {
    case 'by_weight':
    case 'by_dimensional_weight':
      return of(FIELD.product_weight, rate.config.firstWeight, rate.config.firstWeight + 1);
    case 'percentage':
      // Half a cent is rounded up to a cent.
      return of(FIELD.product_price, 1, Math.ceil(5_000 / Math.max(1, hundredthsOf(rate.config))));
    default:
      if (!isTableRateType(rate.rateType)) return of(FIELD.product_quantity, 1, 2);
      return of(SUM_OF_TABLE[rate.rateType], ...reachableTiers(rate).map(({ from }) => from));
  }
}

const FIELD_OF_SUM = {
  [FIELD.product_weight]: 'weightGrams',
  [FIELD.product_price]: 'priceCents',
  [FIELD.product_quantity]: 'quantity',
} as const;

/**
 * Returns `example`, a total at which the rate charges something, and `fromTotal`, the least price total of the group, in
 * cents, from which on it does; 0 for a rate that does not look at prices. Null when its base price is always 0.
 */
export function firstCharge(rate: RateConfig) {
  const priceAt = compileRate(rate);
  const least: GroupTotals = { weightGrams: 0, priceCents: 0, quantity: 1, sized: null };
  const example = totalsToTry(rate).find(
    ({ field, sum }) => priceAt({ ...least, [FIELD_OF_SUM[field]]: sum }) > 0,
  );
  if (example === undefined) return null;
  const isByPrice = example.field === FIELD.product_price && priceAt(least) <= 0;
  return { fromTotal: isByPrice ? example.sum : 0, example };
}
