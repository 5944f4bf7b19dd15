/** The quantity of a rate table (weight, subtotal or number of items), and how its bounds become whole numbers. */
import type { ConditionType } from '../domain/condition.ts';
import type { TableRateType } from '../domain/rate-type.ts';
import { type Fraction, fraction, multiply } from './fraction.ts';

const WEIGHT_UNITS = {
  g: fraction(1),
  kg: fraction(1_000),
  lb: fraction(45_359_237, 100_000),
  oz: fraction(28_349_523_125n, 1_000_000_000n),
} as const;
export type WeightUnit = keyof typeof WEIGHT_UNITS;
export const WEIGHT_UNIT_NAMES = Object.keys(WEIGHT_UNITS) as WeightUnit[];

interface UnitRow {
  readonly rateType: TableRateType;
  /** Its sum over the group is what the tiers are compared with. */
  readonly conditionType: ConditionType;
  /** The least total that a cart can have. */
  readonly least: number;
  /** How the headers of sources name it. */
  readonly header: RegExp;
}

export const RATE_UNITS = {
  weight: { rateType: 'by_weight_table', conditionType: 'product_weight', least: 0, header: /weight/i },
  items: {
    rateType: 'by_items_table',
    conditionType: 'product_quantity',
    least: 1,
    header: /items|qty|quantity/i,
  },
  subtotal: {
    rateType: 'by_price_table',
    conditionType: 'product_price',
    least: 0,
    header: /subtotal|price|value|total/i,
  },
} as const satisfies Record<string, UnitRow>;
export type RateUnit = keyof typeof RATE_UNITS;
export const RATE_UNIT_NAMES = Object.keys(RATE_UNITS) as RateUnit[];

/** The unit in a column's heading; null without one. */
export const unitOfHeader = (header: string): RateUnit | null =>
  RATE_UNIT_NAMES.find((name) => RATE_UNITS[name].header.test(header)) ?? null;

/** A bound in grams, cents or pieces, exact: a fraction where the source is finer. */
export function inBaseUnit(value: Fraction, unit: RateUnit, weightUnit: WeightUnit): Fraction {
  if (unit === 'items') return value;
  return multiply(value, unit === 'weight' ? WEIGHT_UNITS[weightUnit] : fraction(100));
}
