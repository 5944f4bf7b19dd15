/**
 * Amounts of a source: exact fractions, how they are read, and the units of rate tables (weight, subtotal or number of
 * items), whose bounds become whole numbers.
 *
 * The one rule by which decimal numbers are read: a point is the decimal point. A comma is the decimal point where it
 * cannot separate thousands: a single comma that is not between 1 to 3 digits and exactly 3 more; a remark says so. Any
 * other comma is refused. In a source with decimal commas a point that may separate thousands is refused too: "1.234"
 * is ambiguous there.
 */
import type { ConditionType } from '../domain/condition.ts';
import type { TableRateType } from '../domain/rate-type.ts';
import type { SourceFinding, SourceFindings } from './source-finding.ts';

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

export const negate = ({ above, below }: Fraction): Fraction => ({ above: -above, below });

export const multiply = (a: Fraction, b: Fraction): Fraction => ({
  above: a.above * b.above,
  below: a.below * b.below,
});

/** null for a division by zero. */
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

/** The greatest whole number not above one that is not negative. */
export const floorOf = ({ above, below }: Fraction): number => Number(above / below);

/** The least whole number not below one that is not negative. */
export const ceilOf = ({ above, below }: Fraction): number => Number((above + below - 1n) / below);

const DECIMAL_COMMA = /^\d*,\d+$/;
/** 1 to 3 digits without a leading zero, and a separator before exactly 3 more. */
const MAY_BE_THOUSANDS = /^[1-9]\d{0,2}[.,]\d{3}$/;

const PLAIN = /^(?:\d+\.?\d*|\.\d+)$/;
const tooLong = (text: string): string => `"${text}" has too many digits`;

interface Place {
  readonly row: SourceFinding['row'];
  readonly column: string | null;
}

export class SourceAmounts {
  readonly #errors: SourceFindings;
  readonly #remarks: SourceFindings;
  #commas: { readonly place: Place; readonly text: string; count: number } | null = null;
  #doubtfulPoint: { readonly place: Place; readonly text: string } | null = null;

  constructor(errors: SourceFindings, remarks: SourceFindings) {
    this.#errors = errors;
    this.#remarks = remarks;
  }

  /** A number of 0 or more; a string is the reason for refusing the text. */
  read(written: string, row: SourceFinding['row'], column: string | null): Fraction | string {
    const text = written.trim();
    const place = { row, column };
    if (text.includes(',')) {
      if (!/^[\d.,]+$/.test(text)) return `"${text}" is not a decimal number of 0 or more`;
      if (!DECIMAL_COMMA.test(text) || MAY_BE_THOUSANDS.test(text)) {
        return `"${text}" has a comma that may separate thousands: write 1234.90 without separators`;
      }
      const value = parseFraction(text.replace(',', '.'));
      if (value === null) return tooLong(text);
      this.#commas ??= { place, text, count: 0 };
      this.#commas.count++;
      return value;
    }
    if (MAY_BE_THOUSANDS.test(text)) this.#doubtfulPoint ??= { place, text };
    const value = parseFraction(text);
    if (value !== null) return value;
    return PLAIN.test(text) ? tooLong(text) : `"${text}" is not a decimal number of 0 or more`;
  }

  /** Call after the last amount: reports decimal commas, and a point that is ambiguous beside them. */
  finish(): void {
    const [commas, point] = [this.#commas, this.#doubtfulPoint];
    if (commas === null) return;
    const { place, text, count } = commas;
    const more = count === 1 ? '' : `, and so are ${count - 1} more amounts with a comma`;
    const read = text.replace(',', '.');
    this.#remarks.add(place.row, place.column, 'decimal_comma', `"${text}" is read as ${read}${more}`);
    if (point === null) return;
    const why = `"${point.text}" has a point that may separate thousands, because "${text}" has a decimal comma`;
    const { row, column } = point.place;
    this.#errors.add(row, column, 'mixed_separators', `${why}: write decimal points everywhere`);
  }
}

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

/** A bound in grams, cents or pieces, exact: a fraction where the source is finer. */
export function inBaseUnit(value: Fraction, unit: RateUnit, weightUnit: WeightUnit): Fraction {
  if (unit === 'items') return value;
  return multiply(value, unit === 'weight' ? WEIGHT_UNITS[weightUnit] : fraction(100));
}
