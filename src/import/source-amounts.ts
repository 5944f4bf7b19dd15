/**
 * Amounts of a source: exact fractions, and the units of rate tables (weight, subtotal or number of items), whose bounds
 * become whole numbers.
 */
import type { ConditionType } from '../domain/condition.ts';
import type { TableRateType } from '../domain/rate-type.ts';

/** An exact fraction: a decimal of a source is not rounded before it is converted to whole units. */
export interface Fraction {
  readonly above: bigint;
  /** Always positive. */
  readonly below: bigint;
}

const DECIMAL = /^(\d{0,15})(?:\.(\d{0,15}))?$/;

/** A decimal without sign and exponent, such as `12.50`; null for any other text. */
export function parseFraction(text: string): Fraction | null {
  const [, whole = '', decimals = ''] = DECIMAL.exec(text.trim()) ?? [];
  if (whole === '' && decimals === '') return null;
  return { above: BigInt(whole + decimals), below: 10n ** BigInt(decimals.length) };
}

export const fraction = (above: number | bigint, below: number | bigint = 1): Fraction => ({
  above: BigInt(above),
  below: BigInt(below),
});

export const ZERO = fraction(0);

export const add = (a: Fraction, b: Fraction): Fraction => ({
  above: a.above * b.below + b.above * a.below,
  below: a.below * b.below,
});

export const multiply = (a: Fraction, b: Fraction): Fraction => ({
  above: a.above * b.above,
  below: a.below * b.below,
});

/** Null for a division by zero. */
export function divide(a: Fraction, b: Fraction): Fraction | null {
  if (b.above === 0n) return null;
  const sign = b.above < 0n ? -1n : 1n;
  return { above: a.above * b.below * sign, below: a.below * b.above * sign };
}

/** The value when it is a safe integer, else null. */
export function wholeOf({ above, below }: Fraction): number | null {
  if (above % below !== 0n) return null;
  const value = Number(above / below);
  return Number.isSafeInteger(value) ? value : null;
}

/** Rounds down. For fractions of 0 or more, as `ceilOf`. */
export const floorOf = ({ above, below }: Fraction): number => Number(above / below);

/** Rounds up. */
export const ceilOf = ({ above, below }: Fraction): number => Number((above + below - 1n) / below);

/** Unit of weights -> grams. */
export const WEIGHT_UNITS = {
  g: fraction(1),
  kg: fraction(1_000),
  lb: fraction(45_359_237, 100_000),
  oz: fraction(28_349_523_125n, 1_000_000_000n),
} as const;
export type WeightUnit = keyof typeof WEIGHT_UNITS;
export const WEIGHT_UNIT_NAMES = Object.keys(WEIGHT_UNITS) as WeightUnit[];

interface UnitRow {
  readonly rateType: TableRateType;
  /** The tiers are compared with its sum over the group. */
  readonly conditionType: ConditionType;
  /** The least total that a cart can have. */
  readonly least: number;
  /** How the headers of sources name it. */
  readonly header: RegExp;
}

/** The quantity of a rate table. */
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
