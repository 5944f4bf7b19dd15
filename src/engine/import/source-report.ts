/**
 * The findings of an import: errors, which prevent any write, and remarks.
 *
 * How decimal numbers are read: a point is the decimal point. A comma is a decimal comma, with a remark, if it is the only
 * one and cannot separate thousands, as between 1 to 3 digits and exactly 3 more; any other comma is refused. In a source
 * with decimal commas, a point that may separate thousands is refused too: "1.234" is ambiguous there.
 *
 * Amounts become whole cents, rounded half up; one remark for each column names the first one that was rounded.
 */
import type { ConfigData } from '../wire/write-bodies.ts';
import {
  ceilOf,
  type Decimal,
  floorOf,
  parseDecimal,
  roundedOf,
  type Scale,
  scaleOf,
} from './source-amounts.ts';

export interface SourceFinding {
  /** Line of a table (the header is 1), or JSON path into an export. */
  readonly row: number | string;
  /** Name of the column or field; null when it is about the whole row. */
  readonly column: string | null;
  /** For programs: lower case with underscores. */
  readonly code: string;
  readonly message: string;
}

export interface Imported {
  /** Null when there are errors. */
  readonly data: ConfigData | null;
  /** Rows that cannot be read. */
  readonly errors: readonly SourceFinding[];
  /** Parts of the source that cannot be imported, or not exactly. */
  readonly remarks: readonly SourceFinding[];
}

/** Maximum number of errors, and of remarks; a source with more is probably the wrong file. */
const FINDINGS_MAX = 10_000;

const DECIMAL_COMMA = /^\d*,\d+$/;
/** 1 to 3 digits without a leading zero, and a separator before exactly 3 more. */
const MAY_BE_THOUSANDS = /^[1-9]\d{0,2}[.,]\d{3}$/;
const PLAIN = /^(?:\d+\.?\d*|\.\d+)$/;

type Row = SourceFinding['row'];
type Column = SourceFinding['column'];
type WrittenAmount = Pick<SourceFinding, 'row' | 'column'> & { readonly text: string };

export class SourceReport {
  readonly #errors: SourceFinding[] = [];
  readonly #remarks: SourceFinding[] = [];
  /** The first amount with a decimal comma, and how many there are. */
  #comma: WrittenAmount | null = null;
  #commas = 0;
  /** The first amount with a point that may separate thousands. */
  #doubtfulPoint: WrittenAmount | null = null;
  /** Column -> its first amount that was rounded, and how many there are. */
  readonly #rounded = new Map<Column, { readonly first: WrittenAmount; count: number }>();

  error(row: Row, column: Column, code: string, message: string): void {
    if (this.#errors.length < FINDINGS_MAX) this.#errors.push({ row, column, code, message });
  }

  remark(row: Row, column: Column, code: string, message: string): void {
    if (this.#remarks.length < FINDINGS_MAX) this.#remarks.push({ row, column, code, message });
  }

  /** A number of 0 or more; a string is the reason for refusing the text. */
  amount(written: string, row: Row, column: Column): Decimal | string {
    const text = written.trim();
    const hasComma = text.includes(',');
    const isComma = DECIMAL_COMMA.test(text) && !MAY_BE_THOUSANDS.test(text);
    if (hasComma && !isComma && /^[\d.,]+$/.test(text)) {
      return `"${text}" has a comma that may separate thousands: write 1234.90 without separators`;
    }
    const pointed = text.replace(',', '.');
    const value = parseDecimal(pointed);
    if (value === null) {
      return PLAIN.test(pointed)
        ? `"${text}" has too many digits`
        : `"${text}" is not a decimal number of 0 or more`;
    }
    if (hasComma) {
      this.#comma ??= { text, row, column };
      this.#commas++;
    } else if (MAY_BE_THOUSANDS.test(text)) this.#doubtfulPoint ??= { text, row, column };
    return value;
  }

  /** An amount in whole cents. `text` is what the source says. */
  cents = (value: Decimal, text: string, row: Row, column: Column): number =>
    this.rounded(value, scaleOf(100), { text, row, column });

  /** A number of smaller units, rounded half up. */
  rounded(value: Decimal, scale: Scale, written: WrittenAmount): number {
    const whole = roundedOf(value, scale);
    if (whole !== floorOf(value, scale) || whole !== ceilOf(value, scale)) {
      const known = this.#rounded.get(written.column);
      if (known === undefined) this.#rounded.set(written.column, { first: written, count: 1 });
      else known.count++;
    }
    return whole;
  }

  /**
   * The result, after the last amount: reports rounded amounts, decimal commas, and a point that is ambiguous beside them. `configOf` is
   * called when there are no errors.
   */
  finish(configOf?: () => ConfigData): Imported {
    for (const { first, count } of this.#rounded.values()) {
      const more =
        count === 1 ? '' : `, and so ${count === 2 ? 'is 1 more' : `are ${count - 1} more`} of this column`;
      this.remark(
        first.row,
        first.column,
        'rounded',
        `"${first.text}" is rounded half up to whole cents${more}`,
      );
    }
    const [comma, point] = [this.#comma, this.#doubtfulPoint];
    if (comma !== null) {
      const others = this.#commas === 2 ? 'so is 1 more amount' : `so are ${this.#commas - 1} more amounts`;
      const more = this.#commas === 1 ? '' : `, and ${others} with a comma`;
      const read = comma.text.replace(',', '.');
      this.remark(comma.row, comma.column, 'decimal_comma', `"${comma.text}" is read as ${read}${more}`);
    }
    if (comma !== null && point !== null) {
      const why = `"${point.text}" has a point that may separate thousands, because "${comma.text}" has a decimal comma`;
      this.error(point.row, point.column, 'mixed_separators', `${why}: write decimal points everywhere`);
    }
    const data = this.#errors.length === 0 && configOf !== undefined ? configOf() : null;
    return { data, errors: this.#errors, remarks: this.#remarks };
  }
}
