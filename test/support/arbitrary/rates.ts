/** Rates of every type: an example of each config, and random valid ones. */
import fc, { type Arbitrary } from 'fast-check';
import type { RateConfig, RateConfigs } from '../../../src/engine/domain/rate-type.ts';
import * as alphabet from './alphabets.ts';

const { cents, pick } = alphabet;
const plain = { noNullPrototype: true } as const;

/** Configs with all required fields. */
export const RATE_EXAMPLES: RateConfigs = {
  flat: { price: 999 },
  free: {},
  by_weight_table: { tiers: [{ minWeight: 0, maxWeight: null, price: 1 }] },
  by_price_table: { tiers: [{ minPrice: 0, maxPrice: 5, price: 1 }] },
  by_items_table: { tiers: [{ minItems: 0, maxItems: 5, price: 1 }] },
  by_items: { firstItemPrice: 500, additionalItemPrice: 0 },
  by_weight: { firstWeight: 0, firstPrice: 1, additionalWeight: 1, additionalPrice: 1 },
  by_dimensional_weight: {
    divisor: 5000,
    firstWeight: 0,
    firstPrice: 1,
    additionalWeight: 1,
    additionalPrice: 1,
  },
  percentage: { percentage: 12.5 },
};

/** Ascending bounds for tiers that may have gaps, start above 0 and be open at the end. */
const tierBounds = (pool: readonly number[]): Arbitrary<readonly [from: number, to: number | null][]> =>
  fc
    .tuple(
      fc.uniqueArray(pick(pool), { minLength: 2, maxLength: 6 }),
      fc.boolean(),
      fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    )
    .map(([bounds, isOpen, gaps]) => {
      const sorted = [...bounds].sort((a, b) => a - b);
      return sorted.flatMap((from, index): [number, number | null][] => {
        const next = sorted[index + 1];
        if (next === undefined) return isOpen ? [[from, null]] : [];
        // A tier after the first may be left out, which makes a gap.
        return index > 0 && gaps[index] === true && (gaps[index - 1] === true || isOpen)
          ? []
          : [[from, next]];
      });
    });

const tiersOf = <T>(
  pool: readonly number[],
  tier: (from: number, to: number | null, price: number) => T,
): Arbitrary<{ tiers: T[] }> =>
  fc.tuple(tierBounds(pool), fc.array(cents, { minLength: 6, maxLength: 6 })).map(([bounds, prices]) => ({
    tiers: bounds.map(([from, to], index) => tier(from, to, prices[index] ?? 0)),
  }));

const GRAM_BOUNDS = [0, 1, 100, 250, 500, 999, 1000, 1001, 2000, 5000, 10_000];
const CENT_BOUNDS = [0, 1, 100, 250, 999, 1000, 1001, 2000, 2500, 5000, 25_000];
const PIECE_BOUNDS = [0, 1, 2, 3, 4, 5, 6, 10, 30, 50];

/** Tiers may have gaps, and bounds are near the totals of carts. */
export const rateConfig: Arbitrary<RateConfig> = fc.oneof(
  fc.record({ rateType: fc.constant('flat' as const), config: fc.record({ price: cents }, plain) }, plain),
  fc.constant({ rateType: 'free', config: {} } as const),
  fc.record(
    {
      rateType: fc.constant('by_weight_table' as const),
      config: tiersOf(GRAM_BOUNDS, (minWeight, maxWeight, price) => ({ minWeight, maxWeight, price })),
    },
    plain,
  ),
  fc.record(
    {
      rateType: fc.constant('by_price_table' as const),
      config: tiersOf(CENT_BOUNDS, (minPrice, maxPrice, price) => ({ minPrice, maxPrice, price })),
    },
    plain,
  ),
  fc.record(
    {
      rateType: fc.constant('by_items_table' as const),
      config: tiersOf(PIECE_BOUNDS, (minItems, maxItems, price) => ({ minItems, maxItems, price })),
    },
    plain,
  ),
  fc.record(
    {
      rateType: fc.constant('by_items' as const),
      config: fc.record({ firstItemPrice: cents, additionalItemPrice: cents }, plain),
    },
    plain,
  ),
  fc.record(
    {
      rateType: fc.constant('by_weight' as const),
      config: fc.record(
        {
          firstWeight: pick(GRAM_BOUNDS),
          firstPrice: cents,
          additionalWeight: pick([1, 2, 99, 100, 500, 1000, alphabet.CENTS_LIMIT]),
          additionalPrice: cents,
        },
        plain,
      ),
    },
    plain,
  ),
  fc.record(
    {
      rateType: fc.constant('by_dimensional_weight' as const),
      config: fc.record(
        {
          divisor: pick([1, 2, 5, 139, 5000, 6000, 100_000]),
          firstWeight: pick(GRAM_BOUNDS),
          firstPrice: cents,
          additionalWeight: pick([1, 99, 500, 1000]),
          additionalPrice: cents,
        },
        plain,
      ),
    },
    plain,
  ),
  fc.record({ rateType: fc.constant('percentage' as const), config: percentageConfig() }, plain),
);

function percentageConfig() {
  return fc
    .tuple(pick(alphabet.PERCENTAGES), fc.option(cents), fc.option(cents))
    .map(([percentage, first, second]) => {
      const both = first !== null && second !== null;
      const [min, max] = both && first > second ? [second, first] : [first, second];
      return {
        percentage,
        ...(min === null ? {} : { minPrice: min }),
        ...(max === null ? {} : { maxPrice: max }),
      };
    });
}
