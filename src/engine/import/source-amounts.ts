/** Decimals of a source, exact until they are rounded, and the units of rate tables, whose bounds become whole numbers. */
import type { ConditionType } from '../domain/condition.ts';
import type { TableRateType } from '../domain/rate-type.ts';

/** A number of 0 or more, in units of 10^-15. */
export type Decimal = bigint;

const DECIMALS_MAX = 15;
export const ONE: Decimal = 10n ** BigInt(DECIMALS_MAX);
const DECIMAL = /^(\d{0,15})(?:\.(\d{0,15}))?$/;

/** Reads a decimal without sign and exponent, such as `12.50`; null for any other text. */
export function parseDecimal(text: string): Decimal | null {
  const [, whole = '', decimals = ''] = DECIMAL.exec(text.trim()) ?? [];
  if (whole === '' && decimals === '') return null;
  return BigInt(whole + decimals.padEnd(DECIMALS_MAX, '0'));
}

/** How many of a smaller unit one unit of the source is, in units of 10^-10. */
export type Scale = bigint;

export const scaleOf = (count: number): Scale => BigInt(count) * 10n ** 10n;

const WHOLE = ONE * scaleOf(1);

/** The number of smaller units, rounded down. */
export const floorOf = (value: Decimal, scale: Scale): number => Number((value * scale) / WHOLE);

/** As `floorOf`, rounded up. */
export const ceilOf = (value: Decimal, scale: Scale): number => Number((value * scale + WHOLE - 1n) / WHOLE);

/** As `floorOf`, rounded half up. */
export const roundedOf = (value: Decimal, scale: Scale): number =>
  Number((value * scale + WHOLE / 2n) / WHOLE);

/** Unit of weights -> grams. */
export const WEIGHT_UNITS: Readonly<Record<'g' | 'kg' | 'lb' | 'oz', Scale>> = {
  g: scaleOf(1),
  kg: scaleOf(1_000),
  lb: 4_535_923_700_000n,
  oz: 283_495_231_250n,
};
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
