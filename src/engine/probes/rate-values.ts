/** Changes of a cart around the bounds of a method's rate and threshold. */
import { SUM_OF_TABLE } from '../compile/rate-function.ts';
import { FIELD } from '../domain/condition.ts';
import { isTableRateType, tiersOfRate } from '../domain/rate-type.ts';
import type { ShippingMethod } from '../domain/shipping-method.ts';
import { type Change, setNumber } from './draft-cart.ts';

const BASE_CENTS = 3_333;

export function rateChanges(method: ShippingMethod): readonly Change[] {
  return [...ofRate(method), ...ofThreshold(method)];
}

const sumOf =
  (type: 'product_weight' | 'product_price' | 'product_quantity') =>
  (value: number): Change =>
    setNumber(type, 'sum_of_group', value);
const weight = sumOf('product_weight');
const price = sumOf('product_price');
const pieces = sumOf('product_quantity');

function ofThreshold({ freeShippingThreshold, thresholdBasis = 'cart_total' }: ShippingMethod): Change[] {
  if (freeShippingThreshold === null) return [];
  return [freeShippingThreshold - 1, freeShippingThreshold].map((value) =>
    setNumber(thresholdBasis, 'any_product_in_order', value),
  );
}

/** The change to the greatest total below the threshold; none without a threshold. */
export const belowThreshold = (method: ShippingMethod): readonly Change[] => ofThreshold(method).slice(0, 1);

function ofRate(method: ShippingMethod): Change[] {
  const { rateType } = method;
  const tiers = tiersOfRate(method);
  if (tiers !== null && isTableRateType(rateType)) {
    const field = SUM_OF_TABLE[rateType];
    const set = field === FIELD.product_weight ? weight : field === FIELD.product_price ? price : pieces;
    const bounds = tiers.flatMap(({ from, to }) => [from, from - 1, ...(to === null ? [] : [to - 1, to])]);
    return [...new Set(bounds)].filter((bound) => bound >= 0).map(set);
  }
  switch (method.rateType) {
    case 'by_items':
      return [1, 2, 3].map(pieces);
    case 'by_weight':
      return steps(method.config).map(weight);
    case 'by_dimensional_weight': {
      // One side is the volume that a gram stands for, so that the other two count grams.
      const { divisor } = method.config;
      const volumes = steps(method.config).map(
        (grams): Change =>
          (draft) => ({
            ...draft,
            item: { ...draft.item, grams: 0, length: divisor, width: Math.min(grams, 100_000), height: 1 },
          }),
      );
      return [...steps(method.config).map(weight), ...volumes];
    }
    case 'percentage': {
      const { percentage, minPrice, maxPrice } = method.config;
      const clamps = [minPrice, maxPrice].flatMap((clamp) =>
        clamp === undefined || percentage === 0 ? [] : [Math.round((clamp * 100) / percentage)],
      );
      return [BASE_CENTS, 100_000, ...clamps.flatMap((at) => [at - 1, at, at + 1, 2 * at])].map(price);
    }
    default:
      return [];
  }
}

interface WeightSteps {
  readonly firstWeight: number;
  readonly additionalWeight: number;
}

/** Weights at which the price changes. */
const steps = ({ firstWeight, additionalWeight }: WeightSteps): readonly number[] => [
  firstWeight,
  firstWeight + 1,
  firstWeight + additionalWeight,
  firstWeight + additionalWeight + 1,
  firstWeight + 10 * additionalWeight,
];
