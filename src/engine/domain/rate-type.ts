/**
 * Rate types: each makes the base price of a method from the shippable items of the method's group (contract
 * section 3, "Rate types"). The table has the config schema of each type.
 */
import Type, { type Static, type TSchema } from '#typebox';
import { CENTS_MAX, Cents } from './money.ts';
import { orNull, strict, untitled } from './schema.ts';

export const TIERS_MAX = 1_000;
export const PERCENTAGE_MAX = 1_000;

const BOUND_ACCEPTS = 'a whole number, 0 to 9,007,199,254,740,991';
const bound = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, 'x-accepts': BOUND_ACCEPTS });
const upperBound = orNull(bound, { 'x-accepts': `${BOUND_ACCEPTS}, or null for no upper bound` });

/** The description says how the base price follows from the config. */
const rateConfig = <P extends Record<string, TSchema>>(title: string, description: string, properties: P) =>
  strict(title, properties, { description });

const table = <B extends Record<string, TSchema>>(title: string, total: string, bounds: B) =>
  rateConfig(title, `that of the tier with min <= ${total} < max`, {
    tiers: Type.Array(untitled({ ...bounds, price: Cents }), {
      minItems: 1,
      maxItems: TIERS_MAX,
      'x-accepts': `1 to ${TIERS_MAX.toLocaleString('en-US')} tiers`,
    }),
  });

const weightSteps = {
  firstWeight: bound,
  firstPrice: Cents,
  additionalWeight: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    'x-accepts': 'whole grams, 1 to 9,007,199,254,740,991',
  }),
  additionalPrice: Cents,
};

const DIVISOR_MAX = 100_000;

export const RATE_TYPES = {
  flat: rateConfig('FlatConfig', 'price', { price: Cents }),
  free: rateConfig('FreeConfig', '0', {}),
  by_weight_table: table('ByWeightTableConfig', 'grams', { minWeight: bound, maxWeight: upperBound }),
  by_price_table: table('ByPriceTableConfig', 'total price', { minPrice: bound, maxPrice: upperBound }),
  by_items_table: table('ByItemsTableConfig', 'total quantity', { minItems: bound, maxItems: upperBound }),
  by_items: rateConfig('ByItemsConfig', 'firstItemPrice + (quantity - 1) x additionalItemPrice', {
    firstItemPrice: Cents,
    additionalItemPrice: Cents,
  }),
  by_weight: rateConfig(
    'ByWeightConfig',
    'firstPrice + ceil(max(0, grams - firstWeight) / additionalWeight) x additionalPrice',
    weightSteps,
  ),
  by_dimensional_weight: rateConfig(
    'ByDimensionalWeightConfig',
    'by_weight on the greater of grams and volume / divisor, rounded up, of each item',
    {
      divisor: Type.Integer({
        minimum: 1,
        maximum: DIVISOR_MAX,
        'x-accepts': `cubic millimetres per gram, 1 to ${DIVISOR_MAX.toLocaleString('en-US')}`,
      }),
      ...weightSteps,
    },
  ),
  percentage: rateConfig(
    'PercentageConfig',
    'percentage of the total price, rounded half up, then at least minPrice and at most maxPrice',
    {
      percentage: Type.Number({
        minimum: 0,
        maximum: PERCENTAGE_MAX,
        'x-accepts': `a percentage, 0 to ${PERCENTAGE_MAX.toLocaleString('en-US')}, with at most 2 decimals`,
      }),
      minPrice: Type.Optional(Cents),
      maxPrice: Type.Optional(Cents),
    },
  ),
} as const;

export type RateType = keyof typeof RATE_TYPES;
export const RATE_TYPE_NAMES = Object.keys(RATE_TYPES) as RateType[];

/** The config of any rate type, for documents; a write checks it against the schema of its `rateType`. */
export const AnyRateConfig = Type.Union(
  // Typed as a tuple of one element: TypeBox derives no static type from an array.
  RATE_TYPE_NAMES.map((name) => RATE_TYPES[name]) as [(typeof RATE_TYPES)[RateType]],
  {
    title: 'RateConfig',
    description: `The config of the rate type: ${RATE_TYPE_NAMES.join(', ')}, in this order`,
  },
);

/** A config without fields accepts only `{}`; its static type would accept any object. */
type ConfigOf<T> = keyof T extends never ? Readonly<Record<string, never>> : Readonly<T>;
export type RateConfigs = { readonly [K in RateType]: ConfigOf<Static<(typeof RATE_TYPES)[K]>> };

/** A rate type with its own config. */
export type RateConfig = {
  [K in RateType]: { readonly rateType: K; readonly config: RateConfigs[K] };
}[RateType];

/** Field names of the bounds in each table type: [lower (included), upper (excluded)]. */
export const TIER_BOUNDS = {
  by_weight_table: ['minWeight', 'maxWeight'],
  by_price_table: ['minPrice', 'maxPrice'],
  by_items_table: ['minItems', 'maxItems'],
} as const;
export type TableRateType = keyof typeof TIER_BOUNDS;

export const isTableRateType = (rateType: RateType): rateType is TableRateType => rateType in TIER_BOUNDS;

/** Hundredths of a percent as a whole number, or null when `percentage` has more than 2 decimals. */
export function percentageHundredths(percentage: number): number | null {
  const hundredths = Math.round(percentage * 100);
  return hundredths / 100 === percentage ? hundredths : null;
}

export interface Tier {
  /** Included. */
  readonly from: number;
  /** Excluded; null = open. */
  readonly to: number | null;
  readonly priceCents: number;
}

/** The tiers of a table of any type, in one shape; null for other rate types. */
export function tiersOfRate({ rateType, config }: RateConfig): readonly Tier[] | null {
  if (!isTableRateType(rateType)) return null;
  const [lower, upper] = TIER_BOUNDS[rateType];
  return (config as RateConfigs[TableRateType]).tiers.map((tier) => {
    const fields = tier as unknown as Readonly<Record<string, number | null>>;
    return { from: fields[lower] as number, to: fields[upper] as number | null, priceCents: tier.price };
  });
}

/**
 * Finds a defect that the schemas cannot express (contract section 3, "Rate types"): tiers ascend without overlap, and
 * only the last is open; a percentage has at most 2 decimals; minPrice <= maxPrice. It begins with the JSON path below
 * the config. Null when there is none.
 */
export function findRateConfigDefect(rate: RateConfig): string | null {
  const { rateType, config } = rate;
  if (rateType === 'percentage') {
    const { percentage, minPrice = 0, maxPrice = CENTS_MAX } = config;
    if (percentageHundredths(percentage) === null) return '/percentage must have at most 2 decimals';
    return minPrice > maxPrice ? '/minPrice must not be above maxPrice' : null;
  }
  if (!isTableRateType(rateType)) return null;
  const [lower, upper] = TIER_BOUNDS[rateType];
  let before: number | null = 0;
  for (const [index, { from, to }] of (tiersOfRate(rate) ?? []).entries()) {
    const path = `/tiers/${index}`;
    if (before === null) return `/tiers/${index - 1}/${upper} may be null only in the last tier`;
    if (from < before) {
      return `${path}/${lower} must be at least ${before}, where the tier before ends: tiers ascend and never overlap`;
    }
    if (to !== null && to <= from) return `${path}/${upper} must be above ${lower} (${from})`;
    before = to;
  }
  return null;
}
