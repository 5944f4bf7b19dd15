/**
 * The one rule by which decimal numbers of a source are read. A point is the decimal point. A comma is the decimal point
 * where it cannot separate thousands: a single comma that is not between 1 to 3 digits and exactly 3 more; a remark says
 * so. Any other comma is refused. In a source with decimal commas a point that may separate thousands is refused too:
 * "1.234" is ambiguous there.
 */
import { type Fraction, parseFraction } from './fraction.ts';
import type { SourceFinding, SourceFindings } from './source-finding.ts';

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

  /** A number of 0 or more; a string is why there is none. */
  read(written: string, row: SourceFinding['row'], column: string | null): Fraction | string {
    const text = written.trim();
    const place = { row, column };
    if (text.includes(',')) {
      if (!/^[\d.,]+$/.test(text)) return `"${text}" is no decimal number of 0 or more`;
      if (!DECIMAL_COMMA.test(text) || MAY_BE_THOUSANDS.test(text)) {
        return `"${text}" has a comma that may part thousands: write 1234.90 for one thousand and more`;
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
    return PLAIN.test(text) ? tooLong(text) : `"${text}" is no decimal number of 0 or more`;
  }

  /** After the last amount: what was read of commas, and whether the points can be told from them. */
  finish(): void {
    const [commas, point] = [this.#commas, this.#doubtfulPoint];
    if (commas === null) return;
    const { place, text, count } = commas;
    const more = count === 1 ? '' : `, and so are ${count - 1} more amounts with a comma`;
    const read = text.replace(',', '.');
    this.#remarks.add(place.row, place.column, 'decimal_comma', `"${text}" is read as ${read}${more}`);
    if (point === null) return;
    this.#errors.add(
      point.place.row,
      point.place.column,
      'mixed_separators',
      `"${point.text}" has a point that may part thousands, as "${text}" has a decimal comma: write decimal points everywhere`,
    );
  }
}
